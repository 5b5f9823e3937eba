// Arrays and structures of pointers to shared memory, given where they are declared, with an index known only
// when it runs: two buffers in turn, three at once, one of them dynamic. clang makes a table of such
// addresses, which no module can hold.
#include <cstdio>

__global__ void two_buffers(const int *in, int *out, int rows) {
    __shared__ int even[64], odd[64];
    int *buffers[2] = {even, odd};
    buffers[0][threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int r = 0; r < rows; r++) {
        if (r + 1 < rows) buffers[(r + 1) % 2][threadIdx.x] = in[(r + 1) * 64 + threadIdx.x];
        out[(blockIdx.x * rows + r) * 64 + threadIdx.x] = buffers[r % 2][63 - threadIdx.x] + blockIdx.x;
        __syncthreads();
    }
}

struct Part {
    float *first;
    int count;
};

__global__ void three_parts(float *out, int which) {
    __shared__ float a[32], b[32];
    extern __shared__ float c[];
    Part parts[3] = {{a, 1}, {b, 2}, {c, 3}};
    a[threadIdx.x] = 100 + threadIdx.x;
    b[threadIdx.x] = 200 + threadIdx.x;
    c[threadIdx.x] = 300 + threadIdx.x;
    __syncthreads();
    Part &p = parts[(which + blockIdx.x) % 3];
    out[blockIdx.x * 32 + threadIdx.x] = p.first[threadIdx.x ^ 1] * p.count;
}

int main() {
    const int rows = 5, blocks = 3;
    int *in, *out;
    float *values;
    cudaMallocManaged(&in, rows * 64 * sizeof(int));
    cudaMallocManaged(&out, blocks * rows * 64 * sizeof(int));
    cudaMallocManaged(&values, 6 * 32 * sizeof(float));
    for (int i = 0; i < rows * 64; i++) in[i] = i * i;
    two_buffers<<<blocks, 64>>>(in, out, rows);
    three_parts<<<6, 32, 32 * sizeof(float)>>>(values, 1);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    int wrong = 0;
    for (int b = 0; b < blocks; b++)
        for (int r = 0; r < rows; r++)
            for (int t = 0; t < 64; t++) wrong += out[(b * rows + r) * 64 + t] != in[r * 64 + 63 - t] + b;
    for (int b = 0; b < 6; b++)
        for (int t = 0; t < 32; t++) {
            int p = (1 + b) % 3;
            wrong += values[b * 32 + t] != ((p + 1) * 100 + (t ^ 1)) * (p + 1);
        }
    printf("%d wrong\n", wrong);
    return 0;
}
