// A stack of a thread's own grows beyond its array, and is read back from there.
// expect: local-bounds line 7
// expect: local-bounds line 9

__global__ void walk(const int *next, int *out, int depth) {
    int stack[8], top = 0;
    for (int at = threadIdx.x; at >= 0 && top < depth; at = next[at]) stack[top++] = at;
    int sum = 0;
    while (top) sum += stack[--top];
    out[threadIdx.x] = sum;
}

int main() {
    int *next, *out, chain[64];
    for (int i = 0; i < 64; i++) chain[i] = i - 1;
    cudaMalloc(&next, sizeof chain);
    cudaMalloc(&out, sizeof chain);
    cudaMemcpy(next, chain, sizeof chain, cudaMemcpyHostToDevice);
    walk<<<1, 9>>>(next, out, 9);
    cudaDeviceSynchronize();
    cudaFree(next);
    cudaFree(out);
}
