#!/bin/bash
# Lanes that part meet again, and take turns, at the same places in the reference and in generated code, with vectors of
# 512, 256 and 128 bits: programs whose lanes part count the same. lanes.sh WARPGLASS SAME PROGRAMS
set -u
warpglass=$1 same=$2 programs=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

for program in lanes_part lanes_meet lanes_turn; do
    # One thread: where warps of different threads wait for each other, counts depend on their times.
    for way in BACKEND=ref WIDTH=0 WIDTH=256 WIDTH=128; do
        env "WARPGLASS_$way" WARPGLASS_THREADS=1 WARPGLASS_PROFILE="$dir/$way.json" "$warpglass" run \
            "$programs/$program.cu" > "$dir/$way.said" 2>&1 || { echo "$program: $way does not run"; failed=1; }
        cmp "$dir/BACKEND=ref.said" "$dir/$way.said" || { echo "$program: $way prints something else"; failed=1; }
        "$same" "$dir/BACKEND=ref.json" "$dir/$way.json" || { echo "$program: $way is not as the reference"; failed=1; }
    done
done

# As an H200 counts: each warp's lanes store together.
"$warpglass" profile "$programs/lanes_part.cu" > "$dir/report" 2>&1
grep -qE '^ *global stores +10 +40 ' "$dir/report" || {
    echo "lanes_part: not 10 requests of 40 sectors:"
    grep 'global stores' "$dir/report"
    failed=1
}
exit $failed
