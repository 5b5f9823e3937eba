/* borders: the guards that image programs put before their work, on values that grow with the thread: next to
 * where they wrap round, where no lane passes, all or some, and what they leave to code behind them. Every
 * result is checked against the host's.
 */
#include "program.h"

#include <climits>

enum Guard {
    INSIDE,
    OUTSIDE,
    WITHIN,
    FAR_FROM,
    SIGNED_END,
    LAST,
    NOT_AT,
    ODD,
    BELOW,
    UP_TO,
    ABOVE,
    FROM,
    ONE_BELOW,
    MIXED
};

/* As the compiler has `x < n && y < n`. */
template <class T> __host__ __device__ T greater(T x, T y) { return x > y ? x : y; }
template <class T> __host__ __device__ T less(T x, T y) { return x < y ? x : y; }

template <int G> __host__ __device__ bool passes(unsigned u, unsigned low, unsigned high) {
    int x = (int)u, a = (int)low, b = (int)high;
    switch (G) {
    case INSIDE: return x > a && x < b;
    case OUTSIDE: return !(x <= a || x >= b);
    case WITHIN: return u >= low && u <= high;
    case FAR_FROM: return u < low || u > high;
    case SIGNED_END: return x >= b;
    case LAST: return u > low;
    case NOT_AT: return u != low && u != high;
    case BELOW: return greater(x, (int)(u + 37)) < b;
    case UP_TO: return !(b < greater((int)(u - 9), x));
    case ABOVE: return less(x, (int)(u + 37)) > a;
    case FROM: return low <= less(u + 9, u);
    case ONE_BELOW: return less(x, (int)(u + 37)) < b;
    case MIXED: return greater(u, low) < high;
    default: return (x < b && u % 2) || x > a;
    }
}

/* Threads that do not pass leave. */
template <int G> __global__ void leaving(unsigned char *out, unsigned start, unsigned low, unsigned high) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (!passes<G>(start + i, low, high)) return;
    out[i] = out[i] + 1 + (threadIdx.x & 7);
}

/* They come back, and the condition is wanted once more, behind a barrier. */
template <int G> __global__ void staying(unsigned char *out, unsigned start, unsigned low, unsigned high) {
    __shared__ unsigned char tile[96];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    bool on = passes<G>(start + i, low, high);
    tile[t] = 3;
    if (on) tile[t] = out[i] + 5;
    __syncthreads();
    if (!on || t == 0) return;
    out[i] = tile[t] + tile[t - 1] + (on ? 16 : 0);
}

template <int G> static bool guard(unsigned start, unsigned low, unsigned high, uint64_t &hash) {
    const int blocks = 3, n = 96 * blocks;
    Array<unsigned char> a(n), b(n);
    for (int i = 0; i < n; i++) a[i] = b[i] = i * 7;
    leaving<G><<<blocks, 96>>>(a, start, low, high);
    staying<G><<<blocks, 96>>>(b, start, low, high);
    CALL(cudaDeviceSynchronize());
    bool right = true;
    for (int i = 0; i < n; i++) {
        bool on = passes<G>(start + i, low, high), before = i && passes<G>(start + i - 1, low, high);
        unsigned char x = i * 7, y = x;
        if (on) x += 1 + (i % 96 & 7);
        if (on && i % 96) y = (unsigned char)(y + 5) + (before ? (unsigned char)((i - 1) * 7 + 5) : 3) + 16;
        right &= a[i] == x && b[i] == y;
    }
    hash = hash * 31 + hash_of(a.p, n) + hash_of(b.p, n);
    return right;
}

template <int G> static void guards(const char *name) {
    const unsigned most = INT_MAX, least = (unsigned)INT_MIN, all = UINT_MAX;
    const unsigned starts[] = {0, 5, all - 40, all - 287, most - 40, most - 287, most - 300, least, 1000};
    const unsigned bounds[][2] = {{0, 287},       {0, 288},   {31, 64},          {30, 95},
                                  {96, 128},      {300, 400}, {most - 64, most}, {most - 300, least},
                                  {all - 30, 31}, {all, 0},   {least, most},     {7, 7}};
    uint64_t hash = 0;
    int wrong = 0;
    for (unsigned start : starts)
        for (auto &b : bounds) wrong += !guard<G>(start, b[0], b[1], hash);
    printf("%s: %016llx, %d wrong\n", name, (unsigned long long)hash, wrong);
}

/* Rows above and below: 32-bit indices that no thread's own wraps, in blocks of every shape. */
__global__ void rows(const unsigned char *in, unsigned char *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    int top = in[(y - 1) * width + x - 1] + 2 * in[(y - 1) * width + x] + in[(y - 1) * width + x + 1];
    int bottom = in[(y + 1) * width + x - 1] + 2 * in[(y + 1) * width + x] + in[(y + 1) * width + x + 1];
    int d = top - bottom;
    out[y * width + x] = d < 0 ? -d / 4 : d / 4;
}

/* Indices from the end of what an int holds: those that pass lie on both sides of where it wraps. */
__global__ void around_the_end(const unsigned char *in, unsigned char *out, int start, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int above = (int)((unsigned)start + i);     /* int: wraps in the last threads */
    long long place = (long long)above - start; /* the true difference, or 2^32 less */
    if (i >= n) return;
    out[i] = place == i ? in[place] : 255;
}

static void images() {
    const int w = 203, h = 37;
    Array<unsigned char> in(w * h), out(w * h), far(300);
    uint32_t state = 5;
    for (int i = 0; i < w * h; i++) in[i] = next_random(state);
    const dim3 shapes[] = {{32, 4}, {64, 2}, {16, 16}, {96, 1}, {7, 5}, {128, 1}, {8, 8}, {32, 32}};
    for (dim3 s : shapes) {
        memset(out, 0, w * h);
        rows<<<dim3((w + s.x - 1) / s.x, (h + s.y - 1) / s.y), s>>>(in, out, w, h);
        show("rows", out);
    }
    for (int start : {INT_MAX - 299, INT_MAX - 298, INT_MAX - 150, INT_MAX, -100}) {
        around_the_end<<<10, 32>>>(in, far, start, 300);
        show("around the end", far);
        around_the_end<<<2, 256>>>(in, far, start, 300);
        show("around the end", far);
    }
}

int main() {
    guards<INSIDE>("inside"), guards<OUTSIDE>("outside"), guards<WITHIN>("within"),
        guards<FAR_FROM>("far from");
    guards<SIGNED_END>("signed end"), guards<LAST>("last"), guards<NOT_AT>("not at"), guards<ODD>("odd");
    guards<BELOW>("both below"), guards<UP_TO>("both up to"), guards<ABOVE>("both above"),
        guards<FROM>("both from");
    guards<ONE_BELOW>("one below"), guards<MIXED>("mixed");
    images();
    return 0;
}
