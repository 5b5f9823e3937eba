/* What the runtime API answers, call by call: see probe.h.
 * The device, versions, limits, and calls that compiled programs make.
 */
#include "tests/runtime/conformance.h"
#include <stddef.h>

PROBE(version) {
    int v = 0;
    E(cudaRuntimeGetVersion(&v));
    V(v);
    E(cudaRuntimeGetVersion(NULL));
    E(cudaDriverGetVersion(NULL));
    E(cudaGetDeviceCount(&v));
    V(v);
    E(cudaGetDeviceCount(NULL));
}
PROBE(error_names) {
    S(cudaGetErrorName((cudaError_t)0));
    S(cudaGetErrorName((cudaError_t)1));
    S(cudaGetErrorName((cudaError_t)12345));
    S(cudaGetErrorString((cudaError_t)12345));
    S(cudaGetErrorName((cudaError_t)-1));
    S(cudaGetErrorName((cudaError_t)5000));
}
PROBE(device) {
    int d = -7, v = -7;
    E(cudaGetDevice(&d));
    V(d);
    E(cudaGetDevice(NULL));
    LAST();
    E(cudaSetDevice(0));
    E(cudaSetDevice(-1));
    LAST();
    E(cudaSetDevice(99));
    LAST();
    LAST();
    E(cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 0));
    V(v);
    E(cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0));
    E(cudaDeviceGetAttribute(&v, (enum cudaDeviceAttr)0, 0));
    E(cudaDeviceGetAttribute(&v, (enum cudaDeviceAttr)100000, 0));
    E(cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 99));
    E(cudaGetDeviceProperties(NULL, 0));
    struct cudaDeviceProp p;
    E(cudaGetDeviceProperties(&p, 99));
    E(cudaGetDeviceProperties(&p, -1));
    unsigned flags = 77;
    E(cudaGetDeviceFlags(&flags));
    V(flags);
    E(cudaSetDeviceFlags(0xffffff));
    E(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
    E(cudaGetDeviceFlags(&flags));
    V(flags);
    E(cudaFree(0));
    E(cudaSetDeviceFlags(cudaDeviceScheduleYield));
    E(cudaGetDeviceFlags(&flags));
    V(flags);
    E(cudaInitDevice(0, 0, 0));
    E(cudaInitDevice(9, 0, 0));
    E(cudaInitDevice(0, 0, 99));
    E(cudaDeviceCanAccessPeer(&v, 0, 0));
    E(cudaDeviceCanAccessPeer(&v, 0, 9));
    E(cudaDeviceEnablePeerAccess(0, 0));
    E(cudaDeviceEnablePeerAccess(9, 0));
    E(cudaDeviceDisablePeerAccess(0));
    E(cudaChooseDevice(&d, &p));
    E(cudaChooseDevice(NULL, &p));
    E(cudaChooseDevice(&d, NULL));
    E(cudaSetValidDevices(&d, 1));
    E(cudaSetValidDevices(NULL, 1));
    E(cudaSetValidDevices(NULL, 0));
    d = 9;
    E(cudaSetValidDevices(&d, 1));
    char bus[32];
    E(cudaDeviceGetPCIBusId(bus, 32, 0));
    V(strlen(bus));
    E(cudaDeviceGetPCIBusId(bus, 4, 0));
    E(cudaDeviceGetPCIBusId(NULL, 32, 0));
    E(cudaDeviceGetPCIBusId(bus, 32, 9));
    E(cudaDeviceGetPCIBusId(bus, 32, 0));
    E(cudaDeviceGetByPCIBusId(&d, bus));
    V(d);
    E(cudaDeviceGetByPCIBusId(&d, "ffff:ff:ff.0"));
    E(cudaDeviceGetByPCIBusId(&d, "nonsense"));
    E(cudaDeviceGetByPCIBusId(NULL, bus));
    E(cudaDeviceGetByPCIBusId(&d, NULL));
}
PROBE(device_attributes) {
    for (int a = 1; a < 150; a++) {
        int v = -7777, s = cudaDeviceGetAttribute(&v, (enum cudaDeviceAttr)a, 0);
        printf("device_attributes: %d = %d %d\n", a, s, v);
    }
}
PROBE(device_properties) {
    struct cudaDeviceProp p;
    memset(&p, 0xee, sizeof p);
    E(cudaGetDeviceProperties(&p, 0));
    S(p.name);
    for (size_t i = 0x128; i + 4 <= offsetof(struct cudaDeviceProp, reserved); i += 4) {
        int v;
        memcpy(&v, (char *)&p + i, 4);
        printf("device_properties: word %zu is %d\n", i / 4, v);
    }
}
PROBE(limits) {
    size_t v = 77;
    for (int l = 0; l < 9; l++) {
        int s = cudaDeviceGetLimit(&v, (enum cudaLimit)l);
        printf("limits: get %d = %d %zu\n", l, s, v);
        cudaGetLastError();
    }
    E(cudaDeviceGetLimit(NULL, cudaLimitStackSize));
    E(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    E(cudaDeviceGetLimit(&v, cudaLimitStackSize));
    V(v);
    E(cudaDeviceSetLimit(cudaLimitStackSize, 1000));
    E(cudaDeviceGetLimit(&v, cudaLimitStackSize));
    V(v);
    E(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 22));
    E(cudaDeviceGetLimit(&v, cudaLimitPrintfFifoSize));
    V(v);
    E(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 24));
    E(cudaDeviceGetLimit(&v, cudaLimitMallocHeapSize));
    V(v);
    E(cudaDeviceSetLimit((enum cudaLimit)55, 1));
    E(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4));
    E(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4));
    E(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 128));
    E(cudaDeviceGetLimit(&v, cudaLimitMaxL2FetchGranularity));
    V(v);
    E(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20));
    E(cudaDeviceGetLimit(&v, cudaLimitPersistingL2CacheSize));
    V(v);
    E(cudaDeviceSetLimit(cudaLimitStackSize, (size_t)1 << 40));
}
PROBE(cache_config) {
    enum cudaFuncCache c = 99;
    E(cudaDeviceGetCacheConfig(&c));
    V(c);
    E(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    E(cudaDeviceGetCacheConfig(&c));
    V(c);
    E(cudaDeviceSetCacheConfig((enum cudaFuncCache)9));
    E(cudaDeviceGetCacheConfig(NULL));
    enum cudaSharedMemConfig s = 99;
    E(cudaDeviceGetSharedMemConfig(&s));
    V(s);
    E(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
    E(cudaDeviceGetSharedMemConfig(&s));
    V(s);
    E(cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)9));
    int least = 9, greatest = 9;
    E(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    V(least);
    V(greatest);
    E(cudaDeviceGetStreamPriorityRange(NULL, NULL));
    E(cudaCtxResetPersistingL2Cache());
}
PROBE(call_configuration) {
    dim3 g, b;
    size_t n;
    cudaStream_t s;
    E(__cudaPopCallConfiguration(&g, &b, &n, &s));
    LAST();
    E(__cudaPushCallConfiguration(D1(2), D1(3), 4, (cudaStream_t)1));
    E(__cudaPushCallConfiguration(D1(5), D1(6), 7, NULL));
    E(__cudaPopCallConfiguration(&g, &b, &n, &s));
    V(g.x);
    V(b.x);
    V(n);
    E(__cudaPopCallConfiguration(&g, &b, &n, &s));
    V(g.x);
    V((uintptr_t)s);
    E(__cudaPopCallConfiguration(&g, &b, &n, &s));
    LAST();
}
PROBE(misc) {
    void *f;
    enum cudaDriverEntryPointQueryResult r = 9;
    E(cudaGetDriverEntryPoint("cuInit", &f, 0, &r));
    V(f != NULL);
    V(r);
    E(cudaGetDriverEntryPoint("cuNonsense", &f, 0, &r));
    V(f != NULL);
    V(r);
    E(cudaGetDriverEntryPoint("cuInit", &f, 99, &r));
    E(cudaGetDriverEntryPointByVersion("cuMemAlloc", &f, 12000, 0, &r));
    V(r);
    E(cudaGetDriverEntryPointByVersion("cuMemAlloc", &f, 1000, 0, &r));
    V(r);
    V(f != NULL);
    LAST();
    E(cudaProfilerStart());
    E(cudaProfilerStop());
    E(cudaThreadExchangeStreamCaptureMode(NULL));
}
PROBE(misc_bad1) {
    void *f;
    E(cudaGetDriverEntryPoint(NULL, &f, 0, NULL));
}
PROBE(misc_bad2) { E(cudaGetDriverEntryPoint("cuInit", NULL, 0, NULL)); }
