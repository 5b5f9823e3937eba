#!/bin/bash
# plans.sh SAID GOLDEN: compares the plans that programs printed to SAID (--dump plan) with those of the same vector width in
# GOLDEN, which has them for each width that it was written on (plans.awk). UPDATE=1 writes them. Whether code is made in
# two threads hangs on its size, which processors of one width and ways of compiling (WARPGLASS_TIERS) differ in: it is not
# compared.
set -eu
said=$1 golden=$2
here=$(dirname "$0")
without_split() { sed 's/, split$//; s/: split$/:/' <<< "$1" | LC_ALL=C sort -u; }
plans=$(awk -f "$here/plans.awk" "$said" | LC_ALL=C sort -u)
if [ -z "$plans" ]; then
    [ ! -e "$golden" ] || { echo "no plan was printed, and $golden has some"; exit 1; }
    exit 0
fi
width=${plans%% *}
if [ -n "${UPDATE:-}" ] && [ "${WARPGLASS_TIERS:-}" != 2 ]; then
    others=$(grep -v "^$width " "$golden" 2> /dev/null || true)
    printf '%s\n' ${others:+"$others"} "$plans" | LC_ALL=C sort > "$golden.$$"
    mv "$golden.$$" "$golden"
fi
if ! grep -q "^$width " "$golden" 2> /dev/null; then
    echo "$golden has none for $width bits: ./test --bless on such a CPU writes them"
    exit 0
fi
known=$(without_split "$(grep "^$width " "$golden")")
plans=$(without_split "$plans")
now=$(awk -f "$here/plans_alike.awk" <(printf '%s\n' "$known") <(printf '%s\n' "$plans") | LC_ALL=C sort -u)
diff -u --label "$golden" --label "plans now" <(printf '%s\n' "$known") <(printf '%s\n' "$now")
