/* __managed__ variables: host and kernels see one place, with the initial value before any call of CUDA's. */
#include "check.h"

__managed__ int count = 5;
__device__ __managed__ float many[1 << 18];
static __managed__ struct Pair {
    int a;
    double b;
} hidden = {3, 4.5};
namespace inner {
__managed__ unsigned char bytes[7];
}
extern "C" {
__managed__ long in_c = 77;
}
__managed__ int *link; // a list that both sides walk
__device__ int only_device = 1;

__global__ void change() {
    int t = threadIdx.x;
    many[(1 << 18) - 1 - t] = t;
    inner::bytes[t % 7] = 9;
    if (t) return;
    count++, hidden.a *= 2, hidden.b += 1, in_c += only_device;
    link = &count;
}
__global__ void through_pointer(int *p) { atomicAdd(p, 100); }

int main() {
    CHECK(count == 5 && hidden.a == 3 && hidden.b == 4.5 && in_c == 77 && !link && many[17] == 0);
    count = 10;
    change<<<1, 256>>>();
    wait();
    CHECK(count == 11 && hidden.a == 6 && hidden.b == 5.5 && in_c == 78 && link == &count);
    for (int i = 0; i < 256; i++) CHECK(many[(1 << 18) - 1 - i] == i);
    for (int i = 0; i < 7; i++) CHECK(inner::bytes[i] == 9);
    through_pointer<<<2, 32>>>(&count);
    wait();
    CHECK(count == 11 + 6400);

    int value = 0;
    CHECK(cudaMemcpyFromSymbol(&value, count, sizeof value) == cudaSuccess && value == 6411);
    value = 50;
    CHECK(cudaMemcpyToSymbol(count, &value, sizeof value) == cudaSuccess && count == 50);
    void *address = nullptr;
    size_t bytes = 0;
    CHECK(cudaGetSymbolAddress(&address, count) == cudaSuccess && address == &count);
    CHECK(cudaGetSymbolSize(&bytes, many) == cudaSuccess && bytes == sizeof many);
    cudaPointerAttributes a;
    CHECK(cudaPointerGetAttributes(&a, &count) == cudaSuccess && a.type == cudaMemoryTypeManaged);
    CHECK(a.devicePointer == &count && a.hostPointer == &count);
    CHECK(cudaMemPrefetchAsync(many, sizeof many, {cudaMemLocationTypeDevice, 0}, 0, 0) == cudaSuccess);
    CHECK(cudaMemset(many, 0, sizeof many) == cudaSuccess && many[(1 << 18) - 7] == 0);
    CHECK(cudaFree(&count) != cudaSuccess);
    (void)cudaGetLastError();
    wait();
    return finish();
}
