#!/bin/bash
# Virtual memory management: memory that grows where it is, two places of one memory, access by device, what each call
# answers, what check finds, and memory that goes to another process as a file descriptor.
. "$(dirname "$0")/expect.sh"

cat > virtual.h << 'END'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#define GIVES(CALL, CODE)                                                                                    \
    do {                                                                                                     \
        int e_ = (int)(CALL);                                                                                \
        cudaGetLastError();                                                                                  \
        if (e_ == (int)(CODE)) break;                                                                        \
        printf("line %d: %s: %d\n", __LINE__, #CALL, e_);                                                    \
        exit(1);                                                                                             \
    } while (0)
#define MUST(CALL) GIVES(CALL, 0)
const size_t G = 2 << 20;
const int N = G / sizeof(int);

static CUmemAllocationProp of_device(int device, bool shared = false) {
    CUmemAllocationProp p = {};
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.location.id = device;
    if (shared) p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    return p;
}
static CUmemAccessDesc access_of(int device, CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
    CUmemAccessDesc a = {};
    a.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    a.location.id = device;
    a.flags = flags;
    return a;
}
/* A piece of memory at `at`. */
static void add_memory(CUdeviceptr at, size_t bytes, int device = 0, bool allow = true) {
    CUmemGenericAllocationHandle h;
    CUmemAllocationProp p = of_device(device);
    CUmemAccessDesc a = access_of(device);
    MUST(cuMemCreate(&h, bytes, &p, 0));
    MUST(cuMemMap(at, bytes, 0, h, 0));
    MUST(cuMemRelease(h)); /* the mapping keeps it */
    if (allow) MUST(cuMemSetAccess(at, bytes, &a, 1));
}
__global__ void fill(int *x, int from, int n) {
    int i = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < from + n) x[i] = i;
}
__global__ void sum(const int *x, int n, unsigned long long *out) {
    unsigned long long s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += x[i];
    atomicAdd(out, s);
}
END

# ---- Memory that grows where it is, with devices, and the same at two places ----

cat > grows.cu << 'END'
#include "virtual.h"
int main() {
    CUdeviceptr at;
    unsigned long long *out, host;
    MUST(cudaMallocManaged(&out, 8));
    MUST(cuMemAddressReserve(&at, 64 * G, 0, 0, 0));
    if (at % G) printf("not aligned\n");
    int *x = (int *)at;
    size_t before, now, total;
    MUST(cuMemGetInfo(&before, &total));
    for (int k = 0; k < 4; k++) { /* each time one more behind the last: an allocation that grows */
        add_memory(at + k * G, G);
        fill<<<N / 256, 256>>>(x, k * N, N);
        *out = 0;
        sum<<<8, 256>>>(x, (k + 1) * N, out);
        MUST(cudaDeviceSynchronize());
        unsigned long long n = (k + 1ull) * N;
        if (*out != n * (n - 1) / 2) printf("%d: %llu\n", k, *out);
    }
    MUST(cuMemGetInfo(&now, &total));
    CUdeviceptr base;
    size_t bytes;
    MUST(cuMemGetAddressRange(&base, &bytes, at + 3 * G + 5));
    printf("taken %zu, range %zu at %zu", (before - now) / G, bytes / G, (size_t)(base - at) / G);
    MUST(cuPointerGetAttribute(&base, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, at + 3 * G + 5));
    MUST(cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, at + 3 * G + 5));
    printf(", of %zu at %zu\n", bytes / G, (size_t)(base - at));
    int h[2];
    MUST(cudaMemcpy(h, x + N - 1, sizeof h, cudaMemcpyDeviceToHost)); /* over the border of two pieces */
    printf("%d %d\n", h[0] - N, h[1] - N);

    CUmemGenericAllocationHandle same; /* the second piece once again, elsewhere */
    CUdeviceptr other;
    CUmemAccessDesc a = access_of(0);
    MUST(cuMemRetainAllocationHandle(&same, (void *)(at + G + 77)));
    MUST(cuMemAddressReserve(&other, G, 8 * G, 0, 0));
    if (other % (8 * G)) printf("not aligned\n");
    MUST(cuMemMap(other, G, 0, same, 0));
    MUST(cuMemSetAccess(other, G, &a, 1));
    MUST(cudaMemset((void *)other, 0, G));
    MUST(cudaMemcpy(h, x + N - 1, sizeof h, cudaMemcpyDeviceToHost));
    printf("%d %d\n", h[0] - N, h[1]);
    MUST(cuMemUnmap(other, G));
    MUST(cuMemRelease(same));
    MUST(cuMemAddressFree(other, G));

    MUST(cuMemUnmap(at + G, G)); /* a hole, and something new there */
    add_memory(at + G, G);
    MUST(cudaMemset((void *)(at + G), 0, 4)); /* it is not initialised */
    MUST(cudaMemcpy(h, x + N - 1, sizeof h, cudaMemcpyDeviceToHost));
    printf("%d %d\n", h[0] - N, h[1]);
    GIVES(cuMemAddressFree(at, 64 * G), CUDA_ERROR_INVALID_VALUE);
    MUST(cuMemUnmap(at, 4 * G));
    MUST(cuMemAddressFree(at, 64 * G));
    MUST(cuMemGetInfo(&now, &total));
    printf("left %zu\n", (before - now) / G);
    MUST(cudaFree(out));
}
END
expect 0 '' -- warpglass cc grows.cu -o grows -lcuda
for how in run 'run --strict' 'run --verify' 'check --leaks' profile; do
    pattern=''
    [[ $how != 'run --verify' ]] || pattern='equal'
    expect 0 "$pattern" -- warpglass $how ./grows
    said '^taken 4, range 1 at 3, of 64 at 0$'
    said '^-1 0$'
    said '^-1 0$'
    said '^left 0$'
done

cat > devices.cu << 'END'
#include "virtual.h"
int main() {
    CUdeviceptr at;
    unsigned long long *out;
    MUST(cudaSetDevice(1));
    MUST(cudaSetDevice(0));
    MUST(cudaMallocManaged(&out, 8));
    MUST(cuMemAddressReserve(&at, 2 * G, 0, 0, 0));
    for (int d = 0; d < 2; d++) add_memory(at + d * G, G, d, false);
    CUmemAccessDesc both[] = {access_of(0), access_of(1)};
    MUST(cuMemSetAccess(at, 2 * G, both, 2));
    unsigned long long flags;
    CUmemLocation l = both[1].location;
    MUST(cuMemGetAccess(&flags, &l, at));
    for (int d = 0; d < 2; d++) {
        MUST(cudaSetDevice(d));
        fill<<<N / 256, 256>>>((int *)at, (1 - d) * N, N); /* what the other device has */
        MUST(cudaDeviceSynchronize());
    }
    *out = 0;
    sum<<<8, 256>>>((const int *)at, 2 * N, out);
    MUST(cudaDeviceSynchronize());
    printf("%llu, access %llu\n", *out - N * (2ull * N - 1), flags);
    CUmemAccessDesc none = access_of(1, CU_MEM_ACCESS_FLAGS_PROT_NONE);
    MUST(cuMemSetAccess(at, 2 * G, &none, 1));
    MUST(cuMemGetAccess(&flags, &l, at));
    fill<<<1, 32>>>((int *)at, 0, 32);
    printf("access %llu: %s\n", flags, cudaGetErrorName(cudaDeviceSynchronize()));
}
END
expect 0 'cuMemSetAccess' -- warpglass run --devices 2 devices.cu -lcuda
said '^0, access 3$'
said '^access 0: cudaErrorIllegalAddress$'

# ---- What each call answers ----

cat > answers.cu << 'END'
#include "virtual.h"
int main() {
    CUdeviceptr at, near;
    CUmemGenericAllocationHandle h, bad = 12345;
    size_t g = 0, smallest = 0;
    unsigned long long flags;
    int fd, can;
    CUmemAllocationProp p = of_device(0), q;
    CUmemAccessDesc a = access_of(0);
    CUmemLocation l = a.location;
    GIVES(cuMemAddressReserve(&at, G, 0, 0, 0), CUDA_ERROR_NOT_INITIALIZED);
    GIVES(cuMemCreate(&h, G, &p, 0), CUDA_ERROR_NOT_INITIALIZED);
    MUST(cuInit(0));
    MUST(cuDeviceGetAttribute(&can, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
    MUST(cuMemGetAllocationGranularity(&smallest, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    MUST(cuMemGetAllocationGranularity(&g, &p, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    printf("can %d, %zu and %zu\n", can, smallest, g);
    GIVES(cuMemGetAllocationGranularity(NULL, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemGetAllocationGranularity(&g, NULL, CU_MEM_ALLOC_GRANULARITY_MINIMUM), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemGetAllocationGranularity(&g, &p, (CUmemAllocationGranularity_flags)7), CUDA_ERROR_INVALID_VALUE);
    q = of_device(9);
    GIVES(cuMemGetAllocationGranularity(&g, &q, CU_MEM_ALLOC_GRANULARITY_MINIMUM), CUDA_ERROR_INVALID_DEVICE);

    GIVES(cuMemAddressReserve(NULL, G, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemAddressReserve(&at, 0, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemAddressReserve(&at, 100, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemAddressReserve(&at, G, 3, 0, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemAddressReserve(&at, G, 0, 7, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemAddressReserve(&at, G, 0, 0, 1), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemAddressReserve(&at, (size_t)1 << 62, 0, 0, 0), CUDA_ERROR_OUT_OF_MEMORY);
    MUST(cuMemAddressReserve(&at, 4 * G, 0, 0, 0));
    MUST(cuMemAddressReserve(&near, G, 0, at + 64 * G, 0));
    printf("hint taken: %d\n", near == at + 64 * G);
    MUST(cuMemAddressFree(near, G));
    MUST(cuMemAddressReserve(&near, G, 0, at, 0)); /* which has it already: elsewhere */
    if (near == at) printf("reserved twice\n");
    MUST(cuMemAddressFree(near, G));
    GIVES(cuMemAddressFree(near, G), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemAddressFree(at, G), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemAddressFree(at + G, 3 * G), CUDA_ERROR_INVALID_VALUE);

    GIVES(cuMemCreate(NULL, G, &p, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemCreate(&h, 0, &p, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemCreate(&h, G + 4096, &p, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemCreate(&h, G, NULL, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemCreate(&h, G, &p, 1), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemCreate(&h, G, &q, 0), CUDA_ERROR_INVALID_DEVICE);
    GIVES(cuMemCreate(&h, G << 30, &p, 0), CUDA_ERROR_OUT_OF_MEMORY);
    q = p;
    q.type = CU_MEM_ALLOCATION_TYPE_INVALID;
    GIVES(cuMemCreate(&h, G, &q, 0), CUDA_ERROR_INVALID_VALUE);
    q = p;
    q.location.type = CU_MEM_LOCATION_TYPE_HOST;
    GIVES(cuMemCreate(&h, G, &q, 0), CUDA_ERROR_INVALID_VALUE);
    q.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
    GIVES(cuMemCreate(&h, G, &q, 0), CUDA_ERROR_NOT_SUPPORTED);
    q = p;
    q.requestedHandleTypes = CU_MEM_HANDLE_TYPE_FABRIC;
    GIVES(cuMemCreate(&h, G, &q, 0), CUDA_ERROR_NOT_SUPPORTED);
    MUST(cuMemCreate(&h, 2 * G, &p, 0));
    MUST(cuMemGetAllocationPropertiesFromHandle(&q, h));
    if (memcmp(&p, &q, sizeof p)) printf("other properties\n");
    GIVES(cuMemGetAllocationPropertiesFromHandle(NULL, h), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemGetAllocationPropertiesFromHandle(&q, bad), CUDA_ERROR_INVALID_VALUE);

    GIVES(cuMemMap(at, 2 * G, 0, bad, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemMap(at, 4 * G, 0, h, 0), CUDA_ERROR_NOT_SUPPORTED); /* all of it or nothing, as on an H200 */
    GIVES(cuMemMap(at, G, 0, h, 0), CUDA_ERROR_NOT_SUPPORTED);
    GIVES(cuMemMap(at, 0, 0, h, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemMap(at + 4096, 2 * G, 0, h, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemMap(at, G, G, h, 0), CUDA_ERROR_NOT_SUPPORTED);
    GIVES(cuMemMap(at, 2 * G, 0, h, 1), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemMap(at + 3 * G, 2 * G, 0, h, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemMap(at + 32 * G, 2 * G, 0, h, 0), CUDA_ERROR_INVALID_VALUE);
    MUST(cuMemMap(at, 2 * G, 0, h, 0));
    GIVES(cuMemMap(at + G, 2 * G, 0, h, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemAddressFree(at, 4 * G), CUDA_ERROR_INVALID_VALUE);
    MUST(cuMemGetAccess(&flags, &l, at + 5));
    printf("at first %llu\n", flags);
    GIVES(cudaMemset((void *)at, 0, 4), cudaErrorInvalidValue);

    GIVES(cuMemSetAccess(at, 2 * G, NULL, 1), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemSetAccess(at, 2 * G, &a, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemSetAccess(at, G, &a, 1), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemSetAccess(at, 3 * G, &a, 1), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemSetAccess(at + 2 * G, G, &a, 1), CUDA_ERROR_INVALID_VALUE);
    CUmemAccessDesc b = access_of(9);
    GIVES(cuMemSetAccess(at, 2 * G, &b, 1), CUDA_ERROR_INVALID_DEVICE);
    b = access_of(0, (CUmemAccess_flags)2);
    GIVES(cuMemSetAccess(at, 2 * G, &b, 1), CUDA_ERROR_INVALID_VALUE);
    b = access_of(0);
    b.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
    GIVES(cuMemSetAccess(at, 2 * G, &b, 1), CUDA_ERROR_INVALID_VALUE);
    MUST(cuMemSetAccess(at, 2 * G, &a, 1));
    a.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
    MUST(cuMemSetAccess(at, 2 * G, &a, 1));
    GIVES(cudaMemcpy((void *)at, &g, 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    GIVES(cudaMemset((void *)(at + G), 0, 4), cudaErrorInvalidValue);
    MUST(cudaMemcpy(&g, (void *)at, 8, cudaMemcpyDeviceToHost));
    a.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    MUST(cuMemSetAccess(at, 2 * G, &a, 1));
    MUST(cuMemGetAccess(&flags, &l, at + 5));
    printf("then %llu\n", flags);
    GIVES(cuMemGetAccess(NULL, &l, at), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemGetAccess(&flags, NULL, at), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemGetAccess(&flags, &l, at + 2 * G), CUDA_ERROR_INVALID_VALUE);
    MUST(cudaMemset((void *)at, 0, 2 * G));
    GIVES(cudaFree((void *)at), cudaErrorInvalidValue);
    cudaIpcMemHandle_t ipc;
    GIVES(cudaIpcGetMemHandle(&ipc, (void *)at), cudaErrorInvalidValue);

    CUmemGenericAllocationHandle again;
    GIVES(cuMemRetainAllocationHandle(NULL, (void *)at), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemRetainAllocationHandle(&again, (void *)(at + 2 * G)), CUDA_ERROR_INVALID_VALUE);
    MUST(cuMemRetainAllocationHandle(&again, (void *)(at + 9)));
    if (again != h) printf("another handle\n");
    MUST(cuMemRelease(again));
    MUST(cuMemGetAllocationPropertiesFromHandle(&q, h)); /* it was counted */
    GIVES(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemImportFromShareableHandle(&again, (void *)(intptr_t)0, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
          CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemImportFromShareableHandle(&again, (void *)(intptr_t)999, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
          CUDA_ERROR_UNKNOWN);
    p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    MUST(cuMemCreate(&again, G, &p, 0));
    GIVES(cuMemExportToShareableHandle(NULL, again, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
          CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemExportToShareableHandle(&fd, again, CU_MEM_HANDLE_TYPE_WIN32, 0), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemExportToShareableHandle(&fd, bad, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
          CUDA_ERROR_INVALID_VALUE);
    MUST(cuMemExportToShareableHandle(&fd, again, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    MUST(cuMemRelease(again));
    MUST(cuMemImportFromShareableHandle(&again, (void *)(intptr_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    MUST(cuMemMap(at + 2 * G, G, 0, again, 0)); /* the file alone keeps the memory */
    MUST(cuMemRelease(again));

    MUST(cuMemRelease(h));
    GIVES(cuMemRelease(h), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemRelease(bad), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemUnmap(at, G), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemUnmap(at + G, G), CUDA_ERROR_INVALID_VALUE);
    GIVES(cuMemUnmap(at, 4 * G), CUDA_ERROR_INVALID_VALUE);
    MUST(cuMemUnmap(at, 3 * G)); /* two mappings */
    MUST(cuMemUnmap(at, 3 * G)); /* where nothing is mapped any more */
    MUST(cuMemAddressFree(at, 4 * G));
    printf("all\n");
}
END
expect 0 'not supported' -- warpglass run answers.cu -lcuda
said '^can 1, 2097152 and 2097152$'
said '^hint taken: 1$'
said '^at first 0$'
said '^then 3$'
said '^all$'

# ---- A context that ends before what was mapped in it ----

cat > ended.cu << 'END'
#include "virtual.h"
int main() {
    CUcontext c;
    CUdeviceptr at;
    CUmemGenericAllocationHandle h;
    CUmemAllocationProp p = of_device(0);
    CUmemAccessDesc a = access_of(0);
    MUST(cuInit(0));
    MUST(cuCtxCreate(&c, NULL, 0, 0));
    MUST(cuMemAddressReserve(&at, 2 * G, 0, 0, 0));
    MUST(cuMemCreate(&h, G, &p, 0));
    MUST(cuMemMap(at, G, 0, h, 0));
    MUST(cuMemSetAccess(at, G, &a, 1));
    MUST(cuMemsetD8(at, 7, G));
    MUST(cuCtxDestroy(c));
    MUST(cuMemUnmap(at, G));
    MUST(cuMemAddressFree(at, 2 * G));
    GIVES(cuMemAddressFree(at, 2 * G), CUDA_ERROR_INVALID_VALUE);
    MUST(cudaFree(0)); /* the memory can be mapped in another one */
    MUST(cuMemAddressReserve(&at, G, 0, 0, 0));
    MUST(cuMemMap(at, G, 0, h, 0));
    MUST(cuMemRelease(h));
    MUST(cuMemSetAccess(at, G, &a, 1));
    unsigned char last;
    MUST(cudaMemcpy(&last, (void *)(at + G - 1), 1, cudaMemcpyDeviceToHost));
    printf("%d\n", last);
}
END
expect 0 '' -- warpglass run ended.cu -lcuda
said '^7$'

# ---- What faults, and what check says of it ----

cat > faults.cu << 'END'
#include "virtual.h"
int main(int argc, char **argv) {
    CUdeviceptr at;
    MUST(cudaFree(0));
    MUST(cuMemAddressReserve(&at, 64 * G, 0, 0, 0));
    add_memory(at, G);
    add_memory(at + 8 * G, G, 0, false);
    fill<<<N / 256, 256>>>((int *)at, 0, N);
    MUST(cudaDeviceSynchronize());
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 0: fill<<<1, 32>>>((int *)at, N + 1024, 32); break;  // nothing is mapped there
    case 1: fill<<<1, 32>>>((int *)at, 8 * N, 32); break;     // nobody has access
    case 3: {                                                 // only to be read
        CUmemAccessDesc a = access_of(0, CU_MEM_ACCESS_FLAGS_PROT_READ);
        MUST(cuMemSetAccess(at, G, &a, 1));
        fill<<<1, 32>>>((int *)at, 0, 32);
        break;
    }
    case 2:                                                   // unmapped
        MUST(cuMemUnmap(at, G));
        fill<<<1, 32>>>((int *)at, 0, 32);
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
END
expect 0 '' -- warpglass cc -g faults.cu -o faults -lcuda
for i in 0 1 2 3; do
    expect 0 'illegal address in kernel fill' -- ./faults $i
    said '^cudaErrorIllegalAddress$'
    expect 3 '' -- warpglass check ./faults -- $i
    tr -s '\n ' ' ' < "$stdout" > all && mv all "$stdout"
    case $i in
    0) said 'out-of-bounds: .* at byte 2101248 of 134217728 bytes of reserved but unmapped memory' ;;
    1) said 'out-of-bounds: .* at byte 16777216 of 134217728 bytes of mapped but inaccessible memory' ;;
    2) said 'use-after-free: ' ;;
    3) said 'read-only: .* of read-only device memory, made so by cuMemSetAccess at faults.cu:15' ;;
    esac
done

# What is not there says so by its name.
cat > multicast.cu <<'END'
#include <cuda.h>
#include <cstdio>
int main() {
    CUmulticastObjectProp p = {2, 2 << 20, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0};
    CUmemGenericAllocationHandle h = 0;
    size_t size;
    int supported = -1;
    cudaFree(0);
    cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, 0);
    printf("supported: %d, errors:", supported);
    printf(" %d", cuMulticastGetGranularity(&size, &p, CU_MULTICAST_GRANULARITY_RECOMMENDED));
    printf(" %d", cuMulticastCreate(&h, &p));
    printf(" %d", cuMulticastAddDevice(h, 0));
    printf(" %d", cuMulticastBindMem(h, 0, h, 0, p.size, 0));
    printf(" %d", cuMulticastBindAddr(h, 0, 0, p.size, 0));
    printf(" %d\n", cuMulticastUnbind(h, 0, 0, p.size));
}
END
expect 0 'cuMulticastCreate is not supported' -- warpglass run --devices 2 multicast.cu -lcuda
said '^supported: 0, errors: 801 801 801 801 801 801$'
for call in GetGranularity AddDevice BindMem BindAddr Unbind; do
    grep -q "cuMulticast$call is not supported" "$stderr" || fail "no message about cuMulticast$call"
done
finish
