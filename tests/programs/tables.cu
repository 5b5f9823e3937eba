/* tables: shared memory that a block clears, counts in, and hands over to global memory in the end, as users
 * do it: of all operations, with and without a loop over the grid, behind conditions, by warps, in clusters.
 * And kernels that look like it, but where what two blocks hand over is not what one would that had counted
 * for both. The host does block after block what each kernel says.
 */
#include "program.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { BINS = 96, N = 20000 + 77, MOST = BINS + 16 };
typedef unsigned long long wide;

#define T      (threadIdx.x)
#define FIRST  (blockIdx.x * blockDim.x + threadIdx.x)
#define EACH   for (int i = FIRST; i < n; i += gridDim.x * blockDim.x)
#define BIN(k) for (int k = T; k < BINS; k += blockDim.x)
#define ARGS   const int *v, const V *w, int n, V *out

static Array<int> *values;
static int wrong;

/* Runs a kernel in grids of many shapes; the host's table begins as init(b, k), takes each value by
 * count(table, i), and is handed over by hand(out, table, k, b). */
template <typename V, typename Init, typename Count, typename Hand>
static void check(const char *name, void (*kernel)(ARGS), const V *w, V first, Init init, Count count,
                  Hand hand, bool all = false) {
    const int shapes[][2] = {{1, 96}, {3, 96}, {200, 96}, {70, 256}};
    for (auto &s : shapes) {
        const int blocks = all ? (N + s[1] - 1) / s[1] : s[0], threads = s[1];
        Array<V> out(MOST);
        std::vector<V> expected(MOST, first);
        for (int k = 0; k < MOST; k++) out[k] = first;
        kernel<<<blocks, threads>>>(*values, w, N, out);
        CALL(cudaDeviceSynchronize());
        for (int b = 0; b < blocks; b++) {
            std::vector<V> table(MOST);
            for (int k = 0; k < MOST; k++) table[k] = init(b, k);
            for (int from = b * threads; from < N; from += blocks * threads)
                for (int i = from; i < from + threads && i < N; i++) count(table, i);
            for (int k = 0; k < BINS; k++) hand(expected, table, k, b);
        }
        if (memcmp(out.p, expected.data(), MOST * sizeof(V)) == 0) continue;
        wrong++;
        printf("%s is wrong in %d blocks of %d\n", name, blocks, threads);
    }
}

/* ---- of the kind ---- */

#define OPERATION(NAME, ATOMIC, INIT)                                                                        \
    template <typename V> __global__ void NAME(ARGS) {                                                       \
        __shared__ V mine[BINS];                                                                             \
        BIN(k) mine[k] = (INIT);                                                                             \
        __syncthreads();                                                                                     \
        EACH ATOMIC(&mine[v[i]], w[i]);                                                                      \
        __syncthreads();                                                                                     \
        BIN(k) ATOMIC(&out[k], mine[k]);                                                                     \
    }
OPERATION(adds, atomicAdd, 0)
OPERATION(least, atomicMin, 1000 + k)
OPERATION(most, atomicMax, k)
OPERATION(ors, atomicOr, 0)
OPERATION(ands, atomicAnd, V(~0ull))
OPERATION(xors, atomicXor, 0)

template <typename V> __global__ void once(ARGS) {
    extern __shared__ V mine[];
    if (T < BINS) mine[T] = 0;
    for (int k = T + blockDim.x; k < BINS; k += blockDim.x) mine[k] = 0;
    __syncthreads();
    const int i = FIRST;
    if (i < n) atomicAdd(&mine[v[i]], w[i]);
    __syncthreads();
    BIN(k) if (mine[k] != 0) atomicAdd(&out[k], mine[k]);
}
/* Each stage goes on from what those before it have worked out, in the same registers (asm, for the compiler
 * would take others). */
template <typename V> __global__ void carried(ARGS) {
    __shared__ V mine[BINS];
    int at = T, by = blockDim.x, turned = n % BINS;
    for (int k = at; k < BINS; k += by) mine[k] = 0;
    __syncthreads();
    const int from = turned * 5 + 1;
    for (int i = FIRST; i < n; i += gridDim.x * by) atomicAdd(&mine[(v[i] + turned) % BINS], w[i]);
    asm volatile("add.s32 %0, %0, %1;" : "+r"(turned) : "r"(from));
    __syncthreads();
    for (; at < BINS; at += by) {
        atomicAdd(&out[(at + turned) % BINS], mine[at]);
        asm volatile("add.s32 %0, %0, 0;" : "+r"(by));
    }
}
static __global__ void once_kernel(const int *v, const unsigned *w, int n, unsigned *out) {
    __shared__ unsigned mine[BINS];
    BIN(k) mine[k] = 0;
    __syncthreads();
    const int i = FIRST;
    if (i < n) atomicAdd(&mine[v[i]], w[i]);
    __syncthreads();
    BIN(k) {
        const unsigned sum = mine[k];
        if (sum > 0) atomicAdd(&out[k], sum);
    }
}
/* A table for each of some warps; the sum of a bin over them, and one over all bins. */
template <typename V> __global__ void by_warps(ARGS) {
    __shared__ V all[4][BINS];
    for (int k = T; k < 4 * BINS; k += blockDim.x) all[0][k] = 0;
    __syncthreads();
    EACH atomicAdd(&all[T / 32 % 4][v[i]], w[i]);
    __syncthreads();
    BIN(k) {
        V sum = 0;
        for (int way = 0; way < 4; way++) sum += all[way][k];
        atomicAdd(&out[k], sum);
        atomicAdd(&out[BINS], sum);
    }
}
/* A grid of rows of blocks, and blocks of rows of threads. */
static __global__ void image(const int *v, int columns, int rows, unsigned *out) {
    __shared__ unsigned mine[BINS];
    const int t = threadIdx.y * blockDim.x + T;
    if (t < BINS) mine[t] = 0;
    __syncthreads();
    const int x = FIRST, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows) atomicAdd(&mine[v[y * columns + x]], 1);
    __syncthreads();
    if (t < BINS) atomicAdd(&out[t], mine[t]);
}
/* Counts in global memory, too, and only some values. */
template <typename V> __global__ void some(ARGS) {
    __shared__ V mine[BINS];
    BIN(k) mine[k] = 0;
    __syncthreads();
    EACH {
        if (v[i] % 3 == 0) atomicAdd(&mine[v[i]], w[i]);
        if (v[i] % 5 == 0) atomicAdd(&out[BINS + 1], w[i]);
    }
    __syncthreads();
    BIN(k) atomicAdd(&out[k], mine[k]);
}

/* ---- not of the kind ---- */

#define LIKE_SUM(NAME, INIT, COUNT, HAND)                                                                    \
    template <typename V> __global__ void NAME(ARGS) {                                                       \
        __shared__ V mine[BINS];                                                                             \
        BIN(k) mine[k] = (INIT);                                                                             \
        __syncthreads();                                                                                     \
        EACH COUNT;                                                                                          \
        __syncthreads();                                                                                     \
        BIN(k) HAND;                                                                                         \
    }
#define COUNTS atomicAdd(&mine[v[i]], w[i])
LIKE_SUM(from_one, 1, COUNTS, atomicAdd(&out[k], mine[k]))
LIKE_SUM(from_block, V(blockIdx.x * 3), atomicMax(&mine[v[i]], w[i]), atomicMax(&out[k], mine[k]))
LIKE_SUM(xor_from, 5, atomicXor(&mine[v[i]], w[i]), atomicXor(&out[k], mine[k]))
LIKE_SUM(one_more, 0, COUNTS, atomicAdd(&out[k], mine[k] + 1))
LIKE_SUM(at_most, 0, COUNTS, atomicAdd(&out[k], min(mine[k], V(10))))
LIKE_SUM(if_many, 0, COUNTS, if (mine[k] > 40) atomicAdd(&out[k], mine[k]))
LIKE_SUM(if_above, 0, COUNTS, if (mine[k] > 0) atomicAdd(&out[k], mine[k]))
LIKE_SUM(how_many, 0, COUNTS, if (mine[k]) atomicAdd(&out[k], 1))
LIKE_SUM(if_none, 0, COUNTS, if (!mine[k]) atomicAdd(&out[k], 1))
LIKE_SUM(other, 0, COUNTS, if (mine[(k + 1) % BINS]) atomicAdd(&out[k], mine[k]))
LIKE_SUM(most_of_sums, 0, COUNTS, atomicMax(&out[k], mine[k]))
LIKE_SUM(by_block, 0, COUNTS, atomicAdd(&out[(k + blockIdx.x) % BINS], mine[k]))
LIKE_SUM(of_block, 0, COUNTS, if (k % 4 == blockIdx.x % 4) atomicAdd(&out[k], mine[k]))
LIKE_SUM(product, 0, COUNTS, atomicAdd(&out[k], mine[k] * mine[k]))
LIKE_SUM(looks, 0, if (i % 2 || mine[v[i]] != V(1) << 28) COUNTS, atomicAdd(&out[k], mine[k]))
LIKE_SUM(stores, 0, COUNTS, (out[k] = mine[k] ? 7 : 7, atomicAdd(&out[BINS], mine[k])))

/* What is added is another sum than the one that was asked about, in one register. */
static __global__ void asked_before(const int *v, const unsigned *w, int n, unsigned *out) {
    __shared__ unsigned mine[BINS];
    BIN(k) mine[k] = 0;
    __syncthreads();
    EACH COUNTS;
    __syncthreads();
    BIN(k) {
        unsigned sum = mine[k];
        asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %0, 0;\n\tadd.u32 %0, %0, %1;\n\t"
                     "@p red.global.add.u32 [%2], %0;\n\t}"
                     : "+r"(sum)
                     : "r"(mine[(k + 1) % BINS]), "l"(__cvta_generic_to_global(&out[k]))
                     : "memory");
    }
}
template <typename V> __global__ void from_five(ARGS) {
    __shared__ V mine[BINS];
    V sum = 5;
    BIN(k) mine[k] = 0;
    __syncthreads();
    EACH COUNTS;
    __syncthreads();
    if (T) return;
    for (int k = 0; k < BINS; k++) sum += mine[k];
    atomicAdd(&out[0], sum);
}
template <typename V> __global__ void some_blocks(ARGS) {
    __shared__ V mine[BINS];
    if (blockIdx.x % 3 == 1) return;
    BIN(k) mine[k] = 0;
    __syncthreads();
    EACH COUNTS;
    __syncthreads();
    BIN(k) atomicAdd(&out[k], mine[k]);
}
/* Whoever is the last to hand over adds a bin's sum to another one. */
template <typename V> __global__ void last_block(ARGS) {
    __shared__ V mine[BINS];
    __shared__ bool last;
    BIN(k) mine[k] = 0;
    __syncthreads();
    EACH COUNTS;
    __syncthreads();
    BIN(k) atomicAdd(&out[k], mine[k]);
    __threadfence();
    __syncthreads();
    if (T == 0) last = atomicAdd(&out[BINS], 1) == gridDim.x - 1;
    __syncthreads();
    if (last && T == 0) out[BINS + 1] = atomicAdd(&out[7], 0) + atomicAdd(&out[8], 0);
}
static __global__ void widened(const int *v, const wide *w, int n, wide *out) {
    __shared__ unsigned mine[BINS];
    BIN(k) mine[k] = 0;
    __syncthreads();
    EACH atomicAdd(&mine[v[i]], unsigned(w[i]) << 24);
    __syncthreads();
    BIN(k) atomicAdd(&out[k], wide(mine[k]));
}

/* ---- clusters ---- */

/* own: hands over to its own place; else all blocks to two. */
template <typename V, bool own> __global__ void in_cluster(ARGS, int share) {
    extern __shared__ char bytes[];
    V *part = (V *)bytes;
    cg::cluster_group cluster = cg::this_cluster();
    const int me = cluster.block_rank();
    for (int k = T; k < share; k += blockDim.x) part[k] = 0;
    cluster.sync();
    EACH {
        V *holder = cluster.map_shared_rank(part, v[i] / share);
        atomicAdd(&holder[v[i] % share], w[i]);
    }
    cluster.sync();
    for (int k = T; k < share && me * share + k < BINS; k += blockDim.x)
        atomicAdd(&out[own ? me * share + k : blockIdx.x % 2], part[k]);
}
/* Each block of a cluster counts for the next one. */
template <typename V> __global__ void for_neighbour(ARGS, int share) {
    extern __shared__ char bytes[];
    V *part = (V *)bytes;
    cg::cluster_group cluster = cg::this_cluster();
    const int me = cluster.block_rank(), ranks = cluster.num_blocks();
    for (int k = T; k < BINS; k += blockDim.x) part[k] = 0;
    cluster.sync();
    V *next = cluster.map_shared_rank(part, (me + 1) % ranks);
    EACH atomicAdd(&next[v[i]], w[i]);
    cluster.sync();
    for (int k = T; k < BINS; k += blockDim.x) atomicAdd(&out[k], part[k]);
}

/* Each block counts at places of its own in all memories of the cluster: not of the kind, for who counts shows. */
enum { EACH_ONES = 8 };
template <typename V> __global__ void by_counter(ARGS, int share) {
    extern __shared__ char bytes[];
    V *part = (V *)bytes;
    cg::cluster_group cluster = cg::this_cluster();
    const int me = cluster.block_rank(), ranks = cluster.num_blocks();
    for (int k = T; k < BINS; k += blockDim.x) part[k] = 0;
    cluster.sync();
    EACH {
        V *holder = cluster.map_shared_rank(part + me * EACH_ONES, v[i] % ranks);
        atomicAdd(&holder[v[i] % EACH_ONES], w[i]);
    }
    cluster.sync();
    for (int k = T; k < BINS; k += blockDim.x) atomicAdd(&out[k], part[k]);
}

enum handed { TO_OWN, TO_TWO, BY_COUNTER };
template <typename V>
static void check_clusters(const char *name, void (*kernel)(ARGS, int), const V *w, handed how) {
    const int threads = 96;
    for (int ranks : {1, 2, 8})
        for (int clusters : {1, 7, 50}) {
            const int blocks = ranks * clusters, share = (BINS + ranks - 1) / ranks;
            Array<V> out(MOST);
            std::vector<V> expected(MOST, 0);
            cudaLaunchAttribute attribute = {};
            attribute.id = cudaLaunchAttributeClusterDimension;
            attribute.val.clusterDim = {unsigned(ranks), 1, 1};
            cudaLaunchConfig_t config = {};
            config.gridDim = dim3(blocks);
            config.blockDim = dim3(threads);
            config.dynamicSmemBytes = BINS * sizeof(V);
            config.attrs = &attribute;
            config.numAttrs = 1;
            CALL(cudaLaunchKernelEx(&config, kernel, (const int *)*values, w, int(N), (V *)out, share));
            CALL(cudaDeviceSynchronize());
            for (int i = 0; i < N; i++) {
                const int block = i / threads % blocks, value = (*values)[i];
                expected[how == TO_OWN       ? value
                         : how == BY_COUNTER ? block % ranks * EACH_ONES + value % EACH_ONES
                                             : (block / ranks * ranks + value / share) % 2] += w[i];
            }
            if (memcmp(out.p, expected.data(), MOST * sizeof(V)) == 0) continue;
            wrong++;
            printf("%s is wrong in %d clusters of %d blocks of %d\n", name, clusters, ranks, threads);
        }
}

/* others: and those not of the kind, too. */
template <typename V> static void check_all(bool others) {
    Array<V> weights(N);
    Array<int> &v = *values;
    uint32_t state = 11;
    for (int i = 0; i < N; i++) weights[i] = V(int(next_random(state) % 25)) - V(sizeof(V) == 4 ? 9 : 0);
    const V *w = weights, zero = 0, all = V(~0ull);
    auto nothing = [](int, int) { return V(0); };
    auto add = [&](std::vector<V> &t, int i) { t[v[i]] += w[i]; };
    auto sum = [](std::vector<V> &o, std::vector<V> &t, int k, int) { o[k] += t[k]; };
    check<V>("adds", adds, w, zero, nothing, add, sum);
    check<V>(
        "least", least, w, V(5000), [](int, int k) { return V(1000 + k); },
        [&](std::vector<V> &t, int i) { t[v[i]] = w[i] < t[v[i]] ? w[i] : t[v[i]]; },
        [](std::vector<V> &o, std::vector<V> &t, int k, int) { o[k] = t[k] < o[k] ? t[k] : o[k]; });
    auto larger = [&](std::vector<V> &t, int i) { t[v[i]] = w[i] > t[v[i]] ? w[i] : t[v[i]]; };
    auto largest = [](std::vector<V> &o, std::vector<V> &t, int k, int) { o[k] = t[k] > o[k] ? t[k] : o[k]; };
    check<V>("most", most, w, zero, [](int, int k) { return V(k); }, larger, largest);
    check<V>(
        "ors", ors, w, zero, nothing, [&](std::vector<V> &t, int i) { t[v[i]] |= w[i]; },
        [](std::vector<V> &o, std::vector<V> &t, int k, int) { o[k] |= t[k]; });
    check<V>(
        "ands", ands, w, all, [&](int, int) { return all; },
        [&](std::vector<V> &t, int i) { t[v[i]] &= w[i]; },
        [](std::vector<V> &o, std::vector<V> &t, int k, int) { o[k] &= t[k]; });
    auto flip = [&](std::vector<V> &t, int i) { t[v[i]] ^= w[i]; };
    auto flips = [](std::vector<V> &o, std::vector<V> &t, int k, int) { o[k] ^= t[k]; };
    check<V>("xors", xors, w, zero, nothing, flip, flips);
    check<V>(
        "carried", carried, w, zero, nothing,
        [&](std::vector<V> &t, int i) { t[(v[i] + N % BINS) % BINS] += w[i]; },
        [](std::vector<V> &o, std::vector<V> &t, int k, int) { o[(k + N % BINS * 6 + 1) % BINS] += t[k]; });
    check<V>("by_warps", by_warps, w, zero, nothing, add,
             [](std::vector<V> &o, std::vector<V> &t, int k, int) {
                 o[k] += t[k];
                 o[BINS] += t[k];
             });
    check<V>(
        "some", some, w, zero, nothing,
        [&](std::vector<V> &t, int i) {
            if (v[i] % 3 == 0) t[v[i]] += w[i];
            if (v[i] % 5 == 0) t[BINS] += w[i];
        },
        [](std::vector<V> &o, std::vector<V> &t, int k, int) {
            o[k] += t[k];
            if (k == 0) o[BINS + 1] += t[BINS];
        });

    check_clusters<V>("in_cluster", in_cluster<V, true>, w, TO_OWN);
    check_clusters<V>("in_cluster of others", in_cluster<V, false>, w, TO_TWO);
    check_clusters<V>("for_neighbour", for_neighbour, w, TO_OWN);
    check_clusters<V>("by_counter", by_counter, w, BY_COUNTER);
    if (!others) return;

#define NOT(NAME, INIT, COUNT, HAND)                                                                         \
    check<V>(#NAME, NAME, w, zero, INIT, COUNT, [&](std::vector<V> &o, std::vector<V> &t, int k, int b) {    \
        (void)b;                                                                                             \
        HAND;                                                                                                \
    })
    auto one = [](int, int) { return V(1); };
    NOT(from_one, one, add, o[k] += t[k]);
    auto of_its_block = [](int b, int) { return V(b * 3); };
    NOT(from_block, of_its_block, larger, o[k] = t[k] > o[k] ? t[k] : o[k]);
    auto five = [](int, int) { return V(5); };
    NOT(xor_from, five, flip, o[k] ^= t[k]);
    NOT(one_more, nothing, add, o[k] += t[k] + 1);
    NOT(at_most, nothing, add, o[k] += t[k] < V(10) ? t[k] : V(10));
    NOT(if_many, nothing, add, if (t[k] > 40) o[k] += t[k]);
    NOT(if_above, nothing, add, if (t[k] > 0) o[k] += t[k]);
    NOT(how_many, nothing, add, o[k] += t[k] != 0);
    NOT(if_none, nothing, add, o[k] += t[k] == 0);
    NOT(other, nothing, add, if (t[(k + 1) % BINS]) o[k] += t[k]);
    NOT(most_of_sums, nothing, add, o[k] = t[k] > o[k] ? t[k] : o[k]);
    NOT(by_block, nothing, add, o[(k + b) % BINS] += t[k]);
    NOT(of_block, nothing, add, if (k % 4 == b % 4) o[k] += t[k]);
    NOT(product, nothing, add, o[k] += t[k] * t[k]);
    NOT(looks, nothing, add, o[k] += t[k]);
    NOT(stores, nothing, add, (o[k] = 7, o[BINS] += t[k]));
    NOT(from_five, nothing, add, (o[0] += t[k], k == 0 ? o[0] += 5 : o[0]));
    NOT(some_blocks, nothing, add, if (b % 3 != 1) o[k] += t[k]);
}

/* Where operations and widths do not go with signs. */
static void check_unsigned() {
    Array<unsigned> weights(N), out(MOST);
    Array<wide> wides(N);
    Array<int> &v = *values;
    for (int i = 0; i < N; i++) wides[i] = weights[i] = i % 9;
    const unsigned *w = weights;
    typedef std::vector<unsigned> Table;
    auto nothing = [](int, int) { return 0u; };
    auto add = [&](Table &t, int i) { t[v[i]] += w[i]; };
    auto sum = [](Table &o, Table &t, int k, int) { o[k] += t[k]; };
    check<unsigned>("once", once_kernel, w, 0u, nothing, add, sum, true);
    for (int k = 0; k < MOST; k++) out[k] = 0;
    once<unsigned><<<(N + 127) / 128, 128, BINS * sizeof(unsigned)>>>(v, w, N, out);
    CALL(cudaDeviceSynchronize());
    Table expected(MOST, 0);
    for (int i = 0; i < N; i++) expected[v[i]] += w[i];
    if (memcmp(out.p, expected.data(), MOST * sizeof(unsigned))) wrong++, printf("once is wrong\n");

    for (int columns : {37, 1000}) {
        const int rows = N / columns;
        Table bins(MOST, 0);
        for (int k = 0; k < MOST; k++) out[k] = 0;
        image<<<dim3((columns + 15) / 16, (rows + 7) / 8), dim3(16, 8)>>>(v, columns, rows, out);
        CALL(cudaDeviceSynchronize());
        for (int i = 0; i < columns * rows; i++) bins[v[i]]++;
        if (memcmp(out.p, bins.data(), MOST * sizeof(unsigned)))
            wrong++, printf("image is wrong with %d columns\n", columns);
    }
    for (int blocks : {1, 6, 90}) {
        for (int k = 0; k < MOST; k++) out[k] = 0;
        last_block<unsigned><<<blocks, 128>>>(v, w, N, out);
        CALL(cudaDeviceSynchronize());
        if (out[BINS] != unsigned(blocks) || out[BINS + 1] != expected[7] + expected[8])
            wrong++, printf("last_block is wrong in %d blocks\n", blocks);
    }
    check<unsigned>("asked_before", asked_before, w, 0u, nothing, add, [](Table &o, Table &t, int k, int) {
        if (t[k]) o[k] += t[k] + t[(k + 1) % BINS];
    });
    check<wide>(
        "widened", widened, wides, wide(0), [](int, int) { return wide(0); },
        [&](std::vector<wide> &t, int i) { t[v[i]] = unsigned(t[v[i]] + (w[i] << 24)); },
        [](std::vector<wide> &o, std::vector<wide> &t, int k, int) { o[k] += t[k]; });
}

int main() {
    Array<int> v(N);
    uint32_t state = 5;
    for (int i = 0; i < N; i++) v[i] = next_random(state) % BINS;
    values = &v;
    check_all<int>(true);
    check_all<wide>(false);
    check_unsigned();
    printf("%d wrong\n", wrong);
    return 0;
}
