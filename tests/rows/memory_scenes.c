/* Loads and stores: spaces, vectors, widths, addresses, and accesses that must not be. */
#include "tests/rows/scene.h"

#define STORE(value)       "  st.global.b32 [%my], " value ";\n"
#define STORE_AT(k, value) "  st.global.b32 [%my+" #k "], " value ";\n"
/* %d1 = address of in[x * n] */
#define IN_TIMES(n) "  mul.lo.u32 %r30, %x, " #n ";\n  mul.wide.u32 %d1, %r30, 4;\n  add.s64 %d1, %in, %d1;\n"

static void vectors(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++)
        for (uint32_t k = 0; k < 4; k++) out[x * 4 + k] = scene_in(x * 4 + 3 - k);
}
static void small_vectors(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        uint32_t v = scene_in(x);
        out[x] = v << 24 | (v >> 8 & 0xff) << 16 | (v >> 16 & 0xff) << 8 | v >> 24;
        out[1024 + x] = (uint32_t)(int8_t)v + (uint32_t)(int16_t)(v >> 16);
    }
}
static void extended(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        uint32_t v = scene_in(x);
        out[x] = (uint32_t)(int32_t)(int8_t)v;
        out[1024 + x] = v & 0xff;
        out[2048 + x] = (uint32_t)((int64_t)(int16_t)v >> 32);
        out[3072 + x] = (uint32_t)((int64_t)(int32_t)v >> 33);
    }
}
static void doubled(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        out[2 * x] = scene_in(2 * x + 1);
        out[2 * x + 1] = scene_in(2 * x);
    }
}
static void swapped_quads(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++)
        for (uint32_t k = 0; k < 4; k++) out[x * 4 + k] = scene_in(x * 4 + (k ^ 2));
}
static void reversed(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = scene_in(x / block * block + block - 1 - x % block);
}
static void local_sums(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        uint32_t cells[16], sum = 0;
        for (uint32_t k = 0; k < 16; k++) cells[(k * 5 + x) % 16] = x * 100 + k;
        for (uint32_t k = 0; k < 16; k++) sum = sum * 3 + cells[k];
        out[x] = sum;
    }
}
static void tables(uint32_t *out, uint32_t threads, uint32_t block) {
    static const uint32_t numbers[] = {11, 22, 33, 44, 0, 0, 0, 0};
    for (uint32_t x = 0; x < threads; x++) {
        out[x] = numbers[x % 8];
        out[1024 + x] = numbers[x % 4] + 1000;
        out[2048 + x] = (uint32_t)"warpglass"[x % 8];
    }
}
static void kinds_of_space(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = 1 | 2 << 4 | 4 << 8;
}
static void parameters(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = 1;
}
static void shuffled_shared(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = x / block * block + (x % block ^ 5);
}
static void iota(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = x;
}
static void guarded_lanes(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = x % 5 < 2 ? scene_in(x) : 77;
}

static const struct scene list[] = {
    {"ld and st .v4.b32",
     .body = IN_TIMES(4) "  ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%d1];\n  mul.wide.u32 %d2, %x, 16;\n"
                         "  add.s64 %d2, %out, %d2;\n  st.global.v4.b32 [%d2], {%r4, %r3, %r2, %r1};\n",
     .expect = vectors},
    {"ld.v4.u8, ld.v2.s16",
     .body =
         IN_TIMES(1) "  ld.global.v4.u8 {%r1, %r2, %r3, %r4}, [%d1];\n  shl.b32 %r1, %r1, 24;\n"
                     "  shl.b32 %r2, %r2, 16;\n  shl.b32 %r3, %r3, 8;\n  or.b32 %r1, %r1, %r2;\n"
                     "  or.b32 %r3, %r3, %r4;\n  or.b32 %r1, %r1, %r3;\n" STORE(
                         "%r1") "  ld.global.s8 %r5, [%d1];\n  ld.global.v2.s16 {%h1, %h2}, [%d1];\n"
                                "  cvt.s32.s16 %r6, %h2;\n  add.s32 %r5, %r5, %r6;\n" STORE_AT(4096, "%r5"),
     .expect = small_vectors},
    {"loads into wider registers extend",
     .body = IN_TIMES(1) "  ld.global.s8 %r1, [%d1];\n" STORE("%r1") "  ld.global.u8 %r2, [%d1];\n" STORE_AT(
         4096, "%r2") "  ld.global.s16 %d2, [%d1];\n  shr.s64 %d2, %d2, 32;\n  cvt.u32.u64 %r3, "
                      "%d2;\n" STORE_AT(8192, "%r3") "  ld.global.s32 %d3, [%d1];\n  shr.s64 %d3, %d3, 33;\n "
                                                     " cvt.u32.u64 %r4, %d3;\n" STORE_AT(12288, "%r4"),
     .expect = extended},
    {"ld.v2.f64 through registers of bits", .block = {32},
     .body =
         IN_TIMES(2) "  ld.global.b64 %d2, [%d1];\n  mov.b64 {%r1, %r2}, %d2;\n  mov.b64 %d3, {%r2, %r1};\n"
                     "  mul.wide.u32 %d4, %x, 8;\n  add.s64 %d4, %out, %d4;\n  mov.b64 %e1, %d3;\n"
                     "  st.global.f64 [%d4], %e1;\n",
     .expect = doubled},
    {"128-bit registers",
     .body = IN_TIMES(
         4) "  .reg .b128 %q1, %q2, %q3;\n  ld.global.b128 %q1, [%d1];\n  mov.b128 {%d2, %d3}, %q1;\n"
            "  mov.b128 %q2, {%d3, %d2};\n  mov.b128 %q3, %q2;\n  mul.wide.u32 %d4, %x, 16;\n"
            "  add.s64 %d4, %out, %d4;\n  st.global.b128 [%d4], %q3;\n",
     .expect = swapped_quads},
    {"a block reversed in static shared memory", .module = ".shared .align 16 .b8 cells[4096];\n", .grid = 3,
     .block = {96},
     .body = IN_TIMES(
         1) "  ld.global.b32 %r1, [%d1];\n  shl.b32 %r2, %t, 2;\n  mov.u32 %r3, cells;\n"
            "  add.u32 %r4, %r3, %r2;\n  st.shared.b32 [%r4], %r1;\n  bar.sync 0;\n"
            "  sub.u32 %r5, 380, %r2;\n  add.u32 %r5, %r5, %r3;\n  ld.shared.b32 %r6, [%r5];\n" STORE("%r6"),
     .expect = reversed},
    {"a block reversed in dynamic shared memory, generic addresses",
     .module = ".shared .align 16 .b8 before[100];\n.extern .shared .align 16 .b8 cells[];\n", .grid = 2,
     .block = {64}, .dynamic_shared = 256,
     .body = IN_TIMES(1) "  ld.global.b32 %r1, [%d1];\n  mov.u64 %d2, cells;\n  cvta.shared.u64 %d2, %d2;\n"
                         "  mul.wide.u32 %d3, %t, 4;\n  add.s64 %d4, %d2, %d3;\n  st.b32 [%d4], %r1;\n"
                         "  mov.u32 %r9, before;\n  st.shared.b32 [%r9+96], %r1;\n  bar.sync 0;\n"
                         "  sub.s64 %d5, %d2, %d3;\n  ld.b32 %r2, [%d5+252];\n" STORE("%r2"),
     .expect = reversed},
    {"local arrays with indices of the lane's own", .module = "",
     .body = "  .local .align 4 .b8 cells[64];\n  mov.u64 %d1, cells;\n  mov.u32 %r1, 0;\n"
             "FILL:\n  mad.lo.u32 %r2, %r1, 5, %x;\n  and.b32 %r2, %r2, 15;\n  mul.wide.u32 %d2, %r2, 4;\n"
             "  add.s64 %d2, %d1, %d2;\n  mad.lo.u32 %r3, %x, 100, %r1;\n  st.local.b32 [%d2], %r3;\n"
             "  add.u32 %r1, %r1, 1;\n  setp.lt.u32 %p1, %r1, 16;\n  @%p1 bra FILL;\n"
             "  cvta.local.u64 %d3, %d1;\n  mov.u32 %r4, 0;\n  mov.u32 %r1, 0;\n"
             "SUM:\n  mul.wide.u32 %d2, %r1, 4;\n  add.s64 %d2, %d3, %d2;\n  ld.b32 %r3, [%d2];\n"
             "  mad.lo.u32 %r4, %r4, 3, %r3;\n  add.u32 %r1, %r1, 1;\n  setp.lt.u32 %p1, %r1, 16;\n  @%p1 "
             "bra SUM;\n" STORE("%r4"),
     .expect = local_sums},
    {"module variables, their first values and addresses in them",
     .module = ".const .align 4 .u32 numbers[8] = {11, 22, 33, 44};\n"
               ".global .align 4 .u32 changed[4] = {1011, 1022, 1033, 1044};\n"
               ".global .align 1 .b8 text[10] = {119, 97, 114, 112, 103, 108, 97, 115, 115, 0};\n"
               ".global .align 8 .u64 where[2] = {generic(text), changed};\n",
     .body =
         "  mov.u64 %d1, numbers;\n  and.b32 %r1, %x, 7;\n  mul.wide.u32 %d2, %r1, 4;\n  add.s64 %d1, %d1, "
         "%d2;\n"
         "  ld.const.u32 %r2, [%d1];\n" STORE(
             "%r2") "  ld.global.u64 %d3, [where+8];\n  and.b32 %r3, %x, 3;\n"
                    "  mul.wide.u32 %d4, %r3, 4;\n  add.s64 %d3, %d3, %d4;\n  ld.global.u32 %r4, "
                    "[%d3];\n" STORE_AT(4096, "%r4") "  mov.u64 %d5, where;\n  ld.global.u64 %d6, [%d5];\n  "
                                                     "cvt.u64.u32 %d7, %r1;\n  add.s64 %d6, %d6, %d7;\n"
                                                     "  ld.u8 %r5, [%d6];\n" STORE_AT(8192, "%r5"),
     .expect = tables},
    {"isspacep", .module = ".shared .align 4 .b8 cells[64];\n",
     .body = "  .local .align 4 .b8 mine[16];\n  mov.u64 %d1, cells;\n  cvta.shared.u64 %d1, %d1;\n  mov.u64 "
             "%d2, mine;\n"
             "  cvta.local.u64 %d2, %d2;\n  mov.u32 %r1, 0;\n  mov.u32 %r9, 0;\n"
             "  isspacep.shared %p1, %d1;\n  isspacep.global %p2, %d1;\n  isspacep.local %p3, %d1;\n"
             "  selp.b32 %r2, 1, 0, %p1;\n  or.b32 %r1, %r1, %r2;\n  selp.b32 %r2, 2, 0, %p2;\n  or.b32 %r1, "
             "%r1, %r2;\n"
             "  selp.b32 %r2, 4, 0, %p3;\n  or.b32 %r1, %r1, %r2;\n"
             "  isspacep.shared %p1, %out;\n  isspacep.global %p2, %out;\n  isspacep.local %p3, %out;\n"
             "  selp.b32 %r2, 0x10, 0, %p1;\n  or.b32 %r1, %r1, %r2;\n  selp.b32 %r2, 0x20, 0, %p2;\n  "
             "or.b32 %r1, %r1, %r2;\n"
             "  selp.b32 %r2, 0x40, 0, %p3;\n  or.b32 %r1, %r1, %r2;\n"
             "  isspacep.shared %p1, %d2;\n  isspacep.global %p2, %d2;\n  isspacep.local %p3, %d2;\n"
             "  selp.b32 %r2, 0x100, 0, %p1;\n  or.b32 %r1, %r1, %r2;\n  selp.b32 %r2, 0x200, 0, %p2;\n  "
             "or.b32 %r1, %r1, %r2;\n"
             "  selp.b32 %r2, 0x400, 0, %p3;\n  or.b32 %r1, %r1, %r2;\n  cvta.to.shared.u64 %d3, %d1;\n"
             "  st.shared.b32 [%d3+4], %r9;\n" STORE("%r1"),
     .expect = kinds_of_space},
    /* CUB does this: what is converted is the lower half of a register that takes part in more. */
    {"an index from the lower half of a wider register", .module = ".shared .align 4 .b8 cells[4096];\n",
     .body =
         "  xor.b32 %r1, %t, 5;\n  mov.b64 %d1, {%r1, %x};\n  cvt.s64.s32 %d2, %d1;\n  shl.b64 %d2, %d2, 2;\n"
         "  mov.u64 %d3, cells;\n  add.s64 %d3, %d3, %d2;\n  st.shared.b32 [%d3], %x;\n  bar.sync 0;\n"
         "  mul.wide.u32 %d2, %t, 4;\n  mov.u64 %d3, cells;\n  add.s64 %d3, %d3, %d2;\n  ld.shared.b32 %r2, "
         "[%d3];\n" STORE("%r2"),
     .expect = shuffled_shared},
    {"parameters by address",
     .body = "  mov.b64 %d1, p_in;\n  ld.param.u64 %d2, [%d1+8];\n  ld.param.u64 %d3, [p_out];\n"
             "  cvta.to.global.u64 %d2, %d2;\n  cvta.to.global.u64 %d3, %d3;\n  setp.eq.u64 %p1, %d2, %d3;\n"
             "  selp.b32 %r1, 1, 0, %p1;\n" STORE("%r1"),
     .expect = parameters},
    {"orders, scopes and caching hints",
     .body =
         "  st.relaxed.gpu.global.b32 [%my], %lane;\n  fence.acq_rel.gpu;\n  ld.acquire.sys.global.b32 %r1, "
         "[%my];\n"
         "  st.release.cta.global.b32 [%my], %r1;\n  fence.sc.sys;\n  ld.volatile.global.b32 %r2, [%my];\n"
         "  membar.gl;\n  membar.cta;\n  membar.sys;\n  sub.u32 %r2, %x, %r2;\n  add.u32 %r2, %r2, %lane;\n"
         "  st.global.wt.b32 [%my], %r2;\n  ld.global.cg.b32 %r3, [%my];\n  st.global.cs.b32 [%my], %r3;\n"
         "  ld.global.nc.L1::no_allocate.L2::128B.b32 %r4, [%my];\n  st.global.b32 [%my], %r4;\n"
         "  prefetch.global.L2 [%my];\n  prefetchu.L1 [%my];\n"
         "  applypriority.global.L2::evict_normal [%my], 128;\n",
     .expect = iota},
    {"guarded loads leave other lanes alone",
     .body = IN_TIMES(1) "  rem.u32 %r1, %x, 5;\n  setp.lt.u32 %p1, %r1, 2;\n  mov.u32 %r2, 77;\n"
                         "  @!%p1 mov.u64 %d1, 0;\n  @%p1 ld.global.b32 %r2, [%d1];\n" STORE("%r2"),
     .expect = guarded_lanes},
    {"a misaligned load",
     .body = "  setp.ne.u32 %p1, %lane, 7;\n  @%p1 bra END;\n  ld.global.b32 %r1, [%my+2];\n" STORE("%r1"),
     .fault = WG_FAULT_MISALIGNED, .fault_lane = 7, .fault_op = WG_OP_LD},
    {"a misaligned vector store", .body = "  st.global.v4.b32 [%my], {%x, %x, %x, %x};\n",
     .fault = WG_FAULT_MISALIGNED, .fault_lane = 1, .fault_op = WG_OP_ST},
    {"a misaligned shared load", .module = ".shared .align 4 .b8 cells[512];\n",
     .body = "  mul.lo.u32 %r1, %t, 6;\n  mov.u32 %r2, cells;\n  add.u32 %r1, %r1, %r2;\n  ld.shared.b32 "
             "%r3, [%r1];\n" STORE("%r3"),
     .fault = WG_FAULT_MISALIGNED, .fault_lane = 1, .fault_op = WG_OP_LD},
    {"a null pointer",
     .body = "  mov.u64 %d1, 0;\n  setp.eq.u32 %p1, %lane, 3;\n  @%p1 st.global.b32 [%d1], %x;\n",
     .fault = WG_FAULT_ADDRESS, .fault_lane = 3, .fault_op = WG_OP_ST, .reference_only = true},
    {"shared memory beyond the window", .module = ".shared .align 4 .b8 cells[64];\n",
     .body = "  mov.u32 %r1, 0x7fff0000;\n  setp.eq.u32 %p1, %lane, 5;\n  @%p1 ld.shared.b32 %r2, [%r1];\n",
     .fault = WG_FAULT_ADDRESS, .fault_lane = 5, .fault_op = WG_OP_LD, .reference_only = true},
};
const struct scenes memory_scenes = {list, sizeof list / sizeof *list};
