#!/bin/bash
# Several devices in one process: which ones there are, and what each has of its own; copies and accesses between them,
# and what goes wrong there; reports that name them.
. "$(dirname "$0")/expect.sh"
unset CUDA_VISIBLE_DEVICES

# ---- Which there are ----

cat > list.cu << 'END'
#include <cstdio>
int main() {
    int n = 0, back, can;
    cudaError_t e = cudaGetDeviceCount(&n);
    printf("%d devices, %s\n", n, cudaGetErrorName(e));
    for (int i = 0; i < n; i++) {
        cudaDeviceProp p;
        char id[32];
        cudaGetDeviceProperties(&p, i);
        cudaDeviceGetPCIBusId(id, sizeof id, i);
        cudaDeviceGetByPCIBusId(&back, id);
        cudaDeviceCanAccessPeer(&can, i, 0);
        printf("%d: %s at %s = %d, board %d, uuid %02x, peer of 0: %d\n", i, p.name, id, back, p.multiGpuBoardGroupID,
               (unsigned char)p.uuid.bytes[15], can);
    }
    printf("beyond: %s\n", cudaGetErrorName(cudaSetDevice(n)));
}
END
expect 0 '' -- warpglass cc list.cu -o list
expect 0 '' -- ./list
said '^1 devices, cudaSuccess$'
expect 0 '' -- warpglass run --devices 3 --arch A100 ./list
said '^3 devices, cudaSuccess$'
said '^2: NVIDIA A100-SXM4-40GB at 0000:03:00.0 = 2, board 2, uuid 02, peer of 0: 1$'
said '^beyond: cudaErrorInvalidDevice$'
expect 0 '' -- env WARPGLASS_DEVICES=H200,A100,H100 ./list
said '^0: NVIDIA H200 at 0000:01:00.0 = 0, board 0, uuid 00, peer of 0: 0$'
said '^1: NVIDIA A100-SXM4-40GB at 0000:02:00.0 = 1, board 1, uuid 01, peer of 0: 0$'
said '^2: NVIDIA H100 .* peer of 0: 1$'
expect 0 '' -- env WARPGLASS_DEVICES=4 CUDA_VISIBLE_DEVICES=2,0,9,1 ./list
said '^2 devices, cudaSuccess$'
said '^0: .* at 0000:03:00.0 = 0, board 2'
said '^1: .* at 0000:01:00.0 = 1, board 0'
for twice in 1,1 3,2,1,0,2; do # also behind as many as there are
    expect 0 '' -- env WARPGLASS_DEVICES=4 CUDA_VISIBLE_DEVICES=$twice ./list
    said '^0 devices, cudaErrorNoDevice$'
done
expect 0 '' -- env WARPGLASS_DEVICES=16 ./list
said '^15: .* at 0000:10:00.0 = 15'
for bad in 0 17 -1 'H200,' ',H200' 'H200,Z9' 2.5; do
    expect 2 "--devices $bad: expected a number from 1 to 16, or a list of as many chips" -- warpglass run --devices "$bad" list.cu
done
expect 0 "WARPGLASS_DEVICES: '17' is not a number of devices from 1 to 16" -- env WARPGLASS_DEVICES=17 ./list

# ---- What each has of its own ----

cat > own.cu << 'END'
#include <cstdio>
#include <cassert>
#include <thread>
#include <vector>
__device__ int counter = 5;
__managed__ int shared = 7;
__constant__ int factor = 1;
__global__ void count(int *p, int *pinned) {
    atomicAdd(&counter, 1);
    atomicAdd(&shared, factor);
    atomicAdd(pinned, 1);
    p[threadIdx.x] += factor;
}
__global__ void speak(int device) { printf("kernel on %d\n", device); }
static int chosen;
static void look() { cudaGetDevice(&chosen); }
#define OK(X) assert((X) == cudaSuccess)
int main() {
    int n, now;
    OK(cudaGetDeviceCount(&n));
    std::vector<int *> p(n);
    int *pinned, registered[16] = {}, got;
    size_t before[2], total, limit;
    OK(cudaMallocHost(&pinned, 4));
    OK(cudaHostRegister(registered, sizeof registered, 0));
    *pinned = 0;
    for (int i = n - 1; i >= 0; i--) {
        int k = i + 1;
        OK(cudaSetDevice(i));
        OK(cudaGetDevice(&now));
        assert(now == i);
        OK(cudaMemGetInfo(&before[0], &total));
        OK(cudaMalloc(&p[i], 64 << 20));
        OK(cudaMemGetInfo(&before[1], &total));
        assert(before[0] - before[1] == 64 << 20);
        OK(cudaMemset(p[i], 0, 64 << 20));
        OK(cudaMemcpyToSymbol(factor, &k, 4));
        OK(cudaDeviceSetLimit(cudaLimitStackSize, 2048 * k));
    }
    std::thread(look).join(); // each thread begins with the first
    assert(chosen == 0);
    for (int i = 0; i < n; i++) {
        OK(cudaSetDevice(i));
        for (int k = 0; k <= i; k++) count<<<1, 32>>>(p[i], i % 2 ? pinned : registered);
        OK(cudaDeviceSynchronize());
        OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
        assert(limit == 2048 * (i + 1));
    }
    for (int i = 0; i < n; i++) {
        OK(cudaSetDevice(i));
        OK(cudaMemcpyFromSymbol(&got, counter, 4));
        assert(got == 5 + 32 * (i + 1));
        OK(cudaMemcpy(&got, p[i] + 31, 4, cudaMemcpyDeviceToHost));
        assert(got == (i + 1) * (i + 1));
        speak<<<1, 1>>>(i);
        OK(cudaDeviceSynchronize());
    }
    int all = 7;
    for (int i = 0; i < n; i++) all += 32 * (i + 1) * (i + 1);
    assert(shared == all); // there is one for all
    // One is reset, and the others are as they were.
    if (n > 1) {
        OK(cudaSetDevice(n - 1));
        OK(cudaDeviceReset());
        OK(cudaMemcpyFromSymbol(&got, counter, 4));
        assert(got == 5 && shared == all);
        OK(cudaSetDevice(0));
        OK(cudaMemcpyFromSymbol(&got, counter, 4));
        assert(got == 5 + 32);
        OK(cudaFree(p[0]));
    }
    printf("pinned %d, registered %d\n", *pinned, registered[0]);
}
END
expect 0 '' -- warpglass cc own.cu -o own
for threads in 1 3; do
    expect 0 '' -- warpglass run --devices 4 --threads $threads ./own
    said '^kernel on 3$'
    said '^pinned 192, registered 128$'
done
expect 0 '' -- warpglass run --devices H200,A100,H200 --arch sm_80 own.cu
expect 0 '' -- warpglass run --devices A100,H200 own.cu # compiled for the older one
expect 0 '' -- ./own

# ---- Between them ----

cat > between.cu << 'END'
#include <cstdio>
#include <cassert>
#include <cstring>
#include <vector>
enum { N = 1 << 16 };
#define OK(X) assert((X) == cudaSuccess)
#define IS(CODE, X) assert((X) == CODE && cudaGetLastError() == CODE)
__global__ void fill(int *p, int v) { p[blockIdx.x * blockDim.x + threadIdx.x] = v + blockIdx.x * blockDim.x + threadIdx.x; }
__global__ void add(int *to, const int *from) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i) to[i] += from[i];
    atomicAdd(&to[0], 1);
}
static int h[N];
static void holds(const int *p, int v) {
    memset(h, 0, sizeof h);
    OK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDefault));
    for (int i = 0; i < N; i++) assert(h[i] == v + i);
}
int main() {
    int *a, *b, *c, can;
    OK(cudaSetDevice(0));
    OK(cudaMalloc(&a, sizeof h));
    OK(cudaMalloc(&c, sizeof h));
    OK(cudaSetDevice(1));
    OK(cudaMalloc(&b, sizeof h));
    cudaPointerAttributes at;
    OK(cudaPointerGetAttributes(&at, b + 5));
    assert(at.device == 1 && at.type == cudaMemoryTypeDevice);
    OK(cudaSetDevice(0));
    OK(cudaPointerGetAttributes(&at, b + 5));
    assert(at.device == 1);

    // Copies need no permission.
    fill<<<N / 256, 256>>>(a, 100);
    OK(cudaMemcpyPeer(b, 1, a, 0, sizeof h));
    holds(b, 100);
    fill<<<N / 256, 256>>>(a, 200);
    OK(cudaMemcpy(b, a, sizeof h, cudaMemcpyDeviceToDevice));
    holds(b, 200);
    OK(cudaSetDevice(1));
    fill<<<N / 256, 256>>>(b, 300);
    OK(cudaSetDevice(0));
    OK(cudaMemcpy(a, b, sizeof h, cudaMemcpyDefault)); // behind what the other device was to do
    holds(a, 300);
    cudaStream_t s0, s1;
    cudaEvent_t e0, e1;
    OK(cudaStreamCreateWithFlags(&s0, cudaStreamNonBlocking));
    OK(cudaEventCreate(&e0));
    OK(cudaSetDevice(1));
    OK(cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking));
    OK(cudaEventCreate(&e1));
    for (int round = 0; round < 20; round++) {
        OK(cudaSetDevice(0));
        fill<<<N / 256, 256, 0, s0>>>(a, 1000 * round);
        OK(cudaMemcpyPeerAsync(b, 1, a, 0, sizeof h, s0));
        OK(cudaEventRecord(e0, s0));
        OK(cudaStreamWaitEvent(s1, e0, 0)); // of another device
        OK(cudaMemcpyAsync(c, b, sizeof h, cudaMemcpyDeviceToDevice, s1));
        OK(cudaEventRecord(e1, s1));
        OK(cudaStreamWaitEvent(s0, e1, 0));
        OK(cudaStreamSynchronize(s0));
        holds(c, 1000 * round);
    }
    cudaMemcpy3DPeerParms box = {};
    box.srcDevice = 0, box.dstDevice = 1;
    box.srcPtr = make_cudaPitchedPtr(a, 1024, 1024, 64);
    box.dstPtr = make_cudaPitchedPtr(b, 1024, 1024, 64);
    box.extent = make_cudaExtent(1024, 64, 4);
    OK(cudaSetDevice(0));
    OK(cudaMemcpy3DPeer(&box));
    holds(b, 19000);

    // Errors
    OK(cudaSetDevice(0));
    IS(cudaErrorInvalidResourceHandle, cudaEventRecord(e1, s0));
    float ms;
    IS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, e0, e1));
    OK(cudaDeviceCanAccessPeer(&can, 0, 1));
    assert(can == 1);
    IS(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
    IS(cudaErrorInvalidValue, cudaDeviceEnablePeerAccess(1, 1));
    IS(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(7, 0));
    IS(cudaErrorPeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0));

    // With permission kernels reach it.
    OK(cudaDeviceEnablePeerAccess(1, 0));
    IS(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
    OK(cudaMemset(b, 0, sizeof h));
    OK(cudaMemset(a, 0, sizeof h));
    fill<<<N / 256, 256>>>(a, 0);
    add<<<N / 256, 256>>>(b, a);
    OK(cudaMemcpy(h, b, sizeof h, cudaMemcpyDefault));
    assert(h[0] == N);
    for (int i = 1; i < N; i++) assert(h[i] == i);

    // A pool says for itself who reaches it.
    int *pooled;
    cudaMemPool_t pool;
    OK(cudaSetDevice(1));
    OK(cudaDeviceGetDefaultMemPool(&pool, 1));
    OK(cudaMallocAsync(&pooled, sizeof h, s1));
    OK(cudaMemsetAsync(pooled, 0, sizeof h, s1));
    OK(cudaStreamSynchronize(s1));
    cudaMemAccessDesc who = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
    cudaMemAccessFlags flags;
    OK(cudaMemPoolGetAccess(&flags, pool, &who.location));
    assert(flags == cudaMemAccessFlagsProtNone);
    OK(cudaMemPoolSetAccess(pool, &who, 1));
    OK(cudaMemPoolGetAccess(&flags, pool, &who.location));
    assert(flags == cudaMemAccessFlagsProtReadWrite);
    OK(cudaSetDevice(0));
    fill<<<N / 256, 256>>>(pooled, 50);
    OK(cudaDeviceSynchronize());
    holds(pooled, 50);
    OK(cudaSetDevice(1));
    OK(cudaFreeAsync(pooled, s1));
    OK(cudaDeviceSynchronize());
    OK(cudaSetDevice(0));
    OK(cudaFree(b)); // of the other device
    int *managed;
    OK(cudaMallocManaged(&managed, sizeof h));
    cudaMemLocation there = {cudaMemLocationTypeDevice, 1};
    OK(cudaMemPrefetchAsync(managed, sizeof h, there, 0, 0));
    OK(cudaMemAdvise(managed, sizeof h, cudaMemAdviseSetPreferredLocation, there));
    there.id = 7;
    IS(cudaErrorInvalidDevice, cudaMemPrefetchAsync(managed, sizeof h, there, 0, 0));
    OK(cudaSetDevice(1));
    fill<<<N / 256, 256>>>(managed, 70);
    OK(cudaDeviceSynchronize());
    holds(managed, 70);
    OK(cudaSetDevice(0));
    OK(cudaDeviceDisablePeerAccess(1));
    OK(cudaDeviceReset());
    OK(cudaSetDevice(1));
    fill<<<1, 32>>>(managed, 0); // what was allocated on the first device is gone
    printf("all as it should be: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
END
expect 0 '' -- warpglass cc between.cu -o between
for threads in 1 3; do
    expect 0 'illegal address in kernel fill' -- warpglass run --devices 2 --threads $threads ./between
    said '^all as it should be: cudaErrorIllegalAddress$'
done
expect 0 '' -- env WARPGLASS_BACKEND=ref WARPGLASS_DEVICES=2 ./own

cat > graph.cu << 'END'
#include <cstdio>
#include <cassert>
#define OK(X) assert((X) == cudaSuccess)
__global__ void twice(int *p) { p[threadIdx.x] = 2 * p[threadIdx.x] + 1; }
int main() {
    int *p[2], h = 0;
    cudaStream_t s[2];
    cudaEvent_t e[2];
    cudaGraph_t g;
    cudaGraphExec_t x;
    for (int i = 0; i < 2; i++) {
        OK(cudaSetDevice(1 - i));
        OK(cudaMalloc(&p[1 - i], 256));
        OK(cudaMemset(p[1 - i], 0, 256));
        OK(cudaDeviceSynchronize()); // a stream of the other device waits for no default stream of this one
        OK(cudaStreamCreate(&s[1 - i]));
        OK(cudaEventCreateWithFlags(&e[1 - i], cudaEventDisableTiming));
    }
    OK(cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal));
    twice<<<1, 64, 0, s[0]>>>(p[0]);
    OK(cudaMemcpyPeerAsync(p[1], 1, p[0], 0, 256, s[0]));
    OK(cudaEventRecord(e[0], s[0]));
    OK(cudaStreamWaitEvent(s[1], e[0], 0));
    OK(cudaSetDevice(1));
    twice<<<1, 64, 0, s[1]>>>(p[1]);
    OK(cudaEventRecord(e[1], s[1]));
    OK(cudaSetDevice(0));
    OK(cudaStreamWaitEvent(s[0], e[1], 0));
    OK(cudaMemcpyPeerAsync(p[0], 0, p[1], 1, 256, s[0]));
    OK(cudaStreamEndCapture(s[0], &g));
    OK(cudaGraphInstantiate(&x, g, 0));
    for (int i = 0; i < 10; i++) OK(cudaGraphLaunch(x, s[0]));
    OK(cudaStreamSynchronize(s[0]));
    OK(cudaMemcpy(&h, p[0], 4, cudaMemcpyDefault));
    printf("twice twenty times: %d\n", h);
}
END
expect 0 '' -- warpglass run --devices 2 graph.cu
said '^twice twenty times: 1048575$'
expect 0 '' -- warpglass check --devices 2 graph.cu
said '^clean$'

# ---- Arrays and textures of a peer ----

cat > arrays.cu << 'END'
#include <cstdio>
const int W = 16, H = 8;
__global__ void read(cudaTextureObject_t t, float *out) {
    out[threadIdx.y * W + threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}
__global__ void write(cudaSurfaceObject_t s) {
    surf2Dwrite(1000.f + threadIdx.y * W + threadIdx.x, s, threadIdx.x * 4, threadIdx.y);
}
__global__ void fetch(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); }
int main(int argc, char **) {
    float h[W * H], back[W * H], *out, *line;
    int can;
    cudaArray_t a;
    cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
    cudaMallocArray(&a, &d, W, H, cudaArraySurfaceLoadStore);
    for (int i = 0; i < W * H; i++) h[i] = i;
    cudaMemcpy2DToArray(a, 0, 0, h, W * 4, W * 4, H, cudaMemcpyHostToDevice);
    cudaMalloc(&line, sizeof h);
    cudaMemcpy(line, h, sizeof h, cudaMemcpyHostToDevice);
    cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrCudaArrayAccessSupported, 1, 0);
    cudaSetDevice(1);
    if (argc == 1) cudaDeviceEnablePeerAccess(0, 0);
    cudaMalloc(&out, sizeof h);
    cudaResourceDesc of = {}, linear = {};
    of.resType = cudaResourceTypeArray;
    of.res.array.array = a;
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear.devPtr = line;
    linear.res.linear.desc = d;
    linear.res.linear.sizeInBytes = sizeof h;
    cudaTextureDesc how = {};
    cudaTextureObject_t t, l;
    cudaSurfaceObject_t s;
    cudaCreateTextureObject(&t, &of, &how, nullptr);
    cudaCreateTextureObject(&l, &linear, &how, nullptr);
    cudaCreateSurfaceObject(&s, &of);
    int wrong = 0;
    read<<<1, dim3(W, H)>>>(t, out);
    cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
    for (int i = 0; i < W * H; i++) wrong += back[i] != i;
    write<<<1, dim3(W, H)>>>(s);
    cudaDeviceSynchronize();
    cudaMemcpy2DFromArray(back, W * 4, a, 0, 0, W * 4, H, cudaMemcpyDeviceToHost);
    for (int i = 0; i < W * H; i++) wrong += back[i] != 1000 + i;
    fetch<<<1, W * H>>>(l, out);
    cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
    for (int i = 0; i < W * H; i++) wrong += back[i] != i;
    printf("can %d, %d wrong, %s\n", can, wrong, cudaGetErrorName(cudaGetLastError()));
}
END
expect 0 '' -- warpglass cc arrays.cu -o arrays
expect 0 '' -- warpglass run --devices 2 ./arrays
said '^can 1, 0 wrong, cudaSuccess$'
expect 0 '' -- env WARPGLASS_BACKEND=ref "$WARPGLASS" run --devices 2 ./arrays
said '^can 1, 0 wrong, cudaSuccess$'
expect 0 'of device 0; this kernel runs on device 1, which can access it after' -- warpglass run --devices 2 ./arrays -- none
said 'cudaErrorIllegalAddress$'
expect 0 '' -- warpglass check --devices 2 ./arrays

# ---- Boxes between devices by the driver ----

cat > boxes.cu << 'END'
#include <cstdio>
#include <cstring>
#include <cuda.h>
const int W = 8, H = 6, D = 4;
int main() {
    CUcontext c[2];
    CUdeviceptr p[2];
    unsigned char h[2 * W * H * D], back[sizeof h];
    cuInit(0);
    for (int i = 0; i < 2; i++) {
        cuCtxCreate(&c[i], NULL, 0, i);
        cuMemAlloc(&p[i], sizeof h);
        cuMemsetD8(p[i], 0, sizeof h);
    }
    for (size_t i = 0; i < sizeof h; i++) h[i] = i % 251;
    cuMemcpyHtoD(p[0], h, sizeof h);
    CUDA_MEMCPY3D_PEER b = {};
    b.srcMemoryType = b.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    b.srcDevice = p[0], b.dstDevice = p[1];
    b.srcContext = c[0], b.dstContext = c[1];
    b.srcPitch = b.dstPitch = 2 * W, b.srcHeight = b.dstHeight = H;
    b.srcXInBytes = 3, b.dstXInBytes = 5, b.dstY = 1;
    b.WidthInBytes = W, b.Height = H - 1, b.Depth = D;
    printf("%d", cuMemcpy3DPeer(&b));
    cuMemcpyDtoH(back, p[1], sizeof h);
    int wrong = 0;
    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < 2 * W; x++) {
                int at = (z * H + y) * 2 * W + x;
                bool in = y >= 1 && x >= 5 && x < 5 + W;
                wrong += back[at] != (in ? h[at - 2 * W - 2] : 0);
            }
    b.dstXInBytes = 0;
    printf(" %d", cuMemcpy3DPeerAsync(&b, 0));
    cuCtxSynchronize();
    cuMemcpyDtoH(back, p[1] + 2 * W, 1);
    wrong += back[0] != h[3];
    b.srcContext = (CUcontext)&b;
    printf(" %d", cuMemcpy3DPeer(&b));
    b.srcContext = NULL, b.srcPitch = 2;
    printf(" %d %d: %d wrong\n", cuMemcpy3DPeer(&b), cuMemcpy3DPeer(NULL), wrong);
}
END
expect 0 '' -- warpglass run --devices 2 boxes.cu -lcuda
said '^0 0 201 1 1: 0 wrong$'

# ---- Without permission ----

cat > fault.cu << 'END'
#include <cstdio>
__global__ void fill(int *p) { p[threadIdx.x] = threadIdx.x; }
int main(int argc, char **) {
    int *p;
    cudaSetDevice(1);
    if (argc > 1) cudaMallocAsync(&p, 4096, 0);
    else cudaMalloc(&p, 4096);
    cudaDeviceSynchronize();
    cudaSetDevice(0);
    if (argc > 1) cudaDeviceEnablePeerAccess(1, 0);
    fill<<<1, 64>>>(p + 8);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaSetDevice(1);
    fill<<<1, 64>>>(p);
    printf("the other: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
END
expect 0 'fault.cu:2:[0-9]+: illegal address' -- warpglass run --devices 2 fault.cu
said '^cudaErrorIllegalAddress$'
said '^the other: cudaSuccess$'
grep -q '32 bytes into an allocation of 4096 bytes at 0x[0-9a-f]* of device 1; this kernel runs on device 0, which can access it after cudaSetDevice(0) and cudaDeviceEnablePeerAccess(1, 0)' "$stderr" ||
    fail 'whose memory it is, is not said'
expect 0 'cudaMemPoolSetAccess' -- warpglass run --devices 2 fault.cu -- pool
said '^cudaErrorIllegalAddress$'
expect 3 '' -- warpglass check --devices 2 fault.cu
said 'fault.cu:2:[0-9]+ in fill\(int\*\), launch 0 on device 0$'
said 'of device memory of device 1,?$'

# ---- Reports ----

expect 0 '' -- warpglass profile --devices 3 --json report.json ./own
python3 - << 'END' || fail 'the JSON does not name the devices'
import json
r = json.load(open('report.json'))
assert [d['name'] for d in r['devices']] == ['NVIDIA H200'] * 3, r['devices']
count = [k for k in r['kernels'] if 'count' in k['display']]
assert len(count) == 1
assert [l['device'] for l in count[0]['launches']] == [0, 1, 1, 2, 2, 2], count
END
said 'on 3 devices'
# Launches that reach other devices' memory are not compared in other orders, and that is said.
cat > claim.cu << 'END'
#include <cstdio>
__global__ void claim(int *x, int *n) { x[atomicAdd_system(n, 1)] = blockIdx.x; }
int main() {
    int *x, *n;
    cudaMalloc(&x, 256);
    cudaMalloc(&n, 4);
    cudaMemset(n, 0, 4);
    cudaDeviceSynchronize();
    cudaSetDevice(1);
    cudaDeviceEnablePeerAccess(0, 0);
    claim<<<64, 1>>>(x, n);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
END
expect 0 '' -- warpglass check --devices 2 --schedules 2 claim.cu
tr '\n' ' ' < "$stdout" | grep -q 'launches of a device that can access memory of others were not compared in other orders' ||
    fail 'the report does not say that launches were left out'
expect 0 'not compared: kernels of the device can access memory of other devices' -- warpglass run --verify --devices 2 claim.cu

# What goes over the link, and how long that takes where there is a measurement.
cat > link.cu << 'END'
#include <cassert>
#define OK(X) assert((X) == cudaSuccess)
__global__ void add(int4 *mine, const int4 *theirs, int *sum) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int4 v = theirs[i];
    mine[i] = v;
    if (sum) atomicAdd(sum, v.x);
}
int main() {
    const int n = 1 << 18;
    int4 *p[2];
    for (int i = 0; i < 2; i++) {
        OK(cudaSetDevice(i));
        OK(cudaMalloc(&p[i], n * sizeof(int4)));
        OK(cudaMemset(p[i], 0, n * sizeof(int4)));
        OK(cudaDeviceSynchronize());
    }
    OK(cudaMemcpyPeer(p[0], 0, p[1], 1, n * sizeof(int4)));
    OK(cudaDeviceEnablePeerAccess(0, 0)); // of device 1
    OK(cudaMemcpyPeer(p[0], 0, p[1], 1, n * sizeof(int4)));
    OK(cudaMemcpyPeer(p[0], 0, p[1], 1, n * sizeof(int4)));
    add<<<n / 256, 256>>>(p[1], p[0], nullptr);
    add<<<n / 256, 256>>>(p[0], p[1], &p[0]->x);
    OK(cudaDeviceSynchronize());
    OK(cudaSetDevice(0));
    add<<<n / 256, 256>>>(p[0], p[0], nullptr);
    OK(cudaDeviceSynchronize());
}
END
expect 0 '' -- warpglass profile --devices 2 --json link.json --html link.html link.cu
said '^  Device 1 to device 0: 1 copy, 4\.19 MB through the host, for peer access'
said '^  Device 1 to device 0: 2 copies, 8\.39 MB; 37 us at 227 GB/s, by a model'
said '^  Bound by the link to device 0: [0-9.]+ MB at [0-9.]+ GB/s\.$'
# One thread of each warp adds for all: so the compiler has it.
said '^  Link of device 1 to device 0: 4\.19 MB read, 4\.23 MB written, 32\.8 kB of them$'
python3 - << 'END' || failures=1
import json
r = json.load(open("link.json"))
c = [(c["from"], c["to"], c["peer_access"], c["bytes"], c["count"]) for c in r["copies"]]
assert c == [(1, 0, False, 1 << 22, 1), (1, 0, True, 1 << 22, 2)], c
assert abs(r["copies"][1]["seconds"] / 2 - (7.92e-6 + (1 << 22) / 396e9)) < 1e-8
[l] = r["kernels"][0]["links"]
assert (l["device"], l["peer"], l["launches"]) == (1, 0, 2), l
assert (l["bytes_read"], l["bytes_written"], l["atomics"]) == (1 << 22, (1 << 22) + (1 << 15), 1 << 13), l
assert l["seconds"] > (1 << 22) / 373e9
assert {a.get("device") for a in r["allocations"]} == {0, 1}
assert "Link of device 1 to device 0" in open("link.html").read()
END
expect 0 '' -- warpglass profile --devices A100,A100 --json link.json link.cu
said 'there is no model for this link\.$'
python3 -c 'import json; assert json.load(open("link.json"))["kernels"][0]["links"][0]["seconds"] is None' || failures=1
expect 0 '' -- warpglass profile --devices 1 --json one.json ./own
! grep -q '"devices"' one.json || fail 'one device is told of as several'
finish
