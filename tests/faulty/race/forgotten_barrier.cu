// A block reverses its part through shared memory, and nobody waits.
// expect: race-block line 8 other 9
// (In either order of the two accesses: one finding.)
const int N = 1024;
__global__ void reverse(int *out, const int *in) {
    __shared__ int part[256];
    int t = threadIdx.x, at = blockIdx.x * 256;
    part[t] = in[at + t];
    out[at + t] = part[255 - t];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    reverse<<<N / 256, 256>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
