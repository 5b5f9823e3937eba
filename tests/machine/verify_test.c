/* Launches compared with the reference. What stands for generated code here is the same kernel with a line
 * more: so it is known what is wrong with it. Snapshots by themselves. */
#include "count/result.h"
#include "machine/device.h"
#include "machine/memory/snapshot.h"
#include "machine/verified.h"
#include "machine/worker.h"
#include "ref/ref.h"
#include "tests/machine/fixture.h"

#include <stdio.h>

/* p[i] = 3 * i, and p[-1] += 1.0f / (i + 1) for all i; A stands behind the value, B behind the store. */
static const char text[] =
    ".version 7.8\n.target sm_70\n.address_size 64\n"
    ".file 1 \"k.cu\"\n"
    ".visible .entry work(.param .u64 p) {\n"
    "  .reg .pred %%p<3>; .reg .b32 %%r<9>; .reg .b64 %%rd<9>; .reg .f32 %%f<9>;\n"
    "  mov.u32 %%r1, %%ctaid.x; mov.u32 %%r2, %%ntid.x; mov.u32 %%r3, %%tid.x; mad.lo.s32 %%r4, %%r1, %%r2, "
    "%%r3;\n"
    "  ld.param.u64 %%rd1, [p]; mul.wide.s32 %%rd2, %%r4, 4; add.s64 %%rd3, %%rd1, %%rd2;\n"
    "  mul.lo.s32 %%r5, %%r4, 3; add.s32 %%r6, %%r4, 1; cvt.rn.f32.s32 %%f1, %%r6;\n"
    "  setp.eq.s32 %%p1, %%r4, 69;\n"
    "%s\n"
    "  .loc 1 7 9\n"
    "  st.global.u32 [%%rd3], %%r5;\n"
    "%s\n"
    "  rcp.rn.f32 %%f2, %%f1;\n"
    "  .loc 1 9 5\n"
    "  red.global.add.f32 [%%rd1+-4], %%f2; ret;\n}\n";
enum { BLOCK = 32, BLOCKS = 4, N = BLOCK * BLOCKS, BEFORE = 16, MANY = 1 << 18 };

struct broken {
    const char *a, *b;
    const char *said[8]; /* parts of the message, in this order */
};

static struct wg_ir_module *ir_of(const char *a, const char *b) {
    char ptx[4096];
    struct wg_diag d = {0};
    int n = snprintf(ptx, sizeof ptx, text, a, b);
    struct wg_ir_module *m = wg_ir_from_ptx("k.ptx", ptx, (size_t)n, &d);
    if (!m) fail_msg("%s", d.text.s);
    return m;
}

static struct wg_ir_module *generated; /* what stands for it */
static bool miscounts;
static void (*collect_well)(const struct wg_code *c, struct wg_tally *t, struct wg_counts *rows);
static void collect_badly(const struct wg_code *c, struct wg_tally *t, struct wg_counts *rows) {
    collect_well(c, t, rows);
    rows[0].v[WG_C_branches] += 3;
}

static struct wg_code *compile(const struct wg_ir_module *m, uint32_t func, const struct wg_code_opts *opts,
                               struct wg_diag *d) {
    struct wg_code *c = wg_ref_compile(generated, func, opts, d);
    if (c) c->reference = false;
    if (c && miscounts) {
        collect_well = c->collect;
        c->collect = collect_badly;
    }
    return c;
}

static bool counts; /* profiled launches */
static char said[16384];
static void say(const char *fmt, ...) {
    va_list ap;
    size_t n = strlen(said);
    va_start(ap, fmt);
    vsnprintf(said + n, sizeof said - n, fmt, ap);
    va_end(ap);
}

static struct wg_verified run_blocks(const struct broken *b, size_t words, uint32_t blocks) {
    struct wg_verified v = {.say = say, .lock = PTHREAD_MUTEX_INITIALIZER};
    struct wg_options o;
    struct wg_device *dev;
    struct wg_module *mod;
    struct wg_diag d = {0};
    uint32_t *p;
    said[0] = 0;
    generated = ir_of(b->a, b->b);
    wg_options_init(&o);
    o.compile = compile;
    o.verify = blocks;
    o.verified = &v;
    if (counts) o.result = wg_result_new("/dev/null");
    assert_int_equal(wg_device_open(&o, &dev, &d), WG_OK);
    assert_int_equal(wg_module_from_ir(dev, ir_of("", ""), &mod, &d), WG_OK);
    assert_int_equal(wg_mem_alloc(dev, WG_MEM_DEVICE, words * 4, (void **)&p), WG_OK);
    uint32_t *at = p + BEFORE;
    struct wg_launch l = {.func = wg_module_func(mod, "work"),
                          .grid = {BLOCKS, 1, 1},
                          .block = {BLOCK, 1, 1},
                          .params = &at,
                          .param_bytes = sizeof at};
    assert_int_equal(wg_launch(wg_device_stream(dev, WG_STREAM_LEGACY), &l), WG_OK);
    wg_device_sync(dev);
    /* Memory is as generated code has left it. */
    if (wg_device_status(dev) == WG_OK) assert_int_equal(at[68], strstr(b->a, "r4, 68") ? 1 : 204);
    wg_device_close(dev);
    wg_ir_free(generated);
    if (o.result) wg_result_free(o.result);
    wg_diag_free(&d);
    return v;
}

static struct wg_verified run(const struct broken *b, size_t words) {
    return run_blocks(b, words, WG_VERIFY_ALL);
}

static void check_said(const struct broken *b) {
    const char *at = said;
    for (size_t i = 0; b->said[i]; i++) {
        const char *found = strstr(at, b->said[i]);
        if (!found) fail_msg("'%s' is not in, or not behind what it should be:\n%s", b->said[i], said);
        at = found;
    }
}

static void test_equal(void **state) {
    struct broken none = {"", "", {0}};
    struct wg_verified v = run(&none, 1024);
    assert_string_equal(said, "");
    assert_int_equal(v.launches, 1);
    assert_int_equal(v.different, 0);
    assert_int_equal(v.bytes, 4 * N + 4);
    assert_int_equal(v.left_out, 0);
}

static void test_differences(void **state) {
    static const struct broken all[] = {
        {"@%p1 add.s32 %r5, %r5, 1;",
         "",
         {"k.cu:7:9", "kernel work, launch 0", "st of 4 bytes by thread (5,0,0) of block (2,0,0)",
          "byte 340 of", "generated code has 0x000000d0", "the reference 0x000000cf", "1 word differs"}},
        {"",
         "@%p1 st.global.u32 [%rd3+1024], %r5;",
         {"the reference writes nothing there", "byte 1364 of", "0x000000cf", "0x00000000",
          "1 word differs"}},
        {"@%p1 ret;",
         "",
         {"k.cu:7:9", "thread (5,0,0) of block (2,0,0)", "generated code has 0x00000000",
          "the reference 0x000000cf", "2 words differ"}},
        {"setp.gt.s32 %p2, %r4, 63; @%p2 mov.u32 %r5, 7; setp.eq.s32 %p2, %r4, 68; @%p2 mov.u32 %r5, 1;",
         "",
         {"thread (0,0,0) of block (2,0,0)", "64 words differ"}},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct wg_verified v = run(&all[i], 1024);
        check_said(&all[i]);
        assert_int_equal(v.launches, 1);
        assert_int_equal(v.different, 1);
    }
}

/* The same of memory that is copied when it is written to. */
static void test_large(void **state) {
    struct broken one = {"",
                         "@%p1 st.global.u32 [%rd3+524288], %r5;",
                         {"the reference writes nothing there", "byte 524628 of", "1 word differs"}};
    struct wg_verified v = run(&one, MANY);
    check_said(&one);
    assert_int_equal(v.different, 1);
}

/* Sums in another order, here from the last to the first. */
static void test_order_of_atomics(void **state) {
    struct broken one = {"", "xor.b32 %r7, %r4, 127; add.s32 %r7, %r7, 1; cvt.rn.f32.s32 %f1, %r7;", {0}};
    struct wg_verified v = run(&one, 1024);
    assert_string_equal(said, "");
    assert_int_equal(v.different, 0);
    assert_int_equal(v.by_order, 1);
    struct broken lost = {"", "@%p1 mov.f32 %f1, 0f3f800000;", {"k.cu:9:5", "red of 4 bytes", 0}};
    v = run(&lost, 1024); /* that is more than order can do */
    check_said(&lost);
    assert_int_equal(v.different, 1);
    assert_int_equal(v.by_order, 0);
}

static void test_fault_in_one(void **state) {
    struct broken one = {"@%p1 trap;", "", {"kernel work, launch 0", "the reference ends without a fault"}};
    struct wg_verified v = run(&one, 1024);
    check_said(&one);
    assert_int_equal(v.different, 1);
}

/* The first and the last of four blocks. */
static void test_some_blocks(void **state) {
    struct broken none = {"", "", {0}};
    struct wg_verified v = run_blocks(&none, 1024, 2);
    assert_string_equal(said, "");
    assert_int_equal(v.launches, 1);
    assert_int_equal(v.in_part, 1);
    assert_int_equal(v.different, 0);
    assert_int_equal(v.bytes, 2 * 4 * BLOCK); /* the sum is not compared: all blocks add to it */
    struct broken third = {"@%p1 add.s32 %r5, %r5, 1;", "", {0}}; /* in none of the two */
    v = run_blocks(&third, 1024, 2);
    assert_int_equal(v.different, 0);
    struct broken last = {"setp.eq.s32 %p2, %r4, 100; @%p2 mov.u32 %r5, 7;",
                          "",
                          {"k.cu:7:9", "thread (4,0,0) of block (3,0,0)", "generated code has 0x00000007",
                           "the reference 0x0000012c", "1 word differs"}};
    v = run_blocks(&last, 1024, 2);
    check_said(&last);
    assert_int_equal(v.different, 1);
    v = run_blocks(&last, 1024, 4); /* as many as there are: all of it */
    assert_int_equal(v.in_part, 0);
    assert_int_equal(v.different, 1);
}

/* Another block writes where one of those that are compared does: nothing can be said. */
static void test_blocks_that_meet(void **state) {
    struct broken meet = {"", "@%p1 st.global.u32 [%rd1+4], %r5;", {0}};
    struct wg_verified v = run_blocks(&meet, 1024, 2);
    assert_string_equal(said, "");
    assert_int_equal(v.different, 0);
    assert_int_equal(v.left_out, 1);
}

static void test_counters(void **state) {
    struct broken none = {"", "", {0}};
    struct broken wrong = {"",
                           "",
                           {"k.cu:", "counters of generated code and of the reference differ in kernel work",
                            "branches of ", ": 3 and 0"}};
    counts = true;
    struct wg_verified v = run(&none, 1024);
    assert_string_equal(said, "");
    assert_int_equal(v.different, 0);
    miscounts = true;
    v = run(&wrong, 1024);
    counts = miscounts = false;
    check_said(&wrong);
    assert_int_equal(v.different, 1);
}

/* ---- snapshots ---- */

static uint64_t parts(const struct wg_snapshot *s, uint64_t *bytes) {
    struct wg_snapshot_part part;
    uint64_t n = 0;
    *bytes = 0;
    for (uint64_t at = 0; wg_snapshot_next(s, &at, &part); n++) *bytes += part.bytes;
    return n;
}

static void test_snapshot(void **state) {
    enum { SMALL = 4096, LARGE = 64 << 20, FAR = 40 << 20 };
    static uint8_t host[100];
    struct wg_options o;
    struct wg_device *dev;
    struct wg_diag d = {0};
    uint8_t *small, *large;
    uint64_t bytes;
    wg_options_init(&o);
    assert_int_equal(wg_device_open(&o, &dev, &d), WG_OK);
    assert_int_equal(wg_mem_alloc(dev, WG_MEM_DEVICE, SMALL, (void **)&small), WG_OK);
    assert_int_equal(wg_mem_alloc(dev, WG_MEM_DEVICE, LARGE, (void **)&large), WG_OK);
    assert_int_equal(wg_mem_register(dev, host, sizeof host, 0), WG_OK);
    memset(large + FAR, 1, 100);
    host[99] = 5;
    struct wg_snapshot *s = wg_snapshot_begin(&dev->memory);
    assert_int_equal(parts(s, &bytes), 2); /* what was copied at once: the small one and the host's */
    assert_int_equal(large[FAR], 1);
    assert_int_equal(parts(s, &bytes), 2);
    large[FAR] = 2;
    host[99] = 6;
    small[0] = 7;
    assert_int_equal(parts(s, &bytes), 3);
    assert_true(bytes < LARGE / 16);
    struct wg_snapshot_state *now = wg_snapshot_take(s);
    wg_snapshot_restore(s, WG_SNAPSHOT_ALL);
    assert_int_equal(large[FAR], 1);
    assert_int_equal(host[99], 5);
    assert_int_equal(small[0], 0);
    large[1] = 9; /* in another part, after what is kept */
    uint8_t byte;
    wg_snapshot_read(s, now, (uint64_t)&large[FAR], &byte, 1);
    assert_int_equal(byte, 2);
    wg_snapshot_read(s, NULL, (uint64_t)&large[FAR], &byte, 1);
    assert_int_equal(byte, 1);
    wg_snapshot_put(s, now);
    assert_int_equal(large[FAR], 2);
    assert_int_equal(large[1], 0);
    assert_int_equal(host[99], 6);
    assert_int_equal(small[0], 7);
    wg_snapshot_end(s);
    memset(large, 3, LARGE);
    wg_device_close(dev);
    wg_diag_free(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal),
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_order_of_atomics),
        cmocka_unit_test(test_fault_in_one),
        cmocka_unit_test(test_some_blocks),
        cmocka_unit_test(test_blocks_that_meet),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_snapshot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
