/* recursion: functions that call themselves, or each other, or what may come back to them through a pointer.
 */
#include <cstdio>

template <class T> static void show(const char *what, const T *v, int n) {
    printf("%-12s", what);
    for (int i = 0; i < n; i++) printf(" %lld", (long long)v[i]);
    printf("\n");
}

/* ---- numbers ---- */

__device__ __noinline__ unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
    return !m ? n + 1 : ackermann(m - 1, n ? ackermann(m, n - 1) : 1);
}
__device__ bool is_odd(unsigned n);
__device__ __noinline__ bool is_even(unsigned n) { return !n || is_odd(n - 1); }
__device__ __noinline__ bool is_odd(unsigned n) { return n && is_even(n - 1); }
/* A ring that is entered at either end, with values of all widths alive across the calls. */
__device__ double pong(int n, short s, long long w, bool b, double d);
__device__ __noinline__ double ping(int n, short s, long long w, bool b, double d) {
    if (n <= 0) return d;
    double r = pong(n - 1, (short)(s * 3 + 1), w * 5 - n, !b, d + 0.5);
    return r + s + (double)(w & 1023) + (b ? 0.25 : 0) + n;
}
__device__ __noinline__ double pong(int n, short s, long long w, bool b, double d) {
    if (n <= 0) return -d;
    double r = ping(n - 2, (short)(s - n), w ^ 0x123456789abcdefll, b, d * 1.5);
    return b ? r - s : r + (double)(w % 97) * n;
}
__global__ void numbers(unsigned *out, double *reals) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = fib(i % 13);
    v = v * 31 + ackermann(i % 3, i % 5);
    v = v * 31 + (is_even(i % 41) ? 1 : 2);
    v = v * 31 + is_odd(i % 17);
    out[i] = v + fib(10);
    reals[i] = i & 1 ? ping(i % 11, (short)i, i * 1000003ll, i & 2, i)
                     : pong(i % 9, (short)-i, i, i & 4, 1.0 / (i + 1));
}

/* ---- variables of each activation ---- */

__device__ __noinline__ void quicksort(int *a, int n) {
    if (n < 2) return;
    int pivot = a[n / 2], i = 0, j = n - 1;
    while (i <= j) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) {
            int t = a[i];
            a[i++] = a[j], a[j--] = t;
        }
    }
    quicksort(a, j + 1);
    quicksort(a + i, n - i);
}
__device__ __noinline__ void merge_sort(int *a, int n) {
    int half[16];
    if (n < 2) return;
    int m = n / 2;
    merge_sort(a, m);
    merge_sort(a + m, n - m);
    for (int i = 0; i < m; i++) half[i] = a[i];
    for (int i = 0, l = 0, r = m; i < n; i++)
        a[i] = r == n || (l < m && half[l] <= a[r]) ? half[l++] : a[r++];
}
__global__ void sorts(unsigned *out) {
    int a[32], b[32];
    unsigned x = threadIdx.x * 2654435761u + blockIdx.x + 1, n = 4 + threadIdx.x % 29, sum = 0;
    for (int i = 0; i < 32; i++) a[i] = b[i] = (int)((x = x * 1664525 + 1013904223) >> 16) % 1000;
    quicksort(a, (int)n);
    merge_sort(b, (int)n);
    for (unsigned i = 0; i < 32; i++) sum = sum * 131 + (unsigned)a[i] + (unsigned)(a[i] != b[i]) * 1000000;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* The board is one for all activations, the list of choices one for each. */
__device__ __noinline__ int place(int *board, int row, int n) {
    int choice[8], k = 0, found = 0;
    if (row == n) return 1;
    for (int c = 0; c < n; c++) {
        bool good = true;
        for (int r = 0; r < row; r++)
            good &= board[r] != c && board[r] + row - r != c && board[r] - row + r != c;
        if (good) choice[k++] = c;
    }
    for (int i = 0; i < k; i++) {
        board[row] = choice[i];
        found += place(board, row + 1, n);
    }
    return found;
}
/* The address of a variable goes down, and what is below writes to it. */
__device__ __noinline__ void count_down(int n, int *above) {
    int mine = n;
    if (n > 0) {
        count_down(n - 1, &mine);
        count_down(n - 3, &mine);
    }
    *above += mine;
}
struct pair {
    int a, b, c[5];
};
__device__ __noinline__ pair fold(pair p, int n) {
    if (n <= 0) return p;
    pair q = p;
    q.c[n % 5] += n;
    q = fold(q, n - 1);
    q.a += p.b;
    q.b ^= p.c[n % 5];
    return q;
}
__global__ void frames(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int board[8], top = 0;
    unsigned v = (unsigned)place(board, 0, 4 + i % 4);
    count_down((int)(i % 9), &top);
    pair p = {(int)i, 2, {1, 2, 3, 4, 5}};
    p = fold(p, (int)(i % 13));
    v = v * 31 + (unsigned)top;
    v = v * 31 + (unsigned)p.a + (unsigned)p.b * 7;
    for (int k = 0; k < 5; k++) v = v * 31 + (unsigned)p.c[k];
    out[i] = v;
}

/* ---- through pointers ---- */

struct node {
    __device__ virtual int eval(int x) const = 0;
};
struct leaf : node {
    int v;
    __device__ leaf(int v) : v(v) {}
    __device__ int eval(int x) const override { return v ^ x; }
};
struct sum : node {
    const node *a, *b;
    __device__ sum(const node *a, const node *b) : a(a), b(b) {}
    __device__ int eval(int x) const override { return a->eval(x + 1) + b->eval(x - 1); }
};
struct product : node {
    const node *a, *b;
    __device__ product(const node *a, const node *b) : a(a), b(b) {}
    __device__ int eval(int x) const override { return a->eval(x) * b->eval(x); }
};
struct minus : node {
    const node *a;
    __device__ minus(const node *a) : a(a) {}
    __device__ int eval(int x) const override { return -a->eval(2 * x); }
};
struct loop : node {
    const node *a;
    __device__ loop(const node *a) : a(a) {}
    __device__ int eval(int x) const override {
        int s = 0;
        for (int k = 0; k < (x & 3) + 1; k++) s += a->eval(k + s) ^ k;
        return s;
    }
};
__global__ void tree(int *out) {
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    leaf l1(i), l2(5), l3(-i);
    sum s1(&l1, &l2);
    minus m1(&s1);
    product p1(&m1, &l3);
    loop o1(&p1), o2(&s1);
    sum s2(&o1, i % 3 ? (const node *)&o2 : (const node *)&l2);
    const node *root = i % 5 == 0   ? (const node *)&s2
                       : i % 5 == 1 ? (const node *)&o1
                       : i % 5 == 2 ? (const node *)&l1
                       : i % 5 == 3 ? (const node *)&p1
                                    : (const node *)&m1;
    out[i] = root->eval(i % 7);
}

typedef int (*step)(int n, int f);
__device__ int down(int n, int f);
__device__ int twice(int n, int f);
__device__ int stop(int n, int) { return n; }
__device__ step steps[3] = {down, twice, stop};
__device__ int down(int n, int f) { return n <= 0 ? f : steps[(n + f) % 3](n - 1, f) + n; }
__device__ int twice(int n, int f) {
    return n <= 0 ? 1 : steps[n % 3](n - 2, f + 1) * 2 + steps[(n + 1) % 3](n - 3, f);
}
__global__ void pointers(int *out) {
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    out[i] = steps[i % 3](i % 17, i % 2);
}

/* ---- lanes that meet, and blocks ---- */

__device__ __noinline__ int ladder(int n, int v) {
    v += __shfl_xor_sync(0xffffffffu, v, 1 << (n % 5));
    if (n > 0) v = ladder(n - 1, v) + n;
    __syncwarp();
    return v + __shfl_down_sync(0xffffffffu, v, 1);
}
__device__ __noinline__ int halves(int *shared, int n) { /* all threads: a sum over the block */
    if (n == 1) return shared[0];
    if ((int)threadIdx.x < n / 2) shared[threadIdx.x] += shared[threadIdx.x + n / 2];
    __syncthreads();
    return halves(shared, n / 2);
}
__device__ __noinline__ unsigned voters(unsigned n) { /* lanes come here differently deep */
    if (n == 0) return __popc(__activemask()) > 0;
    return voters(n - 1) + 1;
}
__global__ void together(int *out) {
    __shared__ int s[128];
    int i = (int)threadIdx.x;
    s[i] = i * i + (int)blockIdx.x;
    unsigned mine = voters((unsigned)i % 6);
    __syncwarp();
    int all = __reduce_add_sync(0xffffffffu, (int)mine);
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = ladder(6, i) * 3 + halves(s, 128) + all;
}

/* ---- as deep as there is room, and deeper ---- */

__device__ __noinline__ unsigned deep(unsigned n) { return n ? deep(n - 1) * 3 + n : 0; }
__device__ __noinline__ unsigned endless(const unsigned *ends, unsigned n) {
    return ends[n % 2] == 12345 ? n : endless(ends, n + 1) * 3 + n;
}
__global__ void deeper(unsigned *out, unsigned n) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = deep(n + threadIdx.x % 3);
}
/* A frame larger than what recursive kernels have for a stack, unless more is asked for. */
__device__ __noinline__ int wide(int n, int k) {
    int a[24 * 1024];
    for (int i = 0; i < 24 * 1024; i += 1024) a[i + (k & 1023)] = n * i + k;
    int s = n > 0 ? wide(n - 1, k + 1) : 0;
    for (int i = 0; i < 24 * 1024; i += 1024) s = s * 3 + a[i + (k & 1023)];
    return s;
}
__global__ void wider(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (unsigned)wide(0, (int)i);
}
__global__ void never(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i == 40 ? endless(out, i) : deep(i);
}

int main() {
    enum { N = 256 };
    unsigned *u;
    double *d;
    cudaMallocManaged(&u, N * sizeof *u);
    cudaMallocManaged(&d, N * sizeof *d);
    auto sum_of = [&] {
        unsigned s = 0;
        cudaError_t e = cudaDeviceSynchronize();
        if (e != cudaSuccess) printf("%s\n", cudaGetErrorString(e));
        for (int i = 0; i < N; i++) s = s * 31 + u[i];
        return s;
    };
    numbers<<<2, 128>>>(u, d);
    unsigned s = sum_of();
    show("numbers", u, 10);
    printf("%u %.6f %.6f %.6f\n", s, d[3], d[8], d[37]);
    sorts<<<2, 128>>>(u);
    printf("sorts %u\n", sum_of());
    cudaDeviceSetLimit(cudaLimitStackSize,
                       16 * 1024); /* an H200 needs more than the 1024 bytes that there are */
    frames<<<2, 128>>>(u);
    s = sum_of();
    show("frames", u, 10);
    printf("%u\n", s);
    tree<<<2, 128>>>((int *)u);
    s = sum_of();
    show("tree", (int *)u, 10);
    printf("%u\n", s);
    pointers<<<2, 128>>>((int *)u);
    s = sum_of();
    show("pointers", (int *)u, 10);
    printf("%u\n", s);
    together<<<2, 128>>>((int *)u);
    s = sum_of();
    show("together", (int *)u, 6);
    printf("%u\n", s);
    wider<<<1, 64>>>(u);
    s = sum_of();
    show("wider", u, 4);
    printf("%u\n", s);
    cudaDeviceSetLimit(cudaLimitStackSize, 96 * 1024);
    deeper<<<1, 64>>>(u, 300);
    s = sum_of();
    show("deeper", u, 4);
    printf("%u\n", s);
    never<<<1, 64>>>(u);
    printf("never: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
