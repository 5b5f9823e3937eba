/* Copies of many bytes by one thread. Tensors, whose maps come from the driver, are in
 * tests/programs/bulk.cu. */
#include "tests/rows/scene.h"

#define STORE(value) "  st.global.b32 [%my], " value ";\n"
#define MODULE                                                                                               \
    ".shared .align 128 .b8 here[1024];\n.shared .align 128 .b8 there[1024];\n.shared .align 8 .b64 bar;\n"
/* Thread 0 is %p1; %r1 here, %r2 there, %r3 the mbarrier, made for one arrival of 256 bytes. */
#define BEGIN                                                                                                \
    "  setp.eq.u32 %p1, %t, 0;\n  mov.u32 %r1, here;\n  mov.u32 %r2, there;\n  mov.u32 %r3, bar;\n"          \
    "  @%p1 mbarrier.init.shared.b64 [%r3], 1;\n"                                                            \
    "  @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r3], 256;\n  shl.b32 %r4, %t, 2;\n"                    \
    "  add.u32 %r5, %r1, %r4;\n  add.u32 %r6, %r2, %r4;\n"
#define WAIT "WAIT:\n  mbarrier.try_wait.parity.shared.b64 %p2, [%r3], 0;\n  @!%p2 bra WAIT;\n"
#define LOAD "  @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "

static void same(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = scene_in(x + 8);
}
static void of_the_other(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = (x ^ 64) * 3;
}
static void least(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = x < 30 ? x : 30;
}
static void sums(uint32_t *out, uint32_t threads, uint32_t block) {
    for (uint32_t x = 0; x < threads; x++) out[x] = 0x40004000; /* 2, 2 */
}

static const struct scene list[] = {
    {"a bulk load", .module = MODULE,
     .body = BEGIN "  bar.sync 0;\n" LOAD "[%r1], [%in+32], 256, [%r3];\n" WAIT
                   "  ld.shared.b32 %r7, [%r5];\n" STORE("%r7"),
     .expect = same},
    {"a bulk copy to another block", .module = MODULE, .grid = 2, .cluster = 2, .fuel = 64,
     .body = BEGIN
     "  mul.lo.u32 %r7, %x, 3;\n  st.shared.b32 [%r5], %r7;\n  barrier.cluster.arrive;\n"
     "  barrier.cluster.wait;\n  mov.u32 %r8, %cluster_ctarank;\n  xor.b32 %r8, %r8, 1;\n"
     "  mapa.shared::cluster.u32 %r9, %r2, %r8;\n  mapa.shared::cluster.u32 %r10, %r3, %r8;\n"
     "  @%p1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r9], [%r1], 256, "
     "[%r10];\n" WAIT
     "  ld.shared.b32 %r7, [%r6];\n" STORE("%r7") "  barrier.cluster.arrive;\n  barrier.cluster.wait;\n",
     .expect = of_the_other},
    {"a bulk reduction", .module = MODULE,
     .body = BEGIN "  mov.u32 %r7, 30;\n" STORE(
         "%r7") "  st.shared.b32 [%r5], %t;\n  bar.sync 0;\n"
                "  @%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u32 [%out], [%r1], 256;\n"
                "  cp.async.bulk.commit_group;\n  cp.async.bulk.wait_group.read 0;\n",
     .expect = least},
    {"a bulk reduction of halves", .module = MODULE,
     .body = BEGIN "  mov.u32 %r7, 0x3c003c00;\n" STORE(
         "%r7") "  st.shared.b32 [%r5], %r7;\n  bar.sync 0;\n"
                "  @%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%out], [%r1], "
                "256;\n",
     .expect = sums},
    {"a bulk copy of 24 bytes", .module = MODULE, .body = BEGIN LOAD "[%r1], [%in], 24, [%r3];\n",
     .fault = WG_FAULT_COPY, .fault_op = WG_OP_BULK_LOAD},
    {"a bulk copy that tells no mbarrier", .module = MODULE,
     .body = BEGIN "  @%p1 st.shared.v2.b32 [%r3], {0, 0};\n" LOAD "[%r1], [%in], 256, [%r3];\n",
     .fault = WG_FAULT_COPY, .fault_op = WG_OP_BULK_LOAD},
    {"a multicast to a block that is none", .module = MODULE,
     .body =
         BEGIN "  mov.b16 %h1, 2;\n  @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
               ".multicast::cluster [%r1], [%in], 256, [%r3], %h1;\n",
     .fault = WG_FAULT_COPY, .fault_op = WG_OP_BULK_LOAD},
    {"a tensor map that is none", .module = MODULE,
     .body = BEGIN "  @%p1 cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes "
                   "[%r1], [%in, {%r4}], "
                   "[%r3];\n",
     .fault = WG_FAULT_COPY, .fault_op = WG_OP_TENSOR_LOAD},
};
const struct scenes bulk_scenes = {list, sizeof list / sizeof *list};
