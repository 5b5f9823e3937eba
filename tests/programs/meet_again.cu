/* meet_again.cu: long kernels whose lanes part in loops and meet again, each launched with numbers for which
 * they stay together, then with others. Code that a long kernel begins in has no way back from where its
 * lanes parted: what they come back to is made when they have.
 */
#include <cstdint>
#include <cstdio>
#include <vector>

/* A row of steps, which no loop can be made of again. */
template <int N> __host__ __device__ uint32_t steps(uint32_t a, uint32_t b) {
#pragma unroll
    for (int k = 0; k < N; k++) {
        uint32_t x = a + b;
        b ^= a >> (k % 7 + 3);
        a = (a << (k % 13 + 1) | a >> (31 - k % 13)) ^ x * (2 * k + 5);
    }
    return a + b;
}

/* Loops in loops, of as many turns as each thread's numbers say. */
__host__ __device__ uint32_t nested(uint32_t i, const uint32_t *turns) {
    uint32_t sum = i;
    for (uint32_t k = 0; k < turns[0]; k++) {
        for (uint32_t j = 0; j < turns[1 + k % 3]; j++) sum = sum * 3 + (sum >> 5) + j;
        sum ^= steps<10>(sum, k);
        for (uint32_t j = k; j < turns[4]; j++) {
            if (sum & 8) continue;
            sum += steps<4>(sum, j);
        }
    }
    return steps<20>(sum, i);
}
__global__ void loops(uint32_t n, const uint32_t *turns, uint32_t *out) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = nested(i, turns + i * 5);
}

/* Barriers in a loop around such loops. */
__global__ void loops_and_barriers(const uint32_t *turns, uint32_t *out) {
    __shared__ uint32_t words[128];
    uint32_t t = threadIdx.x, i = blockIdx.x * 128 + t, sum = i;
    for (uint32_t k = 0; k < turns[0]; k++) {
        for (uint32_t j = 0; j < turns[i * 5 + 1 + k % 3]; j++) sum = sum * 3 + (sum >> 5) + j;
        words[t] = sum;
        __syncthreads();
        sum ^= steps<40>(words[(t + 1) % 128], k);
        __syncthreads();
    }
    out[i] = steps<20>(sum, i);
}

/* Lanes of a warp take turns at a lock, between loops of their own. */
__global__ void loops_and_locks(const uint32_t *turns, uint32_t *lock, uint32_t *out) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, sum = i;
    for (uint32_t j = 0; j < turns[i * 5 + 1]; j++) sum = sum * 3 + (sum >> 5) + j;
    while (atomicCAS(lock, 0, 1)) {
    }
    uint32_t seen = atomicAdd(&lock[1], 0);
    atomicExch(&lock[1], seen + sum % 7);
    __threadfence();
    atomicExch(lock, 0);
    for (uint32_t j = 0; j < turns[i * 5 + 2]; j++) sum = sum * 5 + (sum >> 3) + j;
    out[i] = steps<50>(sum, i);
}

static void compare(const char *what, const uint32_t *out, const std::vector<uint32_t> &right) {
    size_t wrong = 0;
    cudaError_t status = cudaDeviceSynchronize();
    for (size_t i = 0; i < right.size(); i++) wrong += out[i] != right[i];
    printf("%s: %s, %zu wrong\n", what, cudaGetErrorString(status), wrong);
}

static void right_of_barriers(const uint32_t *turns, std::vector<uint32_t> &right) {
    std::vector<uint32_t> sum(right.size()), words;
    for (uint32_t i = 0; i < sum.size(); i++) sum[i] = i;
    for (uint32_t k = 0; k < turns[0]; k++) {
        for (uint32_t i = 0; i < sum.size(); i++)
            for (uint32_t j = 0; j < turns[i * 5 + 1 + k % 3]; j++) sum[i] = sum[i] * 3 + (sum[i] >> 5) + j;
        words = sum;
        for (uint32_t i = 0; i < sum.size(); i++)
            sum[i] ^= steps<40>(words[i / 128 * 128 + (i + 1) % 128], k);
    }
    for (uint32_t i = 0; i < sum.size(); i++) right[i] = steps<20>(sum[i], i);
}

static uint32_t right_of_locks(const uint32_t *turns, std::vector<uint32_t> &right) {
    uint32_t total = 0;
    for (uint32_t i = 0; i < right.size(); i++) {
        uint32_t sum = i;
        for (uint32_t j = 0; j < turns[i * 5 + 1]; j++) sum = sum * 3 + (sum >> 5) + j;
        total += sum % 7;
        for (uint32_t j = 0; j < turns[i * 5 + 2]; j++) sum = sum * 5 + (sum >> 3) + j;
        right[i] = steps<50>(sum, i);
    }
    return total;
}

static void run(const char *what, uint32_t n, const uint32_t *turns, uint32_t *lock, uint32_t *out) {
    std::vector<uint32_t> right(n);
    printf("%s\n", what);
    for (uint32_t i = 0; i < n; i++) right[i] = nested(i, turns + i * 5);
    loops<<<(n + 127) / 128, 128>>>(n, turns, out);
    compare("loops", out, right);
    right.resize(n / 128 * 128);
    right_of_barriers(turns, right);
    loops_and_barriers<<<n / 128, 128>>>(turns, out);
    compare("loops and barriers", out, right);
    lock[0] = lock[1] = 0;
    uint32_t total = right_of_locks(turns, right);
    loops_and_locks<<<n / 128, 128>>>(turns, lock, out);
    compare("loops and locks", out, right);
    printf("sum under the lock: %s\n", lock[1] == total ? "right" : "wrong");
}

int main() {
    const uint32_t n = 600;
    uint32_t *turns, *out, *lock;
    cudaMallocManaged(&turns, n * 5 * sizeof *turns);
    cudaMallocManaged(&out, n * sizeof *out);
    cudaMallocManaged(&lock, 2 * sizeof *lock);
    for (uint32_t i = 0; i < n * 5; i++) turns[i] = 3 + i % 5;
    run("together", n, turns, lock, out);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 1; k < 5; k++) turns[i * 5 + k] = (i * 7 + k * 11) % 6;
    run("apart", n, turns, lock, out);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 1; k < 5; k++) turns[i * 5 + k] = i % 32 < 5 ? 9 : 2;
    run("a few lanes apart", n, turns, lock, out);
    return 0;
}
