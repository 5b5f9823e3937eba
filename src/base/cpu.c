/* The CPU's features: see cpu.h. Taken from CPUID, not from the CPU's name, which LLVM may take for another.
 */
#include "base/cpu.h"

uint32_t wg_cpu_vector_bits(void) {
    __builtin_cpu_init();
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512cd");
    if (avx512) return 512;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 256 : 128;
}

bool wg_cpu_masked_stores_slow(void) {
    __builtin_cpu_init();
    return __builtin_cpu_is("amd");
}
