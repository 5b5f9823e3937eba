#!/bin/bash
# How near a kernel comes to the chip's peaks, its roofline, and its instructions by class: counters that are worked out
# here by hand, figures made of them, and where they are shown.
. "$(dirname "$0")/../cli/expect.sh"
cat > work.cu << 'END'
#include <cuda_fp16.h>
__global__ void work(float *x, double *d, __half2 *h, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    x[i] = x[i] * 2.0f + 1.0f;
    x[i + n] = __fadd_rn(x[i + n], 1.0f);
    d[i] = __dmul_rn(d[i], d[i]);
    h[i] = __hfma2(h[i], h[i], h[i]);
}
__global__ void product(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum;
}
int main() {
    const int n = 64;
    float *x, *y, *z;
    double *d;
    __half2 *h;
    cudaMalloc(&x, 1 << 16), cudaMalloc(&y, 1 << 16), cudaMalloc(&z, 1 << 16);
    cudaMalloc(&d, 1 << 16), cudaMalloc(&h, 1 << 16);
    cudaMemset(x, 0, 1 << 16), cudaMemset(y, 0, 1 << 16), cudaMemset(d, 0, 1 << 16), cudaMemset(h, 0, 1 << 16);
    work<<<4, 256>>>(x, d, h, 1000);
    product<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(x, y, z, n);
    return cudaDeviceSynchronize();
}
END
# Generated code and the reference agree, and what is counted is what the source says: 1000 threads of one each.
expect 0 'verify: 2 launches compared' -- warpglass profile --verify work.cu --json work.json --html work.html \
    --expect 'work: ffma == 1000' --expect 'work: fadd == 1000' --expect 'work: dmul == 1000' --expect 'work: hfma == 2000' \
    --expect 'work: op_fp64 == 1000' --expect 'work: op_fp16 == 1000' --expect 'work@work.cu:7: dmul == 1000' \
    --expect 'product: smsp__sass_thread_inst_executed_op_ffma_pred_on.sum == 262144' --expect 'product: fmul == 0' \
    --expect 'work: branch_efficiency < 100' --expect 'product: branch_efficiency == 100'
said '^  Share of the chip.s peak, in the modelled time$'
said '^  schedulers +[^ ]+ +[<.0-9]+ % +FP32 '
said '^  Occupancy: 100 % theoretical, [<.0-9]+ % achieved on average in the model\.$'
said '^  Instruction mix: FP32 [0-9]+ %|^  Instruction mix: [a-z]+ [0-9]+ %, '
COLUMNS=120 expect 0 '' -- warpglass profile work.json
said '^  FP32: 524 k operations: .* a byte of DRAM, .* of L2, .* of L1\. .* GFLOP/s; (DRAM|L2|L1|the peak) allows .*FLOP/s\.$'
python3 - << 'END' || fail "figures of light are not what the counters make"
import json
for kernel in json.load(open("work.json"))["kernels"]:
    counters, light, seconds = kernel["counters"], kernel["light"], kernel["model"]["seconds"]
    classes = sum(v for name, v in counters.items() if name.startswith("op_"))
    assert classes == counters["threads"], (classes, counters["threads"])
    flops = counters["fadd"] + counters["fmul"] + 2 * counters["ffma"]
    roof = light["roofline"]["FP32"]
    assert roof["operations"] == flops
    assert abs(roof["per_second"] * seconds / flops - 1) < 0.01
    assert roof["per_second"] <= roof["roof"] <= 67e12
    # An H200 has 132 SMs of 128 lanes at 1.98 GHz, and four schedulers in each.
    assert abs(light["of_peak"]["schedulers"] * seconds * 132 * 4 * 1.98e9 / counters["machine_instructions"] - 1) < 0.02
    assert 0 < light["achieved_occupancy"] <= light["occupancy"] == 1
    chart, accesses = kernel["chart"], ("loads", "stores", "atomics", "local", "shared")
    assert sum(chart[name]["requests"] for name in accesses if name in chart) == sum(counters[m + "_requests"] for m in ("global", "local", "shared", "dsmem"))
    moved = sum(chart[name]["l1"] for name in ("loads", "stores", "atomics") if name in chart)
    assert moved == 32 * counters["global_sectors"] == counters["global_bytes_moved"]
    assert chart["loads"]["l2"] <= chart["loads"]["l1"] and chart["stores"]["l2"] == chart["stores"]["l1"]
    assert abs(1 - chart["loads"]["l2"] / chart["loads"]["l1"] - chart["l1_hits"]) < 1e-3
    if "shared" in chart: assert chart["shared"]["l1"] == 128 * counters["shared_wavefronts"]
    assert ("FP64" in light["roofline"]) == (counters["dmul"] > 0)
END
grep -qE 'data-roofs="[0-9.e+]+ [0-9.e+]+ [0-9.e+]+;FP32 [^;"]+;FP64 ' work.html || fail "no roofline of both types on the page"
said '^  Memory chart +requests kernel - L1  L1 hits +L1 - L2  L2 hits +DRAM$'
said '^  loads +[0-9.]+( k)? +[0-9.]+ [KM]?i?B +[0-9.]+ % '
grep -qE 'data-chart="[0-9.e-]+ [0-9.e-]+;0 [0-9]+ [0-9]+ [0-9]+ [0-9]+;1 ' work.html || fail "no memory chart on the page"
grep -q '<figcaption>Instruction mix' work.html || fail "no mix of instructions on the page"
finish
