// Blocks of a single thread: nothing differs between lanes, so the code has no lanes. What asks about the warp still answers.
#include <cstdio>

struct Node {
    int value, next;
};

__device__ int depth(int n) { return n <= 1 ? 1 : depth(n / 2) + depth(n - 1 - n / 2) % 7; }
__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }
__device__ int (*const functions[2])(int) = {twice, square};
__constant__ int weights[4] = {3, 1, 4, 1};

/* What a program sets up for others: a list, whose order is drawn. */
__global__ void build(Node *list, int n, unsigned seed) {
    int order[64];
    for (int i = 0; i < n; i++) order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        seed = seed * 1664525u + 1013904223u;
        const int j = seed % (i + 1), was = order[i];
        order[i] = order[j];
        order[j] = was;
    }
    for (int i = 0; i < n; i++) list[order[i]] = {i * i, i + 1 < n ? order[i + 1] : -1};
    list[n].next = order[0];
}

__global__ void walk(const Node *list, int n, long long *out) {
    long long sum = 0;
    int steps = 0;
    for (int at = list[n].next; at >= 0; at = list[at].next, steps++) {
        if (list[at].value % 5 == 3) continue;
        if (list[at].value > 3000) break;
        sum += (long long)list[at].value * weights[steps & 3];
    }
    out[blockIdx.x] = sum * 100 + steps + blockIdx.x;
}

/* The warp has one lane. */
__global__ void warp(unsigned *out) {
    __shared__ unsigned cell[2];
    const unsigned t = threadIdx.x + threadIdx.y + threadIdx.z, mask = __activemask();
    unsigned lane, below;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    cell[0] = t + 5;
    __syncthreads();
    const unsigned v = cell[0] + blockIdx.x;
    unsigned *o = out + 10 * blockIdx.x;
    o[0] = mask;
    o[1] = lane * 100 + below;
    o[2] = __ballot_sync(1, v > 5);
    o[3] = __shfl_sync(1, v, 0);
    o[4] = __match_any_sync(1, v);
    o[5] = __reduce_add_sync(1, v);
    o[6] = atomicAdd(&cell[0], 7);
    o[7] = cell[0] + atomicCAS(&cell[0], 12 + 0u, 1);
    o[8] = __any_sync(1, blockIdx.x == 1) * 2 + __all_sync(1, blockIdx.x == 0);
    o[9] = functions[blockIdx.x & 1](v) + depth(9 + blockIdx.x) + __syncthreads_count(v == 6);
}

/* Many blocks: each has local memory of its own. */
__global__ void tables(int *out, int n) {
    unsigned char digits[40];
    int length = 0;
    for (unsigned x = blockIdx.x * 2654435761u; x; x /= 10) digits[length++] = x % 10;
    double mean = 0;
    for (int i = 0; i < length; i++) mean += digits[(i * n) % length];
    out[blockIdx.x] = length * 1000 + (int)(mean / (length ? length : 1) * 10);
    if (blockIdx.x == 3) printf("block 3: %d digits, the first %d\n", length, digits[length - 1]);
}

int main() {
    Node *list;
    long long *sums;
    unsigned *words;
    int *numbers;
    cudaMallocManaged(&list, 65 * sizeof *list);
    cudaMallocManaged(&sums, 3 * sizeof *sums);
    cudaMallocManaged(&words, 20 * sizeof *words);
    cudaMallocManaged(&numbers, 100 * sizeof *numbers);
    build<<<1, 1>>>(list, 64, 7);
    walk<<<3, 1>>>(list, 64, sums);
    warp<<<2, dim3(1, 1, 1)>>>(words);
    tables<<<100, 1>>>(numbers, 7);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    unsigned hash = 0;
    for (int i = 0; i < 100; i++) hash = hash * 31 + numbers[i];
    for (int i = 0; i < 3; i++) printf("%lld ", sums[i]);
    for (int i = 0; i < 20; i++) printf("%s%u", i % 10 ? " " : "\n", words[i]);
    printf("\n%u\n", hash);
}
