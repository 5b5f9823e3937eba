// CUB: what blocks and warps do together, and whole arrays.
#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <numeric>
#include <vector>

static const int block = 128, items = 4;

// Sorts each block's items and adds them up, by block and by warp.
__global__ void in_blocks(const int *in, int *sorted, int *sums, int *warps, int *before) {
    typedef cub::BlockLoad<int, block, items, cub::BLOCK_LOAD_TRANSPOSE> load;
    typedef cub::BlockStore<int, block, items, cub::BLOCK_STORE_WARP_TRANSPOSE> store;
    typedef cub::BlockRadixSort<int, block, items> sort;
    typedef cub::BlockReduce<int, block> reduce;
    typedef cub::BlockScan<int, block> scan;
    typedef cub::WarpReduce<int> warp;
    __shared__ union {
        typename load::TempStorage load;
        typename store::TempStorage store;
        typename sort::TempStorage sort;
        typename reduce::TempStorage reduce;
        typename scan::TempStorage scan;
        typename warp::TempStorage warp[block / 32];
    } s;
    int x[items], first = blockIdx.x * block * items;
    load(s.load).Load(in + first, x);
    __syncthreads();
    int own = x[0] + x[1] + x[2] + x[3];
    int sum = reduce(s.reduce).Sum(own);
    __syncthreads();
    int of_warp = warp(s.warp[threadIdx.x / 32]).Sum(own), ahead;
    __syncthreads();
    scan(s.scan).ExclusiveSum(own, ahead);
    __syncthreads();
    sort(s.sort).Sort(x);
    __syncthreads();
    store(s.store).Store(sorted + first, x);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
    if (threadIdx.x % 32 == 0) warps[blockIdx.x * block / 32 + threadIdx.x / 32] = of_warp;
    before[blockIdx.x * block + threadIdx.x] = ahead;
}

// CUB's functions are called twice: how many bytes they need, and to do it.
template <class F> static void twice(const char *what, F call) {
    void *scratch = nullptr;
    size_t bytes = 0;
    cudaError_t e = call(scratch, bytes);
    if (!e) e = cudaMalloc(&scratch, bytes);
    if (!e) e = call(scratch, bytes);
    if (!e) e = cudaDeviceSynchronize();
    if (e) printf("%s: %s\n", what, cudaGetErrorString(e));
    cudaFree(scratch);
}

static std::vector<int> host_of(const int *p, int n) {
    std::vector<int> v(n);
    cudaMemcpy(v.data(), p, n * sizeof(int), cudaMemcpyDeviceToHost);
    return v;
}

struct is_even {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

static void blocks(const std::vector<int> &in, const int *a, int *b) {
    const int n = block * items * 6;
    int *sums, *warps, *before;
    cudaMalloc(&sums, 6 * sizeof(int));
    cudaMalloc(&warps, 6 * block / 32 * sizeof(int));
    cudaMalloc(&before, 6 * block * sizeof(int));
    in_blocks<<<6, block>>>(a, b, sums, warps, before);
    std::vector<int> sorted = host_of(b, n), s = host_of(sums, 6), w = host_of(warps, 6 * block / 32),
                     ahead = host_of(before, 6 * block);
    int wrong = 0;
    for (int k = 0; k < 6; k++) {
        auto from = in.begin() + k * block * items, to = from + block * items;
        std::vector<int> expected(from, to);
        std::sort(expected.begin(), expected.end());
        wrong += !std::equal(expected.begin(), expected.end(), sorted.begin() + k * block * items);
        wrong += s[k] != std::accumulate(from, to, 0);
        for (int t = 0; t < block; t++)
            wrong += ahead[k * block + t] != std::accumulate(from, from + t * items, 0);
        for (int i = 0; i < block / 32; i++)
            wrong += w[k * block / 32 + i] !=
                     std::accumulate(from + i * 32 * items, from + (i + 1) * 32 * items, 0);
    }
    printf("blocks and warps: %d wrong\n", wrong);
    cudaFree(sums);
    cudaFree(warps);
    cudaFree(before);
}

static void arrays(const std::vector<int> &in, const int *a, int *b, int *c) {
    const int n = (int)in.size();
    twice("sum", [&](void *s, size_t &bytes) { return cub::DeviceReduce::Sum(s, bytes, a, b, n); });
    printf("sum: %s\n", host_of(b, 1)[0] == std::accumulate(in.begin(), in.end(), 0) ? "right" : "wrong");
    twice("scan", [&](void *s, size_t &bytes) { return cub::DeviceScan::ExclusiveSum(s, bytes, a, b, n); });
    std::vector<int> scanned = host_of(b, n);
    int sum = 0, wrong = 0;
    for (int i = 0; i < n; sum += in[i++]) wrong += scanned[i] != sum;
    printf("scan: %d wrong\n", wrong);
    twice("sort",
          [&](void *s, size_t &bytes) { return cub::DeviceRadixSort::SortKeys(s, bytes, a, b, n, 0, 16); });
    std::vector<int> sorted = in;
    std::sort(sorted.begin(), sorted.end());
    printf("sort: %s\n", sorted == host_of(b, n) ? "right" : "wrong");
    twice("select",
          [&](void *s, size_t &bytes) { return cub::DeviceSelect::If(s, bytes, a, b, c, n, is_even()); });
    printf("select: %s\n",
           host_of(c, 1)[0] == std::count_if(in.begin(), in.end(), is_even()) ? "right" : "wrong");
}

int main() {
    std::vector<int> in(20011);
    unsigned state = 1;
    for (int &x : in) {
        state = state * 1664525u + 1013904223u;
        x = (int)(state >> 8) % 1000;
    }
    int *a, *b, *c;
    cudaMalloc(&a, in.size() * sizeof(int));
    cudaMalloc(&b, in.size() * sizeof(int));
    cudaMalloc(&c, in.size() * sizeof(int));
    cudaMemcpy(a, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice);
    blocks(in, a, b);
    arrays(in, a, b, c);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return 0;
}
