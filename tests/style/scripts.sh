#!/bin/bash
# Shell scripts hold nothing that shellcheck warns of.
. "$(dirname "$0")/files.sh"
need shellcheck
mapfile -t files < <(project_files '*' | xargs grep -lE '^#!/bin/(ba)?sh' | sort -u)
shellcheck --severity=warning --external-sources --source-path=SCRIPTDIR "${files[@]}"
