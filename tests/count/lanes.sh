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

# What stands between two branches on one condition is one piece of code, as nvcc leaves it: one request a warp, and one
# line that all lanes print.
cat > "$dir/between.cu" << 'EOF'
#include <cstdio>
__global__ void between(float *a, float *flags, const float *b) {
    int i = threadIdx.x;
    if (i == 0) printf("lanes: "), flags[0] = 1;
    a[i] = b[i] * 2;
    printf("%d ", i);
    if (i == 0) printf("\n"), flags[1] = a[3];
}
int main() {
    float *p;
    cudaMalloc(&p, 1024);
    cudaMemset(p, 0, 1024);
    between<<<1, 8>>>(p, p + 32, p + 64);
    return cudaDeviceSynchronize();
}
EOF
# The three printfs make 222, 215 and 222 stores and 26, 14 and 8 loads of their own.
"$warpglass" profile --expect 'between: global_store_requests == 662' --expect 'between: global_load_requests == 50' \
    "$dir/between.cu" > "$dir/report" 2>&1 || { echo "between: not 3 stores and 2 loads beside those of printf:"; cat "$dir/report"; failed=1; }
# As an H200 counts: two warps that print at once make four atomics each, and the first of a launch a fifth.
cat > "$dir/two.cu" << 'EOF'
#include <cstdio>
__global__ void two() {
    if (threadIdx.x == 0) printf("%d\n", (int)threadIdx.x);
}
int main() {
    two<<<2, 64>>>();
    return cudaDeviceSynchronize();
}
EOF
"$warpglass" profile --expect 'two: global_atomic_requests == 9' --expect 'two: global_store_requests == 430' \
    --expect 'two: global_store_l1_sectors == 430' --expect 'two: global_load_requests == 28' "$dir/two.cu" > "$dir/two.report" 2>&1 ||
    { echo "two: not what an H200 counts:"; cat "$dir/two.report"; failed=1; }
grep -qx 'lanes: 0 1 2 3 4 5 6 7 ' "$dir/report" || { echo "between: lanes do not print together"; failed=1; }
exit $failed
