/* Lanes of a warp together: shuffles, votes, matches, reductions, elections; lanes that meet from different
 * paths, lanes that have exited, masks that are wrong. What shuffles do with clamps and segments is as an
 * H200 did it. */
#include "tests/rows/scene.h"

#define STORE(value)       "  st.global.b32 [%my], " value ";\n"
#define STORE_AT(k, value) "  st.global.b32 [%my+" #k "], " value ";\n"

/* r10 = lane * 3 + 100; value to out[x], predicate to out[1024 + x] */
#define SHUFFLE(mode, b, c)                                                                                  \
    "  mad.lo.u32 %r10, %lane, 3, 100;\n  shfl.sync." mode ".b32 %r1|%p1, %r10, " b ", " c ", -1;\n"         \
    "  selp.b32 %r2, 1, 0, %p1;\n" STORE("%r1") STORE_AT(4096, "%r2")

static void shuffled(uint32_t *out, uint32_t threads, const uint8_t from[32], uint32_t in_range) {
    for (uint32_t x = 0; x < threads; x++) {
        out[x] = from[x % 32] * 3u + 100;
        out[1024 + x] = in_range >> x % 32 & 1;
    }
}
static void up_3(uint32_t *out, uint32_t threads, uint32_t block) {
    static const uint8_t from[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                   13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28};
    shuffled(out, threads, from, 0xffff0000);
}
static void down_3(uint32_t *out, uint32_t threads, uint32_t block) {
    static const uint8_t from[] = {3,  4,  5,  3,  4,  5,  6,  7,  11, 12, 13, 11, 12, 13, 14, 15,
                                   19, 20, 21, 19, 20, 21, 22, 23, 27, 28, 29, 27, 28, 29, 30, 31};
    shuffled(out, threads, from, 0x07070707);
}
static void bfly_9(uint32_t *out, uint32_t threads, uint32_t block) {
    static const uint8_t from[] = {0,  1,  2,  3,  4,  5,  6,  7,  1,  0,  3,  2,  5,  4,  7,  6,
                                   16, 17, 18, 19, 20, 21, 22, 23, 17, 16, 19, 18, 21, 20, 23, 22};
    shuffled(out, threads, from, 0xff00ff00);
}
static void idx_27(uint32_t *out, uint32_t threads, uint32_t block) {
    uint8_t from[32];
    for (uint32_t k = 0; k < 32; k++) from[k] = (uint8_t)(k / 4 * 4 + 3);
    shuffled(out, threads, from, 0xffffffff);
}
static void rotated(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = scene_in((x & ~31u) + (x * 5 + 3) % 32);
}
static void some_lanes(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = x % 32 < 16 ? x % 32 ^ 1 : 7;
}
static void votes(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        out[1024 + x] = 0x2 | 0x8; /* any yes, all of a true yes */
        uint32_t b = 0;
        for (uint32_t l = 0; l < 32; l++) b |= (uint32_t)(((x & ~31u) + l) % 3 == 0) << l;
        out[x] = b;
    }
}
static void matches(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        out[x] = 0x11111111u << x % 4;
        out[1024 + x] = 0xffffffff;
        out[2048 + x] = 1;
        out[3072 + x] = 0;
    }
}
static void reductions(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        uint32_t sum = 0, all = UINT32_MAX, any = 0, odd = 0, least = UINT32_MAX, low = INT32_MAX;
        for (uint32_t l = x & ~31u; l < (x & ~31u) + 32; l++) {
            uint32_t v = scene_in(l);
            sum += v, all &= v, any |= v, odd ^= v;
            if (v < least) least = v;
            if ((int32_t)v < (int32_t)low) low = v;
        }
        out[x] = sum + all * 3 + any * 5 + odd * 7;
        out[1024 + x] = least;
        out[2048 + x] = low;
    }
}
static void elections(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = x % 32 < 8 ? 1000 + (x % 32 == 0) : 1008 + (x % 32 == 8);
}
static void met(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = x % 2 ? x % 32 - 1 + 200 : x % 32 + 1 + 100;
}
static void after_exit(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        uint32_t b = 0;
        for (uint32_t l = 0; l < 32; l++) b |= (uint32_t)(l % 3 != 0) << l;
        out[x] = x % 32 % 3 ? b : 0;
    }
}
static void handed_over(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = scene_in(x ^ 1);
}
static void active_halves(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = x % 32 < 11 ? 0x7ff : ~0x7ffu;
}

/* What an H100 gives where lanes that their mask leaves out run along (docs/warps.md). */
static void left_out(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        out[x] = x ^ 9;
        out[1024 + x] = ~(1u << 20);
        out[2048 + x] = UINT32_MAX;
        out[3072 + x] = x & ~31u;
        out[4096 + x] = 0;
    }
}
static void two_masks(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        out[x] = x ^ 3;
        out[1024 + x] = x & 1 ? 0 : 0x55555555;
    }
}
/* The odd lanes get 7 from two lanes below, or from themselves; the even ones have 7, and 100 more for a lane
 * in range, which is odd and gives 0. */
static void from_elsewhere(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = x & 1 ? 7 : 7 + 100;
}
static void who_is_left(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = x % 32 < 3 ? 0 : x % 32 == 3 ? 103 : 3;
}

static const struct scene list[] = {
    {"shfl.up with segments", .body = SHUFFLE("up", "3", "0x0805"), .expect = up_3},
    {"shfl.down with segments", .body = SHUFFLE("down", "3", "0x1805"), .expect = down_3},
    {"shfl.bfly with segments", .body = SHUFFLE("bfly", "9", "0x1807"), .expect = bfly_9},
    {"shfl.idx with segments", .body = SHUFFLE("idx", "27", "0x1c03"), .expect = idx_27},
    {"shfl.idx by lanes' own indices",
     .body = "  mul.wide.u32 %d1, %x, 4;\n  add.s64 %d1, %in, %d1;\n  ld.global.b32 %r1, [%d1];\n"
             "  mad.lo.u32 %r2, %lane, 5, 3;\n  and.b32 %r2, %r2, 31;\n"
             "  shfl.sync.idx.b32 %r3, %r1, %r2, 31, -1;\n" STORE("%r3"),
     .expect = rotated},
    {"shfl of half a warp",
     .body = "  mov.u32 %r1, 7;\n  setp.ge.u32 %p1, %lane, 16;\n  @%p1 bra OUT;\n"
             "  shfl.sync.bfly.b32 %r1, %lane, 1, 31, 0xffff;\nOUT:\n" STORE("%r1"),
     .expect = some_lanes},
    {"votes",
     .body =
         "  rem.u32 %r1, %x, 3;\n  setp.eq.u32 %p1, %r1, 0;\n  vote.sync.ballot.b32 %r2, %p1, "
         "-1;\n" STORE("%r2") "  vote.sync.all.pred %p2, %p1, -1;\n  vote.sync.any.pred %p3, %p1, -1;\n"
                              "  vote.sync.uni.pred %p4, %p1, -1;\n  setp.lt.u32 %p5, %x, 9999;\n"
                              "  vote.sync.all.pred %p6, %p5, -1;\n  vote.sync.any.pred %p7, !%p5, -1;\n"
                              "  selp.b32 %r3, 1, 0, %p2;\n  selp.b32 %r4, 2, 0, %p3;\n  or.b32 %r3, %r3, "
                              "%r4;\n"
                              "  selp.b32 %r4, 4, 0, %p4;\n  or.b32 %r3, %r3, %r4;\n  selp.b32 %r4, 8, 0, "
                              "%p6;\n"
                              "  or.b32 %r3, %r3, %r4;\n  selp.b32 %r4, 16, 0, %p7;\n  or.b32 %r3, %r3, "
                              "%r4;\n" STORE_AT(4096, "%r3"),
     .expect = votes},
    {"matches",
     .body = "  and.b32 %r1, %x, 3;\n  match.any.sync.b32 %r2, %r1, -1;\n" STORE(
         "%r2") "  mov.b64 %d1, 0x123456789a;\n  match.all.sync.b64 %r3|%p1, %d1, "
                "-1;\n" STORE_AT(4096, "%r3") "  selp.b32 %r4, 1, 0, %p1;\n" STORE_AT(
                    8192, "%r4") "  "
                                 "cvt."
                                 "u64."
                                 "u32 "
                                 "%d2, "
                                 "%r1;"
                                 "\n  "
                                 "shl."
                                 "b64 "
                                 "%d2, "
                                 "%d2, "
                                 "40;"
                                 "\n  "
                                 "match"
                                 ".all."
                                 "sync."
                                 "b64 "
                                 "%r5|%"
                                 "p2, "
                                 "%d2, "
                                 "-1;\n"
                                 "  "
                                 "selp."
                                 "b32 "
                                 "%r6, "
                                 "1, "
                                 "0, "
                                 "%p2;"
                                 "\n  "
                                 "or."
                                 "b32 "
                                 "%r5, "
                                 "%r5, "
                                 "%r6;"
                                 "\n" STORE_AT(12288, "%"
                                                      "r"
                                                      "5"),
     .expect = matches},
    {"reductions over a warp",
     .body = "  mul.wide.u32 %d1, %x, 4;\n  add.s64 %d1, %in, %d1;\n  ld.global.b32 %r1, [%d1];\n"
             "  redux.sync.add.u32 %r2, %r1, -1;\n  redux.sync.and.b32 %r3, %r1, -1;\n"
             "  redux.sync.or.b32 %r4, %r1, -1;\n  redux.sync.xor.b32 %r5, %r1, -1;\n"
             "  mad.lo.u32 %r2, %r3, 3, %r2;\n  mad.lo.u32 %r2, %r4, 5, %r2;\n  mad.lo.u32 %r2, "
             "%r5, 7, %r2;\n" STORE("%r2") "  redux.sync.min.u32 %r6, %r1, -1;\n" STORE_AT(
                 4096, "%r6") "  redux.sync.min.s32 %r7, %r1, -1;\n" STORE_AT(8192, "%r7"),
     .expect = reductions},
    {"an election in each group",
     .body = "  setp.lt.u32 %p1, %lane, 8;\n  selp.b32 %r1, 0xff, 0xffffff00, %p1;\n  @%p1 bra LOW;\n"
             "  elect.sync %r2|%p2, 0xffffff00;\n  bra BOTH;\nLOW:\n  elect.sync %r2|%p2, "
             "0xff;\nBOTH:\n"
             "  selp.b32 %r3, 1001, 1000, %p2;\n  add.u32 %r3, %r3, %r2;\n" STORE("%r3"),
     .expect = elections},
    {"lanes meet at bar.warp.sync from two places", .module = ".shared .align 4 .b8 cells[1024];\n",
     .body = "  and.b32 %r1, %lane, 1;\n  setp.eq.u32 %p1, %r1, 0;\n  mov.u32 %r2, cells;\n  shl.b32 "
             "%r3, %t, 2;\n"
             "  add.u32 %r2, %r2, %r3;\n  xor.b32 %r4, %r2, 4;\n  @%p1 bra EVEN;\n"
             "  add.u32 %r5, %lane, 100;\n  st.volatile.shared.b32 [%r2], %r5;\n  bar.warp.sync -1;\n"
             "  ld.volatile.shared.b32 %r6, [%r4];\n  bra BOTH;\n"
             "EVEN:\n  add.u32 %r5, %lane, 200;\n  st.volatile.shared.b32 [%r2], %r5;\n  "
             "bar.warp.sync -1;\n"
             "  ld.volatile.shared.b32 %r6, [%r4];\nBOTH:\n" STORE("%r6"),
     .expect = met},
    {"exited lanes are not waited for",
     .body = "  rem.u32 %r1, %lane, 3;\n  setp.eq.u32 %p1, %r1, 0;\n  @%p1 exit;\n  setp.lt.u32 "
             "%p2, %x, 99999;\n"
             "  vote.sync.ballot.b32 %r2, %p2, -1;\n" STORE("%r2"),
     .expect = after_exit},
    {"lanes hand over through shared memory", .module = ".shared .align 4 .b8 cells[1024];\n",
     .body = "  mul.wide.u32 %d1, %x, 4;\n  add.s64 %d1, %in, %d1;\n  ld.global.b32 %r1, [%d1];\n"
             "  shl.b32 %r2, %t, 2;\n  mov.u32 %r3, cells;\n  add.u32 %r3, %r3, %r2;\n  "
             "st.shared.b32 [%r3], %r1;\n"
             "  bar.warp.sync -1;\n  xor.b32 %r4, %r3, 4;\n  ld.shared.b32 %r5, [%r4];\n" STORE("%r5"),
     .expect = handed_over},
    {"activemask of the two sides of a branch",
     .body = "  setp.lt.u32 %p1, %lane, 11;\n  @%p1 bra LOW;\n  activemask.b32 %r1;\n  bra BOTH;\n"
             "LOW:\n  activemask.b32 %r1;\nBOTH:\n" STORE("%r1"),
     .expect = active_halves},
    {"a mask that leaves out its callers",
     .body = "  bar.warp.sync 0xfffffffb;\n  shfl.sync.bfly.b32 %r1, %x, 9, 31, 0xff;\n  setp.ne.u32 %p1, "
             "%lane, 20;\n"
             "  vote.sync.ballot.b32 %r2, %p1, 0xff;\n  match.all.sync.b32 %r3, %r2, 0xff;\n"
             "  redux.sync.min.u32 %r4, %x, 0xff00;\n  vote.sync.all.pred %p2, %p1, 0xff;\n  selp.b32 %r5, "
             "1, 0, %p2;\n" STORE("%r1") STORE_AT(4096, "%r2") STORE_AT(8192, "%r3") STORE_AT(12288, "%r4")
                 STORE_AT(16384, "%r5"),
     .expect = left_out},
    {"two masks at one shuffle",
     .body = "  and.b32 %r1, %lane, 1;\n  setp.eq.u32 %p1, %r1, 0;\n  selp.b32 %r1, 0x55555555, 0xaaaaaaaa, "
             "%p1;\n"
             "  shfl.sync.bfly.b32 %r2, %x, 3, 31, %r1;\n  vote.sync.ballot.b32 %r3, %p1, %r1;\n" STORE("%r2")
                 STORE_AT(4096, "%r3"),
     .expect = two_masks},
    {"a shuffle from lanes elsewhere", .block = {40},
     .body =
         "  and.b32 %r1, %lane, 1;\n  setp.eq.u32 %p1, %r1, 0;\n  mov.u32 %r2, 7;\n  @%p1 bra EVEN;\n"
         "  shfl.sync.up.b32 %r2, %r2, 2, 0, 0xaaaaaaaa;\n  bra BOTH;\nEVEN:\n"
         "  shfl.sync.idx.b32 %r2|%p2, %r2, %lane, 31, 0x55555555;\n"
         "  add.u32 %r3, %lane, 3;\n  shfl.sync.idx.b32 %r4|%p2, %r2, %r3, 31, 0x55555555;\n"
         "  selp.b32 %r5, 100, 0, %p2;\n  add.u32 %r4, %r4, %r5;\n  add.u32 %r2, %r2, %r4;\nBOTH:\n" STORE(
             "%r2"),
     .expect = from_elsewhere},
    {"an election among who is left", .block = {40},
     .body = "  setp.lt.u32 %p1, %lane, 3;\n  @%p1 exit;\n  elect.sync %r1|%p2, -1;\n  selp.b32 %r2, 100, 0, "
             "%p2;\n"
             "  add.u32 %r1, %r1, %r2;\n" STORE("%r1"),
     .expect = who_is_left},
    {"lanes that wait for each other in vain",
     .body = "  setp.lt.u32 %p1, %lane, 16;\n  @%p1 bra LOW;\n  vote.sync.ballot.b32 %r1, %p1, "
             "-1;\n" STORE("%r1") "  bra END;\nLOW:\n  bar.warp.sync -1;\n" STORE("%r1"),
     .fault = WG_FAULT_DEADLOCK},
    {"lanes that wait for lanes at the block's barrier",
     .body = "  setp.lt.u32 %p1, %lane, 16;\n  @%p1 bra LOW;\n  vote.sync.ballot.b32 %r1, %p1, "
             "-1;\n" STORE("%r1") "  bra END;\nLOW:\n  barrier.sync 0;\n" STORE("%r1"),
     .fault = WG_FAULT_DEADLOCK},
};
const struct scenes warp_scenes = {list, sizeof list / sizeof *list};
