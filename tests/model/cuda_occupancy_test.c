/* Occupancy against cuda_occupancy.h of NVIDIA's toolkit, where that is installed: many shapes on every chip.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/advice.h"

#include <cuda_occupancy.h>

static uint32_t number; /* of a linear congruential generator: the same shapes every time */
static uint32_t below(uint32_t n) {
    number = number * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)number * n >> 32);
}

static struct cudaOccDeviceProp properties(const struct wg_chip *c) {
    const struct wg_limits *l = c->limits;
    return (struct cudaOccDeviceProp){.computeMajor = l->cc / 10,
                                      .computeMinor = l->cc % 10,
                                      .maxThreadsPerBlock = WG_CHIP_BLOCK_THREADS,
                                      .maxThreadsPerMultiprocessor = l->warps_per_sm * 32,
                                      .regsPerBlock = (int)l->regs_per_block,
                                      .regsPerMultiprocessor = (int)l->regs_per_sm,
                                      .warpSize = 32,
                                      .sharedMemPerBlock = l->shared_per_block,
                                      .sharedMemPerMultiprocessor = l->shared_per_sm,
                                      .numSms = c->sms,
                                      .sharedMemPerBlockOptin = l->shared_optin,
                                      .reservedSharedMemPerBlock = l->shared_reserved};
}

static void check(const struct wg_chip *c, const struct wg_occupancy_kernel *k) {
    struct cudaOccDeviceProp p = properties(c);
    struct cudaOccFuncAttributes a = {.maxThreadsPerBlock = 1024,
                                      .numRegs = (int)k->registers,
                                      .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
                                      .maxDynamicSharedSizeBytes = c->limits->shared_optin,
                                      .numBlockBarriers = k->barriers ? (int)k->barriers : 1};
    struct cudaOccDeviceState s = {.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT};
    struct cudaOccResult r = {0};
    int status = cudaOccMaxActiveBlocksPerMultiprocessor(&r, &p, &a, &s, (int)k->threads, k->shared);
    struct wg_occupancy o = wg_occupancy(c->limits, k);
    if (status != CUDA_OCC_SUCCESS || (uint32_t)r.activeBlocksPerMultiprocessor != o.blocks)
        print_error("%s: %u threads, %u registers, %llu bytes, %u barriers: the toolkit has %d (status %d)\n",
                    c->arch, k->threads, k->registers, (unsigned long long)k->shared, k->barriers,
                    r.activeBlocksPerMultiprocessor, status);
    assert_int_equal(status, CUDA_OCC_SUCCESS);
    assert_int_equal(o.blocks, r.activeBlocksPerMultiprocessor);
    assert_int_equal(o.by_warps, r.blockLimitWarps);
    assert_int_equal(o.by_blocks, r.blockLimitBlocks);
    if (k->registers) assert_int_equal(o.by_registers, r.blockLimitRegs);
}

static void every_chip_is_as_the_toolkit_has_it(void **state) {
    size_t n;
    const struct wg_chip *chips = wg_chip_list(&n);
    for (size_t i = 0; i < n; i++)
        for (int round = 0; round < 4000; round++) {
            struct wg_occupancy_kernel k = {.registers = below(256), .threads = 1 + below(1024)};
            k.shared = round % 3 ? below(chips[i].limits->shared_optin + 1) : below(20000);
            k.barriers = round % 2 ? below(17) : 0;
            if (round % 5 == 0) k.threads = 32 * (1 + below(32));
            check(&chips[i], &k);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_chip_is_as_the_toolkit_has_it)};
    return cmocka_run_group_tests_name("model.cuda_occupancy", tests, NULL, NULL);
}
