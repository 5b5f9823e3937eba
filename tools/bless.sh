#!/bin/bash
# What tests compare with, written as it comes out now: outputs of programs that no hardware ran, plans of their kernels for
# each vector width that this CPU has, what the documents show, the manual page, the table of files. For `./test --bless`.
set -eu
cd "$(dirname "$0")/.."
echo "Building dev"
cmake --preset dev > /dev/null
cmake --build --preset dev > /dev/null
export WARPGLASS=$PWD/build/dev/bin/warpglass
widths=256
! grep -q avx512vl /proc/cpuinfo || widths="256 512"
for width in $widths; do
    echo "Programs and plans, $width bits"
    UPDATE=1 WARPGLASS_WIDTH=$width ctest --test-dir build/dev -j "$(nproc)" -R '^(programs\.clang\.jit\.|gallery\.(jit\.|compiled))' | tail -n 3
done
echo "Documents"
for folder in "" docs/check docs/guide; do
    bash tests/cli/documents.sh --write ${folder:+--in "$folder"}
done
"$WARPGLASS" --man > docs/warpglass.1
find build/dev -name wg_opsdoc -type f -exec {} \; > docs/ops.md
tools/file_table.sh --write
git status --short
