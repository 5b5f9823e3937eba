// A kernel writes where memory is mapped that may only be read.
// expect: read-only line 10
// options: -lcuda
// says: a write of 4 bytes
// says: 2097152 bytes of read-only device memory
#include <cstdio>
#include <cuda.h>
#define AFTERWARDS CU_MEM_ACCESS_FLAGS_PROT_READ

__global__ void increment(int *x) { x[threadIdx.x] += 1; }

int main() {
    CUmemAllocationProp p = {};
    CUmemAccessDesc access = {};
    CUmemGenericAllocationHandle handle;
    CUdeviceptr at;
    size_t bytes;
    cudaFree(nullptr);
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    cuMemGetAllocationGranularity(&bytes, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    cuMemCreate(&handle, bytes, &p, 0);
    cuMemAddressReserve(&at, bytes, 0, 0, 0);
    cuMemMap(at, bytes, 0, handle, 0);
    access.location = p.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    cuMemSetAccess(at, bytes, &access, 1);
    cuMemsetD8(at, 0, bytes);
    cuCtxSynchronize();
    access.flags = AFTERWARDS;
    cuMemSetAccess(at, bytes, &access, 1);
    increment<<<1, 32>>>((int *)at);
    printf("%d\n", cudaDeviceSynchronize());
    cuMemUnmap(at, bytes);
    cuMemAddressFree(at, bytes);
    cuMemRelease(handle);
}
