/* long_kernels.cu: kernels of hundreds of instructions, whose code is made in two halves: what is alive in
 * between goes over, lanes part and faults happen on either side.
 */
#include <cstdint>
#include <cstdio>
#include <vector>

struct State {
    uint64_t a, b, sum;
};

/* A row of steps: the compiler cannot make a loop of it again. */
template <int N> __host__ __device__ void steps(State &s) {
#pragma unroll
    for (int k = 0; k < N; k++) {
        uint64_t x = s.a + s.b;
        s.b ^= s.a;
        s.a = (s.a << (k % 23 + 1) | s.a >> (63 - k % 23)) ^ s.b ^ s.b << 16;
        s.b = s.b << 37 | s.b >> 27;
        s.sum += x * (k + 5);
    }
}

__host__ __device__ uint64_t power(uint64_t x, uint32_t e, uint64_t modulus) {
    uint64_t r = 1;
    for (x %= modulus; e; e >>= 1) {
        if (e & 1) r = r * x % modulus;
        x = x * x % modulus;
    }
    return r;
}

/* A loop, in which lanes part, and a row behind it. */
__host__ __device__ uint64_t loop_and_row(uint32_t i) {
    State s = {power(i + 2, i * 7 + 1, 1000003), i, 0};
    steps<70>(s);
    return s.sum;
}
__global__ void loop_then_row(int n, uint64_t *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = loop_and_row(i);
}

/* The other way round. */
__host__ __device__ uint64_t row_and_loop(uint32_t i) {
    State s = {i * 3ull + 1, i, 0};
    steps<60>(s);
    return s.sum + power(s.a, i % 61, 65537) + power(s.b, i % 7, 1000003);
}
__global__ void row_then_loop(int n, uint64_t *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = row_and_loop(i);
}

/* Barriers between rows, and a word of another thread behind each. */
__host__ __device__ State begin(uint32_t i) { return {i * 11ull + 3, i ^ 85u, i}; }
__global__ void rows_and_barriers(uint64_t *out) {
    __shared__ uint64_t words[256];
    uint32_t t = threadIdx.x;
    State s = begin(blockIdx.x * 256 + t);
    steps<24>(s);
    words[t] = s.sum;
    __syncthreads();
    s.b += words[t ^ 1];
    steps<25>(s);
    __syncthreads();
    words[t] = s.a;
    __syncthreads();
    s.a ^= words[255 - t];
    steps<26>(s);
    __syncthreads();
    words[t] = s.sum;
    __syncthreads();
    s.sum += words[(t + 32) % 256];
    steps<27>(s);
    out[blockIdx.x * 256 + t] = s.sum;
}
static void rows(std::vector<uint64_t> &out) {
    std::vector<State> s(out.size());
    std::vector<uint64_t> words(out.size());
    for (uint32_t i = 0; i < s.size(); i++) s[i] = begin(i), steps<24>(s[i]), words[i] = s[i].sum;
    for (uint32_t i = 0; i < s.size(); i++) s[i].b += words[i ^ 1], steps<25>(s[i]);
    for (uint32_t i = 0; i < s.size(); i++) words[i] = s[i].a;
    for (uint32_t i = 0; i < s.size(); i++) s[i].a ^= words[i / 256 * 256 + 255 - i % 256], steps<26>(s[i]);
    for (uint32_t i = 0; i < s.size(); i++) words[i] = s[i].sum;
    for (uint32_t i = 0; i < s.size(); i++) {
        s[i].sum += words[i / 256 * 256 + (i + 32) % 256];
        steps<27>(s[i]);
        out[i] = s[i].sum;
    }
}

/* A wild store at the end of a row. */
__global__ void row_then_fault(int n, uint64_t *out, uint64_t far) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    State s = {i * 3ull + 1, (uint64_t)i, 0};
    steps<90>(s);
    out[i == n - 1 ? far : i] = s.sum;
}

static void compare(const char *what, const uint64_t *out, const std::vector<uint64_t> &right) {
    size_t wrong = 0;
    cudaError_t status = cudaDeviceSynchronize();
    for (size_t i = 0; i < right.size(); i++) wrong += out[i] != right[i];
    printf("%s: %s, %zu wrong\n", what, cudaGetErrorString(status), wrong);
}

int main() {
    const int n = 1000;
    uint64_t *out;
    cudaMallocManaged(&out, 1024 * sizeof *out);
    std::vector<uint64_t> right(n);
    for (int i = 0; i < n; i++) right[i] = loop_and_row(i);
    loop_then_row<<<4, 256>>>(n, out);
    compare("a loop, then a row", out, right);
    for (int i = 0; i < n; i++) right[i] = row_and_loop(i);
    row_then_loop<<<4, 256>>>(n, out);
    compare("a row, then a loop", out, right);
    right.resize(1024);
    rows(right);
    rows_and_barriers<<<4, 256>>>(out);
    compare("rows and barriers", out, right);
    row_then_fault<<<4, 256>>>(n, out, 1ull << 40);
    printf("a row, then a fault: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
