#!/usr/bin/env bash
# program.sh WARPGLASS COMPILER BACKEND FILE.cu: runs a program and compares what it prints with NAME.truth, or with
# NAME.expected where no hardware ran it yet. UPDATE=1 writes NAME.expected.
set -eu
warpglass=$1 compiler=$2 backend=$3 source=$4
base=${source%.cu}
if [ "$compiler" = nvcc ] && ! command -v "${WARPGLASS_NVCC:-nvcc}" > /dev/null; then
    echo "no nvcc here"
    exit 77
fi
golden=$base.truth
[ -e "$golden" ] || golden=$base.expected
status=0
printed=$(WARPGLASS_BACKEND=$backend NVCC_APPEND_FLAGS=--extended-lambda \
    "$warpglass" run --compiler "$compiler" --timeout 1000 "$source" && echo end) || status=$?
if [ "$status" -ne 0 ]; then
    echo "$source: status $status"
    exit 1
fi
printed=${printed%end}
[ -z "${UPDATE:-}" ] || printf '%s' "$printed" > "$base.expected"
diff -u "$golden" <(printf '%s' "$printed")
