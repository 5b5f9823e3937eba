/* What the driver API answers, call by call: see tests/runtime/probe.h.
 * Memory, copies, streams.
 */
#include "tests/driver/conformance.h"

/* NOLINTBEGIN(readability-function-size): a probe is a list of calls, as long as it is. */

PROBE(memory) {
    start();
    CUdeviceptr p = 5, base;
    size_t n, pitch;
    void *h = (void *)5;
    unsigned flags;
    E(cuMemAlloc(&p, 0));
    V(p);
    E(cuMemAlloc(NULL, 1));
    p = 5;
    E(cuMemAlloc(&p, (size_t)1 << 60));
    V(p);
    E(cuMemAlloc(&p, 100));
    E(cuMemGetAddressRange(&base, &n, p + 10));
    V(base == p);
    V(n);
    E(cuMemGetAddressRange(&base, &n, p + 101));
    E(cuMemGetAddressRange(NULL, NULL, p));
    E(cuMemGetAddressRange(&base, &n, 0));
    E(cuMemGetAddressRange(&base, &n, (CUdeviceptr)&n));
    E(cuMemFree(p + 1));
    E(cuMemFree(p));
    E(cuMemFree(p));
    E(cuMemFree(0));
    E(cuMemFree((CUdeviceptr)&p));
    E(cuMemAllocPitch(&p, &pitch, 100, 4, 4));
    V(pitch);
    E(cuMemAllocPitch(&p, &pitch, 100, 4, 3));
    E(cuMemAllocPitch(&p, &pitch, 0, 4, 4));
    E(cuMemAllocPitch(&p, &pitch, 100, 4, 16));
    V(pitch);
    E(cuMemAllocHost(&h, 0));
    V((uintptr_t)h);
    E(cuMemAllocHost(&h, 64));
    E(cuMemHostGetFlags(&flags, h));
    V(flags);
    E(cuMemHostGetDevicePointer(&p, h, 0));
    V(p == (CUdeviceptr)h);
    E(cuMemFreeHost(h));
    E(cuMemFreeHost(h));
    E(cuMemFreeHost(NULL));
    E(cuMemHostAlloc(&h, 64, 0xff));
    E(cuMemHostAlloc(&h, 64, CU_MEMHOSTALLOC_DEVICEMAP));
    E(cuMemHostGetFlags(&flags, h));
    V(flags);
    E(cuMemAllocManaged(&p, 64, 1));
    E(cuMemAllocManaged(&p, 64, 0));
    E(cuMemAllocManaged(&p, 0, 1));
    E(cuMemGetInfo(NULL, &n));
    E(cuMemGetInfo(&n, &n));
}
PROBE(pointer_attributes) {
    start();
    CUdeviceptr p;
    void *h;
    int pageable;
    cuMemAlloc(&p, 100);
    cuMemAllocHost(&h, 100);
    CUdeviceptr managed;
    cuMemAllocManaged(&managed, 100, 1);
    CUdeviceptr all[] = {p + 4, (CUdeviceptr)h + 4, managed + 4, (CUdeviceptr)&pageable, 0};
    for (int w = 0; w < 5; w++)
        for (int a = 0; a < 22; a++) {
            unsigned long long v = 0;
            int s = cuPointerGetAttribute(&v, (CUpointer_attribute)a, all[w]);
            long long rel = (long long)(v - all[w]);
            printf("pointer_attributes: place %d attribute %d = %d %s%lld\n", w, a, s,
                   a == 1 || a == 7 || a == 17 || a == 20     ? "not shown "
                   : rel > -5000000 && rel < 5000000 && w < 4 ? "relative "
                                                              : "",
                   a == 1 || a == 7 || a == 17 || a == 20     ? 0
                   : rel > -5000000 && rel < 5000000 && w < 4 ? rel
                                                              : (long long)v);
        }
    CUpointer_attribute at[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                CU_POINTER_ATTRIBUTE_IS_MANAGED};
    unsigned t = 77, m = 77;
    CUdeviceptr d = 77;
    void *vals[] = {&t, &d, &m};
    for (int w = 0; w < 5; w++) {
        t = m = 77;
        d = 77;
        E(cuPointerGetAttributes(3, at, vals, all[w]));
        V(t);
        V(m);
    }
    E(cuPointerGetAttributes(0, at, vals, p));
    E(cuPointerGetAttributes(1, NULL, vals, p));
    E(cuPointerGetAttribute(NULL, 2, p));
    int one = 1;
    E(cuPointerSetAttribute(&one, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, p));
    E(cuPointerSetAttribute(&one, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
}
PROBE(copies) {
    start();
    CUdeviceptr p;
    char h[256];
    cuMemAlloc(&p, 100);
    CUdeviceptr ph = (CUdeviceptr)h;
    E(cuMemcpyHtoD(p, h, 100));
    E(cuMemcpyHtoD(p, h, 101));
    E(cuMemcpyHtoD(ph, h + 100, 10));
    E(cuMemcpyDtoH(h, ph + 100, 10));
    E(cuMemcpyDtoH(h, p, 0));
    E(cuMemcpyHtoD(0, h, 10));
    E(cuMemcpyHtoD(p, NULL, 10));
    E(cuMemcpyDtoD(p, p + 50, 50));
    E(cuMemcpyDtoD(p, ph, 50));
    E(cuMemcpy(p, ph, 100));
    E(cuMemcpy(ph, p, 100));
    E(cuMemcpy(ph, ph + 100, 100));
    E(cuMemcpy(0, ph, 100));
    E(cuMemcpyPeer(p, context, p + 50, context, 10));
    E(cuMemcpyPeer(p, (CUcontext)0, p + 50, context, 10));
    E(cuMemsetD8(p, 1, 100));
    E(cuMemsetD8(p, 1, 0));
    E(cuMemsetD16(p, 1, 50));
    E(cuMemsetD16(p + 1, 1, 10));
    E(cuMemsetD32(p + 2, 1, 10));
    E(cuMemsetD32(p, 1, 25));
    E(cuMemsetD8(0, 1, 1));
    E(cuMemsetD8(ph, 1, 1));
    E(cuMemsetD2D8(p, 10, 1, 10, 10));
    E(cuMemsetD2D8(p, 5, 1, 10, 10));
    E(cuMemsetD2D32(p, 10, 1, 2, 10));
    E(cuMemsetD2D32(p, 12, 1, 2, 8));
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = h,
                       .srcPitch = 10,
                       .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                       .dstDevice = p,
                       .dstPitch = 10,
                       .WidthInBytes = 10,
                       .Height = 10};
    E(cuMemcpy2D(&c));
    E(cuMemcpy2DUnaligned(&c));
    c.srcPitch = 0;
    E(cuMemcpy2D(&c));
    c.srcPitch = 5;
    E(cuMemcpy2D(&c));
    c.srcPitch = 10;
    c.srcMemoryType = 9;
    E(cuMemcpy2D(&c));
    c.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
    c.srcDevice = ph;
    E(cuMemcpy2D(&c));
    c.dstDevice = 0;
    E(cuMemcpy2D(&c));
    c.WidthInBytes = 0;
    E(cuMemcpy2D(&c));
    E(cuMemcpy2D(NULL));
    CUDA_MEMCPY3D d = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = h,
                       .srcPitch = 5,
                       .srcHeight = 4,
                       .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                       .dstDevice = p,
                       .dstPitch = 5,
                       .dstHeight = 4,
                       .WidthInBytes = 5,
                       .Height = 4,
                       .Depth = 5};
    E(cuMemcpy3D(&d));
    d.srcHeight = 3;
    E(cuMemcpy3D(&d));
    d.srcHeight = 0;
    E(cuMemcpy3D(&d));
    E(cuMemcpy3D(NULL));
}
PROBE(streams) {
    start();
    CUstream s;
    int p = 77;
    unsigned f = 77;
    CUcontext c;
    CUdevice d = 77;
    E(cuStreamCreate(&s, 0));
    E(cuStreamCreate(&s, 9));
    E(cuStreamCreate(NULL, 0));
    E(cuStreamCreateWithPriority(&s, 1, -1));
    E(cuStreamGetPriority(s, &p));
    V(p);
    E(cuStreamGetFlags(s, &f));
    V(f);
    E(cuStreamGetCtx(s, &c));
    V(c == context);
    E(cuStreamGetDevice(s, &d));
    V(d);
    E(cuStreamGetCtx(NULL, &c));
    V(c == context);
    E(cuStreamQuery(s));
    E(cuStreamSynchronize(s));
    E(cuStreamDestroy(s));
    E(cuStreamDestroy(NULL));
    E(cuStreamDestroy(CU_STREAM_LEGACY));
    E(cuStreamWaitEvent(NULL, NULL, 0));
    int a = 77, b = 77;
    E(cuCtxGetStreamPriorityRange(&a, &b));
    V(a);
    V(b);
    E(cuCtxGetStreamPriorityRange(NULL, NULL));
    CUevent e;
    E(cuEventCreate(&e, 0));
    E(cuEventCreate(&e, 0xff));
    E(cuEventCreate(&e, 8));
    E(cuEventCreate(NULL, 0));
    float ms;
    E(cuEventElapsedTime(&ms, e, e));
    E(cuEventRecord(e, NULL));
    E(cuEventSynchronize(e));
    E(cuEventElapsedTime(&ms, e, e));
    E(cuEventElapsedTime(NULL, e, e));
    E(cuEventDestroy(e));
    E(cuEventDestroy(NULL));
    E(cuEventQuery(NULL));
}
/* NOLINTEND(readability-function-size) */
