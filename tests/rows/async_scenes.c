/* Copies into shared memory that are waited for later, and mbarriers. */
#include "tests/rows/scene.h"

#define STORE(value)       "  st.global.b32 [%my], " value ";\n"
#define STORE_AT(k, value) "  st.global.b32 [%my+" #k "], " value ";\n"
/* %r20: 16 bytes of `cells` for each thread; %d1: 16 bytes of the input for each */
#define CELLS ".shared .align 16 .b8 cells[4096];\n.shared .align 8 .b64 bar[4];\n"
#define PLACES                                                                                               \
    "  shl.b32 %r19, %t, 4;\n  mov.u32 %r20, cells;\n  add.u32 %r20, %r20, %r19;\n"                          \
    "  mul.wide.u32 %d1, %x, 16;\n  add.s64 %d1, %in, %d1;\n"
#define WAIT_ALL "  cp.async.commit_group;\n  cp.async.wait_group 0;\n  bar.sync 0;\n"

/* ---- copies ---- */

/* Word k of thread x to out[4 x + k]. */
#define SHOW                                                                                                 \
    "  ld.shared.v4.b32 {%r1,%r2,%r3,%r4}, [%r20];\n  mul.wide.u32 %d2, %x, 16;\n"                           \
    "  add.s64 %d2, %out, %d2;\n  st.global.v4.b32 [%d2], {%r1,%r2,%r3,%r4};\n"
#define FILL "  mov.u32 %r1, 7;\n  st.shared.v4.b32 [%r20], {%r1,%r1,%r1,%r1};\n  bar.sync 0;\n"

static void all_words(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t k = 0; k < threads * 4; k++) out[k] = scene_in(k);
}
static void in_pieces(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t k = 0; k < threads * 4; k++) out[k] = k % 4 == 3 ? 7 : scene_in(k + 2);
}
static void first_bytes(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t k = 0; k < threads * 4; k++) {
        uint32_t left = k / 4 % 17 > k % 4 * 4 ? k / 4 % 17 - k % 4 * 4 : 0;
        out[k] = left >= 4 ? scene_in(k) : scene_in(k) & ((1u << 8 * left) - 1);
    }
}
static void odd_threads(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t k = 0; k < threads * 4; k++) out[k] = k / 4 % 2 ? scene_in(k) : 0;
}
static void guarded(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t k = 0; k < threads * 4; k++) out[k] = k / 4 % 3 ? 7 : k % 4 < 2 ? scene_in(k + 4) : 0;
}
static void other_half(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t k = 0; k < threads * 4; k++) out[k] = scene_in(k ^ 128);
}

/* ---- mbarriers ---- */

/* Thread 0 makes bar[0] for so many. */
#define INIT(count)                                                                                          \
    "  mov.u32 %r10, bar;\n  setp.eq.u32 %p10, %t, 0;\n"                                                     \
    "  @%p10 mbarrier.init.shared::cta.b64 [%r10], " count ";\n  bar.sync 0;\n"
#define WAIT_PARITY(label, parity)                                                                           \
    label ":\n  mbarrier.try_wait.parity.shared::cta.b64 %p11, [%r10], " parity ";\n  @!%p11 bra " label ";" \
          "\n"

/* What is seen of it, to out[k / 4]. */
#define PENDING(k, state) "  mbarrier.pending_count.b64 %r1, " state ";\n" STORE_AT(k, "%r1")
#define OVER(k)           "  selp.b32 %r1, 1, 0, %p1;\n" STORE_AT(k, "%r1")
#define TOKEN(k, state)   "  mbarrier.test_wait.shared.b64 %p1, [%r10], " state ";\n" OVER(k)
#define SEE(k, parity)    "  mbarrier.test_wait.parity.shared.b64 %p1, [%r10], " parity ";\n" OVER(k)
#define COMPLETE(bytes)   "  mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%r10], " bytes ";\n"

static void neighbours(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = scene_in((x + 33) % 64);
}
/* As an H200 has it. */
static void as_before(uint32_t *out, uint32_t threads, uint32_t block) {
    static const uint32_t seen[] = {0, 1, 1, 0};
    for (uint32_t k = 0; k < 4; k++) out[k] = seen[k];
}
static void tokens(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = 1;
}
static void pending(uint32_t *out, uint32_t threads, uint32_t block) {
    /* init 5; arrive; arrive 2; drop; arrive: the phase is over, and the next waits for 4 */
    static const uint32_t seen[] = {5, 4, 2, 1, 4};
    for (uint32_t k = 0; k < 5; k++) out[k] = seen[k];
    out[5] = 1, out[6] = 0;
}
static void bytes_come(uint32_t *out, uint32_t threads, uint32_t block) {
    static const uint32_t seen[] = {0, 0, 1, 1, 0, 1};
    for (uint32_t k = 0; k < 6; k++) out[k] = seen[k];
}
static void rounds(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) {
        uint32_t sum = 0;
        for (uint32_t r = 0; r < 8; r++) sum = sum * 3 + ((x + 64) % block) * 10 + r;
        out[x] = sum;
    }
}
static void other_blocks(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = (x ^ block) + 5;
}
static void warps_in_line(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = 32 * (x % 32) + 10;
}

static const struct scene list[] = {
    {"cp.async of 16 bytes", .module = CELLS,
     .body = PLACES "  cp.async.cg.shared.global [%r20], [%d1], 16;\n" WAIT_ALL SHOW, .expect = all_words},
    {"cp.async of 16 bytes, with everything said", .module = CELLS,
     .body = PLACES "  mov.u64 %d5, 0;\n"
                    "  cp.async.ca.shared::cta.global.L2::cache_hint.L2::128B [%r20], [%d1], 16, 16, %d5;\n"
                    "  cp.async.wait_all;\n  bar.sync 0;\n" SHOW,
     .expect = all_words},
    {"cp.async of 4 and 8 bytes, with constants added", .module = CELLS,
     .body = PLACES FILL "  cp.async.ca.shared.global [%r20], [%d1+8], 8;\n"
                         "  cp.async.ca.shared.global [%r20+8], [%d1+16], 4;\n" WAIT_ALL SHOW,
     .expect = in_pieces},
    {"cp.async of the first bytes", .module = CELLS,
     .body = PLACES FILL
     "  rem.u32 %r5, %x, 17;\n  cp.async.cg.shared.global [%r20], [%d1], 16, %r5;\n" WAIT_ALL SHOW,
     .expect = first_bytes},
    {"cp.async of nothing reads nothing", .module = CELLS,
     .body = PLACES FILL "  and.b32 %r5, %x, 1;\n  setp.eq.u32 %p1, %r5, 0;\n  selp.b64 %d1, 16, %d1, %p1;\n"
                         "  cp.async.ca.shared.global [%r20], [%d1], 16, %p1;\n" WAIT_ALL SHOW,
     .expect = odd_threads},
    {"cp.async under a guard, of 8 bytes of 16", .module = CELLS,
     .body = PLACES FILL "  rem.u32 %r5, %x, 3;\n  setp.eq.u32 %p1, %r5, 0;\n  selp.b64 %d1, %d1, 8, %p1;\n"
                         "  @%p1 cp.async.ca.shared.global [%r20], [%d1+16], 16, 8;\n" WAIT_ALL SHOW,
     .expect = guarded},
    {"cp.async to another thread's place", .module = CELLS,
     .body =
         PLACES "  xor.b32 %r21, %r20, 512;\n  cp.async.cg.shared.global [%r21], [%d1], 16;\n" WAIT_ALL SHOW,
     .expect = other_half},
    {"cp.async of one place by all lanes", .module = CELLS,
     .body = "  mov.u32 %r20, cells;\n  cp.async.ca.shared.global [%r20], [%in+64], 4;\n" WAIT_ALL
             "  ld.shared.b32 %r1, [%r20];\n  ld.global.b32 %r2, [%in+64];\n  setp.eq.u32 %p1, %r1, %r2;\n"
             "  selp.b32 %r1, 1, 0, %p1;\n" STORE("%r1"),
     .expect = tokens},
    {"a misaligned cp.async", .module = CELLS,
     .body = PLACES "  cp.async.cg.shared.global [%r20], [%d1+8], 16;\n" WAIT_ALL,
     .fault = WG_FAULT_MISALIGNED, .fault_op = WG_OP_CP_ASYNC},
    {"threads hand over by an mbarrier", .module = CELLS,
     .body = PLACES INIT(
         "64") "  cp.async.ca.shared.global [%r20], [%d1], 4;\n"
               "  mul.wide.u32 %d1, %x, 4;\n  add.s64 %d1, %in, %d1;\n  ld.global.b32 %r1, [%d1];\n"
               "  st.shared.b32 [%r20], %r1;\n"
               "  mbarrier.arrive.release.cta.shared::cta.b64 %d3, [%r10];\n"
               "LOOP:\n  mbarrier.test_wait.shared::cta.b64 %p1, [%r10], %d3;\n  @!%p1 bra LOOP;\n"
               "  add.u32 %r2, %t, 33;\n  and.b32 %r2, %r2, 63;\n  shl.b32 %r2, %r2, 4;\n"
               "  mov.u32 %r3, cells;\n  add.u32 %r3, %r3, %r2;\n  ld.shared.b32 %r4, [%r3];\n" STORE("%r4"),
     .expect = neighbours},
    {"copies arrive at an mbarrier", .module = CELLS,
     .body = PLACES INIT(
         "128") "  mul.wide.u32 %d1, %x, 4;\n  add.s64 %d1, %in, %d1;\n"
                "  cp.async.ca.shared.global [%r20], [%d1], 4;\n"
                "  cp.async.mbarrier.arrive.noinc.shared.b64 [%r10];\n"
                "  cp.async.mbarrier.arrive.shared::cta.b64 [%r10];\n"
                "  mbarrier.arrive.shared.b64 _, [%r10];\n" WAIT_PARITY(
                    "LOOP", "0") "  add.u32 %r2, %t, 33;\n  and.b32 %r2, %r2, 63;\n  shl.b32 %r2, %r2, 4;\n"
                                 "  mov.u32 %r3, cells;\n  add.u32 %r3, %r3, %r2;\n  ld.shared.b32 %r4, "
                                 "[%r3];\n" STORE("%r4"),
     .expect = neighbours},
    {"a fresh mbarrier has its other parity behind it", .module = CELLS,
     .body = INIT("1") "  mbarrier.test_wait.parity.shared.b64 %p1, [%r10], 1;\n"
                       "  mbarrier.test_wait.parity.shared.b64 %p2, [%r10], 0;\n"
                       "  selp.b32 %r1, 1, 0, %p1;\n  @%p2 mov.u32 %r1, 9;\n" STORE("%r1"),
     .expect = tokens},
    {"counts of an mbarrier", .module = CELLS,
     .body = INIT("5") "  @!%p10 bra END;\n  mov.u64 %d9, bar;\n  cvta.shared.u64 %d9, %d9;\n"
                       "  mbarrier.arrive.b64 %d1, [%d9];\n"
                       "  mbarrier.arrive.shared::cta.b64 %d2, [%r10], 2;\n"
                       "  mbarrier.arrive_drop.shared.b64 %d3, [%r10];\n"
                       "  mbarrier.arrive.noComplete.shared.b64 %d4, [%r10], 1;\n"
                       "  mbarrier.arrive.noComplete.shared.b64 %d5, [%r10], 1;\n" PENDING(0, "%d1")
                           PENDING(4, "%d2") PENDING(8, "%d3") PENDING(12, "%d4") PENDING(16, "%d5")
                               TOKEN(20, "%d4") TOKEN(24, "%d5") "  mbarrier.inval.shared.b64 [%r10];\n",
     .expect = pending},
    {"an mbarrier that was given up", .module = CELLS,
     .body = INIT("2") "  @!%p10 bra END;\n  mbarrier.arrive.shared.b64 %d1, [%r10];\n"
                       "  mbarrier.inval.shared.b64 [%r10];\n" SEE(0, "0")
                           SEE(4, "1") "  mbarrier.arrive.shared.b64 %d1, [%r10];\n" SEE(8, "0") SEE(12, "1"),
     .expect = as_before},
    {"an mbarrier waits for bytes", .module = CELLS,
     .body = INIT("1") "  @!%p10 bra END;\n"
                       "  mbarrier.arrive.expect_tx.shared::cta.b64 %d1, [%r10], 100;\n" SEE(0, "0")
                           COMPLETE("60") SEE(4, "0") COMPLETE("40") SEE(8, "0")
     /* bytes that come before they are announced */
     COMPLETE("32") SEE(12, "0") "  mbarrier.arrive.b64 _, [bar];\n" SEE(
         16, "1") "  mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r10], 32;\n" SEE(20, "1"),
     .expect = bytes_come},
    /* A ring of warps, each of which waits for the one before it: every warp but one spins. */
    {"warps wait in line", .module = CELLS, .block = {128}, .fuel = 64,
     .body =
         "  mov.u32 %r10, bar;\n  shr.u32 %r1, %t, 5;\n  shl.b32 %r2, %r1, 3;\n  setp.eq.u32 %p2, %lane, 0;\n"
         "  add.u32 %r3, %r10, %r2;\n  @%p2 mbarrier.init.shared.b64 [%r3], 1;\n  bar.sync 0;\n"
         "  setp.eq.u32 %p1, %r1, 3;\n  @%p1 bra GO;\n"
         "LOOP:\n  mbarrier.try_wait.parity.shared.b64 %p11, [%r3+8], 0, 1000;\n  @%p11 bra GO;\n  bra "
         "LOOP;\n"
         "GO:\n  mul.lo.u32 %r4, %lane, 32;\n  add.u32 %r4, %r4, 10;\n" STORE(
             "%r4") "  @%p2 mbarrier.arrive.shared.b64 _, [%r3];\n",
     .expect = warps_in_line},
    /* Lanes of one warp wait for others of it. */
    {"lanes wait for lanes", .module = CELLS, .block = {32}, .fuel = 64,
     .body = INIT("16") "  setp.lt.u32 %p1, %lane, 16;\n  @%p1 bra FIRST;\n" WAIT_PARITY(
         "LOOP",
         "0") "  bra DONE;\n"
              "FIRST:\n  mbarrier.arrive.shared.b64 _, [%r10];\nDONE:\n  mov.u32 %r1, 1;\n" STORE("%r1"),
     .expect = tokens},
    {"a pipeline of two mbarriers", .module = CELLS, .block = {128}, .fuel = 64,
     .body =
         "  mov.u32 %r10, bar;\n  shl.b32 %r19, %t, 2;\n  mov.u32 %r20, cells;\n  add.u32 %r20, %r20, %r19;\n"
         "  xor.b32 %r21, %r20, 256;\n  setp.eq.u32 %p10, %t, 0;\n"
         "  @%p10 mbarrier.init.shared.b64 [%r10], 128;\n  @%p10 mbarrier.init.shared.b64 [%r10+8], 128;\n"
         "  bar.sync 0;\n  mov.u32 %r1, 0;\n  mov.u32 %r2, 0;\n"
         "ROUND:\n  and.b32 %r3, %r1, 1;\n  mad.lo.u32 %r4, %t, 10, %r1;\n  st.shared.b32 [%r20], %r4;\n"
         "  mbarrier.arrive.shared.b64 _, [%r10];\n"
         "FULL:\n  mbarrier.try_wait.parity.shared.b64 %p1, [%r10], %r3;\n  @!%p1 bra FULL;\n"
         "  ld.shared.b32 %r5, [%r21];\n  mad.lo.u32 %r2, %r2, 3, %r5;\n"
         "  mbarrier.arrive.shared.b64 _, [%r10+8];\n"
         "EMPTY:\n  mbarrier.try_wait.parity.shared.b64 %p1, [%r10+8], %r3;\n  @!%p1 bra EMPTY;\n"
         "  add.u32 %r1, %r1, 1;\n  setp.lt.u32 %p2, %r1, 8;\n  @%p2 bra ROUND;\n" STORE("%r2"),
     .expect = rounds},
    {"arrivals from another block of the cluster", .module = CELLS, .grid = 2, .cluster = 2, .fuel = 64,
     .body =
         INIT("64") "  barrier.cluster.arrive;\n  barrier.cluster.wait;\n  mov.u32 %r1, %cluster_ctarank;\n  "
                    "xor.b32 %r1, %r1, 1;\n"
                    "  shl.b32 %r19, %t, 2;\n  mov.u32 %r20, cells;\n  add.u32 %r20, %r20, %r19;\n"
                    "  mapa.shared::cluster.u32 %r2, %r20, %r1;\n  mapa.shared::cluster.u32 %r3, %r10, %r1;\n"
                    "  add.u32 %r4, %x, 5;\n  st.shared::cluster.b32 [%r2], %r4;\n"
                    "  mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r3];\n"
                    "LOOP:\n  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p11, [%r10], 0;\n  "
                    "@!%p11 bra LOOP;\n"
                    "  ld.shared.b32 %r5, [%r20];\n" STORE(
                        "%r5") "  barrier.cluster.arrive;\n  barrier.cluster.wait;\n",
     .expect = other_blocks},
    {"an mbarrier that nobody initialised", .module = CELLS,
     .body = "  mov.u32 %r10, bar;\n  setp.ne.u32 %p1, %t, 3;\n  @%p1 bra END;\n  mbarrier.arrive.shared.b64 "
             "_, [%r10];\n",
     .fault = WG_FAULT_MBARRIER, .fault_lane = 3, .fault_op = WG_OP_MBARRIER_ARRIVE},
    {"more arrivals than an mbarrier counts", .module = CELLS,
     .body = INIT("2") "  @!%p10 bra END;\n  mbarrier.arrive.expect_tx.shared.b64 _, [%r10], 8;\n"
                       "  mbarrier.arrive.shared.b64 _, [%r10];\n  mbarrier.arrive.shared.b64 _, [%r10];\n",
     .fault = WG_FAULT_MBARRIER, .fault_op = WG_OP_MBARRIER_ARRIVE},
    {"an mbarrier in global memory", .body = "  mbarrier.init.b64 [%out], 1;\n", .fault = WG_FAULT_MBARRIER,
     .fault_op = WG_OP_MBARRIER_INIT},
};
const struct scenes async_scenes = {list, sizeof list / sizeof *list};
