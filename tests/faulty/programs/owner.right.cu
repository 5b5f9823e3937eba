// A class that owns memory is copied, and both copies free it: mended.

#include <cstdio>
class buffer {
  public:
    explicit buffer(size_t n) : size(n) { cudaMalloc(&data, n * sizeof(float)); }
    ~buffer() { release(); }
    buffer(const buffer &) = delete;
    float *get() const { return data; }
    const size_t size;

  private:
    void release() { cudaFree(data); }
    float *data = nullptr;
};

__global__ void ones(float *x, size_t n) {
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 1;
}

static void fill(const buffer &b) { ones<<<(b.size + 127) / 128, 128>>>(b.get(), b.size); }

int main() {
    buffer b(1000);
    fill(b);
    cudaDeviceSynchronize();
    puts("filled");
    return 0;
}
