#!/bin/bash
# The tables of files in the rooms' READMEs are what the files say of themselves; ARCHITECTURE.md stays short enough to read.
. "$(dirname "$0")/files.sh"
diff <(find src device kernels bench tools -name README.md -exec grep -l '^<!-- files -->$' {} + | sort | xargs cat) \
    <(tools/file_table.sh) || fault "a room's README.md: run tools/file_table.sh --write"
for room in src/*/; do
    grep -q '^<!-- files -->$' "$room/README.md" || fault "${room}README.md: begin one, with the marks of tools/file_table.sh in it"
done
(($(wc -c < ARCHITECTURE.md) <= 15 * 1024)) || fault "ARCHITECTURE.md: more than 15 KB: what can a room's README say?"
exit $failed
