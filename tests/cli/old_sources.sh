#!/bin/bash
# Sources for CUDA 5 to 12: what CUDA 13 removed compiles with no flag, and -cuda-version 13 refuses it.
. "$(dirname "$0")/expect.sh"

cat > references.cu << 'CUDA'
#include <cstdio>
#include <cstring>
texture<float, 2, cudaReadModeElementType> image;
texture<int> numbers;
static texture<float4, cudaTextureType1D, cudaReadModeElementType> quads;
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
texture<float, cudaTextureType1DLayered> layers(1, cudaFilterModeLinear, cudaAddressModeWrap);
texture<short, 3> volume;
surface<void, cudaSurfaceType2D> target;
__global__ void read(float *out) {
    const int i = threadIdx.x, x = i % 4, y = i / 4;
    out[i] = tex2D(image, x + 0.5f, y + 1.0f);
    out[i + 16] = tex1Dfetch(numbers, i - 2);
    out[i + 32] = tex1Dfetch(quads, x).w + tex1Dfetch(quads, y).x;
    float4 c = tex2D(colours, x + 0.5f, y + 0.5f);
    out[i + 48] = 255 * (c.x + 1000 * c.w);
    out[i + 64] = tex1DLayered(layers, i / 4.0f, i % 2);
    out[i + 80] = tex3D(volume, x, y, i % 2);
    float4 g = tex2Dgather(image, x + 0.5f, y + 0.5f);
    out[i + 96] = g.x + 100 * g.z;
    surf2Dwrite(out[i] + 1, target, x * (int)sizeof(float), y);
    float again;
    surf2Dread(&again, target, x * (int)sizeof(float), y);
    out[i + 112] = again + surf2Dread<float>(target, x ? 4 * x : -4, y, cudaBoundaryModeClamp);
}
#define CHECK(call)                                                                                          \
    if (cudaError_t e = call) return printf("%d: %s\n", __LINE__, cudaGetErrorName(e)), 1
int main() {
    float h[128], *out, *p;
    int *pi;
    uchar4 *pc;
    size_t pitch, offset = 99;
    for (int i = 0; i < 128; i++) h[i] = i;
    cudaChannelFormatDesc one = cudaCreateChannelDesc<float>(), whole = cudaCreateChannelDesc<short>();
    cudaArray *a, *b, *l, *v;
    CHECK(cudaMalloc((void **)&out, sizeof h));
    CHECK(cudaMalloc((void **)&p, sizeof h));
    CHECK(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice));
    CHECK(cudaMallocArray(&a, &one, 4, 4, 0));
    CHECK(cudaMemcpyToArray(a, 0, 0, h, 64, cudaMemcpyHostToDevice));
    image.filterMode = cudaFilterModeLinear;
    image.addressMode[0] = image.addressMode[1] = cudaAddressModeClamp;
    image.normalized = false;
    CHECK(cudaBindTextureToArray(image, a, one));

    int hi[16];
    for (int i = 0; i < 16; i++) hi[i] = 3 * i;
    CHECK(cudaMalloc((void **)&pi, sizeof hi));
    CHECK(cudaMemcpy(pi, hi, sizeof hi, cudaMemcpyHostToDevice));
    CHECK(cudaBindTexture(&offset, numbers, pi, sizeof hi - 8));
    if (offset) return 2;
    if (cudaBindTexture(0, numbers, pi + 2, 56) != cudaErrorInvalidValue) return 3; /* the offset is not NULL */
    if (cudaBindTexture(&offset, numbers, pi + 2, 56) || offset != 8) return 4;
    CHECK(cudaGetTextureAlignmentOffset(&offset, numbers));
    if (offset != 8) return 5;
    CHECK(cudaBindTexture(0, numbers, pi, sizeof hi - 8));

    const textureReference *reference;
    cudaChannelFormatDesc four = cudaCreateChannelDesc(32, 32, 32, 32, cudaChannelFormatKindFloat);
    CHECK(cudaGetTextureReference(&reference, &quads));
    CHECK(cudaBindTexture(NULL, reference, p, &four, sizeof h));

    CHECK(cudaMallocPitch((void **)&pc, &pitch, 4 * sizeof(uchar4), 4));
    CHECK(cudaMemset2D(pc, pitch, 7, 4 * sizeof(uchar4), 4));
    CHECK(cudaBindTexture2D(NULL, &colours, pc, &colours.channelDesc, 4, 4, pitch));

    CHECK(cudaMalloc3DArray(&l, &one, make_cudaExtent(4, 0, 2), cudaArrayLayered));
    cudaMemcpy3DParms c = {};
    c.srcPtr = make_cudaPitchedPtr(h, 16, 4, 1);
    c.dstArray = l, c.extent = make_cudaExtent(4, 1, 2), c.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&c));
    CHECK(cudaBindTextureToArray(layers, l));

    short hs[32];
    for (int i = 0; i < 32; i++) hs[i] = -i;
    CHECK(cudaMalloc3DArray(&v, &whole, make_cudaExtent(4, 4, 2)));
    c = {};
    c.srcPtr = make_cudaPitchedPtr(hs, 8, 4, 4);
    c.dstArray = v, c.extent = make_cudaExtent(4, 4, 2), c.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&c));
    CHECK(cudaBindTextureToArray(volume, v));

    CHECK(cudaMallocArray(&b, &one, 4, 4, cudaArraySurfaceLoadStore));
    CHECK(cudaBindSurfaceToArray(target, b));
    for (int round = 0; round < 2; round++) {
        read<<<1, 16>>>(out);
        CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
        for (int i = 0; i < 128; i++) printf("%g%c", h[i], i % 16 == 15 ? '\n' : ' ');
        image.filterMode = cudaFilterModePoint; /* from the next binding on */
        CHECK(cudaBindTextureToArray(&image, a, &one));
        CHECK(cudaUnbindTexture(numbers));
    }
    CHECK(cudaThreadSynchronize());
    cudaFree(out), cudaFree(p), cudaFree(pi), cudaFree(pc);
    cudaFreeArray(a), cudaFreeArray(b), cudaFreeArray(l), cudaFreeArray(v);
    return 0;
}
CUDA
cat > expected << 'TEXT'
2 3 4 5 6 7 8 9 10 11 12 13 12 13 14 15
0 0 0 3 6 9 12 15 18 21 24 27 30 33 36 39
3 7 11 15 7 11 15 19 11 15 19 23 15 19 23 27
7007 7007 7007 7007 7007 7007 7007 7007 7007 7007 7007 7007 7007 7007 7007 7007
1.5 4.5 1.5 6.5 1.5 4.5 1.5 6.5 1.5 4.5 1.5 6.5 1.5 4.5 1.5 6.5
0 -17 -2 -19 -4 -21 -6 -23 -8 -25 -10 -27 -12 -29 -14 -31
104 205 306 307 508 609 710 711 912 1013 1114 1115 1312 1413 1514 1515
6 8 10 12 14 16 18 20 22 24 26 28 26 28 30 32
TEXT
expect 0 'note: .*references.cu has texture or surface references, which CUDA 12 removed' -- warpglass run references.cu
head -8 "$stdout" | diff - expected || fail 'references: other values'
for words in '' '-rdc=true'; do
    expect 0 'note' -- warpglass cc $words -o references references.cu
    [[ $(grep -c note: "$stderr") == 1 ]] || fail 'the note is given once'
    expect 0 '' -- ./references
    cp "$stdout" values
    expect 0 '' -- env WARPGLASS_BACKEND=ref ./references
    diff "$stdout" values || fail "$words: other values by the interpreter"
done
expect 0 '' -- warpglass check --leaks ./references
expect 1 "no template named 'texture'" -- warpglass cc -cuda-version 13 references.cu

# What CUDA 13 still has of them.
echo 'int main() { return cudaTextureType1DLayered + cudaSurfaceType2D - 0xF3; }' > types.cu
expect 0 '' -- warpglass cc -cuda-version 13 types.cu -o types
expect 0 '' -- ./types

# Newer programs have such names of their own.
cat > names.cu << 'CUDA'
struct texture { int width; };
enum { surface = 3 };
__global__ void k(texture t, int *out) { *out = t.width + surface; }
int main() {
    int *p, h;
    cudaMalloc(&p, 4);
    k<<<1, 1>>>(texture{4}, p);
    cudaMemcpy(&h, p, 4, cudaMemcpyDefault);
    return h - 7;
}
CUDA
expect 0 '' -- warpglass run names.cu

cat > old.cu << 'CUDA'
#include <cstdio>
__global__ void k(int *out) {
    out[threadIdx.x] = __shfl(threadIdx.x, 3) + __shfl_down(threadIdx.x, 1) + __ballot(1) + __any(1) + __all(0);
}
int main() {
    cudaDeviceProp p;
    int *out;
    cudaGetDeviceProperties(&p, 0);
    cudaMalloc(&out, 128);
    k<<<1, 32>>>(out);
    return cudaThreadSynchronize() || !p.clockRate || !p.deviceOverlap || p.computeMode || !p.memoryClockRate;
}
CUDA
expect 0 '' -- warpglass run old.cu
expect 1 'error' -- warpglass cc -c -cuda-version 13.0 old.cu
for missing in __shfl __ballot clockRate cudaThreadSynchronize; do
    grep -q "$missing" "$stderr" || fail "-cuda-version 13 takes $missing"
done
cat > driver.cu << 'CUDA'
#include <cuda.h>
#include <cstdio>
#define CHECK(call)                                                                                          \
    if (CUresult r = call) return printf("%d: %d\n", __LINE__, r), 1
int main() {
    CUcontext context;
    CUdevice device = 0;
    CUdeviceptr p;
    CUstream s;
    CUstreamCaptureStatus status;
    cuuint64_t id;
    CUgraph g;
    CUgraphNode a, b, from, to;
    CUgraphExec x;
    CUgraphExecUpdateResult result;
    char log[99];
    size_t n = 1;
    CHECK(cuInit(0));
    CHECK(cuCtxCreate(&context, CU_CTX_SCHED_AUTO, device));
    CHECK(cuMemAllocManaged(&p, 4096, CU_MEM_ATTACH_GLOBAL));
    CHECK(cuMemPrefetchAsync(p, 4096, device, 0));
    CHECK(cuMemPrefetchAsync(p, 4096, CU_DEVICE_CPU, 0));
    CHECK(cuMemAdvise(p, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
    CHECK(cuStreamCreate(&s, 0));
    CHECK(cuStreamGetCaptureInfo(s, &status, &id));
    CHECK(cuGraphCreate(&g, 0));
    CHECK(cuGraphAddEmptyNode(&a, g, NULL, 0));
    CHECK(cuGraphAddEmptyNode(&b, g, NULL, 0));
    CHECK(cuGraphAddDependencies(g, &a, &b, 1));
    CHECK(cuGraphGetEdges(g, &from, &to, &n));
    if (n != 1 || from != a || to != b) return 2;
    CHECK(cuGraphNodeGetDependencies(b, &from, &n));
    CHECK(cuGraphNodeGetDependentNodes(a, &to, &n));
    if (n != 1 || from != a || to != b) return 3;
    CHECK(cuGraphInstantiate(&x, g, &a, log, sizeof log));
    CHECK(cuGraphExecUpdate(x, g, &a, &result));
    if (a || result != CU_GRAPH_EXEC_UPDATE_SUCCESS) return 4;
    CHECK(cuGraphRemoveDependencies(g, &from, &to, 1));
    return cuCtxDestroy(context);
}
CUDA
expect 0 'note: .*driver.cu calls functions of the driver as CUDA 12 has them' -- warpglass run driver.cu -lcuda
expect 1 'no matching function for call to .cuCtxCreate' -- warpglass cc -c -cuda-version 13 driver.cu
expect 2 'versions of CUDA are 5 to 13' -- warpglass cc -cuda-version 14 old.cu

# A module's references by the driver, and a launch whose arguments are set one by one: cuda.h of CUDA 13 has them, nvcc has not.
cat > kernels.cu << 'CUDA'
texture<float, 2> image;
surface<void, 2> plane;
extern "C" __global__ void turn(float *out, int width, float angle) {
    int x = threadIdx.x, y = blockIdx.x;
    out[y * width + x] = tex2D(image, y + 0.5f, x + 0.5f) + angle;
    float f;
    surf2Dread(&f, plane, x * 4, y);
    surf2Dwrite(f + 1, plane, x * 4, y);
}
CUDA
cat > module.c << 'CUDA'
#include <cuda.h>
#include <stdio.h>
#include <string.h>
#define DO(call) do { int r = (call); if (r) { printf("%s: %d\n", #call, r); return 1; } } while (0)
enum { N = 8 };
static float in[N][N], out[N][N];
static CUarray filled(unsigned flags) {
    CUarray a = 0;
    CUDA_ARRAY3D_DESCRIPTOR d = {N, N, 0, CU_AD_FORMAT_FLOAT, 1, flags};
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = in, .srcPitch = sizeof in[0],
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY, .WidthInBytes = sizeof in[0], .Height = N};
    if (cuArray3DCreate(&a, &d)) return 0;
    c.dstArray = a;
    return cuMemcpy2D(&c) ? 0 : a;
}
int main(void) {
    CUdevice device;
    CUcontext context, attached;
    CUmodule module;
    CUfunction turn;
    CUtexref image;
    CUsurfref plane;
    CUdeviceptr memory;
    for (int i = 0; i < N * N; i++) in[i / N][i % N] = i;
    DO(cuInit(0));
    DO(cuDeviceGet(&device, 0));
    DO(cuDevicePrimaryCtxRetain(&context, device));
    DO(cuCtxSetCurrent(context));
    DO(cuCtxAttach(&attached, 0));
    DO(cuModuleLoad(&module, "kernels.ptx"));
    DO(cuModuleGetFunction(&turn, module, "turn"));
    DO(cuModuleGetTexRef(&image, module, "image"));
    DO(cuModuleGetSurfRef(&plane, module, "plane"));
    CUarray texels = filled(0), cells = filled(CUDA_ARRAY3D_SURFACE_LDST);
    DO(cuTexRefSetArray(image, texels, CU_TRSA_OVERRIDE_FORMAT));
    DO(cuSurfRefSetArray(plane, cells, 0));
    DO(cuMemAlloc(&memory, sizeof out));
    DO(cuFuncSetBlockShape(turn, N, 1, 1));
    DO(cuParamSetv(turn, 0, &memory, sizeof memory));
    DO(cuParamSeti(turn, 8, N));
    DO(cuParamSetf(turn, 12, 0.25f));
    DO(cuParamSetSize(turn, 16));
    DO(cuParamSetTexRef(turn, CU_PARAM_TR_DEFAULT, image));
    DO(cuLaunchGrid(turn, N, 1));
    DO(cuMemcpyDtoH(out, memory, sizeof out));
    int wrong = 0;
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) wrong += out[y][x] != in[x][y] + 0.25f;
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = cells, .dstMemoryType = CU_MEMORYTYPE_HOST,
                       .dstHost = out, .dstPitch = sizeof out[0], .WidthInBytes = sizeof out[0], .Height = N};
    DO(cuMemcpy2D(&c));
    for (int i = 0; i < N * N; i++) wrong += out[i / N][i % N] != i + 1;
    printf("%d wrong\n", wrong);
    DO(cuArrayDestroy(texels));
    DO(cuArrayDestroy(cells));
    DO(cuMemFree(memory));
    DO(cuModuleUnload(module));
    DO(cuCtxDetach(attached));
    return wrong != 0;
}
CUDA
expect 0 'note: .*kernels.cu has texture or surface references' -- warpglass cc -ptx kernels.cu -o kernels.ptx
expect 0 '' -- warpglass cc -cuda-version 13 module.c -lcuda -o module
for how in '' 'env WARPGLASS_BACKEND=ref' 'warpglass check --leaks'; do
    expect 0 '' -- $how ./module
    said '^0 wrong'
done
expect 0 '' -- warpglass profile ./module
said '^0 wrong'
finish
