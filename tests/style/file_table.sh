#!/bin/bash
# The table of files in ARCHITECTURE.md is what the files say of themselves.
. "$(dirname "$0")/files.sh"
diff <(sed -n '/^<!-- files -->$/,/^<!-- end of files -->$/p' ARCHITECTURE.md | sed '1d;$d') <(tools/file_table.sh) ||
    fault "ARCHITECTURE.md: run tools/file_table.sh --write"
exit $failed
