/* Matrix instructions. Where a scene has no expectation the reference and generated code must agree; that
 * lanes hold what the PTX ISA says is in tests/programs/tensors.cu, which multiplies whole matrices. */
#include "tests/rows/scene.h"

/* Sixteen words of the thread's own input in %r0 to %r15, and four numbers in %e0 to %e3. */
#define LOAD                                                                                                 \
    "  mul.wide.u32 %d1, %x, 64;\n  add.s64 %d1, %in, %d1;\n"                                                \
    "  ld.global.v4.b32 {%r0,%r1,%r2,%r3}, [%d1];\n  ld.global.v4.b32 {%r4,%r5,%r6,%r7}, [%d1+16];\n"        \
    "  ld.global.v4.b32 {%r8,%r9,%r10,%r11}, [%d1+32];\n  ld.global.v4.b32 {%r12,%r13,%r14,%r15}, "          \
    "[%d1+48];\n"
/* Of halves, bf16 or floats: no infinities, nothing that is no number, and sums that round. */
#define TAME(mask)                                                                                           \
    "  and.b32 %r0, %r0, " mask ";\n  and.b32 %r1, %r1, " mask ";\n  and.b32 %r2, %r2, " mask ";\n"          \
    "  and.b32 %r3, %r3, " mask ";\n  and.b32 %r4, %r4, " mask ";\n  and.b32 %r5, %r5, " mask ";\n"          \
    "  and.b32 %r8, %r8, 0xbfffffff;\n  and.b32 %r9, %r9, 0xbfffffff;\n"                                     \
    "  and.b32 %r10, %r10, 0xbfffffff;\n  and.b32 %r11, %r11, 0xbfffffff;\n"
#define SHOW                                                                                                 \
    "  mul.wide.u32 %d2, %x, 64;\n  add.s64 %d2, %out, %d2;\n"                                               \
    "  st.global.v4.b32 [%d2], {%r20,%r21,%r22,%r23};\n  st.global.v4.b32 [%d2+16], "                        \
    "{%r24,%r25,%r26,%r27};\n"
#define MMA(shape, types, d, a, b, c)                                                                        \
    "  mma.sync.aligned." shape ".row.col" types " " d ", " a ", " b ", " c ";\n"
#define D4   "{%r20,%r21,%r22,%r23}"
#define D2   "{%r20,%r21}"
#define A4   "{%r0,%r1,%r2,%r3}"
#define A2   "{%r0,%r1}"
#define A1   "{%r0}"
#define B2   "{%r4,%r5}"
#define B1   "{%r4}"
#define C4   "{%r8,%r9,%r10,%r11}"
#define C2   "{%r8,%r9}"
#define WARP .block = {96}

static void all_ones(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++)
        for (uint32_t k = 0; k < 4; k++) out[x * 16 + k] = 32 * 3 * 255 + 5;
}
static void at_the_end(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        out[x * 16] = INT32_MAX, out[x * 16 + 1] = (uint32_t)INT32_MAX + 16;
        out[x * 16 + 2] = (uint32_t)INT32_MIN, out[x * 16 + 3] = (uint32_t)INT32_MIN + 32;
    }
}
/* Word j of row r of matrix m is scene_in(m * 32 + r * 4 + j). */
static void rows(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++)
        for (uint32_t m = 0; m < 4; m++) out[x * 16 + m] = scene_in(m * 32 + x % 32);
}
static uint32_t half_of(uint32_t m, uint32_t row, uint32_t col) {
    return scene_in(m * 32 + row * 4 + col / 2) >> 16 * (col % 2) & 0xffff;
}
static void columns(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++)
        for (uint32_t m = 0; m < 2; m++) {
            uint32_t col = x % 32 / 4, row = x % 4 * 2;
            out[x * 16 + m] = half_of(m, row, col) | half_of(m, row + 1, col) << 16;
        }
}
static void back(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++)
        out[x * 16] = half_of(0, x % 32 / 4, x % 4 * 2) | half_of(0, x % 32 / 4, x % 4 * 2 + 1) << 16;
}
#define TILE                                                                                                 \
    "  mov.u32 %r30, tile;\n  shl.b32 %r31, %lane, 2;\n  add.u32 %r31, %r30, %r31;\n"                        \
    "  mul.wide.u32 %d1, %lane, 4;\n  add.s64 %d1, %in, %d1;\n"                                              \
    "  ld.global.b32 %r0, [%d1];\n  st.shared.b32 [%r31], %r0;\n"                                            \
    "  ld.global.b32 %r0, [%d1+128];\n  st.shared.b32 [%r31+128], %r0;\n"                                    \
    "  ld.global.b32 %r0, [%d1+256];\n  st.shared.b32 [%r31+256], %r0;\n"                                    \
    "  ld.global.b32 %r0, [%d1+384];\n  st.shared.b32 [%r31+384], %r0;\n  bar.sync 0;\n"                     \
    "  shl.b32 %r31, %lane, 4;\n  add.u32 %r31, %r30, %r31;\n"
#define TILE_MODULE ".shared .align 16 .b8 tile[512];\n"

static const struct scene list[] = {
    {"mma of bytes, all ones", WARP,
     .body = "  mov.u32 %r0, 0x03030303;\n  mov.u32 %r4, 0xffffffff;\n  mov.u32 %r8, 5;\n" MMA(
         "m16n8k32", ".s32.s8.u8.s32", D4, "{%r0,%r0,%r0,%r0}", "{%r4,%r4}", "{%r8,%r8,%r8,%r8}") SHOW,
     .expect = all_ones},
    {"mma of bytes at the end of the range", WARP,
     .body =
         "  mov.u32 %r0, 0x01010101;\n  mov.u32 %r8, 0x7fffffff;\n  mov.u32 %r9, 0x80000000;\n"
         "  mov.u32 %r1, 0xffffffff;\n" MMA("m16n8k16", ".satfinite.s32.s8.s8.s32", "{%r20,%r24,%r22,%r25}",
                                            "{%r0,%r1}", "{%r0}", "{%r8,%r8,%r9,%r9}")
             MMA("m16n8k16", ".s32.s8.s8.s32", "{%r21,%r24,%r25,%r26}", "{%r0,%r1}", "{%r0}",
                 "{%r8,%r8,%r9,%r9}") "  add.u32 %r23, %r25, 48;\n  mov.u32 %r24, 0;\n  mov.u32 "
                                      "%r25, 0;\n"
                                      "  mov.u32 %r26, 0;\n" SHOW,
     .expect = at_the_end},
    {"mma of s8 and u8, 16x8x32", WARP, .body = LOAD MMA("m16n8k32", ".s32.s8.u8.s32", D4, A4, B2, C4) SHOW},
    {"mma of u8 and s8, 16x8x16", WARP, .body = LOAD MMA("m16n8k16", ".s32.u8.s8.s32", D4, A2, B1, C4) SHOW},
    {"mma of s8, 8x8x16", WARP, .body = LOAD MMA("m8n8k16", ".s32.s8.s8.s32", D2, A1, B1, C2) SHOW},
    {"mma of f16 into f32", WARP,
     .body = LOAD TAME("0xb3ffb3ff") MMA("m16n8k16", ".f32.f16.f16.f32", D4, A4, B2, C4) SHOW},
    {"mma of any f16 into f32", WARP, .body = LOAD MMA("m16n8k8", ".f32.f16.f16.f32", D4, A2, B1, C4) SHOW},
    {"mma of f16 into f16", WARP,
     .body = LOAD TAME("0xb3ffb3ff") MMA("m16n8k16", ".f16.f16.f16.f16", D2, A4, B2, C2) SHOW},
    {"mma of f16 into f16, of depth 8", WARP,
     .body = LOAD MMA("m16n8k8", ".f16.f16.f16.f16", D2, A2, B1, C2) SHOW},
    {"mma of bf16", WARP,
     .body = LOAD TAME("0xbfffbfff") MMA("m16n8k16", ".f32.bf16.bf16.f32", D4, A4, B2, C4) SHOW},
    {"mma of any bf16", WARP, .body = LOAD MMA("m16n8k8", ".f32.bf16.bf16.f32", D4, A2, B1, C4) SHOW},
    {"mma of tf32", WARP,
     .body = LOAD TAME("0xbfffffff") MMA("m16n8k8", ".f32.tf32.tf32.f32", D4, A4, B2, C4) SHOW},
    {"mma of any tf32, of depth 4", WARP,
     .body = LOAD MMA("m16n8k4", ".f32.tf32.tf32.f32", D4, A2, B1, C4) SHOW},
    {"mma of f64", WARP,
     .body = LOAD "  mov.b64 %d3, {%r0,%r1};\n  mov.b64 %d4, {%r4,%r5};\n  mov.b64 %d5, {%r8,%r9};\n"
                  "  mov.b64 %d6, {%r10,%r11};\n  mov.b64 %e0, %d3;\n"
                  "  mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d7,%d8}, {%e0}, {%d4}, {%d5,%d6};\n"
                  "  mov.b64 {%r20,%r21}, %d7;\n  mov.b64 {%r22,%r23}, %d8;\n"
                  "  mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%d7,%d8,%d9,%d10}, {%d3,%d4,%d5,%d6}, "
                  "{%d4,%d3}, {%d5,%d6,%d3,%d4};\n  mov.b64 {%r24,%r25}, %d9;\n  mov.b64 {%r26,%r27}, "
                  "%d10;\n" SHOW},
    {"mma in a loop, under a branch", WARP,
     .body = LOAD "  mov.u32 %r30, 0;\n  setp.ge.u32 %p1, %t, 64;\n  @%p1 bra END;\nAGAIN:\n" MMA(
         "m16n8k32", ".s32.s8.s8.s32", C4, A4, B2,
         C4) "  add.u32 %r30, %r30, 1;\n  setp.lt.u32 %p2, %r30, 5;\n"
             "  @%p2 bra AGAIN;\n  mov.u32 %r20, %r8;\n  mov.u32 %r21, %r11;\n" SHOW},
    {"mma of a warp with fewer lanes", .block = {40},
     .body = LOAD MMA("m16n8k32", ".s32.s8.u8.s32", D4, A4, B2, C4) SHOW},
    {"mma that is not there",
     .body = LOAD MMA("m8n8k4", ".f32.f16.f16.f32", "{%r20,%r21}", "{%r0,%r1}", "{%r4,%r5}", "{%r8,%r9}"),
     .refused = "unsupported instruction 'mma'"},
    {"ldmatrix of four", WARP, .module = TILE_MODULE,
     .body = TILE "  ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r20,%r21,%r22,%r23}, [%r31];\n" SHOW,
     .expect = rows},
    {"ldmatrix of two, transposed", WARP, .module = TILE_MODULE,
     .body = TILE "  and.b32 %r32, %lane, 15;\n  shl.b32 %r31, %r32, 4;\n  add.u32 %r31, %r30, %r31;\n"
                  "  ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 {%r20,%r21}, [%r31];\n" SHOW,
     .expect = columns},
    {"ldmatrix of one needs eight addresses only", WARP, .module = TILE_MODULE,
     .body = TILE "  setp.ge.u32 %p1, %lane, 8;\n  @%p1 mov.u32 %r31, 3;\n"
                  "  ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r31];\n"
                  "  movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0;\n"
                  "  movmatrix.sync.aligned.m8n8.trans.b16 %r20, %r1;\n" SHOW,
     .expect = back},
    {"stmatrix, and ldmatrix of it", WARP, .module = TILE_MODULE,
     .body = TILE "  ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0,%r1,%r2,%r3}, [%r31];\n  bar.sync 0;\n"
                  "  stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r31], {%r0,%r1,%r2,%r3};\n  bar.sync "
                  "0;\n"
                  "  ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r20,%r21,%r22,%r23}, [%r31];\n" SHOW,
     .expect = rows},
    {"a misaligned ldmatrix", .block = {32}, .module = TILE_MODULE,
     .body = TILE "  ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r20,%r21,%r22,%r23}, [%r31+4];\n" SHOW,
     .fault = WG_FAULT_MISALIGNED, .fault_op = WG_OP_LDMATRIX},
#define HALVES8(r) "{%r" r "0,%r" r "1,%r" r "2,%r" r "3,%r" r "4,%r" r "5,%r" r "6,%r" r "7}"
    {"wmma of f16", WARP,
     .body = "  .reg .b32 %ra<8>, %rb<8>, %rc<8>;\n  mov.u32 %r30, 24;\n"
             "  wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " HALVES8(
                 "a") ", [%in], %r30;\n"
                      "  wmma.load.b.sync.aligned.col.m16n16k16.global.f16 " HALVES8(
                          "b") ", [%in+1024], 16;\n"
                               "  wmma.load.c.sync.aligned.row.m16n16k16.global.f32 " HALVES8(
                                   "c") ", [%in+2048];\n"
                                        "  "
                                        "wmma.mma.sync.aligned.row.col.m16n16k16.f32."
                                        "f32 " HALVES8("c") ", " HALVES8("a") ", " HALVES8("b") ", " HALVES8(
                                            "c") ";\n"
                                                 "  "
                                                 "wmma.store.d.sync.aligned.col.m16n16k16.global."
                                                 "f32 [%out+64], " HALVES8(
                                                     "c") ", 20;\n"
                                                          "  "
                                                          "wmma.load.c."
                                                          "sync.aligned."
                                                          "col.m16n16k16."
                                                          "f16 "
                                                          "{%r0,%r1,%r2,%"
                                                          "r3}, "
                                                          "[%in+4096];\n"
                                                          "  "
                                                          "wmma.mma.sync."
                                                          "aligned.row.col."
                                                          "m16n16k16.f16."
                                                          "f16 "
                                                          "{%r0,%r1,%r2,%"
                                                          "r3}, " HALVES8("a") ", " HALVES8("b") ", "
                                                                                                 "{%r0,%"
                                                                                                 "r1,%r2,"
                                                                                                 "%r3};\n"
                                                                                                 "  "
                                                                                                 "wmma."
                                                                                                 "store."
                                                                                                 "d.sync."
                                                                                                 "aligned"
                                                                                                 ".row."
                                                                                                 "m16n16k"
                                                                                                 "16.f16 "
                                                                                                 "[%out+"
                                                                                                 "8192], "
                                                                                                 "{%r0,%"
                                                                                                 "r1,%r2,"
                                                                                                 "%r3};"
                                                                                                 "\n"},
    {"wmma of bytes, 32x8x16", WARP,
     .body = "  .reg .b32 %rc<8>;\n"
             "  wmma.load.a.sync.aligned.row.m32n8k16.global.u8 {%r0,%r1,%r2,%r3}, [%in], 16;\n"
             "  wmma.load.b.sync.aligned.row.m32n8k16.global.u8 {%r4}, [%in+1024], 48;\n"
             "  wmma.load.c.sync.aligned.col.m32n8k16.global.s32 " HALVES8(
                 "c") ", [%in+2048], 32;\n"
                      "  wmma.mma.sync.aligned.row.row.m32n8k16.s32.u8.u8.s32 " HALVES8(
                          "c") ", {%r0,%r1,%r2,%r3}, {%r4}, " HALVES8("c") ";\n"
                                                                           "  "
                                                                           "wmma.store.d.sync."
                                                                           "aligned.row.m32n8k16."
                                                                           "global.s32 "
                                                                           "[%out], " HALVES8("c") ", 8;\n"},
    {"wmma of bf16 and tf32", WARP,
     .body =
         "  .reg .b32 %rc<8>;\n"
         "  wmma.load.a.sync.aligned.col.m16n16k8.tf32 {%r0,%r1,%r2,%r3}, [%in], 16;\n"
         "  wmma.load.b.sync.aligned.col.m16n16k8.tf32 {%r4,%r5,%r6,%r7}, [%in+1024], 8;\n"
         "  wmma.load.c.sync.aligned.row.m16n16k8.f32 " HALVES8(
             "c") ", [%in+2048], 16;\n"
                  "  wmma.mma.sync.aligned.col.col.m16n16k8.f32.tf32.tf32.f32 " HALVES8(
                      "c") ", {%r0,%r1,%r2,%r3}, {%r4,%r5,%r6,%r7}, " HALVES8("c") ";\n"
                                                                                   "  "
                                                                                   "wmma.load.a.sync.aligned."
                                                                                   "row.m8n32k16.bf16 "
                                                                                   "{%r0,%r1}, [%in], "
                                                                                   "16;\n"
                                                                                   "  "
                                                                                   "wmma.load.b.sync.aligned."
                                                                                   "row.m8n32k16.bf16 "
                                                                                   "{%r10,%r11,%r12,%r13,%"
                                                                                   "r14,%r15,%r16,%r17}, "
                                                                                   "[%in+1024], 32;\n"
                                                                                   "  "
                                                                                   "wmma.mma.sync.aligned."
                                                                                   "row.row.m8n32k16.f32."
                                                                                   "bf16.bf16."
                                                                                   "f32 " HALVES8(
                                                                                       "c") ", {%r0,%r1}, "
                                                                                            "{%r10,%r11,%r12,"
                                                                                            "%r13,%r14,%r15,%"
                                                                                            "r16,%r17},"
                                                                                            " " HALVES8(
                                                                                                "c") ";\n"
                                                                                                     "  "
                                                                                                     "wmma."
                                                                                                     "store."
                                                                                                     "d.sync."
                                                                                                     "aligned"
                                                                                                     ".row."
                                                                                                     "m8n32k1"
                                                                                                     "6.f32 "
                                                                                                     "[%out],"
                                                                                                     " " HALVES8(
                                                                                                         "c") ", 32;\n"},
};
const struct scenes matrix_scenes = {list, sizeof list / sizeof *list};
