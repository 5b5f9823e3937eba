// A tile behind two small functions: its barrier is missing in the kernel that calls them, which the report is to name.
// expect: race-block line 11 other 12
// expect: race-block line 11 other 12
// causes: 1
// says: A __syncthreads() between line 19 and line 20 would order them.
// says: 1 other pair of accesses to it has the same cause: lines 19 and 21.
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
