/* Cluster dimensions in the source: they hold for C++ and extern "C" kernels, and show in no name. */
#include <cooperative_groups.h>
#include <cstring>
#include "check.h"
#define SIZE 4
namespace cg = cooperative_groups;

namespace space {
__global__ void __cluster_dims__(2, 1, 1) pair(int *p) { p[blockIdx.x] = cg::this_cluster().num_blocks(); }
} // namespace space
template <class T> __global__ void __cluster_dims__(SIZE, 2) __launch_bounds__(128) many(T *p) {
    p[blockIdx.x] = cg::this_cluster().num_blocks();
}
extern "C" __global__ void __cluster_dims__(2, 1, 1) in_c(int *p) {
    p[blockIdx.x] = cg::this_cluster().num_blocks();
}
extern "C" {
__cluster_dims__(4) __global__ void in_braces(int *p) { p[blockIdx.x] = cg::this_cluster().num_blocks(); }
}

static bool all(const int *p, int blocks, int cluster) {
    wait();
    for (int i = 0; i < blocks; i++)
        if (p[i] != cluster) return false;
    return true;
}
static bool named(const void *kernel, const char *expected) {
    const char *name = "none";
    return cudaFuncGetName(&name, kernel) == cudaSuccess && !strcmp(name, expected);
}

int main() {
    int *p = array<int>(64);
    space::pair<<<4, 32>>>(p);
    CHECK(all(p, 4, 2));
    many<<<dim3(8, 2), 128>>>(p);
    CHECK(all(p, 8, 8));
    in_c<<<6, 32>>>(p);
    CHECK(all(p, 6, 2));
    in_braces<<<4, 32>>>(p);
    CHECK(all(p, 4, 4));
    CHECK(named((const void *)space::pair, "_ZN5space4pairEPi"));
    CHECK(named((const void *)many<int>, "_Z4manyIiEvPT_"));
    CHECK(named((const void *)in_c, "_Z4in_cPi") || named((const void *)in_c, "in_c")); // clang's, nvcc's
    in_c<<<3, 32>>>(p); // no multiple of the cluster
    CHECK(cudaGetLastError() == cudaErrorInvalidClusterSize);
    return finish();
}
