#!/bin/bash
# run.sh LIBRARIES: programs built by nvcc against NVIDIA's headers and library run on ours, unchanged.
set -u
here=$(cd "$(dirname "$0")" && pwd)
export LD_LIBRARY_PATH=$1 WARPGLASS_ARCH=sm_90
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$nvcc" ] || { echo "skipped: there is no nvcc here"; exit 77; }
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
build() { "$nvcc" -cudart shared "$@" >"$out/log" 2>&1 || { fail "nvcc $*"; cat "$out/log"; return 1; }; }
# expect TEXT PROGRAM: it ends with 0 and says TEXT
expect() {
    local text=$1
    shift
    "$@" >"$out/said" 2>"$out/messages" || fail "$1 ended with status $?"
    grep -qF -- "$text" "$out/said" || { fail "$1 did not say: $text"; cat "$out/said" "$out/messages"; }
}

build -arch=sm_90 -I"$here/../../.." "$here/errors.cu" "$here/../probe.c" -o "$out/errors" &&
    { bash "$here/../conformance.sh" "$out/errors" "$here/errors.truth" "$here/errors.differences" || fail "errors.cu"; }

# Each way to pack the PTX; PTX for several architectures, of which the best is to be taken; line tables.
build -arch=sm_90 "$here/usual.cu" -o "$out/usual" && expect "usual program: right" "$out/usual"
for mode in none speed; do
    build -gencode arch=compute_75,code=compute_75 -gencode arch=compute_90,code=[sm_90,compute_90] -compress-mode $mode -lineinfo \
        "$here/usual.cu" -o "$out/usual" && expect "usual program: right" "$out/usual"
done
build -arch=sm_90 --default-stream per-thread "$here/usual.cu" -o "$out/usual" && expect "usual program: right" "$out/usual"
grep -q "hello from thread 1" "$out/said" || fail "the kernel's printf is not in the program's output"

# Separate compilation: the linked machine code has no PTX; the objects' PTX is linked when it is loaded.
build -arch=sm_90 -rdc=true "$here/separate_a.cu" "$here/separate_b.cu" -o "$out/separate" &&
    expect "separate compilation: right" "$out/separate"

build -arch=sm_90 -std=c++17 "$here/groups.cu" -o "$out/groups" && expect "groups: right" "$out/groups"
for program in managed cluster_dims; do
    build -arch=sm_90 -std=c++17 "$here/../../device/results/$program.cu" -o "$out/$program" &&
        { "$out/$program" || fail "$program.cu"; }
done

# No PTX at all.
build -gencode arch=compute_80,code=sm_80 "$here/no_ptx.cu" -o "$out/no_ptx" && {
    "$out/no_ptx" >"$out/said" 2>"$out/messages"
    printf 'malloc 0\nlaunch 209\nsync 0\nattributes 209\nsymbol 209\nlast 209\n' | diff - "$out/said" || fail "no_ptx.cu"
    grep -q "code=\[sm_90,compute_90\]" "$out/messages" || { fail "the message about missing PTX"; cat "$out/messages"; }
}
exit $failed
