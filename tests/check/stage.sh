#!/bin/bash
# Sourced by tests of what the command shows: `leaves FILE [STATUS]` is a program that leaves FILE as what was
# found, and ends with STATUS; so a report is tested without the checks.
. "$(dirname "$0")/../cli/expect.sh"
data=$tests/../check/data
cp "$data/tile.cu" .
cat > leaves << 'PROGRAM'
#!/bin/bash
[[ -z $1 ]] || cp "$1" "${WARPGLASS_CHECK}left.json"
case ${2:-0} in kill) kill -9 $$ ;; *) exit "${2:-0}" ;; esac
PROGRAM
chmod +x leaves
