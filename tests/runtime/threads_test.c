/* Many threads use the runtime at once: first use, launches in streams of their own, copies to and from
 * variables, allocation, handles made and destroyed. Also what ThreadSanitizer watches. */
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

static const char program[] =
    ".version 8.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .align 4 .u32 total;\n"
    ".visible .entry add(.param .u64 p, .param .u32 v) {\n"
    "  .reg .b32 %r<5>; .reg .b64 %rd<4>;\n"
    "  ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1; ld.param.u32 %r1, [v];\n"
    "  mov.u32 %r2, %tid.x; mul.wide.u32 %rd3, %r2, 4; add.s64 %rd2, %rd2, %rd3;\n"
    "  ld.global.u32 %r3, [%rd2]; add.u32 %r3, %r3, %r1; st.global.u32 [%rd2], %r3;\n"
    "  atom.global.add.u32 %r4, [total], 1; ret; }\n";
static const struct {
    uint32_t magic, version;
    const void *data, *linked;
} wrapper = {0x466243b1, 1, program, NULL};
static char stub, total;
static atomic_int called;

enum { THREADS = 8, ROUNDS = 20, LAUNCHES = 10, LANES = 64 };

static void count_call(void *user) { atomic_fetch_add((atomic_int *)user, 1); }

/* The line of the first thing that went wrong, or 0. */
#define MUST(CONDITION)                                                                                      \
    do {                                                                                                     \
        if (!(CONDITION)) return (void *)(uintptr_t)__LINE__;                                                \
    } while (0)
#define GOOD(CALL) MUST((CALL) == cudaSuccess)

static void *work(void *arg) {
    unsigned number = (unsigned)(uintptr_t)arg;
    for (int round = 0; round < ROUNDS; round++) {
        void *p = NULL;
        cudaStream_t s;
        cudaEvent_t a, b;
        unsigned h[LANES], v = number + (unsigned)round;
        float ms = -1;
        void *args[] = {&p, &v};
        dim3 grid = {1, 1, 1}, block = {LANES, 1, 1};
        GOOD(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
        GOOD(cudaEventCreate(&a));
        GOOD(cudaEventCreate(&b));
        if (round % 2)
            GOOD(cudaMalloc(&p, sizeof h));
        else
            GOOD(cudaMallocAsync(&p, sizeof h, s));
        GOOD(cudaMemsetAsync(p, 0, sizeof h, s));
        GOOD(cudaEventRecord(a, s));
        for (int i = 0; i < LAUNCHES; i++) GOOD(cudaLaunchKernel(&stub, grid, block, args, 0, s));
        GOOD(cudaEventRecord(b, s));
        GOOD(cudaLaunchHostFunc(s, count_call, &called));
        GOOD(cudaMemcpyAsync(h, p, sizeof h, cudaMemcpyDeviceToHost, s));
        GOOD(cudaStreamSynchronize(s));
        GOOD(cudaEventElapsedTime(&ms, a, b));
        MUST(ms >= 0);
        for (int i = 0; i < LANES; i++) MUST(h[i] == v * LAUNCHES);
        if (round % 2)
            GOOD(cudaFree(p));
        else
            GOOD(cudaFreeAsync(p, s));
        GOOD(cudaEventDestroy(a));
        GOOD(cudaEventDestroy(b));
        GOOD(cudaStreamDestroy(s));
        /* Each thread has its own last error. */
        MUST(cudaStreamQuery((cudaStream_t)0x7777) == cudaErrorInvalidResourceHandle);
        MUST(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    }
    return NULL;
}

static void many_threads(void **state) {
    pthread_t threads[THREADS];
    unsigned count = 0;
    void **m = __cudaRegisterFatBinary((void *)&wrapper);
    __cudaRegisterFunction(m, &stub, "add", "add", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(m, &total, "total", "total", 0, 4, 0, 0);
    __cudaRegisterFatBinaryEnd(m);
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, (void *)i), 0);
    for (int i = 0; i < THREADS; i++) {
        void *line;
        pthread_join(threads[i], &line);
        if (line) fail_msg("thread %d failed in line %d", i, (int)(uintptr_t)line);
    }
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    assert_int_equal(cudaMemcpyFromSymbol(&count, &total, 4, 0, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(count, THREADS * ROUNDS * LAUNCHES * LANES);
    assert_int_equal(called, THREADS * ROUNDS);
    __cudaUnregisterFatBinary(m);
}

/* The per-thread default stream is each thread's own, and the legacy one waits for it. */
static void *own_stream(void *arg) {
    unsigned long long id = 0;
    cudaStreamGetId(cudaStreamPerThread, &id);
    return (void *)(uintptr_t)id;
}
static void per_thread_streams(void **state) {
    pthread_t t;
    void *other;
    unsigned long long mine = 0, legacy = 0;
    assert_int_equal(cudaStreamGetId(cudaStreamPerThread, &mine), cudaSuccess);
    assert_int_equal(cudaStreamGetId(NULL, &legacy), cudaSuccess);
    assert_int_equal(pthread_create(&t, NULL, own_stream, NULL), 0);
    pthread_join(t, &other);
    assert_true(mine != legacy && (uintptr_t)other != mine && (uintptr_t)other != legacy);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_threads), cmocka_unit_test(per_thread_streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
