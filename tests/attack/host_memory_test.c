/* No instruction touches memory of the host: each row of ptx/ops.def that has an address is given addresses
 * of the heap, the stack, a mapping, code, libc, low memory and the machine's own data, directly, from all
 * kinds of memory, by arithmetic, and by way of offsets, extents and strides.
 *
 *     host_memory_test jit|ref [ROW]
 *
 * A row runs in a process of its own, for an attack that succeeds may end it. Each attack has to leave the
 * host as it was and to bring nothing of it to the kernel; unless the instruction is only a hint, it has to
 * end with an error.
 */
#include "machine/device.h"
#include "warp/tensor_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, SEEN = 256, OUT = 32 * 64, HERE = 0x42424242 };

/* ---- what is attacked ---- */

enum target { HEAP, STACK, MAPPED, CODE, LIBC, LOW, MACHINE, TARGETS };
static const char *const target_names[] = {"heap", "stack",      "mapping", "code",
                                           "libc", "low memory", "machine"};

/* How a kernel comes to the address. */
enum way {
    DIRECT, /* it is a parameter */
    OFFSET, /* a parameter is added to a pointer of the device's */
    LOADED, /* from device memory */
    LANE,   /* one lane has it, the others have good ones */
    EXTENT, /* from registered memory, which the range begins in */
    STRIDE, /* from registered memory, where the first rows are */
    BEHIND, /* from registered memory, by an offset that is no constant */
    SHARED, /* from shared memory */
    LOCAL,  /* from local memory */
    CONSTANT,
    STRUCT,    /* from the parameters, by a register */
    HALVES,    /* of two words */
    SUM,       /* of two loaded numbers, neither of which is one */
    INDEX,     /* a pointer of the device's, and a long index times 8 */
    CHOSEN,    /* one of two pointers, the device's being the other */
    WALKED,    /* a pointer of the device's that has gone there in a loop */
    LEFT,      /* a register that one branch wrote the device's into, the other a loaded one */
    BEFORE,    /* a register that was written only behind the access, in the turn before */
    NEAR_0,    /* a null pointer and an index of 32 bits */
    LATER,     /* by a pointer that was tested, and is another one by now */
    PARAMETER, /* from the parameters, which the kernel has written to */
    BACKWARDS, /* a pointer of the device's that walked there with an index, from turn to turn of a loop
                  around */
    WAYS
};
static const char *const way_names[] = {"direct", "offset", "loaded",    "lane",     "extent", "stride",
                                        "behind", "shared", "local",     "constant", "struct", "halves",
                                        "sum",    "index",  "chosen",    "walked",   "left",   "before",
                                        "near 0", "later",  "parameter", "backwards"};

/* One row of ops.def. The body finds
 *     %p     the address                 %rd2  32 words for each thread that are shown to the host
 *     %r1    4096 bytes of shared memory, all HERE; %r2 an mbarrier that waits for 64 bytes
 *     %rd3   a tensor map                %r3   the tensor's row that lies at the address
 *     %r5    elements of two bytes from one row to the next, a multiple of 8
 *     %q     thread 0                    %r4   bytes, a multiple of 16
 *
 * and leaves what it loaded in %r10 to %r13 or in the shared memory. */
struct attack {
    enum wg_op op;
    uint32_t ways; /* bits */
    bool hint;     /* it need not be refused */
    uint32_t rank; /* of the tensor map: 2, whose second row lies at the address; 0: there is none */
    const char *body;
};
#define ALL ((1u << DIRECT) | (1u << LANE) | (1u << OFFSET) | (1u << LOADED))
/* Of those that generated code tests. */
#define INLINE   (ALL | MADE)
#define MADE     ((1u << WAYS) - (1u << BEHIND))
#define BULK     ((1u << DIRECT) | (1u << OFFSET) | (1u << EXTENT))
#define TENSOR   ((1u << DIRECT) | (1u << STRIDE))
#define WAIT     "W:\n mbarrier.try_wait.parity.shared.b64 %q2, [%r2], 0;\n @!%q2 bra W;\n"
#define FRAGMENT "{%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}"

static const struct attack attacks[] = {
    {WG_OP_LD, INLINE, false, 0, " ld.global.b32 %r10, [%p];\n"},
    {WG_OP_LD, INLINE, false, 0, " ld.v4.b32 {%r10, %r11, %r12, %r13}, [%p];\n"},
    {WG_OP_LD, INLINE, false, 0, " ld.global.nc.u8 %r10, [%p+1];\n ld.global.nc.b32 %r11, [%p+4];\n"},
    {WG_OP_LD, INLINE, false, 0, " ld.volatile.global.b64 %rd9, [%p];\n cvt.u32.u64 %r10, %rd9;\n"},
    {WG_OP_LD, INLINE, false, 0, " ld.const.b32 %r10, [%p];\n"},
    {WG_OP_LD, INLINE, false, 0, " ld.local.b32 %r10, [%p];\n"},
    {WG_OP_LDU, INLINE, false, 0, " ldu.global.b32 %r10, [%p];\n"},
    {WG_OP_ST, INLINE, false, 0, " st.global.b32 [%p], %r1;\n"},
    {WG_OP_ST, INLINE, false, 0, " st.v4.b32 [%p], {%r1, %r1, %r1, %r1};\n"},
    {WG_OP_ST, INLINE, false, 0, " cvt.u16.u32 %h1, %r1;\n st.global.b8 [%p+3], %h1;\n"},
    {WG_OP_ST, INLINE, false, 0, " st.release.gpu.global.b64 [%p], %rd2;\n"},
    {WG_OP_ST, INLINE, false, 0, " st.local.b32 [%p], %r1;\n"},
    {WG_OP_ATOM, INLINE, false, 0, " atom.global.add.u32 %r10, [%p], 1;\n"},
    {WG_OP_ATOM, INLINE, false, 0, " atom.exch.b32 %r10, [%p], %r1;\n"},
    {WG_OP_ATOM, INLINE, false, 0,
     " atom.global.cas.b64 %rd9, [%p], %rd2, %rd3;\n cvt.u32.u64 %r10, %rd9;\n"},
    {WG_OP_RED, INLINE, false, 0, " red.global.add.u32 [%p], 1;\n"},
    {WG_OP_RED, INLINE, false, 0, " red.global.max.u32 [%p], 0xffffff00;\n"},
    {WG_OP_PREFETCH, ALL, true, 0, " prefetch.global.L2 [%p];\n"},
    {WG_OP_PREFETCHU, ALL, true, 0, " prefetchu.L1 [%p];\n"},
    {WG_OP_DISCARD, ALL, true, 0, " discard.global.L2 [%p], 128;\n"},
    {WG_OP_APPLYPRIORITY, ALL, true, 0, " applypriority.global.L2::evict_normal [%p], 128;\n"},
    {WG_OP_FENCE_TENSORMAP, ALL, true, 0, " fence.proxy.tensormap::generic.acquire.gpu [%p], 128;\n"},
    {WG_OP_CP_ASYNC, INLINE, false, 0,
     " shl.b32 %r6, %t, 4;\n add.u32 %r6, %r6, %r1;\n cp.async.cg.shared.global [%r6], [%p], 16;\n"
     " cp.async.wait_all;\n"},
    {WG_OP_CP_ASYNC, INLINE, false, 0,
     " shl.b32 %r6, %t, 4;\n add.u32 %r6, %r6, %r1;\n cp.async.ca.shared.global [%r6], [%p], 16, 8;\n"
     " cp.async.wait_all;\n"},
    {WG_OP_CP_ASYNC_ARRIVE, ALL, false, 0, " cp.async.mbarrier.arrive.noinc.b64 [%p];\n"},
    {WG_OP_BULK_LOAD, BULK, false, 0,
     " @%q mbarrier.arrive.expect_tx.shared.b64 _, [%r2], %r4;\n"
     " @%q cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%p], %r4, "
     "[%r2];\n" WAIT},
    {WG_OP_BULK_STORE, BULK, false, 0,
     " @%q cp.async.bulk.global.shared::cta.bulk_group [%p], [%r1], %r4;\n"},
    {WG_OP_BULK_RED, BULK, false, 0,
     " @%q cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%p], [%r1], %r4;\n"},
    {WG_OP_BULK_RED, BULK, false, 0,
     " @%q cp.reduce.async.bulk.global.shared::cta.bulk_group.or.b64 [%p], [%r1], %r4;\n"},
    /* Of shared memory they have 32 bits: the lower ones of the address. */
    {WG_OP_BULK_SHARED, ALL, false, 0,
     " @%q cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%w], [%r1], 64, [%r2];\n"},
    {WG_OP_BULK_SHARED, ALL, false, 0,
     " @%q cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r1], [%w], 64, [%r2];\n"},
    {WG_OP_BULK_RED_SHARED, ALL, false, 0,
     " @%q cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%w], "
     "[%r1], 64, "
     "[%r2];\n"},
    {WG_OP_BULK_PREFETCH, ALL, true, 0, " cp.async.bulk.prefetch.L2.global [%p], 64;\n"},
    {WG_OP_TENSOR_LOAD, TENSOR, false, 2,
     " @%q mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 64;\n"
     " @%q cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd3, {0, "
     "%r3}], "
     "[%r2];\n" WAIT},
    {WG_OP_TENSOR_LOAD, ALL, false, 0, /* the address is the map's */
     " @%q mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 64;\n"
     " @%q cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%p, {0, 0}], "
     "[%r2];\n"},
    {WG_OP_TENSOR_STORE, TENSOR, false, 2,
     " @%q cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd3, {0, %r3}], [%r1];\n"},
    {WG_OP_TENSOR_STORE, ALL, false, 0,
     " @%q cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%p, {0, 0}], [%r1];\n"},
    {WG_OP_TENSOR_RED, TENSOR, false, 2,
     " @%q cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%rd3, {0, %r3}], [%r1];\n"},
    {WG_OP_TENSOR_PREFETCH, ALL, true, 0, " @%q cp.async.bulk.prefetch.tensor.2d.L2.global [%p, {0, 0}];\n"},
    {WG_OP_PREFETCH_TENSORMAP, ALL, true, 0, " prefetch.tensormap [%p];\n"},
    {WG_OP_MBARRIER_INIT, ALL, false, 0, " mbarrier.init.b64 [%p], 1;\n"},
    {WG_OP_MBARRIER_INVAL, ALL, false, 0, " mbarrier.inval.b64 [%p];\n"},
    {WG_OP_MBARRIER_ARRIVE, ALL, false, 0, " mbarrier.arrive.b64 %rd9, [%p];\n cvt.u32.u64 %r10, %rd9;\n"},
    {WG_OP_MBARRIER_ARRIVE_NC, ALL, false, 0,
     " mbarrier.arrive.noComplete.b64 %rd9, [%p], 1;\n cvt.u32.u64 %r10, %rd9;\n"},
    {WG_OP_MBARRIER_TX, ALL, false, 0, " mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%w], 64;\n"},
    {WG_OP_MBARRIER_WAIT, ALL, false, 0,
     " mbarrier.test_wait.b64 %q2, [%p], %rd2;\n selp.u32 %r10, 1, 2, %q2;\n"},
    {WG_OP_MBARRIER_WAIT_PARITY, ALL, false, 0,
     " mbarrier.test_wait.parity.b64 %q2, [%p], 0;\n selp.u32 %r10, 1, 2, %q2;\n"},
    {WG_OP_LDMATRIX, INLINE, false, 0,
     " ldmatrix.sync.aligned.m8n8.x4.b16 {%r10, %r11, %r12, %r13}, [%p];\n"},
    {WG_OP_STMATRIX, INLINE, false, 0, " stmatrix.sync.aligned.m8n8.x4.b16 [%p], {%r1, %r1, %r1, %r1};\n"},
    {WG_OP_WMMA_LOAD, ALL & ~(1u << LANE), false, 0,
     " wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " FRAGMENT ", [%p], 16;\n"},
    {WG_OP_WMMA_LOAD, 1u << STRIDE, false, 0,
     " wmma.load.b.sync.aligned.col.m16n16k16.f16 " FRAGMENT ", [%p], %r5;\n"},
    {WG_OP_WMMA_STORE, ALL & ~(1u << LANE), false, 0,
     " wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%p], {%r1, %r1, %r1, %r1}, 16;\n"},
    {WG_OP_WMMA_STORE, 1u << STRIDE, false, 0,
     " wmma.store.d.sync.aligned.col.m16n16k16.f16 [%p], {%r1, %r1, %r1, %r1}, %r5;\n"},
    /* A descriptor has 18 bits of an address in shared memory. */
    {WG_OP_WGMMA, ALL, true, 0,
     " wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %p, %p, 0, 1, 1, 0, 0;\n"},
};
enum { ATTACKS = sizeof attacks / sizeof *attacks };

static const char *const op_names[] = {
#define OP(id, name, ...) [WG_OP_##id] = #id,
#include "ptx/ops.def"
};
/* What the row's operands are, as ops.def has them. */
static const char *const op_operands[] = {
#define OP(id, name, mods, types, operands, flags) [WG_OP_##id] = operands,
#include "ptx/ops.def"
};

/* An address, a tensor map, or a matrix that a descriptor tells. */
static bool has_address(const char *operands) {
    for (const char *s = operands; *s; s += strcspn(s, " "), s += *s == ' ')
        if (*s == 'm' || *s == 'M' || *s == 'W') return true;
    return false;
}

static int find_rows_without_attack(void) {
    int missing = 0;
    for (int op = 1; op < WG_OP_COUNT; op++) {
        bool found = false;
        if (!op_operands[op] || !has_address(op_operands[op])) continue;
        for (int i = 0; i < ATTACKS; i++) found |= attacks[i].op == (enum wg_op)op;
        if (!found) printf("%s: has an address, and is not attacked\n", op_names[op]);
        missing += !found;
    }
    return missing;
}

/* ---- kernels ---- */

static const char version[] = ".version 8.7\n.target sm_90a\n.address_size 64\n";
static const char head[] =
    ".visible .entry k(.param .u64 base, .param .u64 more, .param .u64 cell, .param .u64 good, .param .u64 "
    "out,\n"
    "    .param .u64 map, .param .u32 row, .param .u32 bytes, .param .u32 pitch) .maxntid 32\n{\n"
    " .reg .pred %q, %q2, %q3;\n .reg .b16 %h<4>;\n .reg .b32 %t, %w, %r<20>;\n .reg .f32 %f<8>;\n"
    " .reg .b64 %p, %rd<20>;\n"
    " .shared .align 1024 .b8 here[4096];\n .shared .align 8 .b64 bar;\n .shared .align 8 .b64 cell_s;\n"
    " .local .align 8 .b64 cell_l;\n"
    " mov.u32 %t, %tid.x;\n setp.eq.u32 %q, %t, 0;\n ld.param.u64 %rd2, [out];\n ld.param.u64 %rd3, [map];\n"
    " ld.param.u32 %r3, [row];\n ld.param.u32 %r4, [bytes];\n ld.param.u32 %r5, [pitch];\n"
    " mov.u32 %r1, here;\n mov.u32 %r2, bar;\n shl.b32 %r6, %t, 7;\n add.u32 %r6, %r6, %r1;\n mov.u32 %r7, "
    "0;\n"
    "FILL:\n st.shared.b32 [%r6], 0x42424242;\n add.u32 %r6, %r6, 4;\n add.u32 %r7, %r7, 4;\n"
    " setp.lt.u32 %q3, %r7, 128;\n @%q3 bra FILL;\n"
    " @%q mbarrier.init.shared.b64 [%r2], 1;\n bar.sync 0;\n"
    " mov.u32 %r10, 0;\n mov.u32 %r11, 0;\n mov.u32 %r12, 0;\n mov.u32 %r13, 0;\n"
    " mov.f32 %f1, 0f00000000;\n mov.f32 %f2, %f1;\n mov.f32 %f3, %f1;\n mov.f32 %f4, %f1;\n";
static const char by_parameters[] =
    " ld.param.u64 %p, [base];\n ld.param.u64 %rd4, [more];\n add.u64 %p, %p, %rd4;\n";
static const char by_load[] = " ld.param.u64 %rd4, [cell];\n ld.global.u64 %p, [%rd4];\n";
static const char by_lane[] =
    " ld.param.u64 %rd4, [base];\n ld.param.u64 %p, [good];\n setp.eq.u32 %q3, %t, 5;\n"
    " selp.b64 %p, %rd4, %p, %q3;\n";
static const char *const made[WAYS] = {
    [BEHIND] = " ld.param.u64 %p, [base];\n ld.param.u64 %rd4, [more];\n add.u64 %p, %p, %rd4;\n",
    [SHARED] = " ld.param.u64 %rd4, [base];\n st.shared.u64 [cell_s], %rd4;\n bar.sync 0;\n"
               " ld.shared.u64 %p, [cell_s];\n",
    [LOCAL] = " ld.param.u64 %rd4, [base];\n st.local.u64 [cell_l], %rd4;\n ld.local.u64 %p, [cell_l];\n",
    [CONSTANT] = " ld.const.u64 %p, [cell_c];\n",
    [STRUCT] = " mov.u64 %rd4, base;\n mul.wide.u32 %rd5, %t, 0;\n add.u64 %rd4, %rd4, %rd5;\n"
               " ld.param.u64 %p, [%rd4];\n",
    [HALVES] = " ld.param.u32 %r6, [base];\n ld.param.u32 %r7, [base+4];\n mov.b64 %p, {%r6, %r7};\n",
    [SUM] = " ld.param.u64 %rd4, [cell];\n ld.global.u64 %rd5, [%rd4+8];\n ld.global.u64 %rd6, [%rd4+16];\n"
            " add.u64 %p, %rd5, %rd6;\n",
    [INDEX] = " ld.param.u64 %rd4, [more];\n shr.s64 %rd4, %rd4, 3;\n ld.param.u64 %rd5, [good];\n"
              " mad.lo.s64 %p, %rd4, 8, %rd5;\n",
    [CHOSEN] = " ld.param.u64 %rd4, [cell];\n ld.global.u64 %rd4, [%rd4];\n ld.param.u64 %rd5, [good];\n"
               " setp.ne.u32 %q3, %r4, 0;\n selp.b64 %p, %rd4, %rd5, %q3;\n",
    [WALKED] = " ld.param.u64 %p, [good];\n ld.param.u64 %rd4, [more];\n shr.s64 %rd4, %rd4, 6;\n"
               " mov.u32 %r6, 0;\nGO:\n add.s64 %p, %p, %rd4;\n add.u32 %r6, %r6, 1;\n"
               " setp.ne.u32 %q3, %r6, 64;\n @%q3 bra GO;\n",
    [LEFT] = " ld.param.u64 %p, [good];\n ld.param.u64 %rd4, [cell];\n setp.eq.u32 %q3, %r4, 0;\n @%q3 bra "
             "L;\n"
             " ld.global.u64 %p, [%rd4];\nL:\n",
    [BEFORE] = " mov.u32 %r6, 0;\n ld.param.u64 %rd4, [cell];\n ld.param.u64 %rd5, [good];\n bra T;\nA:\n"
               " ld.global.u64 %p, [%rd4];\n bra U;\nT:\n mov.u64 %p, %rd5;\nU:\n ld.global.b32 %r7, [%p];\n"
               " add.u32 %r6, %r6, 1;\n setp.eq.u32 %q3, %r6, 1;\n @%q3 bra A;\n",
    [NEAR_0] = " mov.u64 %rd4, 0;\n ld.param.u32 %r6, [base];\n shr.u32 %r6, %r6, 2;\n"
               " mad.wide.u32 %p, %r6, 4, %rd4;\n",
    [LATER] = " ld.param.u64 %rd4, [cell];\n ld.global.u64 %p, [%rd4+24];\n ld.global.b32 %r7, [%p];\n"
              " ld.global.u64 %p, [%rd4];\n",
    [PARAMETER] =
        " ld.param.u64 %rd4, [cell];\n ld.global.u64 %rd4, [%rd4];\n mov.u64 %rd5, base;\n"
        " cvta.param.u64 %rd5, %rd5;\n st.u64 [%rd5], %rd4;\n membar.gl;\n ld.param.u64 %p, [base];\n",
    /* the number is as good as the pointer that it is added to in the first turn, and not in the second */
    [BACKWARDS] =
        " ld.param.u64 %rd4, [good];\n ld.param.u64 %rd5, [more];\n mov.u32 %r6, 0;\n mov.u64 %rd6, 0;\n"
        "OUTER:\n mov.u32 %r7, 0;\nINNER:\n add.s64 %p, %rd4, %rd6;\n ld.global.b32 %r9, [%p];\n"
        " add.s64 %rd6, %rd6, 4;\n add.u32 %r7, %r7, 1;\n setp.ne.u32 %q3, %r7, 2;\n @%q3 bra INNER;\n"
        " add.s64 %rd4, %rd4, %rd5;\n add.u32 %r6, %r6, 1;\n setp.ne.u32 %q3, %r6, 2;\n @%q3 bra OUTER;\n",
};
static const char tail[] =
    " bar.sync 0;\n shl.b32 %r6, %t, 6;\n cvt.u64.u32 %rd5, %r6;\n add.u64 %rd5, %rd5, %rd2;\n"
    " st.global.v4.b32 [%rd5], {%r10, %r11, %r12, %r13};\n shl.b32 %r6, %t, 4;\n add.u32 %r6, %r6, %r1;\n"
    " ld.shared.v4.b32 {%r10, %r11, %r12, %r13}, [%r6];\n st.global.v4.b32 [%rd5+16], {%r10, %r11, %r12, "
    "%r13};\n"
    " ret;\n}\n";

static struct wg_func *load(struct wg_device *dev, const struct attack *a, enum way way, uint64_t target) {
    char text[8192], constant[64];
    struct wg_module *m;
    struct wg_diag d = {0};
    const char *by = way == LOADED ? by_load : way == LANE ? by_lane : made[way] ? made[way] : by_parameters;
    /* Of one text code is made once. */
    snprintf(constant, sizeof constant, ".const .align 8 .b64 cell_c = %llu;\n",
             way == CONSTANT ? (unsigned long long)target : 0);
    int n = snprintf(text, sizeof text, "%s%s%s%s cvt.u32.u64 %%w, %%p;\n%s%s", version, constant, head, by,
                     a->body, tail);
    if (wg_module_load(dev, "attack.ptx", text, (size_t)n, &m, &d) != WG_OK) {
        printf("%s: %s\n", op_names[a->op], d.text.s);
        exit(2);
    }
    wg_diag_free(&d);
    return wg_module_func(m, "k");
}

/* ---- one attack ---- */

struct scene {
    const struct attack *attack;
    uint64_t host[TARGETS];
    uint8_t *registered; /* a page, and pages behind it that are the host's own */
    enum wg_backend backend;
};

struct parameters {
    uint64_t base, more, cell, good, out, map;
    uint32_t row, bytes, pitch;
};

/* A tensor of 16 by `rows` words; a box is one row. */
static void make_map(struct wg_tensor_map *m, uint64_t base, uint64_t stride) {
    *m = (struct wg_tensor_map){.magic = WG_TENSOR_MAP_MAGIC,
                                .rank = 2,
                                .type = WG_T_U32,
                                .base = base,
                                .last = {15, UINT32_MAX - 1},
                                .box = {16, 1},
                                .step = {1, 1},
                                .stride = {stride}};
}

static void *device_memory(struct wg_device *dev, size_t bytes) {
    void *p;
    if (wg_mem_alloc(dev, WG_MEM_DEVICE, bytes, &p) != WG_OK) exit(2);
    return p;
}

/* False: there is no such attack. */
static bool fill_in(const struct scene *s, struct wg_device *dev, enum target t, enum way way,
                    struct parameters *p) {
    uint64_t target = s->host[t], good = (uint64_t)device_memory(dev, PAGE);
    uint64_t *cell = device_memory(dev, 64);
    struct wg_tensor_map *map = device_memory(dev, sizeof *map);
    *p = (struct parameters){
        .base = target, .good = good, .cell = (uint64_t)cell, .map = (uint64_t)map, .bytes = 64};
    cell[0] = target;
    cell[1] = target / 3;
    cell[2] = target - target / 3;
    cell[3] = good;
    p->more = way == OFFSET || way == INDEX || way == WALKED || way == BACKWARDS ? target - good : 0;
    p->out = (uint64_t)device_memory(dev, OUT);
    make_map(map, target, 64);
    switch (way) {
    case OFFSET: p->base = good; return true;
    case LOADED:
    case SUM:
    case LEFT:
    case BEFORE:
    case LATER:
    case CHOSEN:
    case PARAMETER:
    case BACKWARDS: p->base = good; return true;
    case NEAR_0: return t == LOW;
    case BEHIND:
        if (t != MAPPED) return false;
        p->base = (uint64_t)s->registered;
        p->more = PAGE;
        return wg_mem_register(dev, s->registered, PAGE, 0) == WG_OK;
    case EXTENT:
    case STRIDE:
        if (t != MAPPED) return false; /* the one that lies behind registered memory */
        p->base = (uint64_t)s->registered;
        p->bytes = PAGE + SEEN;
        p->pitch = PAGE / 2;
        p->row = 1;
        make_map(map, p->base, PAGE);
        return wg_mem_register(dev, s->registered, PAGE, 0) == WG_OK;
    default: return true;
    }
}

/* What lies at a target, and behind it, whatever that is: a sanitizer would say that it is another
 * variable's. */
__attribute__((no_sanitize("address"))) static void copy(volatile uint8_t *to, const volatile uint8_t *from,
                                                         uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; i++) to[i] = from[i];
}

/* A word of the host's that is no small number came to the kernel. */
static bool leaked(const uint32_t *out, const uint8_t *host) {
    uint32_t words[SEEN / 4];
    copy((uint8_t *)words, host, sizeof words);
    for (int i = 0; i < OUT / 4; i++)
        for (int k = 0; k < SEEN / 4; k++)
            if (words[k] > UINT16_MAX && words[k] != HERE && out[i] == words[k]) return true;
    return false;
}

static int try(const struct scene *s, enum target t, enum way way) {
    struct wg_device *dev;
    struct wg_options o;
    struct parameters p;
    uint8_t before[SEEN], after[SEEN];
    uint8_t *host = (uint8_t *)s->host[t];
    wg_options_init(&o);
    o.backend = s->backend;
    o.threads = 1;
    wg_options_from_env(&o, NULL);
    if (wg_device_open(&o, &dev, NULL) != WG_OK) return 1;
    copy(before, host, SEEN);
    int bad = 0;
    if (fill_in(s, dev, t, way, &p)) {
        struct wg_launch l = {.func = load(dev, s->attack, way, s->host[t]),
                              .grid = {1, 1, 1},
                              .block = {32, 1, 1},
                              .params = &p,
                              .param_bytes = sizeof p};
        enum wg_status status = wg_launch(wg_device_stream(dev, WG_STREAM_LEGACY), &l);
        if (status == WG_OK) status = wg_device_sync(dev);
        copy(after, host, SEEN);
        const char *what = memcmp(before, after, SEEN)               ? "wrote to the host"
                           : leaked((const uint32_t *)p.out, before) ? "read of the host"
                           : status == WG_OK && !s->attack->hint     ? "was let through"
                                                                     : NULL;
        if (what)
            printf("%s, %s of %s: %s (%s)\n%s", op_names[s->attack->op], way_names[way], target_names[t],
                   what, wg_status_name(status), s->attack->body);
        bad = what != NULL;
        if (bad) copy(host, before, t == CODE ? 0 : SEEN);
    }
    wg_device_close(dev);
    return bad;
}

/* The first ways with each target; of those that only make the address in other ways each has one of them. */
static bool is_tried(const struct attack *a, enum target t, enum way way) {
    if (way < SHARED || way == NEAR_0) return true;
    return ((uint32_t)(a - attacks) + way) % TARGETS == t;
}

/* In a process of its own. */
static int run_row(const struct attack *a, enum wg_backend backend) {
    _Alignas(PAGE) uint8_t on_stack[PAGE];
    struct scene s = {.attack = a, .backend = backend};
    uint8_t *heap = aligned_alloc(PAGE, PAGE);
    s.registered = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint8_t *low = mmap((void *)0x30000000, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!heap || s.registered == MAP_FAILED || low == MAP_FAILED) return 2;
    for (int i = 0; i < PAGE; i++)
        heap[i] = low[i] = on_stack[i] = s.registered[PAGE + i] = (uint8_t)(0xa0 + i % 7);
    s.host[HEAP] = (uint64_t)heap;
    s.host[STACK] = (uint64_t)on_stack;
    s.host[MAPPED] = (uint64_t)s.registered + PAGE;
    s.host[CODE] = (uint64_t)&wg_device_open & ~UINT64_C(127);
    s.host[LIBC] = (uint64_t)stdout & ~UINT64_C(127);
    s.host[LOW] = (uint64_t)low;
    s.host[MACHINE] = (uint64_t)&wg_machine_services & ~UINT64_C(127);
    int bad = 0;
    for (int t = 0; t < TARGETS; t++)
        for (int way = 0; way < WAYS; way++)
            if (a->ways >> way & 1 && is_tried(a, (enum target)t, (enum way)way))
                bad += try(&s, (enum target)t, (enum way)way);
    return bad != 0;
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    enum wg_backend backend = strcmp(argv[1], "ref") == 0 ? WG_BACKEND_REF : WG_BACKEND_JIT;
    int bad = find_rows_without_attack();
    for (int i = 0; i < ATTACKS; i++) {
        if (argc > 2 && strcmp(argv[2], op_names[attacks[i].op]) != 0) continue;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            int status = run_row(&attacks[i], backend);
            fflush(stdout);
            _exit(status);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status))
            printf("%s: the process was ended by signal %d\n%s", op_names[attacks[i].op], WTERMSIG(status),
                   attacks[i].body);
        bad += status != 0;
    }
    if (bad) printf("%d attacks of %d got somewhere, or rows were not attacked\n", bad, ATTACKS);
    return bad != 0;
}
