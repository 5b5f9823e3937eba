/* Each counter by hand: kernels of one access whose counts can be worked out on paper, in the reference and
 * in generated code, with one thread and with four, with wide vectors and narrow ones. */
#include "tests/count/profiled.h"
#include "base/cpu.h"
#include "base/strbuf.h"
#include "count/counters.h"
#include "count/fast.h"
#include "count/narrow.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every kernel begins so: %rd1 is global memory, %r1 the thread, %r30 shared memory. */
#define BEFORE                                                                                               \
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"                   \
    " .reg .pred %p<8>;\n .reg .b32 %r<32>;\n .reg .f32 %f<8>;\n .reg .b64 %rd<32>;\n"                       \
    " .shared .align 16 .b8 s[8192];\n .local .align 8 .b8 l[64];\n ld.param.u64 %rd1, [p];\n"               \
    " cvta.to.global.u64 %rd1, %rd1;\n mov.u32 %r1, %tid.x;\n mov.u32 %r30, s;\n"
/* %rd2 = %rd1 + step * thread */
#define GLOBAL_AT(step) " mul.wide.u32 %rd2, %r1, " step ";\n add.s64 %rd2, %rd1, %rd2;\n"
#define SHARED_AT(step) " mad.lo.u32 %r2, %r1, " step ", %r30;\n"
/* %rd3: one of two places in local memory that nobody can tell while compiling; all lanes are at one */
#define INDEXED                                                                                              \
    " mov.u32 %r3, %tid.y;\n mul.wide.u32 %rd4, %r3, 32;\n mov.u64 %rd3, l;\n add.s64 %rd3, %rd3, %rd4;\n"
/* Loads that somebody uses: their sum goes to memory that the test does not look at. */
#define USED " st.global.u32 [%rd1+65536], %r9;\n"

struct expected {
    const char *class, *counter;
    uint64_t value;
};
static const struct sum {
    const char *name, *body;
    uint32_t threads, blocks, cluster;
    struct expected e[8];
} sums[] = {
    {"side_by_side",
     GLOBAL_AT("4") " ld.global.u32 %r9, [%rd2];\n" USED,
     32,
     1,
     1,
     {{"global_load", "requests", 1},
      {"global_load", "sectors", 4},
      {"global_load", "tags", 1},
      {"global_load", "ideal_sectors", 4},
      {"global_load", "bytes_asked", 128},
      {"global_load", "bytes_moved", 128}}},
    {"a_line_apart",
     GLOBAL_AT("128") " ld.global.u32 %r9, [%rd2];\n" USED,
     32,
     1,
     1,
     {{"global_load", "sectors", 32},
      {"global_load", "tags", 32},
      {"global_load", "ideal_sectors", 4},
      {"global_load", "bytes_moved", 1024}}},
    {"off_by_a_word",
     GLOBAL_AT("4") " ld.global.u32 %r9, [%rd2+4];\n" USED,
     32,
     1,
     1,
     {{"global_load", "sectors", 5}, {"global_load", "tags", 2}, {"global_load", "ideal_sectors", 4}}},
    {"all_one_word",
     " ld.global.u32 %r9, [%rd1];\n" USED,
     32,
     1,
     1,
     {{"global_load", "sectors", 1},
      {"global_load", "ideal_sectors", 1},
      {"global_load", "bytes_asked", 128},
      {"global_store", "sectors", 1}}},
    {"vectors_of_four",
     GLOBAL_AT("16") " ld.global.v4.u32 {%r9, %r8, %r7, %r6}, [%rd2];\n" USED,
     32,
     1,
     1,
     {{"global_load", "requests", 1}, {"global_load", "sectors", 16}, {"global_load", "tags", 4}}},
    {"bytes",
     GLOBAL_AT("1") " ld.global.u8 %r9, [%rd2];\n" USED,
     32,
     1,
     1,
     {{"global_load", "sectors", 1},
      {"global_load", "ideal_sectors", 1},
      {"global_load", "bytes_asked", 32}}},
    {"half_the_lanes",
     GLOBAL_AT("4") " setp.lt.u32 %p1, %r1, 16;\n @%p1 st.global.u32 [%rd2], %r1;\n",
     32,
     1,
     1,
     {{"global_store", "requests", 1},
      {"global_store", "threads", 16},
      {"global_store", "sectors", 2},
      {"global_store", "bytes_asked", 64}}},
    {"no_lane",
     GLOBAL_AT("4") " setp.lt.u32 %p1, %r1, 0;\n @%p1 st.global.u32 [%rd2], %r1;\n",
     32,
     1,
     1,
     {{"global_store", "requests", 0}, {"global_store", "sectors", 0}}},
    {"any_order", /* lane * 5 % 32: the same words, shuffled */
     " mul.lo.u32 %r3, %r1, 5;\n and.b32 %r3, %r3, 31;\n mul.wide.u32 %rd2, %r3, 4;\n add.s64 %rd2, %rd1, "
     "%rd2;\n"
     " ld.global.u32 %r9, [%rd2];\n" USED,
     32,
     1,
     1,
     {{"global_load", "sectors", 4}, {"global_load", "tags", 1}}},
    {"reduction_on_one", /* one lane adds for all */
     " red.global.add.u32 [%rd1], 1;\n",
     32,
     1,
     1,
     {{"global_reduction", "requests", 1},
      {"global_reduction", "sectors", 1},
      {"global_reduction", "threads", 1},
      {"global_reduction", "l1_sectors", 1}}},
    {"reduction_of_floats_on_one", /* none adds for others: the order would matter */
     " red.global.add.f32 [%rd1], 0f3f800000;\n",
     32,
     1,
     1,
     {{"global_reduction", "requests", 1},
      {"global_reduction", "sectors", 1},
      {"global_reduction", "l1_sectors", 32}}},
    {"maximum_on_one",
     " red.global.max.u32 [%rd1], %r1;\n",
     32,
     1,
     1,
     {{"global_reduction", "l1_sectors", 1}}},
    {"maximum_on_one_used", /* each lane wants what was there before its own */
     " atom.global.max.u32 %r9, [%rd1], %r1;\n" USED,
     32,
     1,
     1,
     {{"global_atomic", "l1_sectors", 32}}},
    {"sum_of_64_bits_on_one", /* of what differs there is no sum that a warp finds in one step */
     " cvt.u64.u32 %rd3, %r1;\n red.global.add.u64 [%rd1], %rd3;\n red.global.add.u64 [%rd1+64], 5;\n",
     32,
     1,
     1,
     {{"global_reduction", "requests", 2}, {"global_reduction", "l1_sectors", 33}}},
    {"on_one_that_may_differ", /* one address a warp, but nobody can know */
     " shr.u32 %r3, %r1, 5;\n mul.wide.u32 %rd2, %r3, 4;\n add.s64 %rd2, %rd1, %rd2;\n"
     " red.global.add.u32 [%rd2], 1;\n",
     32,
     1,
     1,
     {{"global_reduction", "l1_sectors", 32}}},
    {"result_that_dies", /* behind a shuffle whose own result nobody reads */
     " atom.global.add.u32 %r9, [%rd1], %r1;\n shfl.sync.idx.b32 %r8, %r9, 0, 31, -1;\n",
     32,
     1,
     1,
     {{"global_reduction", "requests", 1}, {"global_atomic", "requests", 0}}},
    {"exchanges", /* are no reductions, whether their results are read or not; nor is what has to be in order */
     GLOBAL_AT("4") " atom.global.exch.b32 %r9, [%rd2], %r1;\n atom.global.cas.b32 %r8, [%rd2], 0, %r1;\n"
                    " atom.acq_rel.gpu.global.add.u32 %r7, [%rd2], 1;\n atom.relaxed.gpu.global.add.u32 %r6, "
                    "[%rd2], 1;\n",
     32,
     1,
     1,
     {{"global_atomic", "requests", 3}, {"global_reduction", "requests", 1}}},
    {"atomic_on_two", /* even lanes one word, odd lanes one in another sector: 16 rounds of 2 sectors */
     " and.b32 %r3, %r1, 1;\n mul.wide.u32 %rd2, %r3, 32;\n add.s64 %rd2, %rd1, %rd2;\n"
     " atom.global.add.u32 %r9, [%rd2], 1;\n" USED,
     32,
     1,
     1,
     {{"global_atomic", "requests", 1},
      {"global_atomic", "sectors", 2},
      {"global_atomic", "l1_sectors", 32}}},
    {"a_column",
     SHARED_AT("128") " st.shared.u32 [%r2], %r1;\n",
     32,
     1,
     1,
     {{"shared_store", "requests", 1},
      {"shared_store", "wavefronts", 32},
      {"shared_store", "ideal_wavefronts", 1},
      {"shared_store", "conflicts", 31},
      {"shared_store", "ways", 32}}},
    {"a_padded_column",
     SHARED_AT("132") " st.shared.u32 [%r2], %r1;\n",
     32,
     1,
     1,
     {{"shared_store", "wavefronts", 1}, {"shared_store", "conflicts", 0}, {"shared_store", "ways", 1}}},
    {"every_other_word",
     SHARED_AT("8") " st.shared.u32 [%r2], %r1;\n",
     32,
     1,
     1,
     {{"shared_store", "wavefronts", 2}, {"shared_store", "conflicts", 1}, {"shared_store", "ways", 2}}},
    {"wide_words",
     SHARED_AT("8") " st.shared.u64 [%r2], %rd1;\n",
     32,
     1,
     1,
     {{"shared_store", "wavefronts", 2},
      {"shared_store", "ideal_wavefronts", 2},
      {"shared_store", "ways", 1}}},
    {"shared_broadcast",
     " st.shared.u32 [%r30], %r1;\n bar.sync 0;\n ld.shared.u32 %r9, [%r30];\n" USED,
     32,
     1,
     1,
     {{"shared_load", "wavefronts", 1}, {"shared_load", "ideal_wavefronts", 1}, {"barrier", "barriers", 1}}},
    {"shared_atomic",
     " and.b32 %r3, %r1, 0;\n mov.u32 %r4, %tid.y;\n add.u32 %r4, %r4, %r30;\n"
     " atom.shared.add.u32 %r9, [%r4], %r1;\n" USED,
     32,
     1,
     1,
     {{"shared_atomic", "wavefronts", 32}, {"shared_atomic", "ideal_wavefronts", 1}}},
    {"shared_atomic_on_one",
     " atom.shared.add.u32 %r9, [%r30], %r1;\n" USED,
     32,
     1,
     1,
     {{"shared_atomic", "wavefronts", 1}, {"shared_atomic", "ideal_wavefronts", 1}}},
    {"shared_swap", /* compares, then swaps: twice through the banks */
     SHARED_AT("4") " atom.shared.cas.b32 %r9, [%r2], 0, %r1;\n" USED,
     32,
     1,
     1,
     {{"shared_atomic", "requests", 1},
      {"shared_atomic", "wavefronts", 2},
      {"shared_atomic", "conflicts", 0}}},
    {"shared_sum_of_floats", /* a load and a compare-and-swap, for two lanes on each word twice */
     " shr.u32 %r3, %r1, 1;\n mad.lo.u32 %r2, %r3, 4, %r30;\n red.shared.add.f32 [%r2], 0f3f800000;\n",
     32,
     1,
     1,
     {{"shared_load", "requests", 2},
      {"shared_load", "wavefronts", 2},
      {"shared_atomic", "requests", 2},
      {"shared_atomic", "wavefronts", 4},
      {"shared_atomic", "conflicts", 0}}},
    {"shared_sum_of_64_bits", /* 16 words of 8 bytes each turn, in two halves */
     SHARED_AT("8") " red.shared.add.u64 [%r2], %rd1;\n",
     32,
     1,
     1,
     {{"shared_load", "requests", 1},
      {"shared_load", "wavefronts", 2},
      {"shared_atomic", "requests", 1},
      {"shared_atomic", "wavefronts", 4}}},
    {"shared_increment",
     " atom.shared.add.u32 %r9, [%r30], 1;\n",
     32,
     1,
     1,
     {{"shared_reduction", "requests", 1}, {"shared_reduction", "wavefronts", 1}}},
    {"joined", /* lane % 16 * 64 bytes: four words each, one LDS.128; four lanes' 16 bytes fill 16 banks */
     " and.b32 %r3, %r1, 15;\n mad.lo.u32 %r2, %r3, 64, %r30;\n ld.shared.u32 %r9, [%r2];\n"
     " ld.shared.u32 %r8, [%r2+4];\n ld.shared.u32 %r7, [%r2+8];\n ld.shared.u32 %r6, [%r2+12];\n"
     " add.u32 %r9, %r9, %r8;\n add.u32 %r9, %r9, %r7;\n add.u32 %r9, %r9, %r6;\n" USED,
     32,
     1,
     1,
     {{"shared_load", "requests", 1},
      {"shared_load", "bytes_asked", 512},
      {"shared_load", "ideal_wavefronts", 4},
      {"shared_load", "wavefronts", 16}}},
    {"first_and_last", /* of a vector: two loads */
     GLOBAL_AT("16") " ld.global.v4.u32 {%r9, %r8, %r7, %r6}, [%rd2];\n add.u32 %r9, %r9, %r6;\n" USED,
     32,
     1,
     1,
     {{"global_load", "requests", 2},
      {"global_load", "bytes_asked", 256},
      {"global_load", "sectors", 32},
      {"global_load", "ideal_sectors", 8}}},
    {"second_half", /* of a vector: one load of half the width */
     SHARED_AT("16") " ld.shared.v4.u32 {%r5, %r8, %r7, %r6}, [%r2];\n add.u32 %r9, %r7, %r6;\n" USED,
     32,
     1,
     1,
     {{"shared_load", "requests", 1}, {"shared_load", "bytes_asked", 256}, {"shared_load", "wavefronts", 4}}},
    {"nobody_reads", " ld.global.u32 %r9, [%rd1];\n", 32, 1, 1, {{"global_load", "requests", 0}}},
    {"around_a_division", /* which takes a branch of its own */
     SHARED_AT(
         "16") " ld.shared.f32 %f1, [%r2];\n div.rn.f32 %f2, 0f3f800000, %f1;\n"
               " ld.shared.f32 %f3, [%r2+4];\n add.f32 %f2, %f2, %f3;\n st.global.f32 [%rd1+65536], %f2;\n",
     32,
     1,
     1,
     {{"shared_load", "requests", 2}, {"shared_load", "bytes_asked", 256}}},
    {"local_pairs", /* eight bytes: two rows of words */
     INDEXED " st.local.v2.u32 [%rd3+8], {%r1, %r30};\n bar.warp.sync -1;\n ld.local.v2.u32 {%r9, %r8}, "
             "[%rd3+8];\n add.u32 %r9, %r9, "
             "%r8;\n" USED,
     32,
     1,
     1,
     {{"local_store", "requests", 1}, {"local_store", "sectors", 8}, {"local_load", "sectors", 8}}},
    {"local",
     INDEXED " st.local.u32 [%rd3+8], %r1;\n bar.warp.sync -1;\n ld.local.u32 %r9, [%rd3+8];\n" USED,
     32,
     1,
     1,
     {{"local_store", "requests", 1}, {"local_store", "sectors", 4}, {"local_load", "sectors", 4}}},
    {"local_constants", /* the assembler keeps them in registers */
     " st.local.u32 [l+8], %r1;\n ld.local.u32 %r9, [l+8];\n" USED,
     32,
     1,
     1,
     {{"local_store", "requests", 0}, {"local_load", "requests", 0}, {"global_store", "requests", 1}}},
    {"local_walked", /* so it does with four elements that a vector sets, and a pointer walks along */
     " .local .align 16 .b8 w[16];\n mov.u64 %rd3, w;\n st.local.v4.u32 [%rd3], {%r1, %r1, %r1, %r1};\n"
     "$A:\n ld.local.u32 %r9, [%rd3+4];\n add.s64 %rd3, %rd3, 4;\n"
     " setp.ne.u32 %p1, %r9, %r1;\n @%p1 bra $A;\n" USED,
     32,
     1,
     1,
     {{"local_store", "requests", 0}, {"local_load", "requests", 0}, {"global_store", "requests", 1}}},
    {"local_walked_of_pairs",
     " .local .align 16 .b8 w[16];\n mov.u64 %rd3, w;\n st.local.v2.u32 [%rd3], {%r1, %r1};\n"
     " st.local.v2.u32 [%rd3+8], {%r1, %r1};\n"
     "$A:\n ld.local.u32 %r9, [%rd3+4];\n add.s64 %rd3, %rd3, 4;\n"
     " setp.ne.u32 %p1, %r9, %r1;\n @%p1 bra $A;\n" USED,
     32,
     1,
     1,
     {{"local_store", "requests", 0}, {"local_load", "requests", 0}, {"global_store", "requests", 1}}},
    {"local_escapes", /* its address is handed on as a generic one */
     " st.local.u32 [l+8], %r1;\n mov.u64 %rd3, l;\n cvta.local.u64 %rd3, %rd3;\n ld.u32 %r9, "
     "[%rd3+8];\n" USED,
     32,
     1,
     1,
     {{"local_store", "requests", 1}, {"local_load", "requests", 1}}},
    {"parting",
     " setp.lt.u32 %p1, %r1, 16;\n @%p1 bra $A;\n st.global.u32 [%rd1], %r1;\n$A:\n"
     " st.global.u32 [%rd1+4], %r1;\n",
     32,
     1,
     1,
     {{"branch", "branches", 1},
      {"branch", "divergent_branches", 1},
      {"branch", "threads", 32},
      {"global_store", "requests", 2},
      {"global_store", "threads", 48}}},
    {"together",
     " setp.lt.u32 %p1, %r1, 32;\n @%p1 bra $A;\n st.global.u32 [%rd1], %r1;\n$A:\n"
     " st.global.u32 [%rd1+4], %r1;\n",
     64,
     3,
     1,
     {{"branch", "branches", 6}, {"branch", "divergent_branches", 0}, {"global_store", "requests", 9}}},
    {"one_of_three_ways",
     " rem.u32 %r2, %r1, 3;\n"
     " $T: .branchtargets $A, $B, $C;\n brx.idx %r2, $T;\n$A: st.global.u32 [%rd1], %r1;\n bra.uni $C;\n"
     "$B: st.global.u32 [%rd1+4], %r1;\n$C:\n st.global.u32 [%rd1+8], %r1;\n",
     32,
     1,
     1,
     {{"branch", "branches", 1}, {"branch", "divergent_branches", 1}, {"global_store", "requests", 3}}},
    {"a_way_for_each_warp",
     " shr.u32 %r2, %r1, 5;\n"
     " $T: .branchtargets $A, $B, $C;\n brx.idx %r2, $T;\n$A: st.global.u32 [%rd1], %r1;\n bra.uni $C;\n"
     "$B: st.global.u32 [%rd1+4], %r1;\n$C:\n st.global.u32 [%rd1+8], %r1;\n",
     96,
     1,
     1,
     {{"branch", "branches", 3}, {"branch", "divergent_branches", 0}, {"global_store", "requests", 5}}},
    {"barriers",
     " bar.sync 0;\n bar.sync 0;\n",
     96,
     5,
     1,
     {{"barrier", "barriers", 30}, {"barrier", "threads", 960}}},
    {"a_loop",
     " mov.u32 %r3, 0;\n$L:\n" GLOBAL_AT("4") " st.global.u32 [%rd2], %r3;\n add.u32 %r3, %r3, 1;\n"
                                              " setp.lt.u32 %p1, %r3, 10;\n @%p1 bra $L;\n",
     40,
     2,
     1,
     {{"global_store", "requests", 40},
      {"global_store", "threads", 800},
      {"global_store", "sectors", 100},
      {"branch", "branches", 40},
      {"line", "instructions", 4 * 4 + 4 + 40 * 6}}},
    {"the_other_block", /* of a cluster of two: each warp's lanes read the other's window */
     " mov.u32 %r3, %cluster_ctarank;\n xor.b32 %r3, %r3, 1;\n mapa.shared::cluster.u32 %r4, %r30, %r3;\n"
     " mad.lo.u32 %r2, %r1, 4, %r4;\n ld.shared::cluster.u32 %r9, [%r2];\n" USED,
     32,
     2,
     2,
     {{"dsmem_load", "requests", 2}, {"dsmem_load", "wavefronts", 2}, {"shared_load", "requests", 0}}},
    {"generic", /* half of the lanes global, half of them shared memory */
     " cvt.u64.u32 %rd3, %r30;\n cvta.shared.u64 %rd3, %rd3;\n setp.lt.u32 %p1, %r1, 16;\n cvta.global.u64 "
     "%rd5, %rd1;\n"
     " selp.b64 %rd4, %rd5, %rd3, %p1;\n mul.wide.u32 %rd2, %r1, 4;\n add.s64 %rd2, %rd4, %rd2;\n"
     " st.u32 [%rd2], %r1;\n",
     32,
     1,
     1,
     {{"global_store", "requests", 1},
      {"global_store", "sectors", 2},
      {"shared_store", "requests", 1},
      {"shared_store", "wavefronts", 1},
      {"shared_store", "threads", 16}}},
};
enum { SUMS = sizeof sums / sizeof *sums };

static json_t *run(const struct sum *s, struct profiled_how how) {
    struct profiled p;
    struct wg_strbuf ptx = {0};
    wg_strbuf_puts(&ptx, BEFORE);
    wg_strbuf_puts(&ptx, s->body);
    wg_strbuf_puts(&ptx, " ret;\n}\n");
    profiled_open(&p, ptx.s, how);
    wg_strbuf_free(&ptx);
    void *memory = profiled_memory(&p, 1 << 17);
    const void *args[] = {&memory};
    struct wg_launch l = {.grid = {s->blocks, 1, 1}, .block = {s->threads, 1, 1}, .args = args};
    for (int i = 0; i < 3; i++) l.cluster[i] = s->cluster > 1 ? (i ? 1 : s->cluster) : 0;
    profiled_launch(&p, "k", l);
    return profiled_close(&p);
}

static void check(const struct sum *s, const char *way, json_t *result) {
    for (int i = 0; i < 8 && s->e[i].class; i++) {
        uint64_t v = profiled_count(result, 0, s->e[i].class, s->e[i].counter);
        if (v != s->e[i].value)
            fail_msg("%s, %s: %s of %s is %" PRIu64 ", by hand %" PRIu64, s->name, way, s->e[i].counter,
                     s->e[i].class, v, s->e[i].value);
    }
}

static const struct {
    const char *name;
    struct profiled_how how;
} ways[] = {
    {"generated code", {WG_BACKEND_JIT, 1, 0}},
    {"four threads", {WG_BACKEND_JIT, 4, 0}},
    {"vectors of 256 bits", {WG_BACKEND_JIT, 1, 256}},
    {"vectors of 128 bits", {WG_BACKEND_JIT, 2, 128}},
};

static void counters_are_what_they_are_by_hand(void **state) {
    (void)state;
    static const char *const parts[] = {"totals", "classes", "sites", "samples"};
    for (int i = 0; i < SUMS; i++) {
        json_t *reference = run(&sums[i], (struct profiled_how){WG_BACKEND_REF, 1, 0});
        check(&sums[i], "the reference", reference);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            json_t *r = run(&sums[i], ways[w].how);
            check(&sums[i], ways[w].name, r);
            for (int k = 0; k < 4; k++)
                if (!json_equal(json_object_get(profiled_at(r, 0), parts[k]),
                                json_object_get(profiled_at(reference, 0), parts[k])))
                    fail_msg("%s, %s: '%s' is not the reference's", sums[i].name, ways[w].name, parts[k]);
            json_decref(r);
        }
        json_decref(reference);
    }
}

/* ---- the quick ways to a cost ---- */

static uint32_t seed = 1;
static uint32_t any(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)seed * below >> 32);
}

static bool same_sample(const struct wg_sample *a, const struct wg_sample *b) {
    return a->taken == b->taken && a->cost == b->cost && a->mask == b->mask && a->block == b->block &&
           memcmp(a->address, b->address, sizeof a->address) == 0;
}

static bool same(const struct wg_site_tally *a, const struct wg_site_tally *b) {
    return memcmp(a->counts.v, b->counts.v, sizeof a->counts.v) == 0 && same_sample(&a->first, &b->first) &&
           same_sample(&a->worst, &b->worst);
}

static void quick_costs_are_the_models(void **state) {
    (void)state;
    static const uint8_t classes[] = {
        WG_CLASS_global_load,      WG_CLASS_global_store, WG_CLASS_global_atomic, WG_CLASS_shared_load,
        WG_CLASS_global_reduction, WG_CLASS_shared_store, WG_CLASS_shared_atomic, WG_CLASS_shared_reduction,
        WG_CLASS_dsmem_atomic,     WG_CLASS_local_load,   WG_CLASS_local_store};
    static const uint32_t spans[] = {1, 8, 32, 100, 1000, 50000, 1 << 30};
    struct wg_tally *slow = wg_tally_new(NULL, 0, 1), *quick = wg_tally_new(NULL, 0, 1);
    struct wg_access_seen before = {0};
    for (uint32_t i = 0; i < 60000; i++) {
        struct wg_access_seen a = {.block = i, .order = i};
        /* A site has one class and one width: they change now and then, with the site's tallies. */
        a.class = i % 100 ? before.class : classes[any(sizeof classes)];
        a.bytes = i % 100 ? before.bytes : (uint8_t)(1u << any(4));
        if (i % 100 == 0) {
            wg_tally_free(slow);
            wg_tally_free(quick);
            slow = wg_tally_new(NULL, 0, 1);
            quick = wg_tally_new(NULL, 0, 1);
        }
        a.mask = any(3) ? UINT32_MAX : any(UINT32_MAX) | 1u << any(32);
        uint32_t span = spans[any(7)];
        bool shared = a.class >= WG_CLASS_shared_load;
        uint64_t base = shared ? any(64) * 16 : UINT64_C(0x7f0012340000) + any(64) * 16;
        for (int l = 0; l < 32; l++)
            a.address[l] = base + (uint64_t)any(shared && span > 4000 ? 4000 : span) * a.bytes *
                                      (!shared && any(5000) == 0 ? 1000 : 1);
        for (int l = 1; l < 32 && i % 2; l++) /* in order, as most are */
            if (a.address[l] < a.address[l - 1]) a.address[l] = a.address[l - 1];
        if (i % 3 && a.class == before.class && a.bytes == before.bytes) { /* the same, moved */
            a.mask = before.mask;
            for (int l = 0; l < 32; l++)
                a.address[l] = before.address[l] + any(100) / 50 * 16 + 16 * (i % 20);
            uint64_t by = a.address[0] - before.address[0];
            for (int l = 0; l < 32; l++) a.address[l] = before.address[l] + by;
        }
        before = a;
        wg_tally_access(slow, 0, &a);
        wg_tally_access_fast(quick, 0, &a);
        if (i % 100 != 99 && any(50)) continue; /* they are counted together, some or many */
        wg_tally_settle(quick);
        if (!same(&slow->sites[0], &quick->sites[0]))
            fail_msg("up to access %u: %s of %u bytes, mask %08x", i, wg_class_infos[a.class].name, a.bytes,
                     a.mask);
    }
    wg_tally_free(slow);
    wg_tally_free(quick);
}

/* Lanes close together, as numbers in vectors of each width: batches of accesses. */
struct sorted {
    struct wg_batch batch;
    struct wg_counts expected[WG_BATCH];
};
static const uint64_t FROM = 0x7f0000000000;

static void put(const struct wg_narrow *narrow, enum wg_numbers kind, const struct wg_lanes *a,
                uint64_t local_bytes, const struct wg_access_seen *seen, struct sorted *s) {
    bool near, banks = kind == WG_NUMBERS_ROWS || kind == WG_NUMBERS_BANKS;
    if (banks)
        near = narrow->shared(a, (1 << 24) - 1, kind == WG_NUMBERS_ROWS, &s->batch);
    else if (kind == WG_NUMBERS_LOCAL)
        near = narrow->local(a, FROM, local_bytes, &s->batch);
    else
        near = narrow->global(a, kind == WG_NUMBERS_WORDS, &s->batch);
    assert_true(near);
    for (uint32_t l = 0; l < 32 && kind != WG_NUMBERS_LOCAL; l++)
        if (seen->mask >> l & 1)
            assert_int_equal(s->batch.from[s->batch.n] + s->batch.low[s->batch.n][l], seen->address[l]);
    s->expected[s->batch.n++] = wg_access_cost(seen);
}

static void check_batch(const struct wg_narrow *narrow, enum wg_numbers kind, struct sorted *s) {
    struct wg_batch_costs c;
    memset(&c, 0, sizeof c);
    narrow->costs(&s->batch, kind, &c);
    for (uint32_t i = 0; i < s->batch.n; i++) {
        const uint64_t *v = s->expected[i].v;
        if (c.wavefronts[i] != v[WG_C_wavefronts] || c.sectors[i] != v[WG_C_sectors] ||
            c.turns[i] != v[WG_C_l1_sectors] || c.lines[i] != v[WG_C_tags])
            fail_msg("numbers %d: %u wavefronts, %u sectors, %u turns, %u lines", kind, c.wavefronts[i],
                     c.sectors[i], c.turns[i], c.lines[i]);
    }
    s->batch.n = 0;
}

static void check_kind(const struct wg_narrow *narrow, enum wg_numbers kind) {
    static const uint8_t classes[] = {WG_CLASS_global_load, WG_CLASS_local_load, WG_CLASS_global_reduction,
                                      WG_CLASS_shared_load, WG_CLASS_shared_atomic};
    static const uint32_t spans[] = {1, 8, 32, 100, 1000, 16000};
    struct sorted *s = aligned_alloc(_Alignof(struct sorted), sizeof *s);
    s->batch.n = 0;
    for (uint32_t i = 0; i < 10000; i++) {
        struct wg_access_seen seen = {.class = classes[kind], .bytes = 4};
        bool shared = seen.class >= WG_CLASS_shared_load;
        uint64_t address[32], minus = any(50) * 4, span = spans[any(6)], local = span * 4;
        seen.mask = any(3) ? UINT32_MAX : any(UINT32_MAX) | 1u << any(32);
        const struct wg_lanes a = {address, shared ? FROM + minus : minus, seen.mask};
        for (uint64_t l = 0; l < 32; l++) {
            uint64_t word = any((uint32_t)span);
            if (i % 3 == 0) word = word / 32 * 32 + l % span;
            address[l] = FROM + minus + 4 * word;
            seen.address[l] = shared ? 4 * word : FROM + 4 * word;
            if (kind != WG_NUMBERS_LOCAL) continue;
            word %= span;
            address[l] = FROM + minus + l * local + 4 * word;
            seen.address[l] = FROM + word * 128 + 4 * l;
        }
        put(narrow, kind, &a, local, &seen, s);
        if (s->batch.n == WG_BATCH) check_batch(narrow, kind, s);
    }
    check_batch(narrow, kind, s);
    free(s);
}

static void sorted_numbers_cost_the_same(void **state) {
    (void)state;
    for (uint32_t bits = 256; bits <= wg_cpu_vector_bits(); bits *= 2)
        for (int kind = 0; wg_narrow_for(bits) && kind < WG_NUMBERS_KINDS; kind++)
            check_kind(wg_narrow_for(bits), (enum wg_numbers)kind);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(counters_are_what_they_are_by_hand),
                                       cmocka_unit_test(quick_costs_are_the_models),
                                       cmocka_unit_test(sorted_numbers_cost_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
