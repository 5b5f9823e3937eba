#!/bin/bash
# Blocks that are alike are counted once for all (analysis/alike.h): the same counters and samples as where each block is
# counted, which level 1 does, and as the reference counts. classes.sh WARPGLASS SAME CLASSES.CU
set -u
warpglass=$1 same=$2 program=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

for way in BACKEND=ref OPT=1 OPT=2 WIDTH=256; do
    env "WARPGLASS_$way" WARPGLASS_PROFILE="$dir/$way.json" "$warpglass" run "$program" > "$dir/said" 2>&1 || {
        echo "$way does not run"
        cat "$dir/said"
        failed=1
    }
    "$same" "$dir/BACKEND=ref.json" "$dir/$way.json" || { echo "$way is not as the reference"; failed=1; }
done
exit $failed
