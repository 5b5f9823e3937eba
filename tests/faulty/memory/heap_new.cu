// Memory of new[] in a kernel is one element too short.
// expect: out-of-bounds line 12
// says: 24 bytes of kernel heap memory, allocated by malloc at
// says: in joined(int*, int).

struct item {
    int value;
    __device__ item(int v = 0) : value(v) {}
};
__global__ void joined(int *out, int n) {
    item *items = new item[n], *last = new item(out[threadIdx.x]);
    for (int i = 0; i <= n; i++) items[i].value = i + last->value;
    out[threadIdx.x] = items[out[32] % n].value;
    delete last;
    delete[] items;
}

int main() {
    int *out;
    cudaMalloc(&out, 33 * sizeof(int));
    cudaMemset(out, 0, 33 * sizeof(int));
    joined<<<1, 32>>>(out, 6);
    cudaDeviceSynchronize();
    cudaFree(out);
}
