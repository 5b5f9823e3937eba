#!/bin/bash
# Files: not too long, opening with what they are, named for what they hold, free of one machine's paths.
. "$(dirname "$0")/files.sh"
longest=600

# Rows of numbers do not count as lines, and made files are as long as they are.
while IFS= read -r what; do fault "$what"; done < <(
    project_files '*.c' '*.h' '*.cu' '*.sh' | xargs awk -v longest=$longest '
        function check() {
            if (name == "") return
            if (!opens) print name ":1: begin with a comment that says what this is"
            if (lines > longest && !made) print name ": " lines " lines, " longest " at most: what are its two parts?"
        }
        FNR == 1 { check(); name = FILENAME; lines = 0; opens = 0; made = /Made by/ }
        FNR <= 2 && /^(\/\*|\/\/|# )/ { opens = 1 }
        !/^[-+ \t0-9.xXpPeEa-fA-F{},()]*[,;]$/ { lines++ }
        END { check() }')

while IFS= read -r file; do fault "$file: a name that says nothing"; done < <(
    project_files '*' | grep -E '(^|/)(util|utils|common|misc)(/|\.|$)')

while IFS= read -r hit; do fault "$hit: a path of one machine"; done < <(
    project_files '*.c' '*.h' '*.cu' '*.sh' '*.md' '*.txt' '*.cmake' '*.json' |
        xargs grep -HnE '(^|[^[:alnum:]$~}])/(home|root|work|Users)/[[:alnum:]]' | cut -d: -f1,2)

while IFS= read -r hit; do fault "$hit: blanks at the line's end"; done < <(
    project_files '*.c' '*.h' '*.cu' '*.sh' '*.md' '*.def' 'CMakeLists.txt' | xargs grep -HnE '[[:blank:]]+$' | cut -d: -f1,2)
exit $failed
