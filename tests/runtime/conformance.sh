#!/bin/bash
# conformance.sh PROBE TRUTH DIFFERENCES: runs a probe program and compares its output with the truth.
set -u
probe=$1 truth=$2 differences=$3
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
WARPGLASS_ARCH=sm_90 "$probe" >"$out/ours" 2>"$out/messages" || { cat "$out/messages"; echo "$probe failed"; exit 1; }
awk -f "$(dirname "$0")/compare.awk" "$differences" "$truth" "$out/ours" && exit 0
cat "$out/messages"
exit 1
