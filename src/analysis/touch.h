/* Bounds checks against host memory: which accesses need a run-time address test, and on which register.
 * warp/touch.h
 *
 * No host memory is within WG_TOUCH_ROOM bytes of the device's address space, and unmapped addresses there
 * fault by themselves. So an address needs no test if it is a pointer into that space plus a number that is
 * known to be small: a pointer among the launch's parameters, which the machine checks
 * (wg_code_opts.strangers), or the address of a variable. All others are derived from a value that the
 * program could have forged, the root: a test of one of them is a test of the root, and holds until the root
 * is redefined.
 *
 *     ld.param.u64 %rd1, [p]                      a pointer of the launch's
 *     mad.wide.s32 %rd2, %r1, 4, %rd1             and less than 2^33
 *     ld.global.u64 %rd3, [%rd2]                  no test
 *     ld.global.f32 %f1, [%rd3+8]                 tests %rd3
 *     st.global.f32 [%rd3+4096], %f1              no test
 *     mul.lo.s64 %rd4, %rd5, %rd6                 anything
 *     add.s64 %rd7, %rd1, %rd4                    so is this: a root of its own
 *     st.global.f32 [%rd7], %f1                   tests %rd7
 */
#ifndef WG_ANALYSIS_TOUCH_H
#define WG_ANALYSIS_TOUCH_H
#include "analysis/analysis.h"

enum wg_touch_kind {
    WG_TOUCH_SAFE,    /* no test */
    WG_TOUCH_ADDRESS, /* its own address is tested */
    WG_TOUCH_ROOT,    /* `root` is tested, a register that still holds what the address is derived from */
};
struct wg_touch {
    uint8_t kind; /* enum wg_touch_kind */
    uint32_t root;
};

/* For the instruction's address in non-shared memory: src[0], of CP_ASYNC src[1]. Only ordinary accesses are
 * analysed; other instructions with an address call wg_may_touch themselves and are SAFE here. */
struct wg_touch wg_touch_of(const struct wg_analysis *an, uint32_t block, uint32_t instr);
/* Accesses, by instructions' ids, that need no test wherever they are moved: rearranging code keeps their
 * order in each thread (wg_code_opts.safe). */
const uint64_t *wg_touch_safe(struct wg_arena *a, struct wg_analysis *an);
/* Whether any access of the function is tested. */
bool wg_touch_any(const struct wg_analysis *an);
/* The address of an access that is looked at, or NULL; what is added to it. */
const struct wg_ir_opd *wg_touch_address(const struct wg_ir_instr *in, uint64_t *offset);
/* Of wg_code_opts.strangers, the bit of the parameters' byte `at`. */
uint64_t wg_touch_word(uint64_t at);
/* The words of 8 bytes among a kernel's parameters that may be loaded as such and become addresses: bits as
 * in wg_code_opts.strangers. f as it was written, with its calls. */
uint64_t wg_touch_words(const struct wg_ir_module *m, const struct wg_ir_func *f);
#endif
