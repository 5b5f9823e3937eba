// Instructions that cost many, and threads that do what others do. What the lines before a kernel's head mean: pairs.py.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                          \
    if (cudaError_t e = (call)) {                                                                            \
        printf("%s: %s\n", #call, cudaGetErrorString(e));                                                    \
        exit(1);                                                                                             \
    }

const int n = 1 << 16, side = 256;

//! says accidental_double "Write 0.5f"
__global__ void decay(float *v, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = v[i];
    for (int t = 0; t < turns; t++) x = x * 0.99 + 0.1 / (1.0 + x);
    v[i] = x;
}
//! not accidental_double
__global__ void decay_in_float(float *v, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = v[i];
    for (int t = 0; t < turns; t++) x = x * 0.99f + 0.1f / (1.0f + x);
    v[i] = x;
}
/* Doubles that are meant. */
//! not accidental_double
__global__ void decay_in_double(double *v, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = v[i];
    for (int t = 0; t < turns; t++) x = x * 0.99 + 0.1 / (1.0 + x);
    v[i] = x;
}
/* A sum of floats in double precision is meant, too. */
//! not accidental_double
__global__ void sum_in_double(const float *in, double *out, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0;
    for (int t = 0; t < turns; t++) sum += in[(i + t * 64) % n];
    out[i] = sum;
}
/* One constant, once for each element of a copy: it hides behind memory. */
//! not accidental_double
__global__ void scale_once(const float4 *in, float4 *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = in[i];
    v.x = (float)(v.x * 0.1);
    out[i] = v;
}

//! says integer_division "constant or a template parameter"
__global__ void hash_by_division(unsigned *v, unsigned size, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = v[i];
    for (int t = 0; t < turns; t++) x = (x * 2654435761u + 7) % size;
    v[i] = x;
}
//! says integer_division "64 bits, as here"
__global__ void hash_by_long_division(unsigned long long *v, unsigned long long size, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long x = v[i];
    for (int t = 0; t < turns; t++) x = (x * 2654435761u + 7) % size;
    v[i] = x;
}
//! not integer_division
__global__ void hash_by_mask(unsigned *v, unsigned size, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = v[i];
    for (int t = 0; t < turns; t++) x = (x * 2654435761u + 7) & (size - 1);
    v[i] = x;
}
//! not integer_division
__global__ void hash_by_constant(unsigned *v, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = v[i];
    for (int t = 0; t < turns; t++) x = (x * 2654435761u + 7) % 1000;
    v[i] = x;
}

/* Each thread of a column does what the others do. */
//! says same_work "8 threads do the same work"
//! not repeated_loads
__global__ void rows_eight_times(const float *a, float *out) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int row = 0; row < side; row++) sum += a[row * side + column];
    out[column] = sum;
}
//! not same_work
__global__ void rows_once(const float *a, float *out) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int row = threadIdx.y; row < side; row += blockDim.y) sum += a[row * side + column];
    atomicAdd(&out[column], sum);
}
/* The number of the thread comes from a function. */
__device__ int thread_in_block() { return threadIdx.y * blockDim.x + threadIdx.x; }
//! not same_work
__global__ void rows_by_function(const float *a, float *out) {
    int t = blockIdx.x * blockDim.x * blockDim.y + thread_in_block();
    out[t] = a[t] + threadIdx.x;
}

/* Walks down rows in three arrays: one advice for all. */
//! says transposed_access "Transposed accesses: a, b"
__global__ void walk_rows(float *a, const float *b) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 1; k < side; k++) a[row * side + k] = a[row * side + k - 1] * b[row * side + k] + 1;
}
//! not transposed_access
__global__ void walk_columns(float *a, const float *b) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 1; k < side; k++)
        a[k * side + column] = a[(k - 1) * side + column] * b[k * side + column] + 1;
}

template <class T> T *memory(size_t count) {
    T *p;
    CHECK(cudaMalloc(&p, count * sizeof(T)));
    CHECK(cudaMemset(p, 0, count * sizeof(T)));
    return p;
}

int main() {
    float *in = memory<float>(n), *out = memory<float>(n);
    double *doubles = memory<double>(n);
    unsigned *words = memory<unsigned>(n);
    decay<<<n / 256, 256>>>(in, 20);
    decay_in_float<<<n / 256, 256>>>(in, 20);
    decay_in_double<<<n / 256, 256>>>(doubles, 20);
    sum_in_double<<<n / 256, 256>>>(in, doubles, 20);
    scale_once<<<n / 1024, 256>>>(reinterpret_cast<float4 *>(in), reinterpret_cast<float4 *>(out));
    hash_by_division<<<n / 256, 256>>>(words, 4096, 20);
    hash_by_long_division<<<n / 256, 256>>>(reinterpret_cast<unsigned long long *>(doubles), 4096, 20);
    hash_by_mask<<<n / 256, 256>>>(words, 4096, 20);
    hash_by_constant<<<n / 256, 256>>>(words, 20);
    rows_eight_times<<<side / 32, dim3(32, 8)>>>(in, out);
    rows_once<<<side / 32, dim3(32, 8)>>>(in, out);
    rows_by_function<<<side / 32, dim3(32, 8)>>>(in, out);
    walk_rows<<<side / 64, 64>>>(in, out);
    walk_columns<<<side / 64, 64>>>(in, out);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
