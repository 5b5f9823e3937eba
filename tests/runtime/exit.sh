#!/bin/bash
# exit.sh PROGRAM: what a program is told that ends while a kernel of its own still runs or has failed.
set -u
program=$1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
failed=0
# ends HOW TEXT: it ends with status 0, its output is whole, and stderr has TEXT once (or nothing)
ends() {
    timeout 600 "$program" "$1" >"$out/said" 2>"$out/messages" || { echo "$1: status $?"; failed=1; }
    [ "$(cat "$out/said")" = "end of main" ] || { echo "$1: the output is:"; cat "$out/said"; failed=1; }
    if [ -n "$2" ]; then [ "$(grep -c "$2" "$out/messages")" = 1 ]; else [ ! -s "$out/messages" ]; fi ||
        { echo "$1: the messages are:"; cat "$out/messages"; failed=1; }
}
ends store ""
ends fault "illegal address in kernel store(int\*)"
ends spin "in kernel spin"
ends called ""
# Another thread compiles a kernel meanwhile: that may come to its end or be cut off.
for how in compiled ended first forked; do
    for delay in 0 2 5 10 20 40; do
        WARPGLASS_CACHE_DIR=none timeout 600 "$program" $how $delay >"$out/said" 2>"$out/messages" && continue
        echo "$how after $delay ms: status $?"
        cat "$out/messages"
        failed=1
    done
done
exit $failed
