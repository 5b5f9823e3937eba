// frees: what a hundred thousand allocations of each kind take, and to free them in four orders; in processor
// time, so that other work on the machine counts little. Prints a line of a table for each kind.
//
//     warpglass cc frees.cu -o frees && ./frees [COUNT]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

static double now() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static cudaStream_t stream;
static cudaMemPool_t pool;

static const struct Kind {
    const char *name;
    cudaError_t (*allocate)(void **, size_t);
    cudaError_t (*release)(void *);
} kinds[] = {
    {"cudaMalloc", [](void **p, size_t n) { return cudaMalloc(p, n); }, [](void *p) { return cudaFree(p); }},
    {"cudaMallocManaged", [](void **p, size_t n) { return cudaMallocManaged(p, n); },
     [](void *p) { return cudaFree(p); }},
    {"cudaHostAlloc", [](void **p, size_t n) { return cudaHostAlloc(p, n, 0); },
     [](void *p) { return cudaFreeHost(p); }},
    {"cudaMallocAsync", [](void **p, size_t n) { return cudaMallocAsync(p, n, stream); },
     [](void *p) { return cudaFreeAsync(p, stream); }},
    {"cudaMallocFromPoolAsync",
     [](void **p, size_t n) { return cudaMallocFromPoolAsync(p, n, pool, stream); },
     [](void *p) { return cudaFreeAsync(p, stream); }},
};

static void check(cudaError_t e) {
    if (e == cudaSuccess) return;
    printf("%s\n", cudaGetErrorString(e));
    exit(1);
}

// The order in which the allocations go: as they came, backwards, anyhow, every other one first.
static std::vector<void *> in_order(std::vector<void *> p, int order) {
    if (order == 1) std::reverse(p.begin(), p.end());
    if (order == 2) std::shuffle(p.begin(), p.end(), std::mt19937(1));
    if (order != 3) return p;
    std::vector<void *> other;
    for (size_t odd = 0; odd < 2; odd++)
        for (size_t i = odd; i < p.size(); i += 2) other.push_back(p[i]);
    return other;
}

int main(int argc, char **argv) {
    size_t count = argc > 1 ? atoi(argv[1]) : 100000;
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    check(cudaStreamCreate(&stream));
    check(cudaMemPoolCreate(&pool, &props));
    printf("| %zu of | allocated | freed in order | backwards | anyhow | every other |\n| --- |", count);
    for (int i = 0; i < 5; i++) printf(" ---: |");
    for (const Kind &k : kinds) {
        double made = 0, freed[4];
        for (int order = 0; order < 4; order++) {
            std::vector<void *> p(count);
            double start = now();
            for (size_t i = 0; i < count; i++) check(k.allocate(&p[i], 256 + i % 7 * 64));
            made += (now() - start) / 4;
            p = in_order(p, order);
            start = now();
            for (void *one : p) check(k.release(one));
            check(cudaStreamSynchronize(stream));
            freed[order] = now() - start;
        }
        printf("\n| %s | %.2f s | %.2f s | %.2f s | %.2f s | %.2f s |", k.name, made, freed[0], freed[1],
               freed[2], freed[3]);
        fflush(stdout);
    }
    printf("\n");
}
