/* CPU features, as generated code uses them. One place decides, so that reports agree with the code. */
#ifndef WG_BASE_CPU_H
#define WG_BASE_CPU_H
#include <stdbool.h>
#include <stdint.h>

/* Width of the vectors to use: 512 with AVX-512 (F, BW, DQ, VL, CD), 256 with AVX2 and FMA, else 128
 * (SSE4.2). */
uint32_t wg_cpu_vector_bits(void);
/* Whether AVX2's masked stores are made of microcode: AMD's take as long as a dozen other stores. */
bool wg_cpu_masked_stores_slow(void);
#endif
