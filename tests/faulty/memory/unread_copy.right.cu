// A copy that fails, and whose error nobody reads: mended.

int main() {
    int host[64] = {0}, *x;
    cudaMalloc(&x, 32 * sizeof(int));
    cudaMemcpy(x, host, 32 * sizeof(int), cudaMemcpyHostToDevice);
    cudaFree(x);
}
