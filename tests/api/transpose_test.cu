// A unit test of a kernel's memory behaviour, as a user would write it: see docs/api.md.
#include <cassert>
#include <cinttypes>
#include <cstdio>
#include <warpglass/warpglass.h>

constexpr int N = 256, TILE = 32;

template <int PAD> __global__ void transpose(const int *in, int *out) {
    __shared__ int tile[TILE][TILE + PAD];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * N + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    out[y * N + x] = tile[threadIdx.x][threadIdx.y]; // line 16: a column of the tile
}

static uint64_t counted(const wg_counting *c, const char *kernel, const char *counter) {
    uint64_t n;
    wg_answer a = wg_count_kernel(c, kernel, counter, &n);
    if (a != WG_COUNTED) printf("%s of %s: %s\n", counter, kernel, wg_answer_text(a));
    return n;
}

int main() {
    int *in, *out;
    if (cudaMallocManaged(&in, N * N * sizeof(int)) != cudaSuccess ||
        cudaMallocManaged(&out, N * N * sizeof(int)) != cudaSuccess)
        return 77; // neither Warpglass nor a GPU
    for (int i = 0; i < N * N; i++) in[i] = i;
    dim3 grid(N / TILE, N / TILE), block(TILE, TILE);

    transpose<0><<<grid, block>>>(in, out); // before it counts
    wg_counting *c = wg_count_start();
    transpose<1><<<grid, block>>>(in, out);
    transpose<1><<<grid, block>>>(in, out);
    wg_count_stop(c);
    wg_counting *of_plain = wg_count_start();
    transpose<0><<<grid, block>>>(in, out);
    wg_count_stop(of_plain);
    transpose<1><<<grid, block>>>(in, out); // after it
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    for (int i = 0; i < N * N; i++)
        if (out[i % N * N + i / N] != i) return 1;

    if (!wg_is_here()) {
        uint64_t n = 7;
        assert(!c && wg_count_kernel(c, "transpose", "shared_conflicts", &n) == WG_NOT_WARPGLASS && n == 0);
        assert(wg_count_launches(c, NULL) == 0 && !wg_count_name(c, 0));
        printf("not on Warpglass: the result is right, and nothing was counted\n");
        return 0;
    }
    const uint64_t warps = N / TILE * (N / TILE) * TILE;
    assert(wg_count_launches(c, "transpose") == 2 && wg_count_launches(c, "transpose<0>") == 0);
    assert(counted(c, "transpose", "shared_conflicts") == 0);
    assert(counted(c, "transpose<1>", "global_load_sectors") == 2 * warps * 4);
    assert(counted(c, "transpose", "shared_load_requests") == 2 * warps);
    assert(counted(of_plain, "transpose", "shared_conflicts") == warps * 31);
    uint64_t n;
    assert(wg_count_line(of_plain, "transpose", "transpose_test.cu", 16, "shared_load_wavefronts", &n) ==
           WG_COUNTED);
    assert(n == warps * 32);
    assert(wg_count_line(of_plain, "transpose", "transpose_test.cu", 16, "global_load_sectors", &n) ==
           WG_COUNTED);
    assert(n == 0);
    assert(wg_count_line(c, "transpose", "transpose_test.cu", 3, "instructions", &n) == WG_NO_LINE);
    assert(wg_count_line(c, "transpose", "pose_test.cu", 16, "instructions", &n) == WG_NO_LINE);
    assert(wg_count_kernel(c, "transposed", "instructions", &n) == WG_NO_KERNEL);
    assert(wg_count_kernel(c, "transpose", "share_conflicts", &n) == WG_NO_COUNTER);
    assert(wg_count_kernel(c, "transpose", NULL, &n) == WG_WRONG_CALL);
    printf("%s: %" PRIu64 " conflicts\n", wg_count_name(of_plain, 0),
           counted(of_plain, NULL, "shared_conflicts"));
    wg_count_free(of_plain);
    wg_count_free(c);
    return 0;
}
