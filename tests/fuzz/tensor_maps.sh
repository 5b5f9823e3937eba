#!/bin/bash
# tensor_maps.sh PROGRAM FIRST COUNT: the same lines from generated code and from the reference.
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export WARPGLASS_CACHE_DIR=$scratch/cache
for backend in jit ref; do
    WARPGLASS_BACKEND=$backend "$1" "$2" "$3" > "$scratch/$backend" 2> "$scratch/errors" || {
        echo "$backend: status $?, the last map:"
        tail -n 1 "$scratch/$backend"
        cat "$scratch/errors"
        exit 1
    }
done
diff "$scratch/jit" "$scratch/ref" || exit 1
echo "$3 maps: $(grep -c load "$scratch/jit") could be copied by, $(grep -cE ': [1-9]' "$scratch/jit") were refused"
(($(grep -c load "$scratch/jit") * 4 > $3)) || exit 1 # or it tries nothing
