#!/bin/bash
# Programs with more kernels, and more launches, than a screen has lines: the overview comes first and is one screen, what
# is asked for beyond it is shown, and the page stays small and finds kernels.
. "$(dirname "$0")/../cli/expect.sh"

# many.cu KERNELS: kernels of five sorts, by turns, with names that do not fit in a column.
python3 - > many.cu << 'END'
sorts = [
    "if (i < n) out[i] = in[i] + {k};",
    "if (i < n) out[i * {a} % n] = in[i * {b} % n];",
    "__shared__ int tile[32][32];\n    int x = threadIdx.x % 32, y = threadIdx.x / 32;\n    tile[x][y] = in[threadIdx.x];\n"
    "    __syncthreads();\n    out[i] = tile[y][x] * {k};",
    "float v = in[threadIdx.x];\n    for (int t = 0; t < {k} + 50; t++) v = v * 1.0001f + t;\n    out[i] = (int)v;",
    "atomicAdd(&out[i % {c}], in[i]);"]
print("namespace pipeline { namespace detail { struct plan {}; } }")
for k in range(200):
    body = sorts[k % 5].format(k=k, a=2 + k % 7, b=3 + k % 11, c=1 + k)
    print(f"template <typename Plan, int step> __global__ void stage_{k}_of_the_long_pipeline(const int *in, int *out, int n) {{\n"
          f"    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    {body}\n}}\n")
print("int main() {\n    int n = 4096, *in, *out;\n    cudaMalloc(&in, 4 * n), cudaMalloc(&out, 4 * n);\n    cudaMemset(in, 0, 4 * n);")
for k in range(200):
    print(f"    stage_{k}_of_the_long_pipeline<pipeline::detail::plan, {k}><<<{4 + k % 9}, 256>>>(in, out, n);")
print("    return cudaDeviceSynchronize();\n}")
END
expect 0 '' -- warpglass profile many.cu --json many.json --html many.html
[[ $(wc -l < "$stdout") -le 30 ]] || fail "the overview of 200 kernels has $(wc -l < "$stdout") lines"
said '^many on sm_90 \(NVIDIA H200\): 200 kernels$'
said '^ +share +time +launches +bound by +kernel$'
said 'of the 180 others: --top 200 shows all'
said '^  200 launches in total, .*Times are modelled\.$'
said '^  Lines and advice: --kernel NAME'
[[ $(wc -c < many.html) -lt 1500000 ]] || fail "the page of 200 kernels has $(wc -c < many.html) bytes"
for width in 80 120 200; do
    COLUMNS=$width expect 0 '' -- warpglass profile many.json
    awk -v width=$width '{ gsub(/[\x80-\xbf]/, "") } length > width' "$stdout" | grep . && fail "wider than $width columns"
    cp "$stdout" "overview.$width"
done
grep -q 'stage_[0-9]*_of_.*…' overview.80 || fail "names are not shortened at 80 columns"
grep -q ' stage_[0-9]*_of_the_long_pipeline<pipeline::detail::plan, [0-9]*>$' overview.200 || fail "names are not as they are at 200 columns"
grep -q '  instr\. .* unused .* conflicts ' overview.200 || fail "200 columns show no more than 80"
expect 0 '' -- warpglass profile --full-names many.json
said ' void stage_[0-9]*_of_the_long_pipeline<pipeline::detail::plan, [0-9]*>\(int const\*, int\*, int\)$'

# One after the other by each key.
for key in time launches instructions sectors conflicts name first; do
    expect 0 '' -- warpglass profile --sort $key --top 3 many.json
    [[ $(grep -cE '^void stage_[0-9]+_of' "$stdout") == 3 ]] || fail "--top 3 --sort $key shows $(grep -cE '^void stage_' "$stdout") kernels whole"
    grep -m 1 -oE 'stage_[0-9]+_of' "$stdout" > "first.$key"
done
grep -qx stage_0_of first.first && grep -qx stage_0_of first.launches && grep -qx stage_0_of first.name || fail "the first of all is not first"
expect 0 '' -- warpglass profile --top 0 many.json
grep -q '^void' "$stdout" && fail "--top 0 shows a kernel whole"
expect 0 '' -- warpglass profile --top 200 many.json
[[ $(grep -cE '^ .* (%|us) .*stage_[0-9]+_of' "$stdout") -ge 200 ]] || fail "--top 200 leaves out kernels of the overview"
expect 0 '' -- warpglass profile --kernel 'stage_7_' many.json
said '^void stage_7_of'
expect 2 "--sort tiem: kernels are sorted by time, .*did you mean 'time'\?" -- warpglass profile --sort tiem many.json
expect 2 '--top x: expected a number' -- warpglass profile --top x many.json

# Launches by shape.
cat > often.cu << 'END'
__global__ void scale(float *x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= a;
}
__global__ void stride(const float *x, float *y, int step, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[(long)i * step % n];
}
__global__ void sum(const float *x, float *y, int n) {
    __shared__ float part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    for (int half = 128; half; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}
int main() {
    const int n = 1 << 16;
    float *x, *y;
    cudaMalloc(&x, n * 4), cudaMalloc(&y, n * 4);
    cudaMemset(x, 0, n * 4);
    for (int i = 0; i < 500; i++) {
        int part = n >> i % 6;
        if (i % 5 == 0) sum<<<256, 256>>>(x, y, part);
        else if (i % 2) scale<<<(part + 255) / 256, 256>>>(x, 1.5f, part);
        else stride<<<i % 12, 128>>>(x, y, 1 + i % 9, part);
    }
    return cudaDeviceSynchronize();
}
END
sed -i 's/i % 12, 128/1 + i % 12, 128/' often.cu
expect 0 '' -- warpglass profile often.cu --top 0 --json often.json --html often.html
[[ $(wc -l < "$stdout") -le 12 ]] || fail "the overview of 500 launches has $(wc -l < "$stdout") lines"
said '^ .* 200 .* scale$'
said '^  500 launches in total'
COLUMNS=120 expect 0 '' -- warpglass profile often.json
said '^  100 launches; the figures are their sums: grid 256, block 256, .* to .* each, median '
said '^ +68  128 +256 '
said '^ +[0-9]+  11 +128 '
expect 0 '' -- warpglass profile often.json --launches 5:9 --kernel scale
said '^  2 launches; the figures'
python3 - << 'END' || fail "shapes do not add up"
import json
for kernel in json.load(open("often.json"))["kernels"]:
    shapes, launches = kernel["shapes"], kernel["launches"]
    assert sum(s["launches"] for s in shapes) == len(launches)
    for s in shapes:
        alike = [l for l in launches if (l["grid"], l["block"]) == (s["grid"], s["block"])]
        assert s["launches"] == len(alike) and s["first"] == alike[0]["index"]
        assert s["least"] <= s["median"] <= s["most"] <= s["sum"] * 1.001
    assert abs(sum(s["sum"] for s in shapes) / kernel["model"]["seconds"] - 1) < 0.01
    assert shapes == sorted(shapes, key=lambda s: -s["sum"])
END
grep -c '<summary>Launches by shape' often.html | grep -qx 3 || fail "the page has no launches by shape"

# A kernel of many accesses, each of a line and a stride of its own: what is asked of each is asked once.
{
    echo '__global__ void wide(float *p, const float *q, int n) { int i = threadIdx.x;'
    for ((i = 0; i < 900; i++)); do
        echo "p[i * $((i % 7 + 1)) + $((i * 64))] = q[i * $((i % 5 + 1)) + $((i * 32))] * $i.f;"
    done
    echo '}'
    echo 'int main() { float *p, *q; cudaMallocManaged(&p, 4 << 20); cudaMallocManaged(&q, 4 << 20);'
    echo 'wide<<<1, 64>>>(p, q, 1); return cudaDeviceSynchronize(); }'
} > wide.cu
expect 0 '' -- timeout 240 "$WARPGLASS" profile wide.cu --html wide.html
said 'global loads +1,800 '
finish
