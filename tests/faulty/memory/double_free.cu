// Memory is freed twice.
// expect: double-free line 8

int main() {
    int *x;
    cudaMalloc(&x, 64);
    cudaFree(x);
    cudaFree(x);
}
