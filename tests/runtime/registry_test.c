/* What compiled programs do before main, done by hand: fat binaries of every form are registered, and their
 * kernels launched and variables copied through host addresses. */
#include "machine/machine.h"
#include "tests/runtime/fat_binary.h"
#include <cuda_runtime_api.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static const char program[] =
    ".version 8.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .align 4 .u32 counter = 7;\n"
    ".visible .const .align 4 .b8 table[16];\n"
    ".visible .global .attribute(.managed) .align 4 .u32 managed = 5;\n"
    ".visible .entry store(.param .u64 p) {\n"
    "  .reg .b32 %r<6>; .reg .b64 %rd<3>;\n"
    "  ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1;\n"
    "  ld.global.u32 %r1, [counter]; ld.const.u32 %r2, [table+4]; ld.global.u32 %r3, [managed];\n"
    "  add.u32 %r4, %r1, %r2; add.u32 %r5, %r4, %r3; st.global.u32 [%rd2], %r5; ret; }\n";

/* The host's side of the program: a stub, two shadows, a pointer to managed memory. */
static char stub, counter, table;
static unsigned *managed;

static void **registered(const void *wrapper) {
    void **m = __cudaRegisterFatBinary((void *)wrapper);
    __cudaRegisterFunction(m, &stub, "store", "store", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(m, &counter, "counter", "counter", 0, 4, 0, 0);
    __cudaRegisterVar(m, &table, "table", "table", 0, 16, 1, 0);
    __cudaRegisterManagedVar(m, (void **)&managed, "managed", "managed", 0, 4, 0, 0);
    __cudaRegisterFatBinaryEnd(m);
    return m;
}

static cudaError_t run(unsigned *result) {
    void *p = NULL, *args[] = {&p};
    dim3 one = {1, 1, 1};
    assert_int_equal(cudaMalloc(&p, 4), cudaSuccess);
    cudaError_t e = cudaLaunchKernel(&stub, one, one, args, 0, NULL);
    if (e == cudaSuccess) e = cudaMemcpy(result, p, 4, cudaMemcpyDeviceToHost);
    assert_int_equal(cudaFree(p), cudaSuccess);
    return e;
}

static void works(const void *wrapper) {
    unsigned v[4] = {10, 20, 30, 40}, result = 0;
    void **m = registered(wrapper);
    assert_int_equal(__cudaInitModule(m), 1);
    assert_int_equal(*managed, 5);
    *managed = 1000;
    assert_int_equal(cudaMemcpyToSymbol(&table, v, 16, 0, cudaMemcpyHostToDevice), cudaSuccess);
    assert_int_equal(run(&result), cudaSuccess);
    assert_int_equal(result, 7 + 20 + 1000);
    v[0] = 100;
    assert_int_equal(cudaMemcpyToSymbol(&counter, v, 4, 0, cudaMemcpyHostToDevice), cudaSuccess);
    assert_int_equal(run(&result), cudaSuccess);
    assert_int_equal(result, 100 + 20 + 1000);
    __cudaUnregisterFatBinary(m);
    assert_int_equal(run(&result), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaGetSymbolSize(&(size_t){0}, &counter), cudaErrorInvalidSymbol);
    cudaGetLastError();
}

static void every_packing(void **state) {
    for (int packing = FAT_RAW; packing <= FAT_ZSTD; packing++) {
        struct fat_binary f = {0};
        fat_entry(&f, (struct fat_entry){.kind = FAT_ELF, .arch = 90, .data = "\177ELF....", .bytes = 8});
        fat_entry(&f, (struct fat_entry){.kind = FAT_PTX,
                                         .arch = 70,
                                         .packing = (enum fat_packing)packing,
                                         .extra_header = 16,
                                         .data = program,
                                         .bytes = strlen(program)});
        fat_finish(&f);
        struct fat_wrapper v1 = {FAT_WRAPPER, 1, f.bytes.s, NULL};
        works(&v1);
        const void *list[] = {f.bytes.s, NULL};
        struct fat_wrapper v2 = {FAT_WRAPPER, 2, f.bytes.s, list};
        works(&v2);
        fat_free(&f);
    }
}
static void plain_text(void **state) {
    struct fat_wrapper w = {FAT_WRAPPER, 1, program, NULL};
    works(&w);
}
static void after_reset(void **state) {
    struct fat_wrapper w = {FAT_WRAPPER, 1, program, NULL};
    unsigned v = 50, result = 0;
    void **m = registered(&w);
    assert_int_equal(cudaMemcpyToSymbol(&counter, &v, 4, 0, cudaMemcpyHostToDevice), cudaSuccess);
    assert_int_equal(cudaDeviceReset(), cudaSuccess);
    assert_int_equal(run(&result), cudaSuccess);
    assert_int_equal(result, 7 + 0 + 5); /* loaded anew */
    __cudaUnregisterFatBinary(m);
}

/* Runs with stderr in a file, and gives what was written there. */
static char messages[4096];
static cudaError_t listen(const void *wrapper) {
    unsigned result;
    char path[] = "/tmp/registry_test.XXXXXX";
    int file = mkstemp(path), before = dup(STDERR_FILENO);
    dup2(file, STDERR_FILENO);
    void **m = registered(wrapper);
    cudaError_t e = run(&result);
    assert_int_equal(run(&result), e); /* and again the same, told once */
    __cudaUnregisterFatBinary(m);
    dup2(before, STDERR_FILENO);
    ssize_t n = pread(file, messages, sizeof messages - 1, 0);
    messages[n > 0 ? n : 0] = 0;
    close(before);
    close(file);
    unlink(path);
    assert_int_equal(cudaGetLastError(), e);
    return e;
}
static void says(const char *what) {
    const char *first = strstr(messages, what);
    if (!first) fail_msg("'%s' is not in: %s", what, messages);
    assert_null(strstr(first + 1, what));
}

static void nothing_to_run(void **state) {
    struct fat_binary f = {0};
    fat_entry(&f, (struct fat_entry){.kind = FAT_ELF, .arch = 90, .data = "\177ELF....", .bytes = 8});
    fat_finish(&f);
    struct fat_wrapper w = {FAT_WRAPPER, 1, f.bytes.s, NULL};
    assert_int_equal(listen(&w), cudaErrorNoKernelImageForDevice);
    says("-gencode arch=compute_90,code=[sm_90,compute_90]");
    says("kernel store was not launched");
    fat_free(&f);
}
static void rubbish(void **state) {
    struct fat_wrapper w = {FAT_WRAPPER, 1, "rubbish", NULL};
    assert_int_equal(listen(&w), cudaErrorInvalidKernelImage);
    says("neither PTX text nor a fat binary");
}
static void malformed_ptx(void **state) {
    struct fat_wrapper w = {FAT_WRAPPER, 1,
                            ".version 8.0\n.target sm_70\n.address_size 64\n.visible .entry store(.param "
                            ".u64 p) {\n  frobnicate.u32 %r1;\n}\n",
                            NULL};
    assert_int_equal(listen(&w), cudaErrorInvalidPtx);
    says(":5:3: error:");
}
static void kernel_is_not_in_it(void **state) {
    struct fat_wrapper w = {
        FAT_WRAPPER, 1, ".version 8.0\n.target sm_70\n.address_size 64\n.visible .entry other() { ret; }\n",
        NULL};
    assert_int_equal(listen(&w), cudaErrorInvalidDeviceFunction);
}

static int set_arch(void **state) { return setenv("WARPGLASS_ARCH", "sm_90", 1); }

/* Reports give a launch's status by the name that machine/ has for it. */
static void machine_names_statuses_as_cuda_does(void **state) {
#define X(id, number, cuda, text)                                                                            \
    assert_int_equal(cuda, number);                                                                          \
    assert_string_equal(#cuda, cudaGetErrorName((cudaError_t)(number)));
    WG_STATUSES(X)
#undef X
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(machine_names_statuses_as_cuda_does),
                                       cmocka_unit_test(every_packing),
                                       cmocka_unit_test(plain_text),
                                       cmocka_unit_test(after_reset),
                                       cmocka_unit_test(nothing_to_run),
                                       cmocka_unit_test(rubbish),
                                       cmocka_unit_test(malformed_ptx),
                                       cmocka_unit_test(kernel_is_not_in_it)};
    return cmocka_run_group_tests(tests, set_arch, NULL);
}
