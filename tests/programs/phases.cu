/* phases: blocks that meet at __syncthreads() again and again: what is alive across it, who has nothing to do
 * between two of them, loops around it whose turns all threads count alike, and index arithmetic that wraps
 * round in one warp while others are elsewhere.
 */
#include "program.h"

/* Hillis and Steele: threads below `distance` idle. */
__global__ void scan_all(const int *in, int *out) {
    extern __shared__ int part[];
    const unsigned t = threadIdx.x, n = blockDim.x;
    part[t] = in[blockIdx.x * n + t];
    __syncthreads();
    for (unsigned distance = 1; distance < n; distance *= 2) {
        int left = t >= distance ? part[t - distance] : 0;
        __syncthreads();
        part[t] += left;
        __syncthreads();
    }
    out[blockIdx.x * n + t] = part[t];
}

/* Blelloch, up and down a tree: few threads work, far apart. */
__global__ void scan_tree(const int *in, int *out) {
    extern __shared__ int part[];
    const int t = threadIdx.x, n = 2 * blockDim.x;
    part[2 * t] = in[blockIdx.x * n + 2 * t];
    part[2 * t + 1] = in[blockIdx.x * n + 2 * t + 1];
    int offset = 1;
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) part[offset * (2 * t + 2) - 1] += part[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) part[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1, was = part[a];
            part[a] = part[b];
            part[b] += was;
        }
    }
    __syncthreads();
    out[blockIdx.x * n + 2 * t] = part[2 * t];
    out[blockIdx.x * n + 2 * t + 1] = part[2 * t + 1];
}

__global__ void bitonic(unsigned *values) {
    extern __shared__ unsigned keys[];
    const unsigned t = threadIdx.x, n = blockDim.x;
    keys[t] = values[blockIdx.x * n + t];
    for (unsigned k = 2; k <= n; k *= 2)
        for (unsigned j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            unsigned other = t ^ j;
            if (other > t) {
                bool up = (t & k) == 0;
                if ((keys[t] > keys[other]) == up) {
                    unsigned x = keys[t];
                    keys[t] = keys[other];
                    keys[other] = x;
                }
            }
        }
    __syncthreads();
    values[blockIdx.x * n + t] = keys[t];
}

/* Tiles with a border, several steps in shared memory. */
__global__ void blur(const float *in, float *out, int w, int h, int steps) {
    __shared__ float tile[2][18][34];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    const int i = threadIdx.x + 1, j = threadIdx.y + 1;
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 2 * 18 * 34; k += 512) (&tile[0][0][0])[k] = 0;
    __syncthreads();
    if (x < w && y < h) tile[0][j][i] = in[y * w + x];
    int now = 0;
    for (int s = 0; s < steps; s++, now = 1 - now) {
        __syncthreads();
        float sum = tile[now][j - 1][i] + tile[now][j + 1][i] + tile[now][j][i - 1] + tile[now][j][i + 1];
        tile[1 - now][j][i] = 0.5f * tile[now][j][i] + 0.125f * sum;
    }
    if (x < w && y < h) out[y * w + x] = tile[now][j][i];
}

/* Who works: every kind of comparison, bounds that wrap and that are negative. */
__global__ void who(int *out, int low, unsigned high, int step) {
    const int t = threadIdx.x;
    const unsigned u = threadIdx.x;
    int *mine = out + blockIdx.x * blockDim.x;
    for (int k = 1; k < 300; k = 2 * k + 1) {
        if (t < k) mine[t] += 1;
        __syncthreads();
        if (k >= t) mine[t] += 2;
        __syncthreads();
        if (u > high - k) mine[t] += 4;
        __syncthreads();
        if (t == k) mine[t] += 8;
        __syncthreads();
        if (t != k) mine[t] += 16;
        __syncthreads();
        if (low + t < k) mine[t] += 32;
        __syncthreads();
        if (u - k < 7) mine[t] += 64; /* wraps for threads below k */
        __syncthreads();
        if (u * 0x01000000u < 0x05000000u) mine[t] += 128; /* 256 threads round */
        __syncthreads();
        if ((int)(u * (unsigned)step) < k) mine[t] += 256;
        __syncthreads();
        if (k - t < 5) mine[t] += 512;
        __syncthreads();
        if ((t & k) == 0) mine[t] += 1024;
        __syncthreads();
        if (t <= -1) mine[t] += 2048;
        __syncthreads();
    }
}

/* Alive across barriers: what is the same for the block, what a thread has loaded, what its number gives. An
 * index that wraps round sends one warp another way in the middle of it all. */
__global__ void alive(const unsigned *in, unsigned long long *out, unsigned factor, int turns, int where) {
    __shared__ unsigned part[256];
    const unsigned t = threadIdx.x, n = blockDim.x, i = blockIdx.x * n + t;
    unsigned loaded = in[i], sum = 0, same = blockIdx.x + 7;
    unsigned long long far = 0;
    float weight = t * 0.25f;
    part[t] = loaded;
    __syncthreads();
    for (int k = 0; k < turns; k++) {
        unsigned from = (t + k) % n;
        sum += part[from] * same;
        same = same * 5 + k;
        if (k == where) far += (unsigned long long)(t * factor) * 4 + (unsigned long long)(i + factor);
        __syncthreads();
        part[t] = sum ^ loaded;
        weight = weight * 1.5f + k;
        __syncthreads();
    }
    out[i] = far + sum + same + (unsigned)weight + part[n - 1 - t];
}

/* A barrier that a whole block may leave out, and an index that wraps round before it. */
__global__ void sometimes(const unsigned *in, unsigned long long *out, unsigned factor, bool meet) {
    __shared__ unsigned part[2][256];
    const unsigned t = threadIdx.x, n = blockDim.x, i = blockIdx.x * n + t;
    part[0][t] = in[i];
    __syncthreads();
    out[i] = (unsigned long long)(t * factor) * 4;
    if (meet) __syncthreads();
    part[1][t] = part[0][(t + 1) % n] * 3;
    __syncthreads();
    unsigned long long sum = out[i] + part[1][(t + 40) % n];
    __syncthreads();
    part[1][t] = (unsigned)sum;
    __syncthreads();
    out[i] = sum + part[1][n - 1 - t];
}

/* Loops whose turns depend on the block, left in the middle; a barrier in a branch that all take. */
__global__ void turns(int *out, int n) {
    __shared__ int part[160];
    const int t = threadIdx.x;
    int x = t, rounds = 0;
    for (int a = blockIdx.x; a < n; a += 3) {
        for (int b = 0; b <= a; b++) {
            part[t] = x + b;
            __syncthreads();
            x += part[(t + 1) % blockDim.x];
            rounds++;
            __syncthreads();
            if (a + b == 9) break;
        }
        if (a & 1) {
            __syncthreads();
            part[t] = x * 3;
            __syncthreads();
            x ^= part[blockDim.x - 1 - t];
            __syncthreads();
        }
        for (int c = 0; c < t % 5; c++) x += c; /* warps part, and come together */
    }
    out[blockIdx.x * blockDim.x + t] = x * 100 + rounds;
}

/* A warp's sums by shuffles, the block's by its first warp. */
__global__ void sums(const int *in, int *out, int n) {
    __shared__ int of_warp[32];
    const int t = threadIdx.x, warps = blockDim.x / 32;
    int x = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) x += in[i];
    for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(~0u, x, d);
    if (t % 32 == 0) of_warp[t / 32] = x;
    __syncthreads();
    if (t < 32) {
        x = t < warps ? of_warp[t] : 0;
        for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(~0u, x, d);
        if (t == 0) out[blockIdx.x] = x;
    }
}

/* A tree whose threads work ever farther from each other, ever fewer of them. */
template <typename T> __global__ void tree(T *values, int n) {
    T *mine = values + blockIdx.x * n;
    const int t = threadIdx.x;
    for (int stride = 1; stride < n; stride *= 2) {
        const int i = 2 * stride * t;
        if (i + stride < n) mine[i] = mine[i] * 3 + mine[i + stride];
        __syncthreads();
    }
}

template <typename T> void run_tree(const char *name) {
    for (int n : {200, 3, 64}) {
        Array<T> values(4 * 200);
        for (int i = 0; i < 4 * n; i++) values[i] = (T)(i % 23 + 1);
        tree<T><<<4, 128>>>(values, n);
        show(name, values);
    }
}

/* Threads that return before others are done, and before nobody else's barrier. */
__global__ void early(int *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int x = i;
    for (int k = 0; k < i % 4; k++) x = x * 3 + k;
    out[i] = x;
}

int main() {
    Array<int> in(8192), out(8192);
    Array<unsigned> keys(8192);
    Array<float> image(100 * 70), blurred(100 * 70);
    Array<unsigned long long> longs(8192);
    auto fill = [&] {
        for (int i = 0; i < 8192; i++)
            in[i] = i * 7919 % 1013 - 300, out[i] = 0, keys[i] = i * 2654435761u, longs[i] = 0;
        for (int i = 0; i < 7000; i++) image[i] = i % 37;
    };
    const int sizes[] = {1, 31, 32, 33, 96, 160, 256, 1000};
    fill();
    for (int n : sizes) {
        scan_all<<<3, n, n * sizeof(int)>>>(in, out);
        show("scan_all", out);
    }
    for (int n : {1, 16, 32, 128, 512}) {
        fill();
        scan_tree<<<3, n, 2 * n * sizeof(int)>>>(in, out);
        show("scan_tree", out);
    }
    for (int n : {2, 32, 64, 512}) {
        fill();
        bitonic<<<4, n, n * sizeof(unsigned)>>>(keys);
        show("bitonic", keys);
    }
    for (int steps : {0, 1, 5}) {
        fill();
        blur<<<dim3(4, 5), dim3(32, 16)>>>(image, blurred, 100, 70, steps);
        show("blur", blurred);
    }
    for (int n : sizes) {
        fill();
        who<<<2, n>>>(out, -50, 0xfffffff0u, 0x00300001);
        show("who", out);
        who<<<2, n>>>(out, 0x7fffff80, 40, -3);
        show("who", out);
    }
    for (int n : {32, 96, 256})
        for (unsigned factor : {3u, 0x01400000u, 0x05000000u, 0xffffff80u})
            for (int where : {-1, 0, 3}) {
                fill();
                alive<<<5, n>>>(keys, longs, factor, 4, where);
                show("alive", longs);
            }
    for (unsigned factor : {3u, 0x01400000u, 0x05000000u, 0xffffff80u})
        for (bool meet : {false, true}) {
            fill();
            sometimes<<<5, 256>>>(keys, longs, factor, meet);
            show("sometimes", longs);
        }
    for (int n : {32, 64, 160}) {
        turns<<<7, n>>>(out, 11);
        show("turns", out);
    }
    for (int n : {32, 256, 1024}) {
        fill();
        sums<<<4, n>>>(in, out, 8000);
        show("sums", out);
    }
    run_tree<float>("tree of float");
    run_tree<double>("tree of double");
    run_tree<short>("tree of short");
    run_tree<unsigned char>("tree of unsigned char");
    run_tree<long long>("tree of long long");
    early<<<8, 200>>>(out, 1500);
    show("early", out);
    return 0;
}
