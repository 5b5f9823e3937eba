/* What the runtime API answers, call by call: see probe.h.
 * What is left of the API after a kernel has failed.
 */
#include "tests/runtime/conformance.h"

static void after_fault(void) {
    void *p;
    struct cudaFuncAttributes a;
    cudaStream_t s;
    cudaEvent_t e;
    int d;
    size_t f, t;
    LAST();
    LAST();
    E(cudaPeekAtLastError());
    E(cudaDeviceSynchronize());
    LAST();
    LAST();
    E(cudaMalloc(&p, 16));
    E(cudaMemcpy(arena, arena + 16, 1, cudaMemcpyHostToHost));
    E(cudaFree(NULL));
    E(cudaGetDevice(&d));
    E(cudaSetDevice(0));
    E(cudaMemGetInfo(&f, &t));
    E(cudaStreamCreate(&s));
    E(cudaEventCreate(&e));
    E(cudaFuncGetAttributes(&a, (const void *)kernel("nop")));
    LAUNCH(kernel("nop"), D1(1), D1(1), NULL, 0, 0);
    E(cudaGetDeviceCount(&d));
    E(cudaDeviceGetAttribute(&d, cudaDevAttrWarpSize, 0));
    E(cudaStreamQuery(0));
    LAST();
    library = NULL;
    E(cudaDeviceReset());
    LAST();
    E(cudaMalloc(&p, 16));
    E(cudaDeviceSynchronize());
}

PROBE(fault_address) {
    void *bad = (void *)0x10, *args[] = {&bad, &bad};
    LAUNCH(kernel("store"), D1(1), D1(1), args, 0, 0);
    E(cudaDeviceSynchronize());
    after_fault();
}
PROBE(fault_misaligned) {
    char *p;
    cudaMalloc((void **)&p, 64);
    p++;
    void *args[] = {&p, &p};
    LAUNCH(kernel("store"), D1(1), D1(1), args, 0, 0);
    E(cudaStreamSynchronize(0));
    after_fault();
}
PROBE(fault_trap) {
    char h;
    void *p;
    cudaMalloc(&p, 4);
    LAUNCH(kernel("trap"), D1(1), D1(1), NULL, 0, 0);
    E(cudaMemcpy(&h, p, 1, cudaMemcpyDeviceToHost));
    after_fault();
}
