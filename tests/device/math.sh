#!/usr/bin/env bash
# math.sh: the mathematical functions keep their bounds, whether the compiler fuses products and sums or not.
#     math.sh SOURCE_ROOT BUILD_FOLDER
set -eu
root=$1 build=$2
mkdir -p "$build"
for contract in fast off; do
    clang++-19 -std=c++17 -O2 -mfma -ffp-contract=$contract -Wall -Wextra -Wno-unused-function -Werror \
        -I"$root/device/include" "$root"/tests/device/math_{rows,test}.cc -lmpfr -lgmp -o "$build/math_test_$contract"
    echo "-ffp-contract=$contract"
    "$build/math_test_$contract"
done
# The page is the program's own output; a change of a function or of the tests changes it.
if ! "$build/math_test_fast" --markdown | diff - "$root/docs/math.md"; then
    echo "docs/math.md is not what math_test --markdown prints: make it anew" >&2
    exit 1
fi
