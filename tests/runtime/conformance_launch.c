/* What the runtime API answers, call by call: see probe.h.
 * Libraries, launches, attributes, occupancy.
 */
#include "tests/runtime/conformance.h"

/* NOLINTBEGIN(readability-function-size): a probe is a list of calls, as long as it is. */

cudaLibrary_t library;
cudaKernel_t kernel(const char *name) {
    cudaKernel_t k = NULL;
    if (!library && cudaLibraryLoadData(&library, probe_ptx, NULL, NULL, 0, NULL, NULL, 0) != cudaSuccess) {
        printf("%s: the library does not load\n", probe_name);
        exit(1);
    }
    if (cudaLibraryGetKernel(&k, library, name) != cudaSuccess)
        printf("%s: no kernel %s\n", probe_name, name);
    return k;
}

PROBE(library) {
    cudaKernel_t k;
    void *g = NULL;
    size_t n = 0;
    unsigned count = 0;
    E(cudaLibraryLoadData(&library, probe_ptx, NULL, NULL, 0, NULL, NULL, 0));
    E(cudaLibraryLoadData(NULL, probe_ptx, NULL, NULL, 0, NULL, NULL, 0));
    E(cudaLibraryLoadData(&library, NULL, NULL, NULL, 0, NULL, NULL, 0));
    LAST();
    E(cudaLibraryGetKernel(&k, library, "nop"));
    E(cudaLibraryGetKernel(&k, library, "absent"));
    E(cudaLibraryGetKernel(NULL, library, "nop"));
    E(cudaLibraryGetKernel(&k, library, NULL));
    LAST();
    E(cudaLibraryGetGlobal(&g, &n, library, "counter"));
    V(n);
    E(cudaLibraryGetGlobal(&g, &n, library, "table"));
    V(n);
    E(cudaLibraryGetGlobal(&g, &n, library, "absent"));
    E(cudaLibraryGetGlobal(NULL, &n, library, "table"));
    E(cudaLibraryGetGlobal(&g, NULL, library, "table"));
    E(cudaLibraryGetGlobal(NULL, NULL, library, "table"));
    E(cudaLibraryGetManaged(&g, &n, library, "managed"));
    V(n);
    V(*(int *)g);
    E(cudaLibraryGetManaged(&g, &n, library, "counter"));
    E(cudaLibraryGetGlobal(&g, &n, library, "managed"));
    E(cudaLibraryGetKernelCount(&count, library));
    V(count);
    E(cudaLibraryLoadData(&library, "", NULL, NULL, 0, NULL, NULL, 0));
    E(cudaLibraryLoadData(&library, "nonsense that is no PTX", NULL, NULL, 0, NULL, NULL, 0));
    E(cudaLibraryLoadData(&library,
                          ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { frobnicate; }\n", NULL,
                          NULL, 0, NULL, NULL, 0));
    E(cudaLibraryLoadData(&library, ".version 99.0\n.target sm_90\n.address_size 64\n", NULL, NULL, 0, NULL,
                          NULL, 0));
    E(cudaLibraryLoadData(&library, ".version 8.0\n.target sm_999\n.address_size 64\n", NULL, NULL, 0, NULL,
                          NULL, 0));
    E(cudaLibraryLoadData(&library, ".version 8.8\n.target sm_100\n.address_size 64\n.entry k() { ret; }\n",
                          NULL, NULL, 0, NULL, NULL, 0));
    LAST();
}
PROBE(launch) {
    cudaKernel_t nop = kernel("nop"), bounded = kernel("bounded"), required = kernel("required"),
                 shared = kernel("shared4096"), store = kernel("store");
    LAUNCH(nop, D1(1), D1(1), NULL, 0, 0);
    LAUNCH(nop, D1(0), D1(1), NULL, 0, 0);
    LAST();
    LAST();
    LAUNCH(nop, D1(1), D1(0), NULL, 0, 0);
    LAUNCH(nop, ((dim3){1, 0, 1}), D1(1), NULL, 0, 0);
    LAUNCH(nop, D1(1), D1(1024), NULL, 0, 0);
    LAUNCH(nop, D1(1), D1(1025), NULL, 0, 0);
    LAUNCH(nop, D1(1), ((dim3){32, 33, 1}), NULL, 0, 0);
    LAUNCH(nop, D1(1), ((dim3){1, 1, 65}), NULL, 0, 0);
    LAUNCH(nop, ((dim3){1, 65536, 1}), D1(1), NULL, 0, 0);
    LAUNCH(nop, ((dim3){1, 1, 65536}), D1(1), NULL, 0, 0);
    LAUNCH(nop, ((dim3){0x80000000u, 1, 1}), D1(1), NULL, 0, 0);
    LAST();
    LAUNCH(nop, D1(1), D1(1), NULL, 48 << 10, 0);
    LAUNCH(nop, D1(1), D1(1), NULL, (48 << 10) + 1, 0);
    LAUNCH(nop, D1(1), D1(1), NULL, 1 << 20, 0);
    LAUNCH(nop, D1(1), D1(1), NULL, (size_t)1 << 33, 0);
    LAST();
    LAUNCH(bounded, D1(1), D1(128), NULL, 0, 0);
    LAUNCH(bounded, D1(1), D1(129), NULL, 0, 0);
    LAUNCH(required, D1(1), D1(64), NULL, 0, 0);
    LAUNCH(required, D1(1), D1(32), NULL, 0, 0);
    LAUNCH(required, D1(1), D1(96), NULL, 0, 0);
    LAST();
    void *p;
    cudaMalloc(&p, 64);
    int v = 1;
    void *args[] = {&p, &v};
    LAUNCH(shared, D1(1), D1(1), args, 45056, 0);
    LAUNCH(shared, D1(1), D1(1), args, 45057, 0);
    LAUNCH(store, D1(1), D1(1), args, 0, 0);
    LAUNCH(store, D1(1), D1(1), NULL, 0, 0);
    LAUNCH(NULL, D1(1), D1(1), NULL, 0, 0);
    LAST();
    LAUNCH(nop, D1(1), D1(1), NULL, 0, (cudaStream_t)2);
    LAUNCH(nop, D1(1), D1(1), NULL, 0, (cudaStream_t)1);
    E(cudaDeviceSynchronize());
}
static int not_a_kernel;
PROBE(launch_bad1) {
    LAUNCH(&not_a_kernel, D1(1), D1(1), NULL, 0, 0);
    LAST();
    LAUNCH(&not_a_kernel, D1(0), D1(1), NULL, 0, 0);
    LAST();
    struct cudaFuncAttributes a;
    E(cudaFuncGetAttributes(&a, &not_a_kernel));
    int b;
    E(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&b, &not_a_kernel, 32, 0));
    void *p;
    size_t n;
    E(cudaGetSymbolAddress(&p, &not_a_kernel));
    E(cudaGetSymbolSize(&n, &not_a_kernel));
    E(cudaMemcpyToSymbol(&not_a_kernel, &n, 4, 0, cudaMemcpyHostToDevice));
    E(cudaGetSymbolAddress(&p, NULL));
    E(cudaGetSymbolAddress(NULL, &not_a_kernel));
    E(cudaMemcpyFromSymbol(&n, NULL, 4, 0, cudaMemcpyDeviceToHost));
    E(cudaFuncSetAttribute(&not_a_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    E(cudaFuncSetCacheConfig(&not_a_kernel, 0));
    LAST();
}
PROBE(launch_bad2) {
    LAUNCH(kernel("nop"), D1(1), D1(1), NULL, 0, (cudaStream_t)0x7777);
    LAST();
}
PROBE(func_attributes) {
    cudaKernel_t nop = kernel("nop"), shared = kernel("shared4096"), bounded = kernel("bounded"),
                 required = kernel("required"), pair = kernel("pair");
    struct cudaFuncAttributes a;
    void *p;
    cudaMalloc(&p, 64);
    void *args[] = {&p};
#define ATTRS(K)                                                                                             \
    E(cudaFuncGetAttributes(&a, (const void *)(K)));                                                         \
    V(a.sharedSizeBytes);                                                                                    \
    V(a.localSizeBytes);                                                                                     \
    V(a.maxThreadsPerBlock);                                                                                 \
    V(a.ptxVersion);                                                                                         \
    V(a.binaryVersion);                                                                                      \
    V(a.cacheModeCA);                                                                                        \
    V(a.maxDynamicSharedSizeBytes);                                                                          \
    V(a.preferredShmemCarveout);                                                                             \
    V(a.clusterDimMustBeSet);                                                                                \
    V(a.requiredClusterWidth);                                                                               \
    V(a.requiredClusterHeight);                                                                              \
    V(a.requiredClusterDepth);                                                                               \
    V(a.clusterSchedulingPolicyPreference);                                                                  \
    V(a.nonPortableClusterSizeAllowed)
    ATTRS(nop);
    ATTRS(shared);
    ATTRS(bounded);
    ATTRS(required);
    ATTRS(pair);
    E(cudaFuncGetAttributes(NULL, (const void *)nop));
    E(cudaFuncGetAttributes(&a, NULL));
    LAST();
#define SETA(K, A, X) E(cudaFuncSetAttribute((const void *)(K), (enum cudaFuncAttribute)(A), X))
    SETA(shared, 8, 232448 - 4096);
    ATTRS(shared);
    SETA(shared, 8, 232448 - 4095);
    LAST();
    SETA(shared, 8, -1);
    SETA(shared, 8, 0);
    E(cudaFuncGetAttributes(&a, (const void *)shared));
    V(a.maxDynamicSharedSizeBytes);
    SETA(shared, 8, 100000);
    LAUNCH(shared, D1(1), D1(1), args, 100000, 0);
    LAUNCH(shared, D1(1), D1(1), args, 100001, 0);
    LAST();
    SETA(nop, 9, 50);
    SETA(nop, 9, 101);
    SETA(nop, 9, -1);
    SETA(nop, 9, -2);
    SETA(nop, 14, 1);
    SETA(nop, 14, 2);
    SETA(nop, 10, 1);
    SETA(nop, 11, 2);
    SETA(nop, 12, 1);
    SETA(nop, 13, 1);
    SETA(nop, 15, 1);
    SETA(nop, 15, 9);
    SETA(nop, 0, 1);
    SETA(nop, 77, 1);
    SETA(pair, 11, 2);
    SETA(NULL, 8, 1);
    LAST();
    ATTRS(nop);
    E(cudaFuncSetCacheConfig((const void *)nop, cudaFuncCachePreferL1));
    E(cudaFuncSetCacheConfig((const void *)nop, (enum cudaFuncCache)9));
    E(cudaFuncSetSharedMemConfig((const void *)nop, cudaSharedMemBankSizeFourByte));
    E(cudaFuncSetSharedMemConfig((const void *)nop, (enum cudaSharedMemConfig)9));
    const char *name = NULL;
    E(cudaFuncGetName(&name, (const void *)nop));
    S(name ? name : "(null)");
    E(cudaFuncGetName(NULL, (const void *)nop));
    E(cudaFuncGetName(&name, NULL));
    size_t off = 77, size = 77;
    cudaKernel_t par = kernel("params");
    for (int i = 0; i < 5; i++) {
        off = size = 77;
        E(cudaFuncGetParamInfo((const void *)par, i, &off, &size));
        V(off);
        V(size);
    }
    E(cudaFuncGetParamInfo((const void *)par, 0, NULL, &size));
    E(cudaFuncGetParamInfo((const void *)par, 0, &off, NULL));
    cudaFunction_t f;
    E(cudaGetFuncBySymbol(&f, (const void *)nop));
    LAST();
}
PROBE(occupancy) {
    cudaKernel_t nop = kernel("nop"), shared = kernel("shared4096"), bounded = kernel("bounded");
    int b = 77;
    size_t n = 77;
#define OCC(K, T, D)                                                                                         \
    b = 77;                                                                                                  \
    E(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&b, (const void *)(K), T, D));                           \
    V(b)
    OCC(nop, 32, 0);
    OCC(nop, 64, 0);
    OCC(nop, 256, 0);
    OCC(nop, 1024, 0);
    OCC(nop, 1, 0);
    OCC(nop, 33, 0);
    OCC(nop, 1025, 0);
    OCC(nop, 0, 0);
    OCC(nop, -1, 0);
    OCC(nop, 256, 48 << 10);
    OCC(nop, 256, (48 << 10) + 1);
    OCC(nop, 256, 1 << 20);
    OCC(bounded, 128, 0);
    OCC(bounded, 256, 0);
    OCC(shared, 32, 0);
    OCC(shared, 32, 40000);
    LAST();
    E(cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, (const void *)nop, 32, 0));
    E(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&b, NULL, 32, 0));
    E(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&b, (const void *)nop, 32, 0, 9));
    E(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&b, (const void *)nop, 32, 0, 1));
#define AV(K, B, T)                                                                                          \
    n = 77;                                                                                                  \
    E(cudaOccupancyAvailableDynamicSMemPerBlock(&n, (const void *)(K), B, T));                               \
    V(n)
    AV(nop, 1, 256);
    AV(nop, 2, 256);
    AV(nop, 4, 256);
    AV(nop, 8, 256);
    AV(nop, 9, 256);
    AV(nop, 0, 256);
    AV(nop, 1, 0);
    AV(nop, 1, 2000);
    AV(shared, 4, 64);
    AV(shared, 32, 64);
    cudaLaunchAttribute at = {.id = cudaLaunchAttributeClusterDimension, .val.clusterDim = {2, 1, 1}};
    cudaLaunchConfig_t c = {.gridDim = {64, 1, 1}, .blockDim = {256, 1, 1}, .attrs = &at, .numAttrs = 1};
    E(cudaOccupancyMaxActiveClusters(&b, (const void *)nop, &c));
    V(b > 0);
    at.val.clusterDim.x = 8;
    E(cudaOccupancyMaxActiveClusters(&b, (const void *)nop, &c));
    V(b > 0);
    at.val.clusterDim.x = 16;
    E(cudaOccupancyMaxActiveClusters(&b, (const void *)nop, &c));
    E(cudaOccupancyMaxPotentialClusterSize(&b, (const void *)nop, &c));
    V(b);
    LAST();
    c.numAttrs = 0;
    E(cudaOccupancyMaxPotentialClusterSize(&b, (const void *)nop, &c));
    V(b);
    E(cudaOccupancyMaxActiveClusters(&b, (const void *)nop, &c));
    V(b > 0);
    c.dynamicSmemBytes = 1 << 20;
    E(cudaOccupancyMaxPotentialClusterSize(&b, (const void *)nop, &c));
    E(cudaOccupancyMaxPotentialClusterSize(NULL, (const void *)nop, &c));
    LAST();
}
PROBE(occupancy_bad) {
    int b;
    E(cudaOccupancyMaxPotentialClusterSize(&b, (const void *)kernel("nop"), NULL));
    LAST();
}
PROBE(launch_ex) {
    cudaKernel_t nop = kernel("nop"), pair = kernel("pair");
    cudaLaunchAttribute at[3] = {{.id = cudaLaunchAttributeClusterDimension, .val.clusterDim = {2, 1, 1}}};
    cudaLaunchConfig_t c = {.gridDim = {4, 1, 1}, .blockDim = {32, 1, 1}, .attrs = at, .numAttrs = 1};
#define EX(K)                                                                                                \
    E(cudaLaunchKernelExC(&c, (const void *)(K), NULL));                                                     \
    LAST()
    EX(nop);
    c.gridDim.x = 3;
    EX(nop);
    c.gridDim.x = 16;
    at[0].val.clusterDim.x = 8;
    EX(nop);
    at[0].val.clusterDim.x = 16;
    EX(nop);
    cudaFuncSetAttribute((const void *)nop, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    EX(nop);
    c.gridDim.x = 32;
    at[0].val.clusterDim.x = 32;
    EX(nop);
    at[0].val.clusterDim.x = 0;
    EX(nop);
    at[0].val.clusterDim.x = 2;
    at[0].val.clusterDim.y = 0;
    EX(nop);
    at[0].val.clusterDim.y = 1;
    EX(pair);
    at[0].val.clusterDim.x = 4;
    EX(pair);
    c.numAttrs = 0;
    EX(pair);
    c.gridDim.x = 3;
    EX(pair);
    c.numAttrs = 1;
    at[0].id = 99;
    EX(nop);
    at[0].id = cudaLaunchAttributeCooperative;
    at[0].val.cooperative = 1;
    EX(nop);
    c.gridDim.x = 1000000;
    EX(nop);
    at[0].id = cudaLaunchAttributePriority;
    at[0].val.priority = -1;
    c.gridDim.x = 1;
    EX(nop);
    at[0].val.priority = 1000;
    EX(nop);
    at[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    at[0].val.programmaticStreamSerializationAllowed = 1;
    EX(nop);
    at[0].id = 0;
    EX(nop);
    c.attrs = NULL;
    EX(nop);
    c.numAttrs = 0;
    EX(nop);
    E(cudaLaunchKernelExC(&c, NULL, NULL));
    c.gridDim.x = 0;
    EX(nop);
    LAUNCH(pair, D1(3), D1(1), NULL, 0, 0);
    LAUNCH(pair, D1(4), D1(1), NULL, 0, 0);
    LAST();
    E(cudaLaunchCooperativeKernel((const void *)nop, D1(132 * 32), D1(32), NULL, 0, 0));
    E(cudaLaunchCooperativeKernel((const void *)nop, D1(132 * 32 + 1), D1(32), NULL, 0, 0));
    E(cudaLaunchCooperativeKernel((const void *)nop, D1(0), D1(32), NULL, 0, 0));
    E(cudaDeviceSynchronize());
}
PROBE(launch_ex_bad) { E(cudaLaunchKernelExC(NULL, (const void *)kernel("nop"), NULL)); }
/* NOLINTEND(readability-function-size) */
