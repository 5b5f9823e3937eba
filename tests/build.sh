#!/usr/bin/env bash
# build.sh WARPGLASS SOURCE PROGRAM OBJECTS [WORD...]: compiles a program; the words are for the compiler. What clang makes of
# a source is the same in every build: it lies in the folder OBJECTS, and is made again when anything that it is made of is
# newer. PROGRAM_LINK: more words for linking.
set -eu
warpglass=$1 source=$2 program=$3 objects=$4 root=$(dirname "$0")/..
shift 4
folder=$(dirname "$source")
object=$objects/$(basename "$folder").$(basename "$source" .cu).o
mkdir -p "$objects"
if [ ! -e "$object" ] || [ -n "$(find "$folder" "$root"/kernels/*.h "$root/device/include" "$root/src/cli" \
    -newer "$object" ! -name '*.expected' -type f -print -quit)" ]; then
    "$warpglass" cc "$@" -c "$source" -o "$object.$$"
    mv "$object.$$" "$object"
fi
# shellcheck disable=SC2086
"$warpglass" cc "$object" ${PROGRAM_LINK-} -o "$program"
