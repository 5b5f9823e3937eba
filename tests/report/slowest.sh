#!/bin/bash
# A launch of few blocks waits for its slowest warp: where the others leave at a guard, it is modelled as long as where all stay,
# with loads, arithmetic and nested loops behind the guard.
. "$(dirname "$0")/../cli/expect.sh"

cat > guards.cu << 'END'
__global__ void chase(const int *next, int *out, int n, int rounds) {
    int i = threadIdx.x, at = i;
    if (i >= n) return;
    for (int k = 0; k < rounds; k++) at = next[at];
    out[i] = at;
}
__global__ void nested(const float *in, float *out, int n, int rounds) {
    int i = threadIdx.x;
    float s = 0;
    if (i < n) {
        for (int k = 0; k < rounds; k++) {
            for (int j = 0; j < rounds; j++) s = s * in[j] + k;
            if (s == 12345.0f) out[k] = s; /* rare, in the loop */
        }
        out[i] = s;
    }
}
int main() {
    int *next;
    float *data;
    cudaMallocManaged(&next, 4096), cudaMallocManaged(&data, 8192);
    for (int i = 0; i < 256; i++) next[i] = (i * 7 + 3) % 256;
    for (int n : {256, 32, 5, 0}) chase<<<1, 256>>>(next, next + 256, n, 200);
    for (int n : {256, 32, 5, 0}) nested<<<1, 256>>>(data, data + 1024, n, 20);
    return cudaDeviceSynchronize();
}
END
expect 0 '' -- warpglass profile --json guards.json --trace guards.trace guards.cu
python3 - << 'END' || fail "the slowest warp is not what the launch waits for"
import json
times = {}
for e in json.load(open("guards.trace"))["traceEvents"]:
    if e.get("cat") == "kernel": times.setdefault(e["name"].split("(")[0], []).append((e["args"]["launch"], e["dur"]))
assert len(times) == 2, times
for name, launches in times.items():
    whole, warp, few, none = (us for _, us in sorted(launches))
    assert 0.6 * whole < warp <= whole * 1.01 and 0.6 * whole < few <= whole * 1.01, (name, whole, warp, few) # fewer sectors are new
    assert none < whole / 4, (name, none, whole)
for k in json.load(open("guards.json"))["kernels"]:
    sites = k["sites"]
    assert k["loops"] and all(sites[s]["class"] == "block" for row in k["loops"] for s in row), k["name"]
END
finish
