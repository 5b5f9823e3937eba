#!/bin/bash
# nans.sh WARPGLASS NANS.CU HOPPER.TSV: what instructions make of NaNs is what an H100 made of them, bit by bit. Generated
# code may give either of two NaNs of f64 (docs/nans.md); the reference gives the GPU's.
set -euo pipefail
warpglass=$1 program=$2 truth=$3
nan='[7f]ff[0-9a-f]*[1-9a-f][0-9a-f]*' # of f64: more than an infinity's bits
several="^((add|sub|mul)\.r.\.f64 $nan|fma\.r.\.f64 ($nan [0-9a-f]{16}|[0-9a-f]{16} $nan))"
keep() {
    if [ "${WARPGLASS_BACKEND:-jit}" = ref ]; then grep -v '^# measured' "$1"; else grep -vE "^# measured|$several" "$1"; fi
}
out=$(mktemp)
trap 'rm -f "$out"' EXIT
"$warpglass" run -lcuda "$program" >"$out"
[ "$(keep "$truth" | wc -l)" -gt 2500 ] || { echo "$truth: too few lines"; exit 1; }
diff <(keep "$truth") <(keep "$out")
