/* Loops that the lanes of a warp leave at different times, with loads from places far apart: rows of sparse
 * matrices, chains, searches, probes. What is alive across such a loop stays what it was, in lanes that are
 * in it and in others. */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

static unsigned state = 12345;
static unsigned next_random() { return state = state * 1664525u + 1013904223u, state >> 8; }

template <class T, class I>
__global__ void rows(int n, const I *begin, const int *column, const T *value, const T *x, T *y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    T sum = 0;
    for (I k = begin[row]; k < begin[row + 1]; k++) sum += value[k] * x[column[k]];
    y[row] = sum;
}

/* The warp's lanes meet behind the loop, and a predicate from before it is wanted there. */
__global__ void rows_of_warps(int n, const int *begin, const short *value, const signed char *sign, int *sums,
                              int *odd) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    const bool is_odd = row < n && begin[row] % 2;
    if (row < n && row % 5 != 3)
        for (int k = begin[row]; k != begin[row + 1]; k++) sum += value[k] * sign[(k * 7) % begin[n]];
    for (int step = 16; step; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    const unsigned odds = __ballot_sync(~0u, is_odd);
    if (threadIdx.x % 32 == 0) sums[row / 32] = sum, odd[row / 32] = __popc(odds);
}

struct node {
    float weight;
    int next;
};
__global__ void chains(int n, const int *first, const node *nodes, float *longest, int *length) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float most = -1;
    int count = 0;
    for (int at = first[i]; at >= 0; at = nodes[at].next) most = fmaxf(most, nodes[at].weight), count++;
    longest[i] = most;
    length[i] = count;
}

/* Where the diagonal i of a merge crosses: two loads a turn that decide it. */
__global__ void crossings(int n, const long long *a, const long long *b, int *where) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 2 * n) return;
    int low = max(0, i - n), high = min(i, n);
    while (low < high) {
        const int middle = (low + high) / 2;
        const bool right = a[middle] <= b[i - 1 - middle];
        low = right ? middle + 1 : low;
        high = right ? high : middle;
    }
    where[i] = low;
}

/* Two tables in shared memory, probed until both have the key or one has a hole. */
__global__ void probes(const unsigned *keys, int *turns) {
    __shared__ unsigned one[256], two[256];
    const unsigned t = threadIdx.x;
    one[t] = keys[t];
    two[t] = keys[255 - t];
    __syncthreads();
    const unsigned key = keys[(t * 77 + blockIdx.x) % 256];
    unsigned h = key % 256, n = 0;
    while ((one[h] != key || two[h] != key) && one[h] && two[(h + 1) % 256] && n < 300)
        h = (h * 5 + 1) % 256, n++;
    turns[blockIdx.x * blockDim.x + t] = n * 256 + h;
}

template <class T> static T *shared_copy(const std::vector<T> &v) {
    T *p;
    cudaMallocManaged(&p, v.size() * sizeof(T));
    for (size_t i = 0; i < v.size(); i++) p[i] = v[i];
    return p;
}
template <class T> static T *space(size_t n) { return shared_copy(std::vector<T>(n, T(-77))); }

static int failures;
static void check(const char *what, bool right) {
    if (!right) failures++;
    printf("%s: %s\n", what, right ? "right" : "WRONG");
}

template <class T, class I> static void try_rows(const char *what, int n, int most) {
    std::vector<I> begin(1, 0);
    std::vector<int> column;
    std::vector<T> value, x;
    for (int i = 0; i < n; i++) begin.push_back(begin.back() + next_random() % (most + 1));
    for (I k = 0; k < begin.back(); k++)
        column.push_back(next_random() % n), value.push_back(T(next_random() % 9) - 4);
    for (int i = 0; i < n; i++) x.push_back(T(next_random() % 100));
    column.push_back(0), value.push_back(0);
    T *y = space<T>(n + 1);
    const I *b = shared_copy(begin);
    rows<<<(n + 127) / 128, 128>>>(n, b, shared_copy(column), shared_copy(value), shared_copy(x), y);
    bool right = cudaDeviceSynchronize() == cudaSuccess && y[n] == T(-77);
    for (int i = 0; i < n; i++) {
        T sum = 0;
        for (I k = begin[i]; k < begin[i + 1]; k++) sum += value[k] * x[column[k]];
        right = right && y[i] == sum;
    }
    check(what, right);
}

static void try_rows_of_warps(int n) {
    std::vector<int> begin(1, 0);
    std::vector<short> value;
    std::vector<signed char> sign;
    for (int i = 0; i < n; i++) begin.push_back(begin.back() + next_random() % 11);
    for (int k = 0; k < begin.back(); k++) value.push_back(next_random()), sign.push_back(next_random());
    int *sums = space<int>(n / 32 + 1), *odd = space<int>(n / 32 + 1);
    rows_of_warps<<<(n + 63) / 64, 64>>>(n, shared_copy(begin), shared_copy(value), shared_copy(sign), sums,
                                         odd);
    bool right = cudaDeviceSynchronize() == cudaSuccess;
    for (int w = 0; w < n / 32; w++) {
        int sum = 0, odds = 0;
        for (int i = 32 * w; i < 32 * w + 32; i++) {
            odds += begin[i] % 2;
            for (int k = begin[i]; i % 5 != 3 && k < begin[i + 1]; k++)
                sum += value[k] * sign[(k * 7) % begin[n]];
        }
        right = right && sums[w] == sum && odd[w] == odds;
    }
    check("rows of warps", right);
}

static void try_chains(int n) {
    std::vector<node> nodes;
    std::vector<int> first;
    for (int i = 0; i < n; i++) {
        int at = -1;
        for (unsigned k = next_random() % 20; k--;)
            nodes.push_back({float(next_random() % 1000), at}), at = nodes.size() - 1;
        first.push_back(at);
    }
    float *longest = space<float>(n);
    int *length = space<int>(n);
    chains<<<(n + 95) / 96, 96>>>(n, shared_copy(first), shared_copy(nodes), longest, length);
    bool right = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < n; i++) {
        float most = -1;
        int count = 0;
        for (int at = first[i]; at >= 0; at = nodes[at].next)
            most = nodes[at].weight > most ? nodes[at].weight : most, count++;
        right = right && longest[i] == most && length[i] == count;
    }
    check("chains", right);
}

static void try_crossings(int n) {
    std::vector<long long> a, b;
    long long x = 0, y = 0;
    for (int i = 0; i < n; i++) a.push_back(x += next_random() % 50), b.push_back(y += next_random() % 50);
    int *where = space<int>(2 * n + 1);
    crossings<<<(2 * n + 128) / 128, 128>>>(n, shared_copy(a), shared_copy(b), where);
    bool right = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0, j = 0, d = 0; d <= 2 * n; d++) { /* i of a and j of b come first */
        right = right && where[d] == i;
        if (j == n || (i < n && a[i] <= b[j]))
            i++;
        else
            j++;
    }
    check("crossings", right);
}

static void try_probes() {
    std::vector<unsigned> keys;
    for (int i = 0; i < 256; i++) keys.push_back(i % 37 ? next_random() % 300 : 0);
    int *turns = space<int>(3 * 256);
    probes<<<3, 256>>>(shared_copy(keys), turns);
    bool right = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < 3 * 256; i++) {
        const unsigned key = keys[(i % 256 * 77 + i / 256) % 256];
        unsigned h = key % 256, n = 0;
        while ((keys[h] != key || keys[255 - h] != key) && keys[h] && keys[255 - (h + 1) % 256] && n < 300)
            h = (h * 5 + 1) % 256, n++;
        right = right && turns[i] == int(n * 256 + h);
    }
    check("probes", right);
}

int main() {
    try_rows<float, int>("rows of float", 1000, 32);
    try_rows<double, int>("rows of double", 333, 7);
    try_rows<int, long long>("rows of int, long places", 700, 50);
    try_rows<long long, int>("rows of long, mostly none", 2000, 1);
    try_rows<short, unsigned>("rows of short", 500, 20);
    try_rows_of_warps(960);
    try_chains(1000);
    try_crossings(700);
    try_probes();
    return failures != 0;
}
