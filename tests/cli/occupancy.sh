#!/bin/bash
# `warpglass occupancy`: one shape, the kernels of files, JSON, and wrong questions.
. "$(dirname "$0")/expect.sh"

expect 0 '' -- warpglass occupancy --arch sm_90 --threads 256 --registers 40 --shared 48K --cluster 4 --blocks 1000
said 'NVIDIA H200, sm_90'
said 'occupancy 50 %: 32 of 64 warps in 4 blocks an SM, limited by shared memory'
said '^  \* shared memory .* 50176 of 233472'
said 'For 5 blocks \(62 %\)'
said 'at most 45568 bytes of shared memory per block, 3584 fewer'
said 'blocks of 384 threads, .*48 warps \(75 %\)'
said 'Clusters of 4: at most 124 at once'
said '2\.02 waves of 496'
said 'Chips differ: cudaOccupancyMaxActiveClusters'
said '^  >     256 '
awk 'length > 80' "$stdout" | grep . && fail "wider than 80 columns"

# What one shape says, every chip says in its own numbers.
for arch in sm_50 sm_61 sm_70 sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120 t4 "gt 1030" "rtx 4090"; do
    expect 0 '' -- warpglass occupancy --arch "$arch" --threads 128 --registers 32 --shared 1024
    said 'occupancy [0-9]+ %'
done
expect 0 '' -- warpglass occupancy --threads 1024 --registers 128
said 'occupancy 0 %: 0 of 64 warps in 0 blocks an SM, limited by registers'
said 'For 1 block .*'
said 'at most 64 registers per thread, 64 fewer: __launch_bounds__\(1024, 1\)'
expect 0 '' -- warpglass occupancy --threads 1024 --registers 32
said 'Every warp of the SM is in use'

# The driver's code for printf, malloc, free and assert is linked to kernels that may call it, and needs 32 registers.
cat > calls.cu << 'END'
#include <cassert>
#include <cstdio>
__device__ __noinline__ void says(int x) { printf("%d\n", x); }
__global__ void plain(int *o, int n) { o[threadIdx.x] = n; }
__global__ void prints(int *o, int n) { if (n == 1000) says(n); o[threadIdx.x] = n; }
__global__ void asserts(int *o, int n) { assert(n < 100); o[threadIdx.x] = n; }
__global__ void allocates(int *o, int n) { o[threadIdx.x] = n; if (n == 1000) free(malloc(n)); }
END
expect 0 '' -- warpglass occupancy --json calls.cu
python3 - "$stdout" << 'END' || fail "not the registers that an H200 launches with"
import json, sys
kernels = json.load(open(sys.argv[1]))["kernels"]
registers = {k["display"].split("(")[0]: k["registers"] for k in kernels}
print(registers)
sys.exit(not (registers["plain"] < 32 == registers["prints"] == registers["asserts"] == registers["allocates"]))
END

# JSON reads back, and has the same numbers.
expect 0 '' -- warpglass occupancy --threads 256 --registers 40 --shared 48K --json
python3 - "$stdout" << 'END' || fail "the JSON is not as it should be"
import json, sys
j = json.load(open(sys.argv[1]))
k = j["kernels"][0]
assert j["format"] == "warpglass-occupancy" and j["version"] == 1 and j["arch"] == "sm_90"
assert k["occupancy"]["blocks"] == 4 and k["occupancy"]["limited_by"] == ["shared memory"]
assert k["next"] == {"blocks": 5, "change": ["shared memory"], "shared": 45568,
                     "other_block": {"threads": 384, "blocks": 4, "warps": 48}}
assert [t["threads"] for t in k["table"]][-1] == 1024 and k["registers_from"] == "option"
END

# Kernels of files.
cat > kernels.cu << 'END'
__global__ void __launch_bounds__(128) bounded(float *a) {
    __shared__ float tile[1000];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = tile[127 - threadIdx.x];
}
template <int N> __global__ void many(int *a) { a[threadIdx.x] += N; }
int main() { many<3><<<1, 32>>>(nullptr); }
END
expect 0 '' -- warpglass occupancy kernels.cu
said '^bounded\(float\*\)   \(kernels.cu\)'
said '^void many<3>\(int\*\)'
said 'shared memory           4000'
said 'the best size'
expect 0 '' -- env WARPGLASS_PTXAS= "$WARPGLASS" occupancy --threads 64 --shared 1K kernels.cu
said 'estimated'
said '4000 static, 1024 dynamic'
expect 2 "bounded.* has at most 128 threads per block" -- warpglass occupancy --threads 256 kernels.cu
printf '.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry one() .reqntid 96, 1, 1 { ret; }\n' > one.ptx
expect 0 '' -- warpglass occupancy one.ptx
said '^one   \(one.ptx\)'
said 'threads a block           96$'
expect 2 "one runs with exactly 96 threads per block" -- warpglass occupancy --threads 64 one.ptx

# Wrong questions.
expect 2 'give --threads N .* and --registers' -- warpglass occupancy
expect 2 'give --threads N' -- warpglass occupancy --threads 32
expect 2 '--threads 0: expected a whole number from 1 to 1024' -- warpglass occupancy --threads 0 --registers 1
expect 2 '--threads 2048: ' -- warpglass occupancy --threads 2048 --registers 1
expect 2 '--registers 256: .* from 1 to 255' -- warpglass occupancy --threads 32 --registers 256
expect 2 '--registers -3: ' -- warpglass occupancy --threads 32 --registers=-3
expect 2 '--shared 4M: expected bytes' -- warpglass occupancy --threads 32 --registers 32 --shared 4M
expect 2 '300000 bytes of shared memory .* can have 232448' -- warpglass occupancy --threads 32 --registers 32 --shared 300000
expect 2 'sm_80\) has no clusters' -- warpglass occupancy --arch sm_80 --threads 32 --registers 32 --cluster 2
expect 2 'at most 16 blocks, 8 by default' -- warpglass occupancy --threads 32 --registers 32 --cluster 32
expect 2 'not a multiple of the cluster' -- warpglass occupancy --threads 32 --registers 32 --cluster 4 --blocks 6
expect 2 "unknown arch 'sm_91'" -- warpglass occupancy --arch sm_91 --threads 32 --registers 32
expect 2 "unknown option '--register' of 'occupancy': did you mean '--registers'" -- warpglass occupancy --register 3
expect 1 'missing.cu: no such file' -- warpglass occupancy missing.cu
expect 1 'missing.ptx: no such file' -- warpglass occupancy missing.ptx
echo 'int main() { return 0; }' > none.cu
expect 1 'none.cu: it has no kernel' -- warpglass occupancy none.cu
printf '.version 8.0\n.target sm_90\n.address_size 64\n.entry k() { nonsense; }\n' > wrong.ptx
expect 1 '^wrong.ptx:4:14: error' -- warpglass occupancy wrong.ptx
finish
