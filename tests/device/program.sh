#!/usr/bin/env bash
# program.sh: one program of programs/ compiles for the device and for the host, and its PTX has what the file says.
#     program.sh SOURCE_ROOT FILE.cu BUILD_FOLDER
#     program.sh SOURCE_ROOT --headers BUILD_FOLDER     what comes first: cuda_runtime.h, read once for all of them
# Lines of the file: "// PTX: REGEX" has to match a line of the PTX, "// NOT PTX: REGEX" must not.
set -eu
root=$1 file=$2 build=$3
name=$(basename -- "$file" .cu)
mkdir -p "$build"
common=(clang++-19 -x cuda --cuda-gpu-arch=sm_90 -nocudainc -nocudalib --cuda-path=/nonexistent -Wno-unknown-cuda-version
    -Xclang -target-sdk-version=12.3 -std=c++17 -isystem "$root/device/include"
    -Wall -Wno-unused-variable -Wno-unused-private-field -Werror -gline-tables-only)
device=("${common[@]}" --cuda-device-only --cuda-feature=+ptx85 -O3)
host=("${common[@]}" --cuda-host-only -O1)
if [[ $file == --headers ]]; then
    make=(-fsyntax-only -fpch-instantiate-templates -Xclang -emit-pch "$root/device/include/warpglass/first.h" -Xclang -o -Xclang)
    "${device[@]}" "${make[@]}" "$build/device.headers"
    "${host[@]}" "${make[@]}" "$build/host.headers"
    exit
fi
ptx=$build/$name.ptx
"${device[@]}" -Xclang -include-pch -Xclang "$build/device.headers" -S "$file" -o "$ptx"
"${host[@]}" -Xclang -include-pch -Xclang "$build/host.headers" -Xclang -fcuda-include-gpubinary -Xclang "$ptx" -c "$file" -o "$build/$name.o"
status=0
while IFS= read -r regex; do
    grep -qE -- "$regex" "$ptx" || { echo "$file: no line of $ptx matches $regex" >&2; status=1; }
done < <(sed -n 's,^// PTX: ,,p' "$file")
while IFS= read -r regex; do
    ! grep -nE -- "$regex" "$ptx" >&2 || { echo "$file: lines of $ptx match $regex and must not" >&2; status=1; }
done < <(sed -n 's,^// NOT PTX: ,,p' "$file")
exit $status
