#!/bin/bash
# Files that call each other in a circle can only be read and tested together. Finds circles in each room from what the
# objects of a build define and need, and refuses those of more files than a handful.
#     circles.sh BUILD
. "$(dirname "$0")/files.sh"
here=$PWD/tests/style
handful=5

circles=0
while read -r room size files; do
    circles=$((circles + 1))
    ((size <= handful)) || fault "src/$room: $size files call each other in a circle: $files"
done < <(
    # Objects that this build has: one of a file that was moved may still lie there.
    cd "$1" && sed -n 's/.* -o \(src\/[^ ]*\.o\) .*/\1/p' compile_commands.json | sort -u | xargs nm -gA | awk '
        {
            path = $1; sub(/:.*/, "", path); sub(/^[^:]*:/, "", $1)
            room = path; sub(/^src\//, "", room)
            file = room; sub(/\/.*/, "", room); sub(/^[^\/]*\//, "", file)
            sub(/CMakeFiles\/[^\/]*\.dir\//, "", file); sub(/\.o$/, "", file)
            if ($(NF - 1) == "U") print room, file, "U", $NF
            else if ($(NF - 1) ~ /^[A-Z]$/) print room, file, "D", $NF
        }' | sort -u | awk -f "$here/circles.awk")
((circles)) || fault "no circles at all: were the objects of '$1' read?"
exit $failed
