#!/bin/bash
# merge: the reports of ranks as one, also when some are missing or cut off.
. "$(dirname "$0")/../cli/expect.sh"
cat > fill.cu <<'END'
#include <cstdlib>
#include <csignal>
__global__ void fill(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}
__global__ void only(int *x) { x[threadIdx.x] = 1; }
__global__ void race(int *x) { x[0] = threadIdx.x; }
int main(int argc, char **argv) {
    int n = atoi(argv[1]), *x;
    cudaMalloc(&x, n * sizeof(int) + 4096);
    fill<<<(n + 255) / 256, 256>>>(x, n);
    if (n > 3000) only<<<1, 32>>>(x);
    if (argc > 2) race<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    if (n == 999) raise(SIGSEGV);
    return 0;
}
END
warpglass cc fill.cu -o fill || fail "fill"
for n in 1024 2048 4096 999; do warpglass profile --json r$n.json ./fill -- $n > /dev/null 2>&1; done

expect 2 'which reports' -- warpglass merge
expect 1 'fill.cu: not a Warpglass report' -- warpglass merge fill.cu
expect 1 'none.json: No such file' -- warpglass merge none.json none.json
expect 1 '--json /no/such' -- warpglass merge --json /no/such/file r1024.json
expect 2 'overwrite an input file' -- warpglass merge --json fill.cu fill.cu

# Least, median, most; a kernel that one rank has; what is the same everywhere is not shown.
expect 0 '' -- warpglass merge --json m.json r1024.json r4096.json r2048.json
said '^3 ranks of '
said '^  global_store_sectors +128 +256 +512 +1$'
said '^  fill.cu:5 +128 +256 +512 +1$'
said '^  in rank 1, 1 launch each$'
said 'counters are the same in all of them'
not_said 'Rank'
python3 - <<'END' || fail "the JSON"
import json
m = json.load(open("m.json"))
assert m["format"] == "warpglass-merged" and [r["ended"] for r in m["ranks"]] == ["exit"] * 3
fill = next(k for k in m["kernels"] if k["name"].startswith("fill"))
assert fill["counters"]["global_store_sectors"] == {"least": 128, "median": 256, "most": 512, "most_in": 1, "ranks": 3}
assert [l["work"]["most"] for l in fill["lines"] if l["line"] == 5] == [512]
END

# Ranks that failed, were killed, have no report, or half of one: the others' figures are whole.
head -c 700 r2048.json > half.json
: > empty.json
expect 139 '' -- warpglass merge r1024.json r999.json none.json half.json empty.json r4096.json
said '^Rank 1 did not come to its end \(signal 11\)'
said '^Rank 2 is missing: none.json: No such file'
said '^Rank 3 is missing: half.json:.*'
said '^Rank 4 is missing: empty.json: the file is empty'
said '^  global_store_sectors +1[0-9]+ +128 +512 +5$'

# Findings once, with their ranks.
warpglass check --json c0.json ./fill -- 256 race > /dev/null
warpglass check --json c1.json ./fill -- 256 > /dev/null
warpglass check --json c2.json ./fill -- 512 race > /dev/null
expect 3 '' -- warpglass merge c0.json c1.json c2.json c0.json
said '^fill.cu:8: race-block$|^fill.cu:8 and 8: race-block$'
said '^  in ranks 0, 2-3$'
said '^1 finding$'
expect 0 '' -- warpglass merge c1.json c1.json
said '^Nothing was found\.'
finish
