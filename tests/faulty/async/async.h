/* Asynchronous copies, spelled as macros so that what is found has the line of the program. */
#pragma once
#include <cstdint>
#include <cstdio>
#include <cuda.h>

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define INIT(bar, count)                                                                                     \
    asm volatile(                                                                                            \
        "mbarrier.init.shared::cta.b64 [%0], %1; fence.mbarrier_init.release.cluster;" ::"r"(AT(bar)),       \
        "r"(count)                                                                                           \
        : "memory")
#define EXPECT(bar, bytes)                                                                                   \
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(AT(bar)), "r"((int)(bytes))  \
                 : "memory")
#define ARRIVE(bar) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(AT(bar)) : "memory")
#define WAIT(bar, parity)                                                                                    \
    asm volatile("{ .reg .pred p; again_%=: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; "          \
                 "@!p bra again_%=; }" ::"r"(AT(bar)),                                                       \
                 "r"((int)(parity))                                                                          \
                 : "memory")
#define LOAD(to, from, bytes, bar)                                                                           \
    asm volatile(                                                                                            \
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(     \
            AT(to)),                                                                                         \
        "l"(from), "r"((int)(bytes)), "r"(AT(bar))                                                           \
        : "memory")
#define LOAD_FOR(to, from, bytes, bar, mask)                                                                 \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "     \
                 "[%0], [%1], %2, [%3], %4;" ::"r"(AT(to)),                                                  \
                 "l"(from), "r"((int)(bytes)), "r"(AT(bar)), "h"((short)(mask))                              \
                 : "memory")
#define STORE(to, from, bytes)                                                                               \
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(AT(from)),     \
                 "r"((int)(bytes))                                                                           \
                 : "memory")
#define LOAD_BOX(to, map, x, y, bar)                                                                         \
    asm volatile(                                                                                            \
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "       \
        "{%2, %3}], [%4];" ::"r"(AT(to)),                                                                    \
        "l"(map), "r"((int)(x)), "r"((int)(y)), "r"(AT(bar))                                                 \
        : "memory")
#define STORE_BOX(map, x, y, from)                                                                           \
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map),   \
                 "r"((int)(x)), "r"((int)(y)), "r"(AT(from))                                                 \
                 : "memory")
#define COMMIT()      asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define WAIT_READ(n)  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(n) : "memory")
#define WAIT_ALL(n)   asm volatile("cp.async.bulk.wait_group %0;" ::"n"(n) : "memory")
#define PROXY_FENCE() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")

/* rows x columns ints, in boxes. */
inline CUtensorMap map_of(int *base, int columns, int rows, int box_columns, int box_rows) {
    CUtensorMap m;
    cuuint64_t dims[] = {(cuuint64_t)columns, (cuuint64_t)rows}, strides[] = {(cuuint64_t)columns * 4};
    cuuint32_t box[] = {(cuuint32_t)box_columns, (cuuint32_t)box_rows}, steps[] = {1, 1};
    void *encode = nullptr;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found);
    ((decltype(&cuTensorMapEncodeTiled))encode)(
        &m, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, base, dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
        CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return m;
}
