// A buffer for each step, of which only the last is freed.
// options: --leaks
// expect: leak line 9
// says: cudaMalloc

int main() {
    int *x = nullptr;
    for (int step = 0; step < 4; step++) {
        cudaMalloc(&x, 100);
        cudaMemset(x, 0, 100);
    }
    cudaFree(x);
}
