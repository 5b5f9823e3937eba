// A tile behind two small functions, with a barrier in the kernel that calls them.
// options: --only race

struct Tile {
    int *at;
    __device__ void put(int i, int value) { at[i] = value; }
    __device__ int get(int i) const { return at[i]; }
};

__global__ void neighbours(int *data) {
    __shared__ int memory[128];
    const int i = threadIdx.x;
    Tile tile = {memory};
    tile.put(i, data[i]);
    __syncthreads();
    int sum = tile.get((i + 32) % 128);
    sum += tile.get((i + 64) % 128);
    data[i] = sum;
}

int main() {
    int *data;
    if (cudaMalloc(&data, 128 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 128 * sizeof(int)) != cudaSuccess) return 1;
    neighbours<<<1, 128>>>(data);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    if (cudaFree(data) != cudaSuccess) return 1;
    return 0;
}
