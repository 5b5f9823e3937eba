#!/usr/bin/env bash
# math.sh: the mathematical functions keep their bounds, whether the compiler fuses products and sums or not, and
# docs/math.md is what the measuring program prints.
#     math.sh SOURCE_ROOT BUILD_FOLDER
set -eu
root=$1 build=$2
mkdir -p "$build"
clang++-19 -std=c++17 -O1 -c -Wall -Wextra -Werror "$root/tests/device/math_test.cc" -o "$build/math_test.o"
for contract in fast off; do
    clang++-19 -std=c++17 -O1 -mfma -ffp-contract=$contract -Wall -Wextra -Wno-unused-function -Werror \
        -I"$root/device/include" "$root/tests/device/math_rows.cc" "$build/math_test.o" -lmpfr -lgmp -o "$build/math_test_$contract"
done
"$build/math_test_off"
"$build/math_test_fast" --markdown > "$build/math.md"
if ! diff "$build/math.md" "$root/docs/math.md"; then
    echo "docs/math.md is not what $build/math_test_fast --markdown prints: make it anew" >&2
    exit 1
fi
