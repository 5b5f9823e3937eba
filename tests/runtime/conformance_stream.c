/* What the runtime API answers, call by call: see probe.h.
 * Streams and events.
 */
#include "tests/runtime/conformance.h"

PROBE(streams) {
    cudaStream_t s = NULL, bad = (cudaStream_t)0x7777;
    int prio = 99;
    unsigned f = 99;
    unsigned long long id;
    E(cudaStreamCreate(NULL));
    E(cudaStreamCreate(&s));
    E(cudaStreamGetFlags(s, &f));
    V(f);
    E(cudaStreamGetPriority(s, &prio));
    V(prio);
    E(cudaStreamGetId(s, &id));
    E(cudaStreamGetDevice(s, &prio));
    V(prio);
    E(cudaStreamQuery(s));
    E(cudaStreamSynchronize(s));
    E(cudaStreamDestroy(s));
    E(cudaStreamCreateWithFlags(&s, 1));
    E(cudaStreamGetFlags(s, &f));
    V(f);
    E(cudaStreamCreateWithFlags(&s, 2));
    E(cudaStreamCreateWithFlags(&s, 99));
    LAST();
    E(cudaStreamCreateWithPriority(&s, 0, -3));
    E(cudaStreamGetPriority(s, &prio));
    V(prio);
    E(cudaStreamCreateWithPriority(&s, 0, -100));
    E(cudaStreamGetPriority(s, &prio));
    V(prio);
    E(cudaStreamCreateWithPriority(&s, 0, 100));
    E(cudaStreamGetPriority(s, &prio));
    V(prio);
    E(cudaStreamQuery(0));
    E(cudaStreamSynchronize(0));
    E(cudaStreamSynchronize(cudaStreamPerThread));
    E(cudaStreamGetFlags(0, &f));
    V(f);
    E(cudaStreamGetFlags(cudaStreamPerThread, &f));
    V(f);
    E(cudaStreamGetPriority(0, &prio));
    V(prio);
    E(cudaStreamGetFlags(s, NULL));
    E(cudaStreamGetPriority(s, NULL));
    E(cudaStreamDestroy(0));
    E(cudaStreamDestroy(cudaStreamLegacy));
    E(cudaStreamDestroy(cudaStreamPerThread));
    LAST();
    E(cudaStreamWaitEvent(s, NULL, 0));
    E(cudaStreamAddCallback(s, NULL, NULL, 0));
    E(cudaLaunchHostFunc(s, NULL, NULL));
    enum cudaStreamCaptureStatus c = 9;
    E(cudaStreamIsCapturing(s, &c));
    V(c);
    E(cudaStreamIsCapturing(s, NULL));
    (void)bad;
}
PROBE(stream_bad1) {
    E(cudaStreamQuery((cudaStream_t)0x7777));
    LAST();
}
PROBE(stream_bad2) {
    cudaStream_t s;
    E(cudaStreamCreate(&s));
    E(cudaStreamDestroy(s));
    E(cudaStreamDestroy(s));
    LAST();
}
PROBE(stream_bad3) {
    cudaStream_t s;
    E(cudaStreamCreate(&s));
    E(cudaStreamDestroy(s));
    E(cudaStreamSynchronize(s));
    LAST();
}
PROBE(events) {
    cudaEvent_t e = NULL, f = NULL, g = NULL;
    float ms = 77;
    E(cudaEventCreate(NULL));
    E(cudaEventCreate(&e));
    E(cudaEventCreateWithFlags(&f, cudaEventDisableTiming));
    E(cudaEventCreateWithFlags(&g, 0xff));
    E(cudaEventCreateWithFlags(&g, 4));
    E(cudaEventCreateWithFlags(&g, cudaEventBlockingSync));
    LAST();
    E(cudaEventQuery(e));
    E(cudaEventSynchronize(e));
    E(cudaEventElapsedTime(&ms, e, e));
    E(cudaEventElapsedTime(&ms, e, g));
    LAST();
    E(cudaEventRecord(e, 0));
    E(cudaEventRecord(f, 0));
    E(cudaEventSynchronize(e));
    E(cudaEventElapsedTime(&ms, e, e));
    V(ms);
    E(cudaEventElapsedTime(&ms, e, f));
    E(cudaEventElapsedTime(&ms, e, g));
    E(cudaEventElapsedTime(NULL, e, e));
    E(cudaEventElapsedTime(&ms, NULL, e));
    E(cudaEventRecord(NULL, 0));
    E(cudaEventQuery(NULL));
    E(cudaEventSynchronize(NULL));
    E(cudaEventDestroy(NULL));
    LAST();
    E(cudaEventRecordWithFlags(e, 0, 0));
    E(cudaEventRecordWithFlags(e, 0, 1));
    E(cudaEventRecordWithFlags(e, 0, 9));
    E(cudaStreamWaitEvent(0, e, 0));
    E(cudaStreamWaitEvent(0, e, 9));
    E(cudaStreamWaitEvent(0, g, 0));
    E(cudaEventDestroy(e));
}
/* A function that a stream calls may call nothing. */
static void calls_back(void *user) {
    void *p = NULL;
    int d = 7;
    cudaEvent_t e;
    E(cudaMalloc(&p, 16));
    E(cudaStreamQuery(0));
    E(cudaStreamSynchronize(0));
    E(cudaDeviceSynchronize());
    E(cudaMemcpy(user, arena, 4, cudaMemcpyHostToDevice));
    E(cudaMemcpyAsync(user, arena, 4, cudaMemcpyHostToDevice, 0));
    LAST();
    E(cudaGetDevice(&d));
    E(cudaEventCreate(&e));
    E(cudaFree(user));
    E(cudaMallocHost(&p, 16));
}
PROBE(host_function_calls) {
    void *p;
    cudaMalloc(&p, 16);
    cudaLaunchHostFunc(0, calls_back, p);
    E(cudaDeviceSynchronize());
    E(cudaFree(p));
}
static void calls_back_with_status(cudaStream_t stream, cudaError_t status, void *user) {
    V(status);
    calls_back(user);
}
PROBE(callback_calls) {
    void *p;
    cudaMalloc(&p, 16);
    cudaStreamAddCallback(0, calls_back_with_status, p, 0);
    E(cudaDeviceSynchronize());
    E(cudaFree(p));
}
PROBE(event_bad1) { E(cudaEventQuery((cudaEvent_t)0x7777)); }
PROBE(event_bad2) {
    cudaEvent_t e;
    E(cudaEventCreate(&e));
    E(cudaEventDestroy(e));
    E(cudaEventDestroy(e));
}
PROBE(not_ready) {
    volatile int *flag;
    cudaMallocHost((void **)&flag, 4);
    *flag = 0;
    cudaEvent_t a, b;
    float ms;
    void *p = (void *)flag, *args[] = {&p};
    cudaStream_t s, blocking;
    E(cudaEventCreate(&a));
    E(cudaEventCreate(&b));
    E(cudaStreamCreateWithFlags(&s, 1));
    E(cudaStreamCreate(&blocking));
    cudaKernel_t w = kernel("wait");
    E(cudaEventRecord(a, s));
    LAUNCH(w, D1(1), D1(1), args, 0, s);
    E(cudaEventRecord(b, s));
    E(cudaEventQuery(b));
    E(cudaStreamQuery(s));
    LAST();
    E(cudaEventElapsedTime(&ms, a, b));
    LAST();
    E(cudaStreamQuery(0));
    E(cudaEventSynchronize(a));
    E(cudaStreamDestroy(s));
    E(cudaEventDestroy(a));
    *flag = 1;
    E(cudaEventSynchronize(b));
    E(cudaEventQuery(b));
    E(cudaDeviceSynchronize());
    *flag = 0;
    LAUNCH(w, D1(1), D1(1), args, 0, blocking);
    E(cudaStreamQuery(0));
    LAUNCH(kernel("nop"), D1(1), D1(1), NULL, 0, 0);
    E(cudaStreamQuery(0));
    E(cudaStreamQuery(cudaStreamPerThread));
    *flag = 1;
    E(cudaDeviceSynchronize());
}
