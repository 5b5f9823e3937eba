#!/bin/bash
# `warpglass profile --trace`: a timeline of calls, streams and blocks, as Perfetto reads it.
. "$(dirname "$0")/expect.sh"
cat > streams.cu << 'END'
__global__ void add(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += 1;
}
__global__ void twice(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }
int main() {
    enum { N = 1 << 18 };
    int *a, *b;
    cudaStream_t s, t;
    cudaMalloc(&a, N * 4), cudaMalloc(&b, N * 4);
    cudaStreamCreate(&s), cudaStreamCreate(&t);
    cudaMemset(a, 0, N * 4);
    add<<<N / 256, 256, 0, s>>>(a, N);
    twice<<<N / 128, 128, 0, t>>>(b);
    twice<<<N / 128, 128, 0, s>>>(a);
    int *h = new int[N];
    cudaMemcpy(h, a, N * 4, cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    add<<<1, 32, 0, t>>>(b, 32);
    cudaStreamSynchronize(t);
    return h[7] != 2;
}
END
expect 0 '' -- warpglass profile --trace out.json streams.cu
cat > check.py << 'END'
import json, sys
events = json.load(open("out.json"))["traceEvents"]
slices = [e for e in events if e["ph"] == "X"]
calls = [e for e in slices if e["cat"] == "api"]
names = [e["name"] for e in calls]
assert names[:2] == ["cudaMalloc", "cudaMalloc"] and names[-1] == "cudaStreamSynchronize", names
assert names.count("cudaLaunchKernel") == 4 and names.count("cudaMemcpy") == 1
assert not [n for n in names if not n.startswith("cuda")], "only outermost calls"
for before, after in zip(calls, calls[1:]): assert before["ts"] + before["dur"] <= after["ts"] + 1e-3
memcpy = next(e for e in calls if e["name"] == "cudaMemcpy")
assert memcpy["args"]["bytes"] == 1 << 20 and memcpy["args"]["moves"] == "device to host"
work = [e for e in slices if e["cat"] in ("kernel", "copy")]
assert [e["name"] for e in work if e["cat"] == "copy"] == ["fill", "device to host"]
rows = {}
for e in work: rows.setdefault(e["tid"], []).append(e)
for row in rows.values():
    for before, after in zip(row, row[1:]): assert before["ts"] + before["dur"] <= after["ts"] + 1e-6
kernels = [e for e in work if e["cat"] == "kernel"]
assert len(kernels) == 4 and len(rows) == 3
add, other, twice, last = kernels
assert other["ts"] == add["ts"], "two streams run side by side"
copy = [e for e in work if e["name"] == "device to host"][0]
assert copy["ts"] >= max(k["ts"] + k["dur"] for k in (add, other, twice)) - 1e-6
assert last["ts"] >= copy["ts"] + copy["dur"] - 1e-6, "what is launched after a wait begins after it"
assert add["args"]["grid"] == [1024, 1, 1] and add["args"]["model says"]
blocks = [e for e in slices if e["cat"] == "blocks" and e["pid"] == 10]
seen = sorted(int(b) for e in blocks for b in e["args"]["blocks"].split(", "))
assert seen == list(range(1024)) or seen == list(range(2048)), "every block once"
assert {e["tid"] for e in blocks} == set(range(132))
END
python3 check.py || fail "the trace is not as it should be"

# A report of before has no calls, but its launches can be laid out.
expect 0 '' -- warpglass profile --json run.json streams.cu
expect 0 '' -- warpglass profile --trace again.json run.json
python3 -c 'import json; e = json.load(open("again.json"))["traceEvents"]
assert len([x for x in e if x.get("cat") == "kernel"]) == 4' || fail "a trace of a report"
expect 1 'no/such/folder' -- warpglass profile --trace no/such/folder/out.json run.json
finish
