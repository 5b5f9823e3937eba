#!/bin/bash
# `--verify`: every launch by generated code and by the reference. (What is said of a fault of generated code is tested
# in tests/machine/verify/verify_test.c; here what differs does so by a race of the program's own.)
. "$(dirname "$0")/expect.sh"

cat > many.cu << 'END'
#include <cstdio>
#include <cstdlib>

__global__ void fill(int *x, int value) { x[blockIdx.x * blockDim.x + threadIdx.x] = value + threadIdx.x; }
__global__ void say(int n) { printf("line %d\n", n + threadIdx.x); }
__global__ void counts(unsigned *n, float *sum, int *tickets) {
    tickets[atomicAdd(n, 1u)] = blockIdx.x;
    atomicAdd(sum, 0.1f * threadIdx.x);
}

int main(int argc, char **argv) {
    int *mapped, *device, *own = (int *)malloc(4096);
    unsigned *n;
    cudaStream_t streams[2];
    cudaMallocHost(&mapped, 4096);
    cudaMallocManaged(&n, 8 + 4 * 256);
    cudaMalloc(&device, 1 << 20);
    cudaHostRegister(own, 4096, cudaHostRegisterMapped);
    for (int i = 0; i < 2; i++) cudaStreamCreate(&streams[i]);
    for (int i = 0; i < 4; i++) fill<<<4, 64, 0, streams[i % 2]>>>(device + 1024 * i, i);
    fill<<<1, 64>>>(mapped, 5);
    fill<<<1, 64>>>(own, 6);
    say<<<2, 2>>>(10);
    counts<<<4, 64>>>(n, (float *)(n + 1), (int *)(n + 2));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal);
    fill<<<4, 64, 0, streams[0]>>>(device, 9);
    cudaStreamEndCapture(streams[0], &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, streams[0]);
    cudaDeviceSynchronize();
    printf("%d %d %u %s\n", mapped[63], own[63], *n, cudaGetErrorName(cudaGetLastError()));
    if (argc > 1) fill<<<1, 64>>>(NULL, 1);
    cudaDeviceSynchronize();
    return argc > 1;
}
END
expect 0 'verify: 9 launches compared with the reference, [0-9]+ bytes: equal' -- warpglass run --verify many.cu
said '^68 69 256 cudaSuccess$'
[[ $(grep -c '^line' "$stdout") == 4 ]] || fail "what kernels print is there more than once, or not"
expect 1 'illegal address in kernel fill' -- warpglass run --verify many.cu -- fault
grep -q 'verify: 10 launches compared with the reference, [0-9]* bytes: equal' "$stderr" || fail "the fault is not alike"

# Some blocks of each launch. Those that hand each other tickets are compared whole.
expect 0 'verify: 9 launches compared with the reference \(5 of them in part\), [0-9]+ bytes: equal' -- \
    warpglass run --verify=2 many.cu
expect 2 "--verify=some: expected a number of blocks" -- warpglass run --verify=some many.cu
expect 2 "--verify=0: expected a number of blocks" -- warpglass run --verify=0 many.cu

# Of two different NaNs in one operation of f64 generated code may keep the other one: no race is suspected.
cat > nans.cu << 'END'
__global__ void add(double *a, const double *b, const double *c) { a[threadIdx.x] = b[threadIdx.x] + c[threadIdx.x]; }

int main() {
    unsigned long long *a, *b, *c;
    cudaMallocManaged(&a, 512);
    cudaMallocManaged(&b, 512);
    cudaMallocManaged(&c, 512);
    for (int i = 0; i < 64; i++) b[i] = 0x7ff8000000000001 + i, c[i] = 0xfff8000000000100 + i;
    add<<<1, 64>>>((double *)a, (double *)b, (double *)c);
    add<<<1, 64>>>((double *)c, (double *)b, (double *)b);
    return cudaDeviceSynchronize();
}
END
expect 4 'both are NaNs: of two different NaNs in one f64 operation .* \(docs/nans.md\)$' -- warpglass run --verify nans.cu
grep -q 'a data race' "$stderr" && fail "a difference of NaNs is said to be a race's"
grep -q 'verify: 2 launches .*: 1 differs' "$stderr" || fail "one NaN and itself are not exact"

# Executables, by the variable too; counted and checked ones.
expect 0 '' -- warpglass cc many.cu -o many
expect 0 ': equal' -- warpglass run --verify ./many
expect 0 ': equal' -- env WARPGLASS_VERIFY=all ./many
expect 1 "WARPGLASS_VERIFY: 'some' is not 'all' or a number of blocks" -- env WARPGLASS_VERIFY=some sh -c './many > /dev/null || exit 1; exit 1'
expect 0 ': equal' -- warpglass profile --verify many.cu
expect 0 ': equal' -- warpglass check --verify --only memory many.cu

cat > race.cu << 'END'
__global__ void product(const float *a, const float *b, float *c, int n) {
    __shared__ float left[32][32], right[32][32];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32 + y, col = blockIdx.x * 32 + x;
    float sum = 0;
    for (int t = 0; t < n; t += 32) {
        left[y][x] = a[row * n + t + x];
        right[y][x] = b[(t + y) * n + col];
        __syncthreads();
        for (int k = 0; k < 32; k++) sum += left[y][k] * right[k][x];
    }
    c[row * n + col] = sum;
}

int main() {
    const int n = 64;
    float *a;
    cudaMallocManaged(&a, 3 * n * n * sizeof(float));
    for (int i = 0; i < 2 * n * n; i++) a[i] = i % 7;
    for (int i = 0; i < 3; i++) product<<<dim3(2, 2), dim3(32, 32)>>>(a, a + n * n, a + 2 * n * n, n);
    return cudaDeviceSynchronize();
}
END
expect 4 'race.cu:11:[0-9]+: generated code and the reference differ in kernel product.*, launch 0' -- \
    warpglass run --verify race.cu
[[ $(grep -c 'generated code and' "$stderr") == 1 ]] || fail "launches that differ alike are told of more than once"
grep -q '3 launches compared with the reference, 49152 bytes: 3 differ$' "$stderr" || fail "not all are counted"
expect 3 'verify: 3 launches' -- warpglass check --verify race.cu

cat > none.cu << 'END'
int main() { return 5; }
END
expect 5 'made no CUDA call that reached Warpglass, so nothing was compared' -- warpglass run --verify none.cu

# Python, through the library that a package would load.
python=$(command -v python3) || python=
if [[ -n $python ]]; then
    warpglass cc -ptx many.cu -o many.ptx 2> /dev/null || fail "no PTX"
    cat > many.py << 'END'
import ctypes
cuda = ctypes.CDLL("libcuda.so.1")
def check(r): assert r == 0, r
check(cuda.cuInit(0))
context, module, function = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
check(cuda.cuCtxCreate_v2(ctypes.byref(context), 0, 0))
check(cuda.cuModuleLoad(ctypes.byref(module), b"many.ptx"))
check(cuda.cuModuleGetFunction(ctypes.byref(function), module, b"_Z4fillPii"))
p, value = ctypes.c_uint64(), ctypes.c_int(7)
check(cuda.cuMemAlloc_v2(ctypes.byref(p), 4096))
args = (ctypes.c_void_p * 2)(ctypes.addressof(p), ctypes.addressof(value))
check(cuda.cuLaunchKernel(function, 4, 1, 1, 64, 1, 1, 0, None, args, None))
host = (ctypes.c_int * 256)()
check(cuda.cuMemcpyDtoH_v2(host, p, 1024))
print(host[255])
END
    expect 0 'verify: 1 launch compared with the reference, 1024 bytes: equal' -- \
        warpglass run --verify "$(realpath "$python")" -- many.py
    said '^70$'
fi
finish
