/* PTX through the whole machine, with each back end: variables, parameters, and what is said of faults. */
#include "machine/device.h"
#include "ref/ref.h"
#include "tests/machine/fixture.h"

#include <stdio.h>
#include <unistd.h>

static const char text[] =
    ".version 7.8\n.target sm_70\n.address_size 64\n"
    ".file 1 \"k.cu\"\n"
    ".visible .global .align 4 .u32 table[3] = {10, 20, 30};\n"
    ".visible .global .align 8 .u64 where = generic(table);\n"
    ".visible .const .align 4 .u32 factor = 7;\n"
    /* c[i] = a[i] + b[i] for i < n */
    ".visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {\n"
    "  .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
    "  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3;\n"
    "  ld.param.u32 %r5, [n]; setp.ge.s32 %p1, %r4, %r5; @%p1 bra $end;\n"
    "  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c];\n"
    "  mul.wide.s32 %rd4, %r4, 4; add.s64 %rd5, %rd1, %rd4; add.s64 %rd6, %rd2, %rd4; add.s64 %rd7, %rd3, "
    "%rd4;\n"
    "  .loc 1 5 9\n"
    "  ld.global.u32 %r6, [%rd5];\n"
    "  .loc 1 6 9\n"
    "  ld.global.u32 %r7, [%rd6]; add.s32 %r8, %r6, %r7;\n"
    "  .loc 1 7 9\n"
    "  st.global.u32 [%rd7], %r8;\n"
    "$end: ret;\n}\n"
    /* out[i] = (*(unsigned **)&where)[i] * factor, through shared memory */
    ".visible .entry scale(.param .u64 out) {\n"
    "  .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .shared .align 4 .b8 stage[128];\n"
    "  mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 2; @%p1 bra $wait;\n"
    "  ld.global.u64 %rd1, [where]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; ld.u32 %r2, "
    "[%rd3];\n"
    "  ld.const.u32 %r3, [factor]; mul.lo.u32 %r4, %r2, %r3;\n"
    "  mov.u32 %r5, stage; shl.b32 %r6, %r1, 2; add.u32 %r5, %r5, %r6; st.shared.u32 [%r5], %r4;\n"
    "$wait: bar.sync 0; @%p1 bra $end;\n"
    "  mov.u32 %r7, stage; mov.u32 %r8, 2; sub.u32 %r8, %r8, %r1; shl.b32 %r8, %r8, 2; add.u32 %r7, %r7, "
    "%r8;\n"
    "  ld.shared.u32 %r4, [%r7]; ld.param.u64 %rd4, [out]; mul.wide.u32 %rd5, %r1, 4; add.s64 %rd6, %rd4, "
    "%rd5;\n"
    "  st.global.u32 [%rd6], %r4;\n"
    "$end: ret;\n}\n"
    /* *(u32 *)(p + (tid == 45) * off) = tid */
    ".visible .entry poke(.param .u64 p, .param .u64 off) {\n"
    "  .reg .pred %p<2>; .reg .b32 %r<3>; .reg .b64 %rd<4>;\n"
    "  ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [off]; mov.u32 %r1, %tid.x;\n"
    "  setp.eq.u32 %p1, %r1, 45; add.s64 %rd3, %rd1, %rd2; selp.b64 %rd1, %rd3, %rd1, %p1;\n"
    "  .loc 1 21 5\n"
    "  st.global.u32 [%rd1], %r1; ret;\n}\n"
    /* out[0] = depth + ... + 1, by recursion */
    ".func (.param .b32 r) sum(.param .b32 n) {\n"
    "  .reg .pred %p<2>; .reg .b32 %r<5>;\n"
    "  ld.param.b32 %r1, [n]; setp.eq.u32 %p1, %r1, 0; mov.u32 %r4, 0; @%p1 bra $done;\n"
    "  sub.u32 %r2, %r1, 1;\n"
    "  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r2; call.uni (b), sum, (a); ld.param.b32 %r3, [b]; "
    "}\n"
    "  add.u32 %r4, %r3, %r1;\n"
    "$done: st.param.b32 [r], %r4; ret;\n}\n"
    ".visible .entry recurse(.param .u64 out, .param .u32 depth) {\n"
    "  .reg .b32 %r<3>; .reg .b64 %rd<2>;\n"
    "  ld.param.u32 %r1, [depth];\n"
    "  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), sum, (a); ld.param.b32 %r2, [b]; "
    "}\n"
    "  ld.param.u64 %rd1, [out]; st.global.u32 [%rd1], %r2; ret;\n}\n"
    /* Thread 37 calls itself without end. */
    ".func (.param .b32 r) falls(.param .b32 n) {\n"
    "  .reg .pred %p<2>; .reg .b32 %r<5>;\n"
    "  ld.param.b32 %r1, [n]; mov.u32 %r3, 0; setp.ne.u32 %p1, %r1, 37; @%p1 bra $done;\n"
    "  .loc 1 50 9\n"
    "  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), falls, (a); ld.param.b32 %r3, "
    "[b]; "
    "}\n"
    "  mad.lo.u32 %r3, %r3, 3, %r1;\n"
    "$done: st.param.b32 [r], %r3; ret;\n}\n"
    ".visible .entry fall(.param .u64 out) {\n"
    "  .reg .b32 %r<3>; .reg .b64 %rd<2>;\n"
    "  mov.u32 %r1, %tid.x;\n"
    "  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), falls, (a); ld.param.b32 %r2, "
    "[b]; "
    "}\n"
    "  ld.param.u64 %rd1, [out]; st.global.u32 [%rd1], %r2; ret;\n}\n"
    /* for (;;) *p += 1, with nothing that a compiler would take for waiting */
    ".visible .entry endless(.param .u64 p) {\n"
    "  .reg .b32 %r<3>; .reg .b64 %rd<2>; ld.param.u64 %rd1, [p];\n"
    "$again:\n  .loc 1 40 7\n"
    "  ld.global.u32 %r1, [%rd1]; add.u32 %r2, %r1, 1; st.global.u32 [%rd1], %r2; bra $again;\n}\n"
    ".visible .entry trapped() { .reg .pred %p<2>; .reg .b32 %r<2>; mov.u32 %r1, %tid.x;\n"
    "  setp.eq.u32 %p1, %r1, 33;\n  .loc 1 30 3\n  @%p1 trap; ret; }\n";

static void open_with(struct rig *r, const struct wg_options *o) {
    struct wg_diag d = {0};
    assert_int_equal(wg_device_open(o, &r->dev, &d), WG_OK);
    if (wg_module_load(r->dev, "kernel_test.ptx", text, sizeof text - 1, &r->mod, &d) != WG_OK)
        fail_msg("%s", d.text.s ? d.text.s : "module");
    r->stream = wg_device_stream(r->dev, WG_STREAM_LEGACY);
}

static void open_timed(struct rig *r, uint32_t backend, double timeout) {
    struct wg_options o;
    wg_options_init(&o);
    o.threads = 2;
    o.backend = backend;
    o.strict = 1;
    o.timeout = timeout;
    strcpy(o.cache_dir, "none");
    open_with(r, &o);
}

static void open_backend(struct rig *r, uint32_t backend) { open_timed(r, backend, 0); }

static enum wg_status run(struct rig *r, const char *kernel, uint32_t blocks, uint32_t threads,
                          const void *const *args) {
    struct wg_launch l = {.func = wg_module_func(r->mod, kernel),
                          .grid = {blocks, 1, 1},
                          .block = {threads, 1, 1},
                          .args = args};
    assert_non_null(l.func);
    enum wg_status s = wg_launch(r->stream, &l);
    if (s != WG_OK) print_message("%s\n", wg_last_detail());
    return s == WG_OK ? wg_device_sync(r->dev) : s;
}
#define RUN(r, kernel, blocks, threads, ...)                                                                 \
    run(r, kernel, blocks, threads, (const void *const[]){__VA_ARGS__})

#define EACH_BACKEND(b) for (uint32_t b = WG_BACKEND_JIT; b <= WG_BACKEND_REF; b++)

static void vectors_are_added(void **state) {
    EACH_BACKEND(b) {
        struct rig r;
        uint32_t n = 10007;
        open_backend(&r, b);
        uint32_t *x = rig_alloc(&r, 4 * n), *y = rig_alloc(&r, 4 * n), *z = rig_alloc(&r, 4 * n);
        for (uint32_t i = 0; i < n; i++) x[i] = i * 3, y[i] = i ^ 0x55;
        assert_int_equal(RUN(&r, "add", (n + 95) / 96, 96, &x, &y, &z, &n), WG_OK);
        for (uint32_t i = 0; i < n; i++) assert_int_equal(z[i], i * 3 + (i ^ 0x55));
        rig_close(&r);
    }
}

static void variables_are_initialised_and_reached(void **state) {
    EACH_BACKEND(b) {
        struct rig r;
        void *address, *where;
        size_t size;
        open_backend(&r, b);
        uint32_t *out = rig_alloc(&r, 12);
        assert_int_equal(RUN(&r, "scale", 2, 64, &out), WG_OK);
        assert_int_equal(out[0], 210);
        assert_int_equal(out[1], 140);
        assert_int_equal(out[2], 70);
        assert_int_equal(wg_module_global(r.mod, "table", &address, &size), WG_OK);
        assert_int_equal(size, 12);
        assert_int_equal(wg_module_global(r.mod, "where", &where, &size), WG_OK);
        assert_ptr_equal(*(void **)where, address);
        assert_int_equal(wg_mem_query(r.dev, address).kind, WG_MEM_MODULE);
        ((uint32_t *)address)[0] = 1;
        assert_int_equal(wg_module_global(r.mod, "factor", &address, &size), WG_OK);
        *(uint32_t *)address = 2;
        assert_int_equal(RUN(&r, "scale", 1, 64, &out), WG_OK);
        assert_int_equal(out[2], 2);
        assert_int_equal(wg_module_global(r.mod, "nobody", &address, &size), WG_SYMBOL_NOT_FOUND);
        assert_null(wg_module_func(r.mod, "sum")); /* not a kernel */
        rig_close(&r);
    }
}

static struct wg_device *compiling;
static bool stood;
static struct wg_code *compile_slowly(const struct wg_ir_module *m, uint32_t func,
                                      const struct wg_code_opts *opts, struct wg_diag *d) {
    uint64_t before = wg_device_now(compiling);
    usleep(1000);
    stood = wg_device_now(compiling) == before;
    return wg_ref_compile(m, func, opts, d);
}

/* Events around the first launch tell the kernel's time: the device's clock stands while the compiler runs.
 */
static void compiling_is_not_the_devices_time(void **state) {
    struct wg_options o;
    struct rig r;
    uint32_t n = 10;
    wg_options_init(&o);
    o.compile = compile_slowly;
    open_with(&r, &o);
    compiling = r.dev;
    uint32_t *x = rig_alloc(&r, 4 * n);
    assert_int_equal(RUN(&r, "add", 1, 32, &x, &x, &x, &n), WG_OK);
    assert_true(stood);
    uint64_t after = wg_device_now(r.dev);
    usleep(1000);
    assert_true(wg_device_now(r.dev) > after);
    rig_close(&r);
}

static void recursion_has_a_stack(void **state) {
    EACH_BACKEND(b) {
        struct rig r;
        uint32_t depth = 20;
        open_backend(&r, b);
        uint32_t *out = rig_alloc(&r, 4);
        assert_int_equal(RUN(&r, "recurse", 3, 40, &out, &depth), WG_OK);
        assert_int_equal(*out, 210);
        rig_close(&r);
    }
}

static void check_fault(struct rig *r, enum wg_status status, uint32_t line, uint32_t thread,
                        uint64_t address) {
    const struct wg_fault_record *f = wg_device_fault(r->dev);
    assert_non_null(f);
    assert_int_equal(f->status, status);
    assert_true(f->thread_known);
    assert_int_equal(f->block[0], 0);
    assert_int_equal(f->thread[0], thread);
    assert_int_equal(f->nplaces, 1);
    assert_string_equal(f->places[0].file, "k.cu");
    assert_int_equal(f->places[0].line, line);
    if (address) assert_int_equal(f->address, address);
    if (address) assert_int_equal(f->size, 4);
}

static void recursion_without_end(void **state) {
    EACH_BACKEND(b) {
        struct rig r;
        open_backend(&r, b);
        uint32_t *out = rig_alloc(&r, 4);
        assert_int_equal(RUN(&r, "fall", 3, 40, &out), WG_ILLEGAL_ADDRESS);
        check_fault(&r, WG_ILLEGAL_ADDRESS, 50, 37, 0);
        rig_close(&r);
    }
}

/* Thread 45 of block 0, whichever way the back end finds out. */
static void the_thread_and_line_of_a_fault_are_told(void **state) {
    EACH_BACKEND(b) {
        struct rig r;
        uint64_t off = 4096 * 20;
        open_backend(&r, b);
        char *p = rig_alloc(&r, 100);
        assert_int_equal(RUN(&r, "poke", 200, 64, &p, &off), WG_ILLEGAL_ADDRESS);
        check_fault(&r, WG_ILLEGAL_ADDRESS, 21, 45, (uint64_t)p + off);
        assert_string_equal(wg_device_fault(r.dev)->operation, "st.global.u32");
        assert_non_null(strstr(wg_device_fault(r.dev)->message,
                               "81820 bytes past the end of an allocation of 100 bytes"));
        rig_close(&r);

        off = 2;
        open_backend(&r, b);
        p = rig_alloc(&r, 100);
        assert_int_equal(RUN(&r, "poke", 200, 64, &p, &off), WG_MISALIGNED_ADDRESS);
        check_fault(&r, WG_MISALIGNED_ADDRESS, 21, 45, (uint64_t)p + 2);
        rig_close(&r);

        open_backend(&r, b);
        assert_int_equal(RUN(&r, "trapped", 1, 64, NULL), WG_LAUNCH_FAILED);
        check_fault(&r, WG_LAUNCH_FAILED, 30, 33, 0);
        rig_close(&r);
    }
}

static void endless_loops_are_left(void **state) {
    EACH_BACKEND(b) {
        struct rig r;
        open_timed(&r, b, 0.1);
        uint32_t *p = rig_alloc(&r, 4);
        assert_int_equal(RUN(&r, "endless", 10, 64, &p), WG_LAUNCH_TIMEOUT);
        const struct wg_fault_record *f = wg_device_fault(r.dev);
        assert_int_equal(f->nplaces, 1);
        assert_int_equal(f->places[0].line, 40);
        assert_non_null(strstr(f->message, "ran longer than 0.1 seconds"));
        rig_close(&r);
    }
}

static void host_memory_is_out_of_reach_unless_registered(void **state) {
    EACH_BACKEND(b) {
        struct rig r;
        uint32_t n = 100, *own = calloc(n, 4);
        open_backend(&r, b);
        uint32_t *x = rig_alloc(&r, 4 * n), *z = rig_alloc(&r, 4 * n);
        for (uint32_t i = 0; i < n; i++) own[i] = i;
        assert_int_equal(wg_mem_register(r.dev, own, 4 * n, 0), WG_OK);
        assert_int_equal(RUN(&r, "add", 1, 128, &x, &own, &z, &n), WG_OK);
        for (uint32_t i = 0; i < n; i++) assert_int_equal(z[i], i);
        assert_int_equal(wg_mem_unregister(r.dev, own), WG_OK);
        assert_int_equal(RUN(&r, "add", 1, 128, &x, &own, &z, &n), WG_ILLEGAL_ADDRESS);
        check_fault(&r, WG_ILLEGAL_ADDRESS, 6, 0, (uint64_t)own);
        assert_non_null(strstr(wg_device_fault(r.dev)->message, "host memory that no kernel can access"));
        rig_close(&r);
        free(own);
    }
}

static void wrong_ptx_is_located(void **state) {
    struct wg_options o;
    struct wg_device *dev;
    struct wg_module *m;
    struct wg_diag d = {0};
    static const char bad[] =
        ".version 7.8\n.target sm_70\n.address_size 64\n.visible .entry k() {\n  addd.u32 1;\n}\n";
    wg_options_init(&o);
    assert_int_equal(wg_device_open(&o, &dev, NULL), WG_OK);
    assert_int_equal(wg_module_load(dev, "bad.ptx", bad, sizeof bad - 1, &m, &d), WG_INVALID_PTX);
    assert_null(m);
    assert_non_null(strstr(d.text.s, "bad.ptx:5:"));
    assert_non_null(strstr(wg_last_detail(), "addd"));
    assert_int_equal(wg_module_load(dev, "empty.ptx", "", 0, &m, NULL), WG_INVALID_PTX);
    static const char open_end[] = ".version 7.8\n.target sm_70\n.address_size 64\n.extern .global .u32 x;\n"
                                   ".visible .entry k() { .reg .b32 %r<2>; ld.global.u32 %r1, [x]; ret; }\n";
    assert_int_equal(wg_module_load(dev, "open.ptx", open_end, sizeof open_end - 1, &m, NULL),
                     WG_SYMBOL_NOT_FOUND);
    assert_non_null(strstr(wg_last_detail(), "'x'"));
    assert_int_equal(wg_device_status(dev), WG_OK);
    wg_diag_free(&d);
    wg_device_close(dev);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_added),
        cmocka_unit_test(variables_are_initialised_and_reached),
        cmocka_unit_test(compiling_is_not_the_devices_time),
        cmocka_unit_test(recursion_has_a_stack),
        cmocka_unit_test(recursion_without_end),
        cmocka_unit_test(the_thread_and_line_of_a_fault_are_told),
        cmocka_unit_test(endless_loops_are_left),
        cmocka_unit_test(host_memory_is_out_of_reach_unless_registered),
        cmocka_unit_test(wrong_ptx_is_located),
    };
    return cmocka_run_group_tests_name("machine.kernel", tests, NULL, NULL);
}
