/* warps_part: warps that run side by side and whose lanes part at conditions of data: short code for some lanes
 * of each warp, at the end of the kernel and before more of it, for the lanes that take the branch and for those
 * that do not; for whole warps only; words of all sizes; in shared memory; to places all over. In blocks of many
 * shapes, with no lane, a few, most and all of them on.
 */
#include "program.h"

/* A step of Floyd and Warshall's: rows and columns of each warp, and a store for those that gain. */
__global__ void relax(int *way, int n, int k) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n) return;
    const int over = way[i * n + k] + way[k * n + j];
    if (over < way[i * n + j]) way[i * n + j] = over;
}

/* More follows for all lanes. The row that they share makes warps run side by side. */
template <typename T> __global__ void raise(const T *row, const T *in, T *most, T *sum, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    const T v = row[x] + in[y * n + x];
    if (v > most[y * n + x]) most[y * n + x] = v;
    sum[y * n + x] = v - row[x] / 2;
}

/* Those that do not take the branch; and the code loads and works something out. */
__global__ void add_marked(const int *row, const int *mark, const int *more, int *out, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    const int v = row[x] * 3;
    if (mark[y * n + x] % 8 == 5) return;
    out[y * n + x] = v + more[y * n + x] * (y + 1);
}

/* The others go on, to a loop; and those that part add up a window. */
__global__ void leave_early(const int *row, const int *mark, int *early, int *late, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    const int v = row[x] + y;
    if (mark[y * n + x] < 20) {
        early[y * n + x] = v;
        return;
    }
    int sum = 0;
    for (int k = 0; k < v % 16; k++) sum = sum * 3 + row[k];
    late[y * n + x] = sum;
}

__global__ void window(const int *row, const int *in, int *out, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || x >= n - 1 || y >= n) return;
    const int v = row[x], *at = in + y * n + x;
    if (at[0] % 16 > 4) out[y * n + x] = at[-1] + at[0] + at[1] + v;
}

/* Where whole warps part from others. */
__global__ void marked_rows(const int *row, const int *mark, int *out, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    const int v = row[x] + 1;
    if (mark[y] & 1) out[y * n + x] = v * v;
}

/* To places in another order, and to one place for a warp. */
__global__ void scattered(const int *row, const int *place, const int *mark, int *out, int *last, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    const int v = row[x] + y;
    if (mark[y * n + x] > 50) out[place[y * n + x]] = v;
    if (mark[y * n + x] > 97) last[y] = y;
}

/* Before a barrier, and after it. */
__global__ void by_tile(const int *row, const int *in, int *out, int n) {
    extern __shared__ int tile[];
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int t = threadIdx.y * blockDim.x + threadIdx.x, all = blockDim.x * blockDim.y;
    const int at = x < n && y < n ? y * n + x : 0;
    tile[t] = -1;
    __syncthreads();
    const int v = row[threadIdx.x] + in[at];
    if (v & 4) tile[t] = v;
    __syncthreads();
    const int w = tile[all - 1 - t];
    if (x < n && y < n && w >= 0) out[at] = w + row[threadIdx.x];
}

template <typename T> void raise_all(const char *name, dim3 grid, dim3 threads, int n, int bits) {
    Array<T> row(n), in(n * n), most(n * n), sum(n * n);
    uint32_t state = 7;
    for (int i = 0; i < n; i++) row[i] = next_random(state) % 8;
    for (int level : {0, 10, 20, 60}) { /* from all lanes on to none */
        for (int i = 0; i < n * n; i++) in[i] = next_random(state) % (1 << bits), most[i] = level;
        raise<<<grid, threads>>>(row.p, in.p, most.p, sum.p, n);
        show(name, most);
        show(name, sum);
    }
}

int main() {
    const int n = 48;
    Array<int> way(n * n), row(n), mark(n * n), more(n * n), out(n * n), place(n * n), last(n);
    uint32_t state = 1;
    const dim3 shapes[] = {{32, 8}, {16, 16}, {8, 8}, {64, 4}, {128, 1}, {32, 32}, {33, 3}, {16, 4}, {4, 64}};
    for (dim3 threads : shapes) {
        const dim3 grid((n + threads.x - 1) / threads.x, (n + threads.y - 1) / threads.y);
        printf("%u x %u\n", threads.x, threads.y);
        for (int i = 0; i < n * n; i++) {
            way[i] = i % (n + 1) ? 1 + next_random(state) % 100 : 0;
            mark[i] = next_random(state) % 100;
            more[i] = next_random(state) % 1000;
            place[i] = (int)(i * 1235ll % (n * n));
        }
        for (int i = 0; i < n; i++) row[i] = next_random(state) % 50;
        for (int k = 0; k < n; k += 4) relax<<<grid, threads>>>(way, n, k);
        show("relax", way);
        CALL(cudaMemset(out, 0, out.n * sizeof(int)));
        add_marked<<<grid, threads>>>(row, mark, more, out, n);
        show("add marked", out);
        CALL(cudaMemset(out, 0, out.n * sizeof(int)));
        marked_rows<<<grid, threads>>>(row, mark, out, n);
        show("marked rows", out);
        CALL(cudaMemset(out, 0, out.n * sizeof(int)));
        CALL(cudaMemset(last, 0, last.n * sizeof(int)));
        leave_early<<<grid, threads>>>(row, mark, out, more, n);
        show("early", out);
        show("late", more);
        window<<<grid, threads>>>(row, mark, out, n);
        show("window", out);
        CALL(cudaMemset(out, 0, out.n * sizeof(int)));
        scattered<<<grid, threads>>>(row, place, mark, out, last, n);
        show("scattered", out);
        show("last", last);
        if (threads.x <= 64) {
            CALL(cudaMemset(out, 0, out.n * sizeof(int)));
            by_tile<<<grid, threads, threads.x * threads.y * sizeof(int)>>>(row, more, out, n);
            show("by tile", out);
        }
        if (threads.x == 8 || threads.x == 64) continue;
        raise_all<int>("raise int", grid, threads, n, 5);
        raise_all<float>("raise float", grid, threads, n, 5);
        raise_all<double>("raise double", grid, threads, n, 5);
        raise_all<unsigned char>("raise byte", grid, threads, n, 5);
        raise_all<short>("raise short", grid, threads, n, 5);
        raise_all<long long>("raise long", grid, threads, n, 5);
    }
    return 0;
}
