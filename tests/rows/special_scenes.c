/* Special registers, and what the machine offers as functions. */
#include "tests/rows/scene.h"

#define STORE(value)       "  st.global.b32 [%my], " value ";\n"
#define STORE_AT(k, value) "  st.global.b32 [%my+" #k "], " value ";\n"

static void indices(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        uint32_t t = x % block, tid = t % 8 | t / 8 % 4 << 8 | t / 32 << 16;
        out[x] = tid | (x / block) << 24;
        out[1024 + x] = 8 | 4 << 8 | 3 << 16 | 3u << 24;
        out[2048 + x] = t % 32 | t / 32 << 8;
    }
}
static void masks(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        uint32_t eq = 1u << x % 32, lt = eq - 1, le = lt | eq;
        out[x] = eq + 3 * lt + 5 * le + 7 * ~le + 11 * ~lt;
    }
}
static void passing_time(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = 3;
}
static void sizes(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = 512 | 640u << 16;
}
static void clusters(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        uint32_t b = x / block;
        out[x] = b / 2 | (b % 2) << 4 | (b % 2) << 8 | 2 << 12 | 2 << 16 | 3 << 20 | 1 << 24;
    }
}
static void printed(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = x % 32 == 5 ? 1 : 0;
}
static void own_heap(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = x * 7;
}
static void ones(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = 1;
}

static const struct scene list[] = {
    {"thread and block indices", .grid = 3, .block = {8, 4, 3},
     .body =
         "  mov.u32 %r1, %tid.x;\n  mov.u32 %r2, %tid.y;\n  mov.u32 %r3, %tid.z;\n  mov.u32 %r4, %ctaid.x;\n"
         "  shl.b32 %r2, %r2, 8;\n  shl.b32 %r3, %r3, 16;\n  shl.b32 %r4, %r4, 24;\n  or.b32 %r1, %r1, %r2;\n"
         "  or.b32 %r3, %r3, %r4;\n  or.b32 %r1, %r1, %r3;\n" STORE(
             "%r1") "  mov.u32 %r1, %ntid.x;\n  mov.u32 %r2, %ntid.y;\n  mov.u32 %r3, %ntid.z;\n  mov.u32 "
                    "%r4, %nctaid.x;\n"
                    "  shl.b32 %r2, %r2, 8;\n  shl.b32 %r3, %r3, 16;\n  shl.b32 %r4, %r4, 24;\n  or.b32 %r1, "
                    "%r1, %r2;\n"
                    "  or.b32 %r3, %r3, %r4;\n  or.b32 %r1, %r1, %r3;\n" STORE_AT(
                        4096, "%r1") "  mov.u32 %r1, %laneid;\n  mov.u32 %r2, %warpid;\n  shl.b32 %r2, %r2, "
                                     "8;\n  or.b32 %r1, %r1, %r2;\n" STORE_AT(8192, "%r1"),
     .expect = indices},
    {"lane masks",
     .body = "  mov.u32 %r1, %lanemask_eq;\n  mov.u32 %r2, %lanemask_lt;\n  mov.u32 %r3, %lanemask_le;\n"
             "  mov.u32 %r4, %lanemask_gt;\n  mov.u32 %r5, %lanemask_ge;\n  mad.lo.u32 %r1, %r2, 3, %r1;\n"
             "  mad.lo.u32 %r1, %r3, 5, %r1;\n  mad.lo.u32 %r1, %r4, 7, %r1;\n  mad.lo.u32 %r1, %r5, 11, "
             "%r1;\n" STORE("%r1"),
     .expect = masks},
    {"clocks go on",
     .body = "  mov.u64 %d1, %clock64;\n  mov.u64 %d2, %clock64;\n  setp.gt.u64 %p1, %d2, %d1;\n"
             "  mov.u64 %d1, %globaltimer;\n  mov.u64 %d2, %globaltimer;\n  setp.ge.u64 %p2, %d2, %d1;\n"
             "  mov.u32 %r1, %clock;\n  mov.u32 %r2, %clock_hi;\n  mov.u32 %r3, %globaltimer_lo;\n"
             "  selp.b32 %r4, 1, 0, %p1;\n  selp.b32 %r5, 2, 0, %p2;\n  or.b32 %r4, %r4, %r5;\n" STORE("%r4"),
     .expect = passing_time},
    {"shared memory sizes",
     .module = ".shared .align 4 .b8 cells[128];\n.extern .shared .align 4 .b8 more[];\n",
     .dynamic_shared = 512,
     .body =
         "  mov.u32 %r1, %dynamic_smem_size;\n  mov.u32 %r2, %total_smem_size;\n  shl.b32 %r2, %r2, 16;\n"
         "  or.b32 %r1, %r1, %r2;\n  mov.u32 %r3, cells;\n  st.shared.b32 [%r3], %r1;\n  mov.u32 %r3, more;\n"
         "  st.shared.b32 [%r3], %r1;\n" STORE("%r1"),
     .expect = sizes},
    {"cluster indices", .grid = 6, .cluster = 2, .block = {32},
     .body = "  mov.u32 %r1, %clusterid.x;\n  mov.u32 %r2, %cluster_ctaid.x;\n  shl.b32 %r2, %r2, 4;\n"
             "  or.b32 %r1, %r1, %r2;\n  mov.u32 %r2, %cluster_ctarank;\n  shl.b32 %r2, %r2, 8;\n  or.b32 "
             "%r1, %r1, %r2;\n"
             "  mov.u32 %r2, %cluster_nctaid.x;\n  shl.b32 %r2, %r2, 12;\n  or.b32 %r1, %r1, %r2;\n"
             "  mov.u32 %r2, %cluster_nctarank;\n  shl.b32 %r2, %r2, 16;\n  or.b32 %r1, %r1, %r2;\n"
             "  mov.u32 %r2, %nclusterid.x;\n  shl.b32 %r2, %r2, 20;\n  or.b32 %r1, %r1, %r2;\n"
             "  mov.pred %p1, %is_explicit_cluster;\n  selp.b32 %r2, 0x1000000, 0, %p1;\n  or.b32 %r1, %r1, "
             "%r2;\n" STORE("%r1"),
     .expect = clusters},
    {"vprintf of one lane",
     .module = ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
               ".global .align 1 .b8 words[4] = {104, 105, 33, 0};\n",
     .body =
         "  .local .align 8 .b8 args[8];\n  mov.u32 %r1, 0;\n  setp.ne.u32 %p1, %lane, 5;\n  @%p1 bra OUT;\n"
         "  mov.u64 %d1, args;\n  cvta.local.u64 %d1, %d1;\n  mov.u64 %d2, words;\n  cvta.global.u64 %d2, "
         "%d2;\n"
         "  {\n  .param .b64 a;\n  .param .b64 b;\n  .param .b32 r;\n  st.param.b64 [a], %d2;\n  "
         "st.param.b64 [b], %d1;\n"
         "  call.uni (r), vprintf, (a, b);\n  ld.param.b32 %r1, [r];\n  }\nOUT:\n" STORE("%r1"),
     .printed = "37: hi!", .expect = printed},
    {"malloc and free",
     .module = ".extern .func (.param .b64 r) malloc (.param .b64 a);\n.extern .func free (.param .b64 a);\n",
     .body =
         "  {\n  .param .b64 a;\n  .param .b64 r;\n  st.param.b64 [a], 64;\n  call.uni (r), malloc, (a);\n"
         "  ld.param.b64 %d1, [r];\n  }\n  mul.lo.u32 %r1, %x, 7;\n  st.b32 [%d1+8], %r1;\n  bar.sync 0;\n"
         "  ld.b32 %r2, [%d1+8];\n" STORE("%r2") "  {\n  .param .b64 a;\n  st.param.b64 [a], %d1;\n"
                                                 "  call.uni free, (a);\n  }\n",
     .expect = own_heap},
    {"an assertion",
     .module = ".extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, "
               ".param .b64 e);\n"
               ".global .align 1 .b8 what[6] = {120, 32, 60, 32, 51, 0};\n",
     .body =
         "  setp.lt.u32 %p1, %lane, 30;\n  @%p1 bra END;\n  mov.u64 %d1, what;\n  cvta.global.u64 %d1, %d1;\n"
         "  mov.u64 %d2, 1;\n  {\n  .param .b64 a;\n  .param .b64 b;\n  .param .b32 c;\n  .param .b64 d;\n"
         "  .param .b64 e;\n  st.param.b64 [a], %d1;\n  st.param.b64 [b], %d1;\n  st.param.b32 [c], 12;\n"
         "  st.param.b64 [d], %d1;\n  st.param.b64 [e], %d2;\n  call.uni __assertfail, (a, b, c, d, e);\n  "
         "}\n",
     .fault = WG_FAULT_ASSERT, .fault_lane = 30, .printed = "x < 3:12: x < 3"},
    {"grids know whether they are cooperative",
     .module = ".extern .func (.param .b32 r) __wg_grid_is_cooperative ();\n", .cooperative = true, .grid = 2,
     .body = "  {\n  .param .b32 r;\n  call.uni (r), __wg_grid_is_cooperative, ();\n  ld.param.b32 %r1, "
             "[r];\n  }\n" STORE("%r1"),
     .expect = ones},
};
const struct scenes special_scenes = {list, sizeof list / sizeof *list};
