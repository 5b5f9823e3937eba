// Atomics made of exchanges, as programs have them where the machine had none: from all lanes of several
// blocks, in shared and global memory, on whole words and halves of them.
__device__ double add(double *at, double value) {
    unsigned long long *p = (unsigned long long *)at;
    unsigned long long old = *p, assumed;
    do {
        assumed = old;
        old = atomicCAS(p, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__device__ __noinline__ float most(float *at, float value) {
    int *p = (int *)at, old = *p, assumed;
    do {
        assumed = old;
        old = atomicCAS(p, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}

__device__ void most_or_leave(float *at, float value) {
    int *p = (int *)at, old = *p;
    while (__int_as_float(old) < value) {
        int assumed = old;
        old = atomicCAS(p, assumed, __float_as_int(value));
        if (assumed == old) break;
    }
}

__device__ void scale(float *at, float by) {
    float old = *at, assumed;
    do {
        assumed = old;
        old = __int_as_float(atomicCAS((int *)at, __float_as_int(assumed), __float_as_int(assumed * by)));
    } while (assumed != old);
}

__device__ void add_half(unsigned short *at, unsigned short value) {
    bool high = (size_t)at & 2;
    unsigned *p = (unsigned *)((char *)at - (high ? 2 : 0)), old = *p, assumed;
    do {
        assumed = old;
        unsigned short sum = (high ? assumed >> 16 : assumed) + value;
        old = atomicCAS(p, assumed,
                        high ? (assumed & 0xffff) | (unsigned)sum << 16 : (assumed & 0xffff0000) | sum);
    } while (assumed != old);
}

__device__ void step(unsigned long long *p, unsigned long long by) {
    unsigned long long old = *p, assumed;
    do {
        assumed = old;
        unsigned long long next = assumed;
        for (int i = 0; i < 3; i++) next = next & 1 ? next * 3 + 1 : next / by;
        old = atomicCAS(p, assumed, next + 7);
    } while (assumed != old);
}

__global__ void all(double *sums, float *floats, unsigned short *halves, unsigned long long *steps,
                    double *seen) {
    __shared__ double sum;
    __shared__ float largest;
    if (threadIdx.x == 0) sum = largest = 0;
    __syncthreads();
    add(&sum, 1.0);
    most(&largest, threadIdx.x);
    for (int i = 0; i < 4; i++) most_or_leave(floats + 2 + i, threadIdx.x + i);
    scale(floats, 2.0f);
    add_half(halves + threadIdx.x % 4, 1);
    step(steps, blockDim.x - 61);
    seen[blockIdx.x * blockDim.x + threadIdx.x] = add(sums, 1.0);
    __syncthreads();
    if (threadIdx.x == 0) add(sums + 1, sum), most(floats + 1, largest);
}

int main() {
    double *sums, *seen;
    float *floats;
    unsigned short *halves;
    unsigned long long *steps;
    cudaMalloc(&sums, 2 * sizeof(double));
    cudaMalloc(&seen, 256 * sizeof(double));
    cudaMalloc(&floats, 6 * sizeof(float));
    cudaMalloc(&halves, 4 * sizeof(unsigned short));
    cudaMalloc(&steps, sizeof(unsigned long long));
    cudaMemset(sums, 0, 2 * sizeof(double));
    cudaMemset(floats, 0, 6 * sizeof(float));
    cudaMemset(halves, 0, 4 * sizeof(unsigned short));
    cudaMemset(steps, 1, sizeof(unsigned long long));
    all<<<4, 64>>>(sums, floats, halves, steps, seen);
    return cudaDeviceSynchronize() != cudaSuccess;
}
