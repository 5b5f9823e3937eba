// A buffer for each step, of which only the last is freed: mended.
// options: --leaks

int main() {
    int *x = nullptr;
    for (int step = 0; step < 4; step++) {
        cudaFree(x);
        cudaMalloc(&x, 100);
        cudaMemset(x, 0, 100);
    }
    cudaFree(x);
}
