/* Barriers of blocks, clusters and grids. */
#include "tests/rows/scene.h"

#define STORE(value)       "  st.global.b32 [%my], " value ";\n"
#define STORE_AT(k, value) "  st.global.b32 [%my+" #k "], " value ";\n"

static void rotated(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = x / block * block + (x % block + 33 * 5) % block;
}
static void scanned(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++)
        for (uint32_t k = x / block * block; k <= x; k++) out[x] += scene_in(k);
}
static void reduced(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        uint32_t n = 0;
        for (uint32_t k = 0; k < block; k++) n += k % 3 == 0;
        out[x] = n;
        out[1024 + x] = 1 | 4; /* some, not all; all */
    }
}
static void without_some(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = x % block >= 40 ? 0 : 40;
}
static void produced(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 64; x < 128; x++) out[x] = (x - 64) * 9;
}
static void teams(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = (x ^ 32) + 500;
}
static void neighbours(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        uint32_t b = x / block, other = b / 4 * 4 + (b % 4 + 1) % 4;
        out[x] = other * 1000 + x % block;
    }
    for (uint32_t b = 0; b < threads / block; b++) out[2048 + b] = block * 4;
}
static void grid_sums(uint32_t *out, uint32_t threads, uint32_t block) {
    out[0] = threads;
    for (uint32_t x = 0; x < threads; x++) out[1024 + x] = threads;
}
static void divergent_barrier(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = x % 2 ? 2 : 1;
}

static const struct scene list[] = {
    {"bar.sync in a loop", .module = ".shared .align 4 .b8 cells[2048];\n", .grid = 2, .block = {96},
     .body =
         "  mov.u32 %r1, cells;\n  shl.b32 %r2, %t, 2;\n  add.u32 %r2, %r2, %r1;\n  mov.u32 %r3, %x;\n  "
         "mov.u32 %r4, 0;\n"
         "  add.u32 %r5, %t, 33;\n  rem.u32 %r5, %r5, 96;\n  shl.b32 %r5, %r5, 2;\n  add.u32 %r5, %r5, %r1;\n"
         "LOOP:\n  st.shared.b32 [%r2], %r3;\n  bar.sync 0;\n  ld.shared.b32 %r3, [%r5];\n  barrier.sync 3;\n"
         "  add.u32 %r4, %r4, 1;\n  setp.lt.u32 %p1, %r4, 5;\n  @%p1 bra LOOP;\n" STORE("%r3"),
     .expect = rotated},
    {"a scan, where some lanes only wait", .module = ".shared .align 4 .b8 cells[1024];\n", .grid = 2,
     .block = {100},
     .body =
         "  mul.wide.u32 %d1, %x, 4;\n  add.s64 %d1, %in, %d1;\n  ld.global.b32 %r1, [%d1];\n  mov.u32 %r2, "
         "cells;\n"
         "  shl.b32 %r3, %t, 2;\n  add.u32 %r2, %r2, %r3;\n  mov.u32 %r4, 1;\n"
         "LOOP:\n  st.shared.b32 [%r2], %r1;\n  bar.sync 0;\n  setp.lt.u32 %p1, %t, %r4;\n  @%p1 bra SKIP;\n"
         "  shl.b32 %r5, %r4, 2;\n  sub.u32 %r6, %r2, %r5;\n  ld.shared.b32 %r7, [%r6];\n  add.u32 %r1, %r1, "
         "%r7;\n"
         "SKIP:\n  bar.sync 0;\n  shl.b32 %r4, %r4, 1;\n  setp.lt.u32 %p2, %r4, 100;\n  @%p2 bra "
         "LOOP;\n" STORE("%r1"),
     .expect = scanned},
    {"bar.red", .grid = 2, .block = {96},
     .body = "  rem.u32 %r1, %t, 3;\n  setp.eq.u32 %p1, %r1, 0;\n  bar.red.popc.u32 %r2, 0, %p1;\n" STORE(
         "%r2") "  bar.red.or.pred %p2, 1, %p1;\n  bar.red.and.pred %p3, 0, %p1;\n"
                "  selp.b32 %r3, 1, 0, %p2;\n  selp.b32 %r4, 2, 0, %p3;\n  or.b32 %r3, %r3, %r4;\n"
                "  setp.lt.u32 %p9, %t, 1000;\n  bar.red.and.pred %p4, 2, 96, %p9;\n  selp.b32 %r4, 4, 0, "
                "%p4;\n"
                "  or.b32 %r3, %r3, %r4;\n" STORE_AT(4096, "%r3"),
     .expect = reduced},
    {"a barrier after some threads have exited", .module = ".shared .align 4 .b8 cell[4];\n", .grid = 2,
     .block = {96},
     .body =
         "  setp.ge.u32 %p1, %t, 40;\n  @%p1 exit;\n  mov.u32 %r1, 0;\n  setp.eq.u32 %p2, %t, 0;\n"
         "  @%p2 st.shared.b32 [cell], %r1;\n  bar.sync 0;\n  red.shared.add.u32 [cell], 1;\n  bar.sync 0;\n"
         "  ld.shared.b32 %r2, [cell];\n" STORE("%r2"),
     .expect = without_some},
    {"producers arrive, consumers wait", .module = ".shared .align 4 .b8 cells[256];\n", .block = {128},
     .body =
         "  mov.u32 %r1, cells;\n  and.b32 %r2, %t, 63;\n  shl.b32 %r3, %r2, 2;\n  add.u32 %r3, %r3, %r1;\n"
         "  setp.ge.u32 %p1, %t, 64;\n  @%p1 bra CONSUME;\n  mul.lo.u32 %r4, %t, 9;\n  st.shared.b32 [%r3], "
         "%r4;\n"
         "  bar.arrive 4, 128;\n  bra END;\nCONSUME:\n  bar.sync 4, 128;\n  ld.shared.b32 %r5, "
         "[%r3];\n" STORE("%r5"),
     .expect = produced},
    {"two teams with a barrier each", .module = ".shared .align 4 .b8 cells[512];\n", .block = {128},
     .body =
         "  mov.u32 %r1, cells;\n  shl.b32 %r2, %t, 2;\n  add.u32 %r2, %r2, %r1;\n  add.u32 %r3, %t, 500;\n"
         "  st.shared.b32 [%r2], %r3;\n  shr.u32 %r4, %t, 6;\n  add.u32 %r5, %r4, 1;\n  barrier.sync %r5, "
         "64;\n"
         "  sub.u32 %r6, %r2, %r1;\n  xor.b32 %r6, %r6, 128;\n  add.u32 %r6, %r6, %r1;\n  ld.shared.b32 %r7, "
         "[%r6];\n" STORE("%r7"),
     .expect = teams},
    {"lanes come to one barrier from two places",
     .body = "  and.b32 %r1, %t, 1;\n  setp.eq.u32 %p1, %r1, 0;\n  @%p1 bra EVEN;\n  mov.u32 %r2, 2;\n  "
             "barrier.sync 0;\n"
             "  bra BOTH;\nEVEN:\n  mov.u32 %r2, 1;\n  barrier.sync 0;\nBOTH:\n" STORE("%r2"),
     .expect = divergent_barrier},
    {"blocks of a cluster read each other's shared memory",
     .module = ".shared .align 4 .b8 cells[128];\n.shared .align 4 .b8 count[4];\n", .grid = 8, .cluster = 4,
     .block = {32},
     .body =
         "  mov.u32 %r1, cells;\n  shl.b32 %r2, %t, 2;\n  add.u32 %r2, %r2, %r1;\n  mov.u32 %r3, %ctaid.x;\n"
         "  mad.lo.u32 %r4, %r3, 1000, %t;\n  st.shared.b32 [%r2], %r4;\n  mov.u32 %r5, 0;\n  st.shared.b32 "
         "[count], %r5;\n"
         "  barrier.cluster.arrive.release.aligned;\n  barrier.cluster.wait.acquire.aligned;\n"
         "  mov.u32 %r6, %cluster_ctarank;\n  add.u32 %r6, %r6, 1;\n  and.b32 %r6, %r6, 3;\n"
         "  mapa.shared::cluster.u32 %r7, %r2, %r6;\n  ld.shared::cluster.b32 %r8, [%r7];\n" STORE(
             "%r8") "  mov.u64 %d1, count;\n  cvta.shared.u64 %d1, %d1;\n  mov.u32 %r9, 0;\n"
                    "EACH:\n  mapa.u64 %d2, %d1, %r9;\n  red.add.u32 [%d2], 1;\n  add.u32 %r9, %r9, 1;\n"
                    "  setp.lt.u32 %p1, %r9, 4;\n  @%p1 bra EACH;\n"
                    "  barrier.cluster.arrive;\n  barrier.cluster.wait;\n  ld.shared.b32 %r10, [count];\n"
                    "  mul.wide.u32 %d3, %r3, 4;\n  add.s64 %d3, %out, %d3;\n  st.global.b32 [%d3+8192], "
                    "%r10;\n",
     .expect = neighbours},
    {"all blocks of a grid meet", .module = ".extern .func __wg_grid_sync ();\n", .grid = 4,
     .cooperative = true, .block = {64},
     .body = "  red.global.add.u32 [%out], 1;\n  {\n  call.uni __wg_grid_sync, ();\n  }\n"
             "  ld.volatile.global.b32 %r1, [%out];\n" STORE_AT(4096, "%r1"),
     .expect = grid_sums},
    {"a barrier number out of range",
     .body =
         "  add.u32 %r1, %t, 16;\n  setp.ne.u32 %p1, %lane, 3;\n  @%p1 bra END;\n  barrier.sync %r1, 64;\n",
     .fault = WG_FAULT_BARRIER, .fault_lane = 3},
};
const struct scenes barrier_scenes = {list, sizeof list / sizeof *list};
