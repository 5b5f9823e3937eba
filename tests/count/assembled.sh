#!/bin/bash
# Machine instructions as assembled: with ptxas and nvdisasm, what the H200 executed of bench/gpu/patterns.cu
# (docs/results/h200-counters.tsv), launch by launch; the report says whose code it is, and without the tools the figures are
# the estimate.
. "$(dirname "$0")/../cli/expect.sh"
root=$(cd "$tests/../.." && pwd)
tool() { # NAME VARIABLE: whether it is found as the command finds it
    [[ -n ${!2+named} ]] && { [[ -n ${!2} ]] && command -v "${!2}"; return; }
    for path in "$1" "${CUDA_HOME:-/usr/local/cuda}/bin/$1" "/usr/local/cuda/bin/$1"; do command -v "$path" && return; done
}
for tool in nvcc:WARPGLASS_NVCC ptxas:WARPGLASS_PTXAS nvdisasm:WARPGLASS_NVDISASM; do
    tool "${tool%:*}" "${tool#*:}" > /dev/null || { echo "skipped: there is no ${tool%:*}"; exit 77; }
done
expect 0 '' -- warpglass profile --compiler nvcc --arch sm_90a -w --json assembled.json \
    "$root/bench/gpu/patterns.cu"
COLUMNS=200 expect 0 '' -- warpglass profile assembled.json --kernel copy_float4
said 'machine instructions, as assembled by ptxas [0-9]'
expect 0 '' -- warpglass profile --compiler nvcc --arch sm_90a -w --kernel copy_float4 --sass --html page.html "$root/bench/gpu/patterns.cu"
said '^ +512 +:[0-9]+ +LDG\.E\.128'
grep -q 'machine code (SASS) of ptxas [0-9]' page.html || fail "a page without machine code"
WARPGLASS_NVDISASM='' expect 0 '' -- warpglass profile --compiler nvcc --arch sm_90a -w --kernel copy_float4 --sass "$root/bench/gpu/patterns.cu"
said 'machine code is not known'
# An array of eight elements that ptxas keeps in registers is not in local memory; without the code, it may be.
cat > selecting.cu << 'END'
//! not register_spills
__global__ void selecting(const int *a, int *b) {
    int i = threadIdx.x, x = a[i], t[8];
    for (int k = 0; k < 8; k++) t[k] = x * (2 * k + 1);
    b[i] = t[x & 7];
}
int main() {
    int *a, *b;
    cudaMalloc(&a, 4096), cudaMalloc(&b, 4096);
    cudaMemset(a, 0, 4096);
    selecting<<<2, 64>>>(a, b);
    return cudaDeviceSynchronize();
}
END
expect 0 '' -- warpglass profile --compiler nvcc --arch sm_90 --expect 'selecting: local_load_requests == 0' \
    --expect 'selecting: local_store_requests == 0' --expect 'selecting: global_load_requests == 4' selecting.cu
not_said 'local memory'
not_said 'Registers are spilled'
# Loads of read-only memory whose address stays the same: ptxas has them before the loop.
cat > invariant.cu << 'END'
__device__ int at(const int *p) {
    int v;
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(v) : "l"(p));
    return v;
}
__global__ void invariant(const int *a, int *b, int n) {
    int sum = 0;
#pragma unroll 1
    for (int j = 0; j < n; j++) {
        sum = sum * 3 + at(a + threadIdx.x);
        sum ^= at(a + threadIdx.x + 64) * j;
        b[j * 32 + threadIdx.x] = sum;
    }
}
int main() {
    int *a, *b;
    cudaMalloc(&a, 4096), cudaMalloc(&b, 4096);
    cudaMemset(a, 0, 4096);
    invariant<<<3, 32>>>(a, b, 10);
    return cudaDeviceSynchronize();
}
END
expect 0 '' -- warpglass profile --compiler nvcc --arch sm_90 --expect 'invariant: global_load_requests == 6' \
    --expect 'invariant: global_load_l1_sectors == 24' --expect 'invariant: global_store_requests == 30' invariant.cu
# A store that ptxas gives a predicate, in a block of the machine code that is executed, while the PTX never executes it: none of
# its instructions is lost. An empty kernel has two.
cat > guarded.cu << 'END'
__global__ void guarded(const float *in, float *out) {
    extern __shared__ float shared[];
    const int tid = threadIdx.x;
    shared[tid] = in[tid];
    shared[tid + blockDim.x] = in[tid + blockDim.x];
    for (int d = blockDim.x; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) {
            float a = shared[tid];
            float b = shared[tid + d];
            if (b < a)
                shared[tid] = b;
        }
    }
    if (tid == 0) out[blockIdx.x] = shared[0];
}
__global__ void empty() {}
int main() {
    float *in, *out;
    cudaMallocManaged(&in, 2048), cudaMallocManaged(&out, 4096);
    for (int i = 0; i < 512; i++) in[i] = i;
    guarded<<<10, 256, 2048>>>(in, out);
    empty<<<3, 96>>>();
    return cudaDeviceSynchronize();
}
END
expect 0 '' -- warpglass profile --compiler nvcc --arch sm_90 -O3 --json guarded.json \
    --expect 'guarded: machine_instructions == 8580' --expect 'empty: machine_instructions == 18' guarded.cu
expect 0 '' -- warpglass profile guarded.json --expect 'empty: machine_instructions == 18'
# A load of read-only memory that only threads within bounds use: ptxas has it behind the branch, where 2 of 8 warps come.
cat > sunk.cu << 'END'
struct bounds {
    int first, second;
};
__device__ int at(const int *p) {
    int v;
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(v) : "l"(p));
    return v;
}
__global__ void sunk(const bounds *b, const int *a, int *out) {
    int second = at(&b->second), i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= at(&b->first)) return;
    int sum = a[i];
    for (int j = 0; j < second; j++) sum = sum * 3 + a[j];
    out[i] = sum;
}
int main() {
    bounds *b;
    int *a, *out;
    cudaMallocManaged(&b, sizeof *b), cudaMalloc(&a, 4096), cudaMalloc(&out, 4096);
    b->first = 64, b->second = 3;
    cudaMemset(a, 0, 4096);
    sunk<<<2, 128>>>(b, a, out);
    return cudaDeviceSynchronize();
}
END
expect 0 '' -- warpglass profile --compiler nvcc --arch sm_90 -O3 --sass --expect 'sunk: global_load_requests == 18' sunk.cu
# The slow path of a sine is a function of the PTX, which no argument here takes.
cat > sine.cu << 'END'
__global__ void sine(const double *in, double *out) { out[threadIdx.x] = sin(in[threadIdx.x]); }
int main() {
    double *in, *out;
    cudaMalloc(&in, 4096), cudaMalloc(&out, 4096);
    cudaMemset(in, 0, 4096);
    sine<<<1, 128>>>(in, out);
    return cudaDeviceSynchronize();
}
END
expect 0 '' -- warpglass profile --compiler nvcc --arch sm_90 -O3 --expect 'sine: machine_instructions == 216' sine.cu
# With 32 registers a thread ptxas keeps some of 48 values in local memory; a report has its machine code, too.
cat > spilling.cu << 'END'
//! says register_spills "Registers are spilled"
__global__ void __launch_bounds__(1024, 2) spilling(const float *a, float *b) {
    float v[48], sum = 0;
    for (int i = 0; i < 48; i++) v[i] = a[threadIdx.x + 1024 * i];
    for (int k = 0; k < 4; k++)
#pragma unroll
        for (int i = 0; i < 48; i++) v[i] = v[i] * v[(i + 7) % 48] + v[(i + 19) % 48];
    for (int i = 0; i < 48; i++) sum += v[i] / (i + b[i]);
    b[threadIdx.x] = sum;
}
int main() {
    float *a, *b;
    cudaMalloc(&a, 48 * 1024 * 4), cudaMalloc(&b, 4096);
    cudaMemset(a, 0, 48 * 1024 * 4), cudaMemset(b, 0, 4096);
    spilling<<<1, 1024>>>(a, b);
    return cudaDeviceSynchronize();
}
END
expect 0 '' -- warpglass profile --compiler nvcc --arch sm_90 --sass --json spilling.json spilling.cu
said 'of them spill registers'
said 'Registers are spilled \(spilling.cu:7\)'
said ':[0-9]+ +STL \[R1.*\(spill\)'
cp "$stdout" fresh
expect 0 '' -- warpglass profile --sass spilling.json
cmp fresh "$stdout" || fail "a report's machine code is other machine code"
expect 0 '' -- warpglass profile --json without.json spilling.json
! grep -q '"sass"' without.json || fail "machine code in a report without --sass"
python3 - "$root/docs/report.schema.json" spilling.json << 'END' || fail "not what the schema says"
import json, sys
import jsonschema
report = json.load(open(sys.argv[2]))
jsonschema.Draft202012Validator(json.load(open(sys.argv[1]))).validate(report)
kernel = report["kernels"][0]
assert sum(n for n, row in zip(kernel["launches"][0]["sass"], kernel["sass"]) if row[3])
END
WARPGLASS_NVDISASM='' expect 0 '' -- warpglass profile --compiler nvcc --arch sm_90a -w --json estimated.json "$root/bench/gpu/patterns.cu"
python3 - "$root/docs/results/h200-counters.tsv" << 'END' || fail "not what the hardware executed"
import json, sys
lines = [l.rstrip("\n").split("\t") for l in open(sys.argv[1]) if l[0] != "#"]
hardware = [r for r in (dict(zip(lines[0], l)) for l in lines[1:]) if r["process_name"] == "patterns"]
def launches(path):
    kernels = json.load(open(path))["kernels"]
    return sorted(((l["index"], k["launches"][l.get("like", i)]["counters"]["machine_instructions"], k.get("assembler"))
                   for k in kernels for i, l in enumerate(k["launches"])))
ours, estimate = launches("assembled.json"), launches("estimated.json")
assert len(ours) == len(hardware) and all(a.startswith("ptxas ") for _, _, a in ours) and not any(a for _, _, a in estimate)
off = [n / int(r["smsp__inst_executed.sum"]) - 1 for (_, n, _), r in zip(ours, hardware)]
equal, near = sum(o == 0 for o in off), sum(abs(o) <= 0.02 for o in off)
print(f"{len(off)} launches: {equal} equal, {near} within 2 %")
assert equal >= 0.85 * len(off) and near >= 0.95 * len(off) # nvcc 13.0; later ones make other code of a kernel or two
END
finish
