// Memory is freed twice: mended.

int main() {
    int *x;
    cudaMalloc(&x, 64);
    cudaFree(x);
}
