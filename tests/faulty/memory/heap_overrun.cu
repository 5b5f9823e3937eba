// Memory that a kernel asks for itself is one element too short.
// expect: out-of-bounds line 8
// says: 16 bytes of kernel heap memory

__global__ void lists(int *out) {
    int *list = (int *)malloc(4 * sizeof(int));
    if (!list) return;
    for (int i = 0; i < 5; i++) list[i] = i + threadIdx.x;
    out[threadIdx.x] = list[threadIdx.x % 4];
    free(list);
}

int main() {
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    lists<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
