#!/bin/bash
# compare of three and more, of one program with several sets of options, and trends.
. "$(dirname "$0")/../cli/expect.sh"
data=$tests/../report/data
cat > tile.cu << 'END'
#ifndef PAD
#define PAD 0
#endif
#include <cstdlib>
__global__ void transpose(const int *in, int *out, int n) {
    __shared__ int tile[TILE][TILE + PAD];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[(blockIdx.x * TILE + threadIdx.y) * n + blockIdx.y * TILE + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void zero(int *x) { x[threadIdx.x] = 0; }
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 64, *a, *b;
    cudaMalloc(&a, n * n * 4);
    cudaMalloc(&b, n * n * 4);
    if (PAD) zero<<<1, 64>>>(b);
    transpose<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a, b, n);
    return cudaDeviceSynchronize();
}
END

# One source, two sets of options; the architecture is of its side alone.
expect 0 '' -- warpglass compare tile.cu -DTILE=32 --after-opts -DPAD=1
said '^before: tile.cu$'
said '^after: tile.cu -DPAD=1$'
said '^  shared_conflicts +3,968 +0 +gone$'
said '^Only in tile.cu -DPAD=1: zero'
expect 0 '' -- warpglass compare tile.cu --before-opts '-DTILE=32 --arch sm_80' --after-opts -DTILE=32
said '^  time, modelled +[0-9.]+ us +[0-9.]+ us'
expect 0 '' -- warpglass compare tile.cu --before-opts '-DTILE=32 --arch sm_80' --after-opts '-DTILE=32 --arch sm_80'
said 'No counter changed|0 worse'
not_said 'time, modelled .*%$'
expect 0 '' -- warpglass compare tile.cu tile.cu -DTILE=32 --before-opts '-- 32' --after-opts '-- 64'
said '^  global_sectors +256 +1,024 +4 times$'

# Several: a column each, and again what does not fit.
expect 0 '' -- warpglass compare tile.cu --variant -DTILE=8 --variant -DTILE=16 --variant '-DTILE=32 -DPAD=1' --variant '-DTILE=8' --html v.html
said '^\(3\) -DTILE=32 -DPAD=1$'
said '^  shared_conflicts +128 +896 +0$'
said '^  shared_conflicts +128$'
said '^  Not in -DTILE=8, -DTILE=16, -DTILE=8 \(4\)\.$'
for variant in -DTILE=8 -DTILE=16 '-DTILE=32 -DPAD=1'; do grep -qe ">$variant<" v.html || fail "no column $variant"; done
COLUMNS=140 expect 0 '' -- warpglass compare tile.cu --variant -DTILE=8 --variant -DTILE=16 --variant -DTILE=32
said '^ +-DTILE=8 +-DTILE=16 +-DTILE=32$'
awk 'length > 140 { exit 1 }' "$stdout" || fail "too wide"

# Reports: names without what they have in common.
i=0
for options in -DTILE=16 -DTILE=16 '-DTILE=16 -DPAD=1' '-DTILE=32 -DPAD=1'; do
    # shellcheck disable=SC2086
    expect 0 '' -- warpglass profile tile.cu $options --json "commit-$((i += 1)).json"
done
expect 0 '' -- warpglass compare commit-?.json
said '^ +1 +2 +3$'
expect 0 '' -- warpglass trend commit-?.json --html trend.html
said '^  shared_conflicts +896 +0 +gone  ██[^ ]+▁  4$'
said '^  shared_store_conflicts +0 +0 +same  ▁▁█▁  4$'
said 'Not in 1, 2\.'
python3 -c 'import sys; sys.exit(any(len(l) > 81 for l in open(sys.argv[1], encoding="utf-8")))' "$stdout" || fail "too wide"
grep -q '<svg class="curve"' trend.html || fail "no curves"
expect 0 '' -- env LC_ALL=de_DE.ISO-8859-1 "$WARPGLASS" trend commit-?.json
LC_ALL=C grep -q '[^ -~]' "$stdout" && fail "ASCII alone"
expect 0 '' -- warpglass trend commit-1.json commit-1.json --kernel transpose
said 'No counter changed'
# A kernel may be missing in some of the reports, not in all.
expect 0 '' -- warpglass trend commit-1.json "$data/transposes.json" --kernel transpose_naive
said '^  Not in commit-1\.$'
expect 1 'and --launches select no launch of any report' -- warpglass trend commit-1.json "$data/transposes.json" --kernel nobody
expect 0 '' -- warpglass trend "$data/gpu.csv" "$data/transposes.json" "$data/transposes.json"

# What is wrong is said before anything runs.
expect 2 'a trend needs two or more reports' -- warpglass trend commit-1.json
expect 2 'compare needs two or more' -- warpglass compare commit-1.json
expect 2 '^warpglass: --after-opts: options are for programs that are run, and commit-2.json is a measurement' -- \
    warpglass compare commit-1.json commit-2.json --after-opts -DPAD=1
expect 2 '^warpglass: --variant: it takes one program' -- warpglass compare tile.cu commit-2.json --variant -DPAD=1
expect 2 '^warpglass: --before-opts: it takes one program, or two' -- warpglass compare a.cu b.cu c.cu --before-opts -DPAD=1
expect 2 "^warpglass: --variant \"-DTILE=8 --halp\": unknown option '--halp'" -- warpglass compare tile.cu --variant '-DTILE=8 --halp'
expect 2 "^warpglass: --after-opts \"-DTILE=8 x.cu\": 'x.cu' is not an option" -- warpglass compare tile.cu --before-opts -DTILE=8 --after-opts '-DTILE=8 x.cu'
finish
