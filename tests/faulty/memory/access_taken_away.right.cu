// The memory of a fill is made read-only once the stream has ended.
// options: -lcuda
#include <cstdio>
#include <cuda.h>
#include <unistd.h>
#define SYNCHRONIZE() cuStreamSynchronize(stream)

void wait(void *) { usleep(200000); }

int main() {
    CUmemAllocationProp p = {};
    CUmemAccessDesc access = {};
    CUmemGenericAllocationHandle handle;
    CUdeviceptr at;
    CUstream stream;
    size_t bytes;
    unsigned char first;
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
    cuStreamCreate(&stream, 0);
    cuLaunchHostFunc(stream, wait, nullptr);
    cuMemsetD8Async(at, 1, bytes, stream);
    SYNCHRONIZE();
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
    cuMemSetAccess(at, bytes, &access, 1);
    cuStreamSynchronize(stream);
    cuMemcpyDtoH(&first, at, 1);
    printf("%d\n", first);
    cuMemUnmap(at, bytes);
    cuMemAddressFree(at, bytes);
    cuMemRelease(handle);
}
