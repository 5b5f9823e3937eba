/* Atomics that lanes, warps and blocks do on the same cells. What each operation makes of its operands is
 * tried value by value in atomics_test.c. */
#include "tests/rows/scene.h"
#include <string.h>

#define STORE(value) "  st.global.b32 [%my], " value ";\n"

static void counted(uint32_t *out, uint32_t threads, uint32_t block) { out[0] = threads; }
static void summed(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x % 7] += scene_in(x);
}
static void each_ticket_once(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[64 + x] = 1;
    out[0] = threads;
}
static void extremes(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        uint32_t v = scene_in(x);
        if (v > out[0]) out[0] = v;
        if ((int32_t)v < (int32_t)out[1]) out[1] = v;
        if ((int32_t)v > (int32_t)out[2]) out[2] = v;
    }
    out[3] = 0; /* nothing is below the zero that was there */
}
static void wrapped(uint32_t *out, uint32_t threads, uint32_t block) {
    out[0] = threads % 10;
    uint32_t v = 0;
    for (uint32_t x = 0; x < threads; x++) v = v == 0 || v > 6 ? 6 : v - 1;
    out[1] = v;
}
static void float_sum(uint32_t *out, uint32_t threads, uint32_t block) {
    float f = (float)threads * 0.5f;
    double d = threads * 0.25;
    memcpy(out, &f, 4);
    memcpy(out + 2, &d, 8);
    out[4] = 0x3c00; /* one f16 addition of 1.0, one bf16 */
    out[5] = 0x3f803f80;
}
static void chained(uint32_t *out, uint32_t threads, uint32_t block) {
    out[0] = 1;
    for (uint32_t x = 0; x < threads; x++) out[0] = out[0] * 3;
}
static void shared_counts(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x / block * 8 + scene_in(x) % 8]++;
}
static void swapped_128(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t k = 0; k < 4; k++) out[k] = 100 + k;
    for (uint32_t k = 0; k < 4; k++) out[4 + k] = k;
}

static const struct scene list[] = {
    {"red.add by everybody", .grid = 5, .block = {96}, .body = "  red.global.add.u32 [%out], 1;\n",
     .expect = counted},
    {"atom.add whose result is unused", .grid = 5, .block = {96},
     .body = "  atom.global.add.u32 %r1, [%out], 1;\n", .expect = counted},
    {"red.add on seven cells", .grid = 3,
     .body = "  mul.wide.u32 %d1, %x, 4;\n  add.s64 %d1, %in, %d1;\n  ld.global.b32 %r1, [%d1];\n"
             "  rem.u32 %r2, %x, 7;\n  mul.wide.u32 %d2, %r2, 4;\n  add.s64 %d2, %out, %d2;\n"
             "  red.relaxed.gpu.global.add.s32 [%d2], %r1;\n",
     .expect = summed},
    {"atom.add gives every ticket once", .grid = 4,
     .body = "  atom.add.u32 %r1, [%out], 1;\n  mul.wide.u32 %d1, %r1, 4;\n  add.s64 %d1, %out, %d1;\n"
             "  mov.u32 %r2, 1;\n  st.global.b32 [%d1+256], %r2;\n",
     .expect = each_ticket_once},
    {"atom.min, atom.max",
     .body = "  mul.wide.u32 %d1, %x, 4;\n  add.s64 %d1, %in, %d1;\n  ld.global.b32 %r1, [%d1];\n"
             "  red.global.max.u32 [%out], %r1;\n  red.global.min.s32 [%out+4], %r1;\n"
             "  red.global.max.s32 [%out+8], %r1;\n  red.global.min.u32 [%out+12], %r1;\n",
     .expect = extremes},
    {"atom.inc, atom.dec wrap",
     .body = "  atom.global.inc.u32 %r1, [%out], 9;\n  atom.global.dec.u32 %r2, [%out+4], 6;\n",
     .expect = wrapped},
    {"atom.add of floats",
     .body =
         "  mov.f32 %f1, 0f3F000000;\n  red.global.add.f32 [%out], %f1;\n  mov.f64 %e1, 0d3FD0000000000000;\n"
         "  atom.global.add.f64 %e2, [%out+8], %e1;\n  setp.ne.u32 %p1, %x, 0;\n  @%p1 bra END;\n"
         "  mov.b16 %h1, 0x3c00;\n  atom.global.add.noftz.f16 %h2, [%out+16], %h1;\n  mov.b32 %r1, "
         "0x3f803f80;\n"
         "  red.global.add.noftz.bf16x2 [%out+20], %r1;\n",
     .expect = float_sum},
    {"a loop of compare and swap", .grid = 2, .block = {48},
     .body =
         "  ld.volatile.global.b32 %r1, [%out];\n"
         "AGAIN:\n  max.u32 %r2, %r1, 1;\n  mul.lo.u32 %r2, %r2, 3;\n  mov.u32 %r3, %r1;\n"
         "  atom.global.cas.b32 %r1, [%out], %r3, %r2;\n  setp.ne.u32 %p2, %r1, %r3;\n  @%p2 bra AGAIN;\n",
     .expect = chained},
    {"counts of a block in shared memory", .module = ".shared .align 4 .b8 cells[32];\n", .grid = 3,
     .block = {160},
     .body =
         "  mov.u32 %r1, cells;\n  setp.gt.u32 %p1, %t, 7;\n  shl.b32 %r2, %t, 2;\n  add.u32 %r3, %r1, %r2;\n"
         "  mov.u32 %r4, 0;\n  @!%p1 st.shared.b32 [%r3], %r4;\n  bar.sync 0;\n"
         "  mul.wide.u32 %d1, %x, 4;\n  add.s64 %d1, %in, %d1;\n  ld.global.b32 %r5, [%d1];\n"
         "  and.b32 %r5, %r5, 7;\n  shl.b32 %r5, %r5, 2;\n  add.u32 %r5, %r5, %r1;\n"
         "  atom.shared.add.u32 %r6, [%r5], 1;\n  bar.sync 0;\n  @%p1 bra END;\n  ld.shared.b32 %r7, [%r3];\n"
         "  mov.u32 %r8, %ctaid.x;\n  mad.lo.u32 %r8, %r8, 8, %t;\n  mul.wide.u32 %d2, %r8, 4;\n"
         "  add.s64 %d2, %out, %d2;\n  st.global.b32 [%d2], %r7;\n",
     .expect = shared_counts},
    {"atom.exch and atom.cas of 128 bits", .block = {1},
     .body = "  .reg .b128 %q1, %q2, %q3;\n  mov.b64 %d1, 0x100000000;\n  mov.b64 %d2, 0x300000002;\n"
             "  mov.b128 %q1, {%d1, %d2};\n  atom.global.exch.b128 %q2, [%out], %q1;\n"
             "  mov.b64 %d3, 0x6500000064;\n  mov.b64 %d4, 0x6700000066;\n  mov.b128 %q3, {%d3, %d4};\n"
             "  atom.global.cas.b128 %q2, [%out], %q1, %q3;\n  st.global.b128 [%out+16], %q2;\n"
             "  atom.global.cas.b128 %q2, [%out], %q1, %q1;\n",
     .expect = swapped_128},
};
const struct scenes atomic_scenes = {list, sizeof list / sizeof *list};
