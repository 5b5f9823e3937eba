/* carries: one block goes through an array piece by piece, with what the pieces before left behind in each
 * thread: its first thread is asked for in every piece, under a guard that the last piece has lanes on both
 * sides of, and once more when all is done. Each is held against plain C.
 */
#include "program.h"

/* Hillis and Steele's sums of a piece, exclusive, and the sum of all behind the last. */
__global__ void running_sum(const int *in, int *out, int n) {
    extern __shared__ int part[];
    int carry = 0;
    for (int begin = 0; begin < n; begin += blockDim.x) {
        int i = begin + threadIdx.x;
        part[threadIdx.x] = i < n ? in[i] : 0;
        __syncthreads();
        for (int distance = 1; distance < blockDim.x; distance <<= 1) {
            int left = threadIdx.x >= distance ? part[threadIdx.x - distance] : 0;
            __syncthreads();
            part[threadIdx.x] += left;
            __syncthreads();
        }
        if (i < n) out[i] = carry + (threadIdx.x ? part[threadIdx.x - 1] : 0);
        carry += part[blockDim.x - 1];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[n] = carry;
}

/* The difference from the left neighbour; the first of a piece has it from the thread that was last. */
__global__ void differences(const int *in, int *out, int n) {
    extern __shared__ int part[];
    int before = 0, sum = 0;
    for (int begin = 0; begin < n; begin += blockDim.x) {
        int i = begin + threadIdx.x;
        part[threadIdx.x] = i < n ? in[i] : 0;
        __syncthreads();
        if (i < n) out[i] = part[threadIdx.x] - (threadIdx.x == 0 ? before : part[threadIdx.x - 1]);
        before = part[blockDim.x - 1];
        __syncthreads();
        if (i < n) {
            int d = out[i];
            if (threadIdx.x == 0) d = -d;
            out[i] = d;
            sum += d;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) out[n] = sum;
}

static void plain(bool sums, int threads, const int *in, int *out, int n) {
    int carry = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        out[i] = sums ? carry : (in[i] - (i ? in[i - 1] : 0)) * (i % threads ? 1 : -1);
        carry += in[i];
        if (i % threads == 0) sum += out[i];
    }
    out[n] = sums ? carry : sum;
}

int main() {
    const int most = 1500;
    Array<int> in(most), out(most + 1);
    static int expected[most + 1];
    uint32_t state = 1;
    for (int i = 0; i < most; i++) in[i] = (int)(next_random(state) % 2000) - 1000;
    for (int threads : {32, 64, 100, 256, 1024}) {
        for (int n : {1, 31, 256, 300, 512, 1472, 1500}) {
            int wrong[2] = {0, 0};
            for (int sums = 0; sums < 2; sums++) {
                memset(out.p, 0, (most + 1) * sizeof(int));
                if (sums)
                    running_sum<<<1, threads, threads * sizeof(int)>>>(in, out, n);
                else
                    differences<<<1, threads, threads * sizeof(int)>>>(in, out, n);
                CALL(cudaDeviceSynchronize());
                plain(sums, threads, in, expected, n);
                for (int i = 0; i <= n; i++) wrong[sums] += out[i] != expected[i];
            }
            printf("%4d threads, %4d numbers: %d differences and %d sums are wrong\n", threads, n, wrong[0],
                   wrong[1]);
        }
    }
    return 0;
}
