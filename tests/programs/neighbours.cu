/* neighbours: loops over lists of neighbours, of any length, with nothing behind them but the kernel's end: what a search
 * through a graph is made of. Lanes part in them and leave one by one, by the list's end or by a return. Every result is what
 * the host computes.
 */
#include "program.h"

struct Graph {
    const int *first, *leads, *value;
    int n;
};

/* A level of a search: whoever reaches a vertex writes the same. */
__global__ void advance(Graph g, int *level, int *more, int now) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= g.n || level[v] != now) return;
    for (int e = g.first[v]; e < g.first[v + 1]; e++) {
        const int to = g.leads[e];
        if (level[to] < 0) {
            level[to] = now + 1;
            *more = 1;
        }
    }
}

/* The first neighbour above a bound; it is all that a thread looks for. */
__global__ void find(Graph g, int *found, int bound) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= g.n) return;
    for (int e = g.first[v]; e < g.first[v + 1]; e++) {
        const int to = g.leads[e];
        if (g.value[to] > bound) {
            found[v] = to;
            return;
        }
        if (g.value[to] % 3 == 0) found[g.n + v] += to;
    }
}

/* Behind a barrier, from what the block has put together; then each edge's own word. */
__global__ void edges(Graph g, int *out) {
    __shared__ int block[128];
    const int v = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    block[t] = v < g.n ? g.value[v] : 7;
    __syncthreads();
    const int next = block[(t + 1) % blockDim.x];
    if (v >= g.n || block[t] % 5 == 0) return;
    for (int e = g.first[v]; e < g.first[v + 1]; e++) {
        const int of = g.value[g.leads[e]];
        if (of % 2)
            out[e] = of * next;
        else if (of % 7 < 3)
            out[e] = of - next;
    }
}

/* Twice, with a list of lists. */
__global__ void beyond(Graph g, int *out) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= g.n) return;
    int sum = v;
    for (int e = g.first[v]; e < g.first[v + 1]; e++) {
        const int to = g.leads[e];
        for (int f = g.first[to]; f < g.first[to + 1]; f++)
            if (g.value[g.leads[f]] % 3) sum = sum % 10007 * 3 + g.value[g.leads[f]];
        if (sum % 4 == 1) out[e] = sum;
    }
}

static int wrong;

static void compare(const char *what, const int *got, const std::vector<int> &want) {
    CALL(cudaDeviceSynchronize());
    for (size_t i = 0; i < want.size(); i++)
        if (got[i] != want[i] && wrong++ < 5)
            printf("%s: word %zu is %d, not %d\n", what, i, got[i], want[i]);
}

static void search(const Graph &g, int *level, int *more, int threads) {
    std::vector<int> want(g.n, -1), queue(1, 0);
    want[0] = 0;
    for (size_t at = 0; at < queue.size(); at++)
        for (int e = g.first[queue[at]]; e < g.first[queue[at] + 1]; e++)
            if (want[g.leads[e]] < 0) {
                want[g.leads[e]] = want[queue[at]] + 1;
                queue.push_back(g.leads[e]);
            }
    for (int v = 0; v < g.n; v++) level[v] = v ? -1 : 0;
    *more = 1;
    for (int now = 0; *more; now++) {
        *more = 0;
        advance<<<(g.n + threads - 1) / threads, threads>>>(g, level, more, now);
        CALL(cudaDeviceSynchronize());
    }
    compare("search", level, want);
}

static void look(const Graph &g, int *found, int threads, int bound) {
    std::vector<int> want(2 * g.n, -1);
    for (int i = 0; i < 2 * g.n; i++) found[i] = -1;
    for (int v = 0; v < g.n; v++)
        for (int e = g.first[v]; e < g.first[v + 1] && want[v] < 0; e++) {
            const int to = g.leads[e];
            if (g.value[to] > bound)
                want[v] = to;
            else if (g.value[to] % 3 == 0)
                want[g.n + v] += to;
        }
    find<<<(g.n + threads - 1) / threads, threads>>>(g, found, bound);
    compare("find", found, want);
}

static void mark(const Graph &g, int *out, int threads) {
    std::vector<int> want(g.first[g.n], 9), far(g.first[g.n], 9);
    for (int e = 0; e < g.first[g.n]; e++) out[e] = 9;
    for (int v = 0; v < g.n; v++) {
        const int begin = v - v % threads, after = begin + (v + 1 - begin) % threads;
        const int next = after < g.n ? g.value[after] : 7;
        int sum = v;
        for (int e = g.first[v]; e < g.first[v + 1]; e++) {
            const int to = g.leads[e], of = g.value[to];
            if (g.value[v] % 5 && of % 2)
                want[e] = of * next;
            else if (g.value[v] % 5 && of % 7 < 3)
                want[e] = of - next;
            for (int f = g.first[to]; f < g.first[to + 1]; f++)
                if (g.value[g.leads[f]] % 3) sum = sum % 10007 * 3 + g.value[g.leads[f]];
            if (sum % 4 == 1) far[e] = sum;
        }
    }
    edges<<<(g.n + threads - 1) / threads, threads>>>(g, out);
    compare("edges", out, want);
    for (int e = 0; e < g.first[g.n]; e++) out[e] = 9;
    beyond<<<(g.n + threads - 1) / threads, threads>>>(g, out);
    compare("beyond", out, far);
}

int main() {
    const int n = 3001, most = 20;
    Array<int> first(n + 1), leads(n * most), value(n), out(n * most), more(1);
    uint32_t state = 11;
    for (int least : {0, 3}) {
        for (int v = 0; v < n; v++) {
            first[v + 1] = first[v] + least + (int)(next_random(state) % (most - least));
            value[v] = (int)(next_random(state) % 1000);
        }
        for (int e = 0; e < first[n]; e++) leads[e] = (int)(next_random(state) % n);
        const Graph g = {first, leads, value, n};
        for (int threads : {128, 32, 48, 100}) {
            search(g, out, more, threads);
            for (int bound : {-1, 700, 990, 1000}) look(g, out, threads, bound);
            mark(g, out, threads);
        }
    }
    printf("neighbours: %s\n", wrong ? "wrong" : "right");
    return wrong != 0;
}
