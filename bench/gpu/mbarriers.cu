/* mbarriers: what an mbarrier answers after mbarrier.inval, on the GPU at hand.
 *
 *     nvcc -O3 -arch=sm_90 bench/gpu/mbarriers.cu -o mbarriers && ./mbarriers
 *
 * A line for each step: whether the phases of parity 0 and 1 are over, by test_wait and by try_wait. src/warp/mbarrier.h
 * says what follows from it.
 */
#include <cstdint>
#include <cstdio>

static __device__ uint32_t shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

static __device__ int is_over(uint64_t *b, int parity) {
    int over;
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
        : "=r"(over)
        : "r"(shared_address(b)), "r"(parity)
        : "memory");
    return over;
}

static __device__ int waited(uint64_t *b, int parity) {
    int over;
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2, 1000; selp.b32 %0, 1, 0, p; }"
        : "=r"(over)
        : "r"(shared_address(b)), "r"(parity)
        : "memory");
    return over;
}

static __device__ void init(uint64_t *b, int count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(count) : "memory");
}
static __device__ void arrive(uint64_t *b) {
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" ::"r"(shared_address(b))
                 : "memory");
}
static __device__ void inval(uint64_t *b) {
    asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_address(b)) : "memory");
}

static __device__ void show(const char *step, uint64_t *b) {
    printf("%-28s test_wait %d %d, try_wait %d %d\n", step, is_over(b, 0), is_over(b, 1), waited(b, 0),
           waited(b, 1));
}

static __global__ void steps() {
    __shared__ uint64_t b;
    init(&b, 2);
    show("for 2 arrivals", &b);
    arrive(&b);
    show("1 has come", &b);
    inval(&b);
    show("mbarrier.inval", &b);
    arrive(&b);
    show("the other has come", &b);
    inval(&b);
    show("mbarrier.inval", &b);
}

int main() {
    steps<<<1, 1>>>();
    cudaError_t e = cudaDeviceSynchronize();
    if (e) printf("%s\n", cudaGetErrorString(e));
    return e != cudaSuccess;
}
