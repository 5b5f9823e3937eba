// A function that returns early forgets its memory.
// options: --leaks
// expect: leak line 7

static bool work(int n) {
    float *x;
    if (cudaMalloc(&x, 1000) != cudaSuccess) return false;
    if (n > 100) return false;
    cudaMemset(x, 0, n);
    cudaFree(x);
    return true;
}

int main() { return work(50) && !work(200) ? 0 : 1; }
