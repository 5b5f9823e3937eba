/* barrier_primitives: cuda_awbarrier_primitives.h: a tile that all threads write and, once everybody has
 * arrived, read elsewhere; waiting by token and by parity; threads that leave for good.
 */
#include <cstdio>
#include <cuda_awbarrier_primitives.h>

constexpr int THREADS = 96, ROUNDS = 7;

__global__ void by_token(int *out) {
    __shared__ __mbarrier_t barrier;
    __shared__ int tile[THREADS];
    int t = threadIdx.x, sum = 0;
    if (t == 0) __mbarrier_init(&barrier, THREADS);
    __syncthreads();
    for (int round = 0; round < ROUNDS; round++) {
        tile[t] = t * (round + 1);
        __mbarrier_token_t token = __mbarrier_arrive(&barrier);
        while (!__mbarrier_try_wait(&barrier, token, 1000)) {
        }
        sum += tile[(t + 5) % THREADS];
        token = __mbarrier_arrive(&barrier);
        while (!__mbarrier_test_wait(&barrier, token)) {
        }
    }
    out[blockIdx.x * THREADS + t] = sum;
    __syncthreads();
    if (t == 0) __mbarrier_inval(&barrier);
}

/* Half of the threads arrive once and are not waited for again. */
__global__ void by_parity(int *out) {
    __shared__ __mbarrier_t barrier;
    __shared__ int tile[THREADS];
    int t = threadIdx.x;
    if (t == 0) __mbarrier_init(&barrier, THREADS);
    __syncthreads();
    tile[t] = t;
    if (t % 2) {
        __mbarrier_arrive_and_drop(&barrier);
        return;
    }
    __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait_parity(&barrier, false)) {
    }
    int sum = tile[(t + 1) % THREADS];
    __mbarrier_arrive(&barrier);
    while (!__mbarrier_try_wait_parity(&barrier, true, 1000)) {
    }
    tile[t] = sum * 2;
    __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait_parity(&barrier, false)) {
    }
    out[t] = tile[(t + 2) % THREADS];
}

__global__ void pending(unsigned *out) {
    __shared__ __mbarrier_t barrier;
    __mbarrier_init(&barrier, 3);
    out[0] = __mbarrier_token_pending_count(__mbarrier_arrive(&barrier));
    out[1] = __mbarrier_token_pending_count(__mbarrier_arrive(&barrier));
    out[2] = __mbarrier_maximum_count();
}

int main() {
    int *out, wrong = 0;
    cudaMallocManaged(&out, 3 * THREADS * sizeof(int));
    by_token<<<3, THREADS>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 3 * THREADS; i++)
        wrong += out[i] != (i % THREADS + 5) % THREADS * ROUNDS * (ROUNDS + 1) / 2;
    printf("by token: %d wrong\n", wrong);
    by_parity<<<1, THREADS>>>(out);
    cudaDeviceSynchronize();
    wrong = 0;
    for (int t = 0; t < THREADS; t += 2) wrong += out[t] != 2 * ((t + 2) % THREADS + 1);
    printf("by parity: %d wrong\n", wrong);
    pending<<<1, 1>>>((unsigned *)out);
    cudaDeviceSynchronize();
    printf("pending %d %d of %d\n%s\n", out[0], out[1], out[2], cudaGetErrorString(cudaGetLastError()));
    return 0;
}
