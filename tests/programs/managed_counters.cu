/* managed_counters: variables that host and device share, wherever the linker put them, counted up by all
 * threads. */
#include "program.h"

#define EACH(X)     X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16)
#define VARIABLE(k) __managed__ int counter##k;
#define COUNT(k)                                                                                             \
    __global__ void count##k() { atomicAdd(&counter##k, 1); }
EACH(VARIABLE)
EACH(COUNT)

__managed__ unsigned long long total;
__managed__ char between;
__managed__ int bins[100];

__global__ void all() {
    atomicAdd(&total, (unsigned long long)threadIdx.x);
    atomicAdd(&bins[threadIdx.x % 100], 1);
    if (threadIdx.x == 7) between = 7;
}

int main() {
    for (int launch = 1; launch <= 2; launch++) {
#define LAUNCH(k) count##k<<<2, 256>>>();
        EACH(LAUNCH)
        CALL(cudaDeviceSynchronize());
        int wrong = 0;
#define TEST(k) wrong += counter##k != launch * 512;
        EACH(TEST)
        printf("%d wrong\n", wrong);
    }
    all<<<4, 1000>>>();
    CALL(cudaDeviceSynchronize());
    int wrong = 0;
    for (int i = 0; i < 100; i++) wrong += bins[i] != 40;
    printf("total %llu, %d, %d wrong\n", total, between, wrong);
    return 0;
}
