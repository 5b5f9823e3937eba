#!/bin/bash
# Files: not too long, opening with what they are, named for what they hold, free of one machine's paths.
. "$(dirname "$0")/files.sh"
longest=600

mapfile -t code < <(project_files '*.c' '*.h' '*.cu' '*.sh')
for file in "${code[@]}"; do
    ! head -n 1 "$file" | grep -q "Made by" || continue
    lines=$(grep -cvE '^[-+[:space:]0-9.xXpPeEa-fA-F{},()]*[,;]$' "$file" || true) # rows of numbers aside
    ((lines <= longest)) || fault "$file: $lines lines, $longest at most: what are its two parts?"
    head -n 2 "$file" | grep -qE '^(/\*|//|# )' || fault "$file:1: begin with a comment that says what this is"
done

while IFS= read -r file; do fault "$file: a name that says nothing"; done < <(
    project_files '*' | grep -E '(^|/)(util|utils|common|misc)(/|\.|$)')

while IFS= read -r hit; do fault "$hit: a path of one machine"; done < <(
    project_files '*.c' '*.h' '*.cu' '*.sh' '*.md' '*.txt' '*.cmake' '*.json' |
        xargs grep -HnE '(^|[^[:alnum:]$~}])/(home|root|work|Users)/[[:alnum:]]' | cut -d: -f1,2)

while IFS= read -r hit; do fault "$hit: blanks at the line's end"; done < <(
    project_files '*.c' '*.h' '*.cu' '*.sh' '*.md' '*.def' 'CMakeLists.txt' | xargs grep -HnE '[[:blank:]]+$' | cut -d: -f1,2)
exit $failed
