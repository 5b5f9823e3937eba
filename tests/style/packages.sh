#!/bin/bash
# The README's table of packages is tools/packages.txt.
. "$(dirname "$0")/files.sh"
while read -r name group why; do
    [[ -z $name || $name == \#* ]] && continue
    grep -qF "| \`$name\` | $group | $why |" README.md ||
        fault "README.md: no line '| \`$name\` | $group | $why |'"
done < tools/packages.txt
count=$(grep -cE '^\| `[a-z0-9.+-]+` \| (run|more|build|test|bench) \| ' README.md)
listed=$(grep -cvE '^(#|$)' tools/packages.txt)
((count == listed)) || fault "README.md: $count packages, tools/packages.txt: $listed"
exit $failed
