#!/bin/bash
# `warpglass profile` with programs that run: whose output goes where, which status comes back, what is left of a
# program that fails, and counters that do not depend on the number of threads.
. "$(dirname "$0")/../cli/expect.sh"
export WARPGLASS_NVDISASM= # the same wherever it runs
cat > copy.cu << 'END'
#include <cstdio>
#include <cstdlib>
__global__ void copy(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000, *in, *out;
    if (n == 0) return 7;
    cudaMalloc(&in, abs(n) * 4);
    cudaMalloc(&out, abs(n) * 4);
    copy<<<(abs(n) + 255) / 256, 256>>>(in, n < 0 ? nullptr : out, abs(n));
    cudaError_t error = cudaDeviceSynchronize();
    printf("copied: %s\n", cudaGetErrorName(error));
    return error ? 5 : 0;
}
END
expect 0 '' -- warpglass profile copy.cu --json one.json --threads 1
said '^copied: cudaSuccess'
said '^copy\(int const\*, int\*, int\)'
said 'global loads +32 +125 '
[[ $(head -1 "$stdout") == copied* ]] || fail "the program's output comes first"
expect 0 '' -- warpglass profile copy.cu --json three.json --threads 3
strip() { sed -E 's/"(start|end)_ns": [0-9]+/"\1_ns": 0/g' "$1"; }
cmp <(strip one.json) <(strip three.json) || fail "counters depend on the number of threads"
expect 0 '' -- warpglass profile copy.cu --expect 'copy: global_load_sectors == 25' -- 200
expect 3 'copy: global_load_sectors is 125, expected < 100, 25 more \(25 %\)' -- \
    warpglass profile copy.cu --expect 'copy: global_load_sectors < 100'

# Each launch's counters, beside the kernel's, are those of a report of this launch alone.
cat > launches.cu << 'END'
__global__ void pick(const int *in, int *out, int stride) {
    __shared__ int row[1024];
    row[threadIdx.x * stride % 1024] = in[threadIdx.x * stride];
    __syncthreads();
    atomicAdd(&out[threadIdx.x / stride], row[threadIdx.x]);
}
__global__ void fill(int *out, int value) { out[threadIdx.x] = value; }
int main() {
    int *in, *out;
    cudaMalloc(&in, 32768), cudaMalloc(&out, 32768);
    for (int stride = 1; stride <= 8; stride *= 2) fill<<<1, 1024>>>(in, stride), pick<<<stride, 1024>>>(in, out, stride);
    return cudaDeviceSynchronize();
}
END
expect 0 '' -- warpglass profile launches.cu --json all.json
for i in {0..7}; do expect 0 '' -- warpglass profile all.json --launches "$i" --json "alone.$i.json"; done
python3 - << 'END' || fail "a launch's counters are not its own"
import json
kernels = json.load(open("all.json"))["kernels"]
assert [[l["index"] for l in k["launches"]] for k in kernels] == [[0, 2, 4, 6], [1, 3, 5, 7]]
different = set()
for kernel in kernels:
    counted = [kernel["launches"][l.get("like", i)] for i, l in enumerate(kernel["launches"])]
    for launch, counters in zip(kernel["launches"], (l["counters"] for l in counted)):
        alone, = json.load(open(f"alone.{launch['index']}.json"))["kernels"]
        assert counters == alone["counters"] == alone["launches"][0]["counters"], launch["index"]
        different.add(json.dumps(counters))
    for name, total in kernel["counters"].items():
        if name.endswith(("_requests", "_sectors", "_wavefronts", "_asked")):
            assert total == sum(launch["counters"][name] for launch in counted), name
assert len(different) == 5 # fill's are the same each time
assert ["counters" in l for l in kernels[0]["launches"]] == [True, False, False, False]
END

# Registers: the assembler's where there is one, which is asked once; else an estimate that says so.
cat > ptxas << 'END'
#!/bin/bash
echo "$*" >> asked
case " $* " in *' --entry=_Z4copyPKiPii '*) ;; *) exit 1 ;; esac
echo "ptxas info    : Compiling entry function '_Z4copyPKiPii' for 'sm_90'" >&2
echo "ptxas info    : Used 77 registers, used 0 barriers" >&2
END
chmod +x ptxas
export WARPGLASS_PTXAS=$PWD/ptxas
for json in once.json assembled.json; do
    expect 0 '' -- warpglass profile copy.cu --json $json --html assembled.html
    said '^  77 registers per thread\.'
    said '3 blocks on an SM at once \(24 of 64 warps, limited by registers\)'
done
[[ $(wc -l < asked) == 1 ]] || fail "ptxas was asked $(wc -l < asked) times"
grep -q '"registers": 77, "registers_from": "ptxas", "static_shared"' assembled.json || fail "JSON without ptxas' number"
grep -q 'data-tip="per thread, as the assembler reports them">77 registers<' assembled.html || fail "page without ptxas' number"
expect 0 '' -- warpglass profile assembled.json
said '^  77 registers per thread\.'
printf '#!/bin/sh\necho "no such chip"; exit 1\n' > ptxas
expect 0 "ptxas does not accept the program's PTX, so registers are estimated" -- warpglass profile -v copy.cu
said 'registers per thread \(an estimate: half of them are within 10 %\)'
WARPGLASS_PTXAS='' expect 0 '' -- warpglass profile copy.cu --json estimated.json --html estimated.html
said 'registers per thread \(an estimate: half of them are within 10 %\)'
grep -q '"registers_from": "estimate", "registers_error": 0.10' estimated.json || fail "JSON without the estimate's error"
grep -q 'registers (estimated)<' estimated.html || fail "page without the estimate"
unset WARPGLASS_PTXAS

# PTX without lines of a source: its own lines are shown, and are in the report.
cat > loaded.cu << 'END'
#include <cuda.h>
static const char ptx[] = ".version 8.0\n.target sm_70\n.address_size 64\n.entry put(.param .u64 p) {\n"
                          ".reg .b32 %r<2>; .reg .b64 %d<4>;\nld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\n"
                          "mad.wide.u32 %d3, %r1, 64, %d1;\nst.global.u32 [%d3], %r1; // apart\nret; }\n";
int main() {
    CUcontext context; CUmodule module; CUfunction put; CUdeviceptr p;
    cuInit(0);
    cuDevicePrimaryCtxRetain(&context, 0);
    cuCtxSetCurrent(context);
    cuModuleLoadData(&module, ptx);
    cuModuleGetFunction(&put, module, "put");
    cuMemAlloc(&p, 32 * 64);
    void *arguments[] = {&p};
    cuLaunchKernel(put, 1, 1, 1, 32, 1, 1, 0, 0, arguments, 0);
    return cuCtxSynchronize();
}
END
for program in "loaded.cu -lcuda" loaded.json; do
    # shellcheck disable=SC2086
    expect 0 '' -- warpglass profile $program --json loaded.json
    said 'This kernel has no line information, so these are PTX lines'
    said '100 % +32 \(4\) +9  st.global.u32 \[%d3\], %r1; // apart$'
done

# Names beyond ASCII, and such as are no UTF-8, which JSON has no bytes for.
cp copy.cu wärm.cu
expect 0 '' -- warpglass profile wärm.cu
said 'wärm.cu$'
said '100 % .*out\[i\] = in\[i\]'
latin=$'caf\xe9.cu'
cp copy.cu "$latin"
expect 0 '' -- warpglass profile "$latin" --json latin.json
expect 0 '' -- warpglass profile latin.json
said 'global loads +32 +125 '

expect 7 '' -- warpglass run copy.cu -- 0
expect 7 'nothing to report' -- warpglass profile copy.cu -- 0
expect 5 'cudaErrorIllegalAddress|illegal' -- warpglass profile copy.cu -- -1000
said 'Launch 0 ended with cudaErrorIllegalAddress'
said '^copy\('

expect 0 '' -- warpglass cc copy.cu -o copy
expect 0 '' -- warpglass profile ./copy --html copy.html --kernel copy
grep -q '<h2>copy</h2>' copy.html || fail "no kernel on the page"
expect 0 '' -- warpglass compare one.json copy.cu
said 'No counter changed'
sed 's/in\[i\]/in[i * 8 % n]/' copy.cu > apart.cu
expect 0 '' -- warpglass compare copy.cu apart.cu
said 'global_load_sectors +125 +1,000 +8 times'
said 'better, [1-9][0-9]* worse'
printf '#!/bin/sh\nexit 0\n' > script && chmod +x script
expect 1 'script made no CUDA call that reached Warpglass, so there is nothing to report' -- warpglass profile ./script
expect 1 'error|no_such' -- warpglass profile no_such.cu

# A program that was ended in its first kernel.
cat > spin.cu << 'END'
#include <cstdio>
__global__ void spin(volatile int *x) { while (!*x); }
int main() {
    int *x;
    cudaMallocManaged(&x, 4);
    spin<<<1, 1>>>(x);
    fclose(fopen("started", "w"));
    return cudaDeviceSynchronize();
}
END
ended() {
    "$WARPGLASS" profile spin.cu &
    until [[ -e started ]]; do sleep 0.05; done
    kill -TERM $!
    wait $!
}
expect 143 'stopped in kernel spin.int volatile' -- ended
said 'The program was terminated by signal 15: the figures cover what ran until then'
# By itself, at once.
sed 's/return cudaDeviceSynchronize();/return raise(SIGKILL);/; 1i #include <csignal>' spin.cu > killed.cu
expect 137 'killed was stopped before any kernel had finished, so there is nothing to report' -- warpglass profile killed.cu
finish
