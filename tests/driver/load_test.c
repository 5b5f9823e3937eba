/* load_test.c: what loading a module answers, special registers, and questions about occupancy, as an H200
 * and its driver 580 (CUDA 13.0) answered them. */
#include <cuda.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static char log_text[2000];

static CUresult load(const char *version, const char *body, CUmodule *m) {
    char text[4000];
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log_text, (void *)sizeof log_text};
    snprintf(text, sizeof text, ".version %s\n.target sm_90\n.address_size 64\n%s", version, body);
    log_text[0] = 0;
    return cuModuleLoadDataEx(m, text, 2, options, values);
}

static const char empty[] = ".visible .entry k() { ret; }\n";

static void test_version(void **state) {
    CUmodule m;
    assert_int_equal(load("9.0", empty, &m), CUDA_SUCCESS);
    cuModuleUnload(m);
    /* A toolkit newer than these headers: only what is not known is an error. */
    assert_int_equal(load("9.5", empty, &m), CUDA_SUCCESS);
    cuModuleUnload(m);
    assert_int_equal(load("9.5", ".banana\n", &m), CUDA_ERROR_INVALID_PTX);
    assert_non_null(strstr(log_text, "banana"));
    static const char *const newer[] = {"10.0", "12.0"};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(load(newer[i], empty, &m), CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
        assert_non_null(strstr(log_text, newer[i]));
    }
    /* What is wrong with it besides does not matter. */
    assert_int_equal(load("10.1", ".banana\n", &m), CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
}

static void test_undefined_function(void **state) {
    CUmodule m;
    assert_int_equal(load("8.3", ".extern .func foo();\n.visible .entry k() { ret; }\n", &m), CUDA_SUCCESS);
    cuModuleUnload(m);
    assert_int_equal(load("8.3",
                          ".extern .func foo();\n.visible .entry k() { ret; }\n"
                          ".visible .entry j() { call foo; ret; }\n",
                          &m),
                     CUDA_ERROR_INVALID_PTX);
    assert_non_null(strstr(log_text, "'foo'"));
}

/* What is wrong in one kernel refuses it alone, which ptxas does not do; launches and questions get the
 * answer that loading would have got. */
static void test_refused_kernel(void **state) {
    CUmodule m;
    CUfunction f, all[2];
    unsigned n = 0;
    int value;
    const char *name;
    assert_int_equal(
        load("8.3", ".visible .entry k() { ret; }\n.visible .entry j() {\n add.bad.s32 1; ret; }\n", &m),
        CUDA_SUCCESS);
    assert_non_null(strstr(log_text, ":6:5: error: unknown modifier '.bad' of instruction 'add'"));
    assert_int_equal(cuModuleGetFunction(&f, m, "j"), CUDA_ERROR_INVALID_PTX);
    assert_int_equal(cuModuleGetFunctionCount(&n, m), CUDA_SUCCESS);
    assert_int_equal(n, 2);
    assert_int_equal(cuModuleEnumerateFunctions(all, 2, m), CUDA_SUCCESS);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cuFuncGetName(&name, all[i]), CUDA_SUCCESS);
        CUresult answer = *name == 'j' ? CUDA_ERROR_INVALID_PTX : CUDA_SUCCESS;
        assert_int_equal(cuLaunchKernel(all[i], 1, 1, 1, 32, 1, 1, 0, 0, NULL, NULL), answer);
        assert_int_equal(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, all[i]), answer);
        assert_int_equal(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, all[i], 32, 0), answer);
    }
    assert_int_equal(cuCtxSynchronize(), CUDA_SUCCESS);
    cuModuleUnload(m);
    assert_int_equal(load("8.3", ".visible .entry j() {\n add.bad.s32 1; ret; }\n", &m),
                     CUDA_ERROR_INVALID_PTX);
    assert_non_null(strstr(log_text, ":5:5: error: unknown modifier"));
    assert_int_equal(cuModuleLoadData(&m, "garbage"), CUDA_ERROR_INVALID_IMAGE);
}

/* The words of vote in every order that ptxas takes. */
static void test_order_of_words(void **state) {
    CUmodule m;
    CUfunction f;
    assert_int_equal(
        load("8.3",
             ".visible .entry k() { .reg .b32 %r<3>; .reg .pred %p<2>; setp.eq.u32 %p1, 0, 0;\n"
             "vote.ballot.sync.b32 %r1, %p1, -1; shfl.idx.sync.b32 %r1, %r1, 0, 31, -1; ret; }\n",
             &m),
        CUDA_SUCCESS);
    assert_int_equal(cuModuleGetFunction(&f, m, "k"), CUDA_SUCCESS);
    assert_int_equal(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, NULL, NULL), CUDA_SUCCESS);
    assert_int_equal(cuCtxSynchronize(), CUDA_SUCCESS);
    cuModuleUnload(m);
}

static void test_special_registers(void **state) {
    static const char *const names[] = {
        "nwarpid",        "reserved_smem_offset_begin", "reserved_smem_offset_end", "total_smem_size",
        "aggr_smem_size", "dynamic_smem_size",          "reserved_smem_offset_cap"};
    static const unsigned with_50[] = {64, 0, 288, 256, 1186, 50, 1024},
                          without[] = {64, 0, 288, 128, 1136, 0, 1024};
    char body[2000] =
        ".visible .entry k(.param .u64 p) { .shared .b8 s[100]; .reg .b32 %r<2>; .reg .b64 %rd<2>;\n"
        "ld.param.u64 %rd1, [p]; st.shared.b8 [s], 0;\n";
    enum { N = sizeof names / sizeof *names };
    for (int i = 0; i < N; i++)
        sprintf(body + strlen(body), "mov.u32 %%r1, %%%s; st.global.u32 [%%rd1+%d], %%r1;\n", names[i],
                4 * i);
    strcat(body, "ret; }\n");
    CUmodule m;
    CUfunction f;
    CUdeviceptr p;
    assert_int_equal(load("8.3", body, &m), CUDA_SUCCESS);
    assert_int_equal(cuModuleGetFunction(&f, m, "k"), CUDA_SUCCESS);
    assert_int_equal(cuMemAllocManaged(&p, 4096, CU_MEM_ATTACH_GLOBAL), CUDA_SUCCESS);
    void *arguments[] = {&p};
    for (int dynamic = 0; dynamic <= 50; dynamic += 50) {
        assert_int_equal(cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, dynamic, 0, arguments, NULL), CUDA_SUCCESS);
        assert_int_equal(cuCtxSynchronize(), CUDA_SUCCESS);
        assert_memory_equal((void *)p, dynamic ? with_50 : without, sizeof with_50);
    }
    cuMemFree(p);
    cuModuleUnload(m);
}

static int blocks_of(CUfunction f, int threads) {
    int n = -1;
    assert_int_equal(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, threads, 0), CUDA_SUCCESS);
    return n;
}

/* A kernel's own bound is a launch's concern, not this question's. */
static void test_occupancy(void **state) {
    CUmodule m;
    CUfunction f;
    int grid, block;
    size_t total;
    assert_int_equal(load("8.3", ".visible .entry k() .maxntid 256, 1, 1 { ret; }\n", &m), CUDA_SUCCESS);
    assert_int_equal(cuModuleGetFunction(&f, m, "k"), CUDA_SUCCESS);
    static const int answers[][2] = {{32, 32}, {128, 16}, {256, 8}, {257, 7}, {512, 4}, {1024, 2}, {1025, 0}};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        assert_int_equal(blocks_of(f, answers[i][0]), answers[i][1]);
    assert_int_equal(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, NULL, 0, 0), CUDA_SUCCESS);
    assert_int_equal(grid, 1056);
    assert_int_equal(block, 256);
    assert_int_equal(cuDeviceTotalMem(&total, 0), CUDA_SUCCESS);
    assert_true(total == 150109880320);
    cuModuleUnload(m);
}

/* size 0: no cluster. Status of both questions, clusters (-1: not looked at), greatest size. */
static void ask(CUfunction f, unsigned size, unsigned grid, unsigned shared, CUresult status, int clusters,
                int most) {
    CUlaunchAttribute a = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value.clusterDim = {size, 1, 1}};
    CUlaunchConfig c = {.gridDimX = grid,
                        .gridDimY = 1,
                        .gridDimZ = 1,
                        .blockDimX = 128,
                        .blockDimY = 1,
                        .blockDimZ = 1,
                        .sharedMemBytes = shared,
                        .attrs = &a,
                        .numAttrs = size ? 1 : 0};
    int n = -7;
    assert_int_equal(cuOccupancyMaxActiveClusters(&n, f, &c), status);
    if (!status && clusters >= 0) assert_int_equal(n, clusters);
    n = -7;
    assert_int_equal(cuOccupancyMaxPotentialClusterSize(&n, f, &c), status);
    assert_int_equal(n, status ? -7 : most);
}

static void test_clusters(void **state) {
    CUmodule m;
    CUfunction f;
    assert_int_equal(load("8.3", empty, &m), CUDA_SUCCESS);
    assert_int_equal(cuModuleGetFunction(&f, m, "k"), CUDA_SUCCESS);
    ask(f, 0, 144, 0, CUDA_SUCCESS, 0, 8);
    ask(f, 2, 144, 0, CUDA_SUCCESS, -1, 8);
    ask(f, 2, 3, 0, CUDA_ERROR_INVALID_CLUSTER_SIZE, -1, 0);
    ask(f, 16, 144, 0, CUDA_ERROR_INVALID_CLUSTER_SIZE, -1, 0);
    ask(f, 8, 64, 200000, CUDA_SUCCESS, 0, 0);
    assert_int_equal(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
                     CUDA_SUCCESS);
    ask(f, 16, 144, 0, CUDA_SUCCESS, -1, 16);
    cuModuleUnload(m);
}

static int set_up(void **state) {
    CUcontext c;
    return cuInit(0) || cuDevicePrimaryCtxRetain(&c, 0) || cuCtxSetCurrent(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version),           cmocka_unit_test(test_undefined_function),
        cmocka_unit_test(test_refused_kernel),    cmocka_unit_test(test_order_of_words),
        cmocka_unit_test(test_special_registers), cmocka_unit_test(test_occupancy),
        cmocka_unit_test(test_clusters)};
    return cmocka_run_group_tests(tests, set_up, NULL);
}
