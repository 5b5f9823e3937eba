#!/bin/bash
# The gallery counts the same in the reference and in generated code, with one thread and with three, with vectors of
# 512, 256 and 128 bits: gallery.sh WARPGLASS SAME SOURCES
set -u
warpglass=$1 same=$2 sources=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

count() { # NAME, then variables, --, the program and its arguments
    local out=$dir/$1.json
    shift
    local set=()
    while [[ $1 != -- ]]; do set+=("$1"); shift; done
    shift
    env "${set[@]}" WARPGLASS_PROFILE="$out" "$warpglass" run "$sources/$1/$1.cu" -- "${@:2}" > "$dir/log" 2>&1 || {
        echo "$*: does not run"
        cat "$dir/log"
        failed=1
    }
}

while read -r program; do
    # shellcheck disable=SC2086
    {
        count reference WARPGLASS_BACKEND=ref -- $program
        count one WARPGLASS_THREADS=1 -- $program
        count three WARPGLASS_THREADS=3 -- $program
        count narrow WARPGLASS_THREADS=2 WARPGLASS_WIDTH=256 -- $program
        count narrowest WARPGLASS_WIDTH=128 -- $program
    }
    for way in one three narrow narrowest; do
        "$same" "$dir/reference.json" "$dir/$way.json" || { echo "$program: $way is not as the reference"; failed=1; }
    done
done << 'LIST'
vector_add 3001
array_of_structures 3000
transpose 100 132
reverse 5000
reduction 5000
matrix_product 70 66 75
mean_filter 200 130
LIST
exit $failed
