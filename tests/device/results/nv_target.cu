// <nv/target> chooses code by where and for what it is compiled, in functions of the host and of the device.
#include <nv/target>

#include <cstdio>

struct seen {
    int side, at_least, exactly, dispatched, nested, none, commas;
};

__host__ __device__ inline int side() { NV_IF_TARGET(NV_IS_DEVICE, (return 2;), (return 1;)) }

__host__ __device__ inline int dispatched() {
    NV_DISPATCH_TARGET(NV_IS_EXACTLY_SM_75, (return 75;), NV_PROVIDES_SM_120, (return 120;),
                       NV_PROVIDES_SM_90, (return 90;), NV_IS_HOST, (return 1;), NV_ANY_TARGET, (return 2;))
}

__host__ __device__ inline seen look() {
    seen s = {};
    s.side = side();
    s.dispatched = dispatched();
    NV_IF_TARGET(NV_PROVIDES_SM_80, (s.at_least = 80;))
    NV_IF_ELSE_TARGET(NV_IS_EXACTLY_SM_90, (s.exactly = 1;), (s.exactly = 2;))
    // Only what is chosen is compiled, and each choice is a block.
    NV_IF_TARGET(NV_IS_DEVICE, (int i = threadIdx.x; NV_IF_TARGET(NV_PROVIDES_SM_70, (s.nested = i + 7;))),
                 (int i = 3; FILE *f = stdout; s.nested = f ? i : 0;))
    NV_IF_TARGET(NV_NO_TARGET, (s.none = undeclared;))
    NV_IF_TARGET(NV_ANY_TARGET, (int a = 1, b = 2; s.commas = a + b;), (undeclared;))
    NV_DISPATCH_TARGET(NV_NO_TARGET, (s.none = 1;), NV_HAS_FEATURE_SM_120a, (s.none = 2;))
    return s;
}

__global__ void kernel(seen *s) { *s = look(); }

static bool is(const char *where, const seen &s, const seen &wanted) {
    const int *a = &s.side, *b = &wanted.side;
    bool same = true;
    for (unsigned i = 0; i < sizeof s / sizeof *a; i++)
        if (a[i] != b[i]) {
            printf("%s: field %u is %d instead of %d\n", where, i, a[i], b[i]);
            same = false;
        }
    return same;
}

int main() {
    seen *s;
    cudaMallocManaged(&s, sizeof *s);
    kernel<<<1, 1>>>(s);
    if (cudaDeviceSynchronize()) return 1;
    bool host = is("host", look(), {1, 0, 2, 1, 3, 0, 3});
    bool device = is("device", *s, {2, 80, 1, 90, 7, 0, 3});
    static_assert(NV_TARGET_MINIMUM_SM_INTEGER == 90, "compiled for sm_90 alone");
    return host && device ? 0 : 1;
}
