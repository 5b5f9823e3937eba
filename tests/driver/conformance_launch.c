/* What the driver API answers, call by call: see tests/runtime/probe.h.
 * Modules, libraries, launches, linking, and a failed kernel.
 */
#include "tests/driver/conformance.h"

/* NOLINTBEGIN(readability-function-size): a probe is a list of calls, as long as it is. */

static CUmodule module;
static CUfunction function(const char *name) {
    CUfunction f = NULL;
    if (!module && cuModuleLoadData(&module, probe_ptx)) printf("%s: the module does not load\n", probe_name);
    if (cuModuleGetFunction(&f, module, name)) printf("%s: no function %s\n", probe_name, name);
    return f;
}

PROBE(modules) {
    start();
    CUmodule m = NULL;
    CUfunction f = NULL, g = NULL;
    CUdeviceptr p;
    size_t n = 77;
    unsigned count = 77;
    const char *name;
    E(cuModuleLoadData(&m, probe_ptx));
    E(cuModuleLoadData(NULL, probe_ptx));
    E(cuModuleLoadData(&m, NULL));
    E(cuModuleGetFunction(&f, m, "nop"));
    E(cuModuleGetFunction(&g, m, "nop"));
    V(f == g);
    E(cuModuleGetFunction(&g, m, "absent"));
    E(cuModuleGetFunction(&g, m, NULL));
    E(cuModuleGetFunction(NULL, m, "nop"));
    E(cuModuleGetFunction(&g, NULL, "nop"));
    E(cuModuleGetFunctionCount(&count, m));
    V(count);
    E(cuModuleGetFunction(&g, m, ""));
    E(cuModuleGetGlobal(&p, &n, m, "counter"));
    V(n);
    E(cuModuleGetGlobal(&p, &n, m, "absent"));
    E(cuModuleGetGlobal(NULL, &n, m, "table"));
    V(n);
    E(cuModuleGetGlobal(&p, NULL, m, "table"));
    E(cuModuleGetGlobal(NULL, NULL, m, "table"));
    E(cuModuleGetGlobal(&p, &n, m, NULL));
    E(cuModuleGetGlobal(&p, &n, m, "managed"));
    unsigned kind = 77;
    E(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    V(kind);
    unsigned managed = 77;
    E(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p));
    V(managed);
    E(cuFuncGetModule(&module, f));
    V(module == m);
    E(cuFuncGetName(&name, f));
    S(name);
    E(cuModuleUnload(m));
    E(cuModuleUnload(NULL));
    module = NULL;
    E(cuModuleLoad(&m, "/nonexistent/file.ptx"));
    E(cuModuleLoad(&m, "/tmp"));
    E(cuModuleLoad(&m, NULL));
    E(cuModuleLoadData(&m, ""));
    E(cuModuleLoadData(&m, "nonsense that is no PTX"));
    E(cuModuleLoadData(&m, ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { frobnicate; }\n"));
    E(cuModuleLoadData(&m, ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { bra L; }\n"));
    E(cuModuleLoadData(&m, ".version 99.0\n.target sm_90\n.address_size 64\n"));
    E(cuModuleLoadData(&m, ".version 8.8\n.target sm_100\n.address_size 64\n.entry k() { ret; }\n"));
    E(cuModuleLoadData(
        &m,
        ".version 8.0\n.target sm_90\n.address_size 64\n.extern .func f();\n.entry k() { call f; ret; }\n"));
    E(cuModuleLoadFatBinary(&m, probe_ptx));
    CUmoduleLoadingMode mode = 77;
    E(cuModuleGetLoadingMode(&mode));
    V(mode);
    char log[512] = "x";
    CUjit_option opt[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *val[] = {log, (void *)512};
    E(cuModuleLoadDataEx(&m, ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { frobnicate; }\n", 2,
                         opt, val));
    V(strlen(log) > 10);
    V((uintptr_t)val[1] == strlen(log) || (uintptr_t)val[1] == strlen(log) + 1);
    opt[0] = 999;
    E(cuModuleLoadDataEx(&m, probe_ptx, 2, opt, val));
    E(cuModuleLoadDataEx(&m, probe_ptx, 2, NULL, NULL));
    opt[0] = CU_JIT_OPTIMIZATION_LEVEL;
    opt[1] = CU_JIT_MAX_REGISTERS;
    val[0] = (void *)3;
    val[1] = (void *)32;
    E(cuModuleLoadDataEx(&m, probe_ptx, 2, opt, val));
    val[0] = (void *)9;
    E(cuModuleLoadDataEx(&m, probe_ptx, 2, opt, val));
}
PROBE(libraries) {
    start();
    CUlibrary l;
    CUkernel k, k2;
    CUfunction f;
    CUmodule m;
    CUdeviceptr p;
    size_t n;
    int v = 77;
    const char *name;
    E(cuLibraryLoadData(&l, probe_ptx, NULL, NULL, 0, NULL, NULL, 0));
    E(cuLibraryLoadData(NULL, probe_ptx, NULL, NULL, 0, NULL, NULL, 0));
    E(cuLibraryGetKernel(&k, l, "nop"));
    E(cuLibraryGetKernel(&k2, l, "nop"));
    V(k == k2);
    E(cuLibraryGetKernel(&k2, l, "absent"));
    E(cuKernelGetFunction(&f, k));
    E(cuLibraryGetModule(&m, l));
    E(cuLibraryGetGlobal(&p, &n, l, "counter"));
    V(n);
    E(cuKernelGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, k, 0));
    V(v);
    E(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000, k, 0));
    E(cuKernelGetName(&name, k));
    S(name);
    E(cuLaunchKernel((CUfunction)k, 1, 1, 1, 1, 1, 1, 100000, NULL, NULL, NULL));
    E(cuLibraryUnload(l));
    E(cuLibraryLoadFromFile(&l, "/nonexistent", NULL, NULL, 0, NULL, NULL, 0));
}
PROBE(launches) {
    start();
    CUfunction nop = function("nop"), bounded = function("bounded"), required = function("required"),
               store = function("store"), pair = function("pair"), shared = function("shared4096"),
               params = function("params");
#define GO(F, GX, BX, SH, A, X) E(cuLaunchKernel(F, GX, 1, 1, BX, 1, 1, SH, NULL, A, X))
    GO(nop, 1, 1, 0, NULL, NULL);
    GO(nop, 0, 1, 0, NULL, NULL);
    GO(nop, 1, 0, 0, NULL, NULL);
    GO(nop, 1, 1025, 0, NULL, NULL);
    GO(nop, 0x80000000u, 1, 0, NULL, NULL);
    GO(nop, 1, 1, 49152, NULL, NULL);
    GO(nop, 1, 1, 49153, NULL, NULL);
    GO(NULL, 1, 1, 0, NULL, NULL);
    GO(bounded, 1, 129, 0, NULL, NULL);
    GO(required, 1, 32, 0, NULL, NULL);
    GO(required, 1, 64, 0, NULL, NULL);
    GO(pair, 3, 1, 0, NULL, NULL);
    GO(pair, 4, 1, 0, NULL, NULL);
    E(cuLaunchKernel(nop, 1, 65536, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    E(cuLaunchKernel(nop, 1, 1, 1, 1, 1, 65, 0, NULL, NULL, NULL));
    CUdeviceptr p;
    cuMemAlloc(&p, 64);
    unsigned v = 9;
    void *args[] = {&p, &v};
    GO(store, 1, 1, 0, args, NULL);
    GO(store, 1, 1, 0, NULL, NULL);
    struct {
        CUdeviceptr p;
        unsigned v;
    } packed = {p, 11};
    size_t n = 12;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &n,
                     CU_LAUNCH_PARAM_END};
    GO(store, 1, 1, 0, NULL, extra);
    E(cuCtxSynchronize());
    unsigned out = 0;
    E(cuMemcpyDtoH(&out, p, 4));
    V(out);
    n = 16;
    GO(store, 1, 1, 0, NULL, extra);
    n = 8;
    GO(store, 1, 1, 0, NULL, extra);
    GO(store, 1, 1, 0, args, extra);
    (void)shared;
    int a;
    for (int i = -1; i < 17; i++) {
        a = -77;
        int s = cuFuncGetAttribute(&a, (CUfunction_attribute)i, params);
        if (i != 4) printf("launches: attribute %d = %d %d\n", i, s, a);
    }
    E(cuFuncGetAttribute(NULL, 0, params));
    E(cuFuncGetAttribute(&a, 0, NULL));
    E(cuFuncSetAttribute(shared, 8, 228353));
    E(cuFuncSetAttribute(shared, 8, 228352));
    E(cuFuncSetAttribute(shared, 1, 5));
    E(cuFuncSetAttribute(shared, 8, -5));
    E(cuFuncSetCacheConfig(shared, 9));
    E(cuFuncSetCacheConfig(shared, 1));
    E(cuFuncSetSharedMemConfig(shared, 1));
    size_t off = 77, size = 77;
    E(cuFuncGetParamInfo(params, 2, &off, &size));
    V(off);
    V(size);
    E(cuFuncGetParamInfo(params, 4, &off, &size));
    E(cuFuncGetParamInfo(params, 0, NULL, &size));
    E(cuFuncGetParamInfo(params, 0, &off, NULL));
    CUlaunchAttribute at = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value.clusterDim = {2, 1, 1}};
    CUlaunchConfig c = {.gridDimX = 4,
                        .gridDimY = 1,
                        .gridDimZ = 1,
                        .blockDimX = 32,
                        .blockDimY = 1,
                        .blockDimZ = 1,
                        .attrs = &at,
                        .numAttrs = 1};
    E(cuLaunchKernelEx(&c, nop, NULL, NULL));
    c.gridDimX = 3;
    E(cuLaunchKernelEx(&c, nop, NULL, NULL));
    c.gridDimX = 16;
    at.value.clusterDim.x = 16;
    E(cuLaunchKernelEx(&c, nop, NULL, NULL));
    at.value.clusterDim.x = 2;
    E(cuLaunchKernelEx(&c, pair, NULL, NULL));
    at.id = 99;
    E(cuLaunchKernelEx(&c, nop, NULL, NULL));
    E(cuLaunchKernelEx(NULL, nop, NULL, NULL));
    E(cuLaunchCooperativeKernel(nop, 132 * 32 + 1, 1, 1, 32, 1, 1, 0, NULL, NULL));
    int b = 77, g = 77;
    E(cuOccupancyMaxPotentialBlockSize(&g, &b, nop, NULL, 0, 0));
    V(g);
    V(b);
    E(cuOccupancyMaxPotentialBlockSize(&g, &b, bounded, NULL, 0, 0));
    V(g);
    V(b);
    E(cuOccupancyMaxPotentialBlockSize(&g, &b, nop, NULL, 0, 96));
    V(g);
    V(b);
    E(cuOccupancyMaxPotentialBlockSize(&g, NULL, nop, NULL, 0, 96));
    E(cuOccupancyMaxPotentialBlockSize(&g, &b, shared, NULL, 44000, 0));
    V(g);
    V(b);
    E(cuOccupancyMaxPotentialBlockSize(&g, &b, nop, NULL, 1 << 20, 0));
    E(cuLaunchHostFunc(NULL, NULL, NULL));
}
PROBE(link) {
    start();
    CUlinkState l;
    void *cubin;
    size_t n;
    CUmodule m;
    E(cuLinkCreate(0, NULL, NULL, &l));
    E(cuLinkAddData(l, CU_JIT_INPUT_PTX, (void *)probe_ptx, strlen(probe_ptx) + 1, "probe", 0, NULL, NULL));
    E(cuLinkComplete(l, &cubin, &n));
    E(cuModuleLoadData(&m, cubin));
    E(cuLinkDestroy(l));
    E(cuLinkCreate(0, NULL, NULL, &l));
    E(cuLinkAddData(l, CU_JIT_INPUT_PTX, "rubbish", 8, "rubbish", 0, NULL, NULL));
    E(cuLinkAddData(l, CU_JIT_INPUT_PTX, (void *)probe_ptx, 0, "none of it", 0, NULL, NULL));
    E(cuLinkDestroy(l));
    E(cuLinkCreate(0, NULL, NULL, NULL));
    E(cuLinkCreate(0, NULL, NULL, &l));
    E(cuLinkAddFile(l, CU_JIT_INPUT_PTX, "/nonexistent", 0, NULL, NULL));
    E(cuLinkDestroy(l));
    E(cuProfilerStart());
    E(cuProfilerStop());
}
PROBE(fault) {
    CUcontext c, d;
    E(cuInit(0));
    E(cuCtxCreate(&c, NULL, 0, 0));
    GO(function("trap"), 1, 1, 0, NULL, NULL);
    E(cuCtxSynchronize());
    E(cuCtxSynchronize());
    CUdeviceptr p;
    E(cuMemAlloc(&p, 16));
    E(cuMemFree(0));
    E(cuCtxGetCurrent(&d));
    E(cuModuleLoadData(&module, probe_ptx));
    unsigned v;
    E(cuCtxGetApiVersion(c, &v));
    E(cuCtxDestroy(c));
    E(cuCtxCreate(&c, NULL, 0, 0));
    module = NULL;
    E(cuMemAlloc(&p, 16));
    GO(function("nop"), 1, 1, 0, NULL, NULL);
    E(cuCtxSynchronize());
}
/* NOLINTEND(readability-function-size) */
