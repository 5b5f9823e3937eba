#!/usr/bin/env bash
# program.sh: one program of programs/ compiles for the device and for the host, and its PTX has what the file says.
#     program.sh SOURCE_ROOT FILE.cu BUILD_FOLDER
# Lines of the file: "// PTX: REGEX" has to match a line of the PTX, "// NOT PTX: REGEX" must not.
set -eu
root=$1 file=$2 build=$3
name=$(basename "$file" .cu)
mkdir -p "$build"
common=(-x cuda --cuda-gpu-arch=sm_90 -nocudainc -nocudalib --cuda-path=/nonexistent -Wno-unknown-cuda-version
    -Xclang -target-sdk-version=12.3 -std=c++17 -isystem "$root/device/include" -include cuda_runtime.h
    -Wall -Wno-unused-variable -Wno-unused-private-field -Werror -gline-tables-only)
ptx=$build/$name.ptx
clang++-19 "${common[@]}" --cuda-device-only --cuda-feature=+ptx85 -O3 -S "$file" -o "$ptx"
clang++-19 "${common[@]}" --cuda-host-only -O1 -Xclang -fcuda-include-gpubinary -Xclang "$ptx" -c "$file" -o "$build/$name.o"
status=0
while IFS= read -r regex; do
    grep -qE -- "$regex" "$ptx" || { echo "$file: no line of $ptx matches $regex" >&2; status=1; }
done < <(sed -n 's,^// PTX: ,,p' "$file")
while IFS= read -r regex; do
    ! grep -nE -- "$regex" "$ptx" >&2 || { echo "$file: lines of $ptx match $regex and must not" >&2; status=1; }
done < <(sed -n 's,^// NOT PTX: ,,p' "$file")
exit $status
