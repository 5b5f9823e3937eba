#!/usr/bin/env bash
# program.sh WARPGLASS COMPILER BACKEND FILE.cu [OBJECTS]: runs a program and compares what it prints with NAME.truth, or
# with NAME.expected where no hardware ran it yet. UPDATE=1 writes NAME.expected. What clang makes of the source lies in
# OBJECTS (../build.sh). PLAN=1: which forms its kernels get is compared with NAME.plan (../plans.sh). IN_EIGHTHS=1: LLVM's
# optimisers have it in one eighth of the commits (WG_EIGHTH). BACKEND verify: generated code, and every launch is compared
# with the reference. A line "// nvcc: OPTIONS" of the source is for nvcc.
set -eu
warpglass=$1 compiler=$2 backend=$3 source=$4 objects=${5-}
base=${source%.cu}
if [ "$compiler" = nvcc ] && ! command -v "${WARPGLASS_NVCC:-nvcc}" > /dev/null; then
    echo "no nvcc here"
    exit 77
fi
golden=$base.truth
[ -e "$golden" ] || golden=$base.expected
program=$source
if [ -n "$objects" ]; then
    program=./$(basename "$base").$$
    # Host code that runs once is made in two thirds of the time.
    bash "$(dirname "$0")/../build.sh" "$warpglass" "$source" "$program" "$objects" -Xcompiler -O1
fi
said=$(mktemp)
trap 'rm -f "$said" ./"$(basename "$base").$$"' EXIT
status=0
verify=()
[ "$backend" != verify ] || { verify=(--verify) && backend=jit; }
[ -z "${PLAN:-}" ] || export WARPGLASS_DUMP=plan
number=$(basename "$base" | cksum)
if [ -n "${UPDATE:-}" ] || { [ -n "${IN_EIGHTHS:-}" ] && [ $((${number%% *} % 8)) = "${WG_EIGHTH:-0}" ]; }; then
    export WARPGLASS_TIERS=1
fi
printed=$(WARPGLASS_BACKEND=$backend NVCC_APPEND_FLAGS="--extended-lambda $(sed -n 's,^// nvcc: ,,p' "$source")" \
    "$warpglass" run "${verify[@]}" --compiler "$compiler" --timeout 1000 "$program" 2> "$said" && echo end) || status=$?
if [ "$status" -ne 0 ]; then
    grep -v '^  [a-z_]* .*  \(yes\|no\) ' "$said" || true
    echo "$source: status $status"
    exit 1
fi
printed=${printed%end}
[ -z "${UPDATE:-}" ] || [ "$golden" != "$base.expected" ] || printf '%s' "$printed" > "$base.expected"
diff -u "$golden" <(printf '%s' "$printed")
[ -z "${PLAN:-}" ] || bash "$(dirname "$0")/../plans.sh" "$said" "$base.plan"
