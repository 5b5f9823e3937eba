#!/bin/bash
# Tables in comments stand as they were written: indented, a row a line. A tool that fills lines joins their rows to
# each other or to the text around them, and what it leaves can be told by
#     a row at the margin         text, three blanks or more, text, in a comment of several lines
#     what follows a row          at the margin: the rest of the row, or text that a blank line should part from it
# Of the files that are named, or of all.
. "$(dirname "$0")/files.sh"

while IFS= read -r what; do fault "$what"; done < <(
    if (($#)); then printf '%s\n' "$@"; else project_files '*.c' '*.h' '*.cc' '*.cu' '*.def'; fi | xargs awk '
        # What a line of a comment says, less its star.
        function text(line) {
            sub(/[ \t]*\*\/.*$/, "", line)
            sub(/^[ \t]*(\/\*|\*)/, "", line)
            return line
        }
        function check(   i, row, margin) {
            for (i = 1; i <= lines; i++) {
                margin = said[i] ~ /^ ?[^ ]/
                if (margin && lines > 1 && said[i] ~ /[^ ]   +[^ ]/)
                    print FILENAME ":" first + i - 1 ": a row of a table at the margin of a comment: indent it, a row a line"
                else if (margin && row)
                    print FILENAME ":" first + i - 1 ": runs on from a row of a table: indent it, or leave a blank line before"
                row = !margin && said[i] ~ /[^ ]  +[^ ]/
            }
        }
        FNR == 1 { inside = 0 }
        !inside && /^[ \t]*\/\*/ { inside = 1; lines = 0; first = FNR }
        inside {
            said[++lines] = text($0)
            if (/\*\//) { check(); inside = 0 }
        }')

# It finds both in a comment that was filled.
if (($# == 0)); then
    filled=$(mktemp)
    printf '%s\n' '/* How a turn ends.' ' *     DONE     every lane has exited, or none of' \
        ' * them ever ran' ' * YIELD    the warp spins FAULT    stop the launch' ' */' > "$filled"
    (($(bash tests/style/tables_in_comments.sh "$filled" | wc -l) == 2)) || fault "$0: does not find a table that was filled"
    rm "$filled"
fi
exit $failed
