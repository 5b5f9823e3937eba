// A copy that fails, and whose error nobody reads.
// expect: unread-error line 7

int main() {
    int host[64] = {0}, *x;
    cudaMalloc(&x, 32 * sizeof(int));
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaFree(x);
}
