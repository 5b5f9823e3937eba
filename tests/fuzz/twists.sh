#!/bin/bash
# The kernels of the near misses with other operands, operations and conditions (twist.h), the reference against generated code:
#
#     tests/fuzz/twists.sh FUZZ_KERNELS FROM COUNT FOLDER
#
# From seed FROM on COUNT of each; what differs is cut down and kept in FOLDER. Each kernel has to have been gone through.
set -u
here=$(cd "$(dirname "$0")" && pwd)
bases=("$here"/near/*.ptx)
for base in "${bases[@]}"; do
    "$1" --ptx "$base" --twisted yes --from "$2" --count "$3" --keep "$4" 2>&1 | grep -v 'of a core each' | sed "s|^cuda |$(basename "$base") |"
done | awk -v bases=${#bases[@]} '/kernels from seed/ { n += $1; bad += $1 - $7; ended++ } !/kernels from seed/
    END {
        printf "%d kernels from twists, %d not as the reference has them\n", n, bad
        if (ended < bases) printf "%d of %d files did not come to their end\n", bases - ended, bases
        exit bad > 0 || ended < bases
    }'
