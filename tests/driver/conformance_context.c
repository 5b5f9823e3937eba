/* What the driver API answers, call by call: see tests/runtime/probe.h.
 * Start, devices, contexts, entry points by name.
 */
#include "tests/driver/conformance.h"

/* NOLINTBEGIN(readability-function-size): a probe is a list of calls, as long as it is. */

PROBE(before_init) {
    int v = 77;
    CUdevice d;
    CUcontext c = (CUcontext)5;
    CUdeviceptr p;
    const char *s = NULL;
    CUmodule m;
    void *f;
    CUdriverProcAddressQueryResult r;
    E(cuDriverGetVersion(&v));
    E(cuDriverGetVersion(NULL));
    E(cuDeviceGetCount(&v));
    E(cuDeviceGet(&d, 0));
    E(cuCtxGetCurrent(&c));
    E(cuMemAlloc(&p, 16));
    E(cuCtxSynchronize());
    E(cuModuleLoadData(&m, probe_ptx));
    E(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &s));
    S(s);
    E(cuGetProcAddress("cuInit", &f, 12000, 0, &r));
    E(cuInit(1));
    E(cuInit(0));
    E(cuInit(0));
    E(cuMemAlloc(&p, 16));
    E(cuCtxSynchronize());
    E(cuCtxGetCurrent(&c));
    V((uintptr_t)c);
    E(cuModuleLoadData(&m, probe_ptx));
    CUstream st;
    E(cuStreamCreate(&st, 0));
    CUevent e;
    E(cuEventCreate(&e, 0));
    E(cuCtxGetDevice(&d));
    size_t n;
    E(cuMemGetInfo(&n, &n));
    E(cuPointerGetAttribute(&v, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 0x1000));
}
PROBE(error_names) {
    const char *s = (const char *)5;
    E(cuGetErrorName((CUresult)12345, &s));
    V((uintptr_t)s);
    s = (const char *)5;
    E(cuGetErrorString((CUresult)12345, &s));
    V((uintptr_t)s);
    for (int i = 0; i < 1001; i++) {
        const char *n = NULL;
        if (cuGetErrorName((CUresult)i, &n) == 0) printf("error_names: %d %s\n", i, n);
    }
}
PROBE(error_names_bad) { E(cuGetErrorName(CUDA_ERROR_INVALID_PTX, NULL)); }
PROBE(devices) {
    start();
    CUdevice d = 77;
    int v = 77;
    char name[64];
    CUuuid id;
    size_t n;
    E(cuDeviceGet(&d, 0));
    V(d);
    E(cuDeviceGet(&d, 1));
    E(cuDeviceGet(&d, -1));
    E(cuDeviceGet(NULL, 0));
    E(cuDeviceGetCount(NULL));
    E(cuDeviceGetCount(&v));
    V(v);
    E(cuDeviceGetName(name, 64, 0));
    S(name);
    E(cuDeviceGetName(name, 4, 0));
    S(name);
    E(cuDeviceGetName(NULL, 64, 0));
    E(cuDeviceGetName(name, 64, 9));
    E(cuDeviceGetUuid(&id, 0));
    E(cuDeviceGetUuid(NULL, 0));
    E(cuDeviceGetUuid(&id, 7));
    E(cuDeviceTotalMem(&n, 0));
    E(cuDeviceTotalMem(NULL, 0));
    E(cuDeviceTotalMem(&n, 8));
    E(cuDeviceGetAttribute(&v, (CUdevice_attribute)0, 0));
    E(cuDeviceGetAttribute(&v, (CUdevice_attribute)9999, 0));
    E(cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    E(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 3));
    int mj, mn;
    E(cuDeviceComputeCapability(&mj, &mn, 0));
    V(mj);
    V(mn);
    E(cuDeviceComputeCapability(NULL, &mn, 0));
    CUdevprop p;
    E(cuDeviceGetProperties(&p, 0));
    V(p.maxThreadsPerBlock);
    V(p.maxGridSize[0]);
    V(p.sharedMemPerBlock);
    V(p.SIMDWidth);
    V(p.memPitch);
    V(p.regsPerBlock);
    V(p.clockRate);
    V(p.textureAlign);
    V(p.totalConstantMemory);
    E(cuDeviceGetProperties(NULL, 0));
    for (int a = 92; a < 149; a++) {
        v = -7777;
        int s = cuDeviceGetAttribute(&v, (CUdevice_attribute)a, 0);
        printf("devices: %d = %d %d\n", a, s, v);
    }
    char luid[8];
    unsigned mask;
    E(cuDeviceGetLuid(luid, &mask, 0));
    E(cuDeviceCanAccessPeer(&v, 0, 0));
    V(v);
    E(cuDeviceCanAccessPeer(&v, 0, 1));
    E(cuDeviceGetP2PAttribute(&v, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0));
    E(cuCtxEnablePeerAccess(context, 0));
    E(cuCtxDisablePeerAccess(context));
}
PROBE(devices_bad) {
    start();
    char name[4];
    E(cuDeviceGetName(name, 0, 0));
}
PROBE(contexts) {
    CUcontext a = NULL, b = NULL, c = (CUcontext)5;
    unsigned f = 77;
    int active = 77;
    CUdevice d = 77;
    unsigned long long id = 77, id2 = 77;
    unsigned v = 77;
    E(cuInit(0));
    E(cuDevicePrimaryCtxGetState(0, &f, &active));
    V(f);
    V(active);
    E(cuDevicePrimaryCtxRelease(0));
    E(cuDevicePrimaryCtxRetain(&a, 0));
    E(cuDevicePrimaryCtxRetain(&b, 0));
    V(a == b);
    E(cuDevicePrimaryCtxGetState(0, &f, &active));
    V(active);
    E(cuCtxGetCurrent(&c));
    V((uintptr_t)c);
    E(cuCtxSetCurrent(a));
    E(cuCtxGetCurrent(&c));
    V(c == a);
    E(cuCtxGetDevice(&d));
    V(d);
    E(cuCtxGetFlags(&f));
    V(f);
    E(cuCtxGetId(a, &id));
    E(cuCtxGetApiVersion(a, &v));
    V(v);
    E(cuCtxPopCurrent(&c));
    V(c == a);
    E(cuCtxPopCurrent(&c));
    E(cuCtxPushCurrent(a));
    E(cuCtxPushCurrent(NULL));
    E(cuCtxCreate(&b, NULL, 0, 0));
    V(b == a);
    E(cuCtxGetCurrent(&c));
    V(c == b);
    E(cuCtxGetId(b, &id2));
    V(id == id2);
    E(cuCtxDestroy(b));
    E(cuCtxGetCurrent(&c));
    V(c == a);
    E(cuCtxDestroy(NULL));
    E(cuCtxDestroy(a));
    E(cuCtxCreate(&b, NULL, 0, 7));
    E(cuCtxCreate(&b, NULL, 0xffffff, 0));
    E(cuCtxCreate(NULL, NULL, 0, 0));
    E(cuDevicePrimaryCtxSetFlags(0, 1));
    E(cuDevicePrimaryCtxGetState(0, &f, &active));
    V(f);
    E(cuDevicePrimaryCtxRelease(0));
    E(cuDevicePrimaryCtxGetState(0, &f, &active));
    V(active);
    E(cuDevicePrimaryCtxRelease(0));
    E(cuDevicePrimaryCtxGetState(0, &f, &active));
    V(active);
    CUdeviceptr p;
    E(cuMemAlloc(&p, 16));
    E(cuCtxSynchronize());
    E(cuCtxGetCurrent(&c));
    V(c == a);
    E(cuDevicePrimaryCtxRelease(0));
    E(cuDevicePrimaryCtxRetain(&b, 0));
    V(a == b);
    E(cuMemAlloc(&p, 16));
    E(cuDevicePrimaryCtxReset(0));
    E(cuMemAlloc(&p, 16));
    E(cuCtxSetCurrent(NULL));
    E(cuMemAlloc(&p, 16));
    E(cuDevicePrimaryCtxRetain(NULL, 0));
    E(cuDevicePrimaryCtxRetain(&a, 7));
}
PROBE(contexts_bad1) {
    start();
    E(cuCtxPushCurrent((CUcontext)0x77));
}
PROBE(contexts_bad2) {
    CUcontext c;
    start();
    E(cuCtxCreate(&c, NULL, 0, 0));
    E(cuCtxDestroy(c));
    E(cuCtxDestroy(c));
}
PROBE(context_destroyed) {
    CUcontext a;
    CUdeviceptr p;
    CUstream s;
    E(cuInit(0));
    E(cuCtxCreate(&a, NULL, 0, 0));
    E(cuMemAlloc(&p, 16));
    E(cuStreamCreate(&s, 0));
    E(cuCtxDestroy(a));
    E(cuMemAlloc(&p, 16));
    E(cuCtxSetCurrent(a));
    E(cuCtxPushCurrent(a));
    E(cuCtxSynchronize());
    unsigned v;
    E(cuCtxGetApiVersion(a, &v));
}
PROBE(limits) {
    start();
    size_t v = 77;
    for (int i = 0; i < 12; i++) {
        v = 77;
        int s = cuCtxGetLimit(&v, (CUlimit)i);
        printf("limits: %d = %d %zu\n", i, s, v);
    }
    E(cuCtxSetLimit(0, 2048));
    E(cuCtxSetLimit(99, 2048));
    E(cuCtxGetLimit(NULL, 0));
    CUfunc_cache c = 77;
    E(cuCtxGetCacheConfig(&c));
    V(c);
    E(cuCtxSetCacheConfig(9));
    CUsharedconfig sc = 77;
    E(cuCtxGetSharedMemConfig(&sc));
    V(sc);
    E(cuCtxSetSharedMemConfig(9));
}
PROBE(proc_address) {
    void *f = NULL;
    CUdriverProcAddressQueryResult r = 77;
    E(cuGetProcAddress("cuInit", &f, 13000, 0, &r));
    V(f == (void *)cuInit);
    V(r);
    E(cuGetProcAddress("cuMemAlloc", &f, 13000, 0, &r));
    V(f == (void *)cuMemAlloc);
    E(cuGetProcAddress("cuMemAlloc", &f, 2000, 0, &r));
    V(f == (void *)cuMemAlloc);
    V(r);
    E(cuGetProcAddress("cuMemAlloc_v2", &f, 13000, 0, &r));
    V(r);
    E(cuGetProcAddress("cuNothing", &f, 13000, 0, &r));
    V(r);
    V(f == NULL);
    E(cuGetProcAddress("cuNothing", &f, 13000, 0, NULL));
    E(cuGetProcAddress("cuLibraryLoadData", &f, 11000, 0, &r));
    V(r);
    V(f == NULL);
    E(cuGetProcAddress("cuMemcpyAsync", &f, 13000, 2, &r));
    V(f == (void *)cuMemcpyAsync);
    E(cuGetProcAddress("cuMemcpyAsync", &f, 13000, 1, &r));
    V(f == (void *)cuMemcpyAsync);
    E(cuGetProcAddress("cuInit", &f, 13000, 99, &r));
    E(cuGetProcAddress("", &f, 13000, 0, &r));
}
PROBE(proc_address_bad1) {
    void *f;
    E(cuGetProcAddress(NULL, &f, 13000, 0, NULL));
}
PROBE(proc_address_bad2) { E(cuGetProcAddress("cuInit", NULL, 13000, 0, NULL)); }
/* NOLINTEND(readability-function-size) */
