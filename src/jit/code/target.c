/* See target.h. */
#include "jit/code/target.h"
#include "base/cpu.h"

/* fast-gather: LLVM otherwise takes AVX2's gathers apart into branches. prfchw: a line that will be written
 * is asked for as one; where the host cannot, the instruction does nothing. */
static const struct wg_target targets[] = {
    {512, "x86-64-v4", "+avx512cd,+avx512vl,+avx512bw,+avx512dq,+fma,+f16c,+bmi2,+fast-gather,+prfchw",
     "avx512", false},
    {256, "x86-64-v3", "+fma,+f16c,+bmi2,+fast-gather,+prfchw", "avx2", false},
    {128, "x86-64-v2", "+prfchw", "sse4.2", false},
};
static const struct wg_target slow_masks = {256, "x86-64-v3", "+fma,+f16c,+bmi2,+fast-gather,+prfchw",
                                            "avx2, slow masked stores", true};

const struct wg_target *wg_target_of(uint32_t width) {
    for (unsigned i = 0; i < sizeof targets / sizeof *targets; i++)
        if (targets[i].width <= width) return &targets[i];
    return &targets[2];
}

const struct wg_target *wg_target_for(const struct wg_code_opts *o) {
    uint32_t have = wg_cpu_vector_bits();
    const struct wg_target *t = wg_target_of(o && o->width && o->width < have ? o->width : have);
    return t->width == slow_masks.width && wg_cpu_masked_stores_slow() ? &slow_masks : t;
}
