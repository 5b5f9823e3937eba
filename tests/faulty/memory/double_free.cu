// Memory is freed twice.
// expect: double-free line 7

int main() {
    int *x;
    cudaMalloc(&x, 64);
    cudaFree(x);
    cudaFree(x);
}
