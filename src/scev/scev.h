/* Scalar evolution: registers as symbolic sums, at compile time, when no more is known of a launch than the
 * block's shape.
 *
 *     mad.lo.s32 %r1, %ctaid.y, %r3, %tid.x        ctaid.y * param(8) + tid.x
 *     mul.wide.s32 %rd2, %r1, 4                    4 ctaid.y * param(8) + 4 tid.x
 *     add.s32 %r4, %r4, %r5   in a loop            reg(4) + reg(5) * count(4), where %r5 is invariant
 *
 * Affine forms (forms.h) in which a parameter, the address of a variable, an unknown register and the product
 * of two variables are variables as well. They are computed on demand, and cached.
 *
 *     struct wg_scev *s = wg_scev_new(&arena, m, &cfg, ntid, WG_SCEV_EXACT);
 *     struct wg_sum a = wg_scev_at(s, &in->src[0], block, index), b = ..., d = wg_scev_sum(&a, &b, -1);
 *     wg_scev_step(s, &a, &(struct wg_scev_move){.by[WG_VAR_CTAID_Y] = 1}, &row)
 */
#ifndef WG_SCEV_SCEV_H
#define WG_SCEV_SCEV_H
#include "cfg/cfg.h"
#include "scev/forms.h"

/* LOW: modulo 2^32, so that what is widened need not have been proven not to wrap.
 * UNWRAPPED: assumes that no sum overflows its 32 bits where it is extended, divided or compared, and that a
 * register with several definitions is one variable: for mere hints, or where a runtime check follows. */
enum wg_scev_trust { WG_SCEV_EXACT, WG_SCEV_LOW, WG_SCEV_UNWRAPPED };

struct wg_scev;
/* For a function whose liveness and dominators are computed; allocated in `a`, as are its results. */
struct wg_scev *wg_scev_new(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_cfg *c,
                            const uint32_t ntid[3], enum wg_scev_trust trust);
/* An operand as the instruction reads it; modulo 2^width. */
struct wg_sum wg_scev_at(struct wg_scev *s, const struct wg_ir_opd *o, uint32_t block, uint32_t index);
/* The address that a memory instruction accesses. */
struct wg_sum wg_scev_address(struct wg_scev *s, uint32_t block, uint32_t index);
/* A term's variable, for tests. */
const struct wg_form_var *wg_scev_var(const struct wg_scev *s, uint32_t var);
/* a + b * times */
struct wg_sum wg_scev_sum(const struct wg_sum *a, const struct wg_sum *b, int64_t times);
static inline bool wg_scev_is_constant(const struct wg_sum *f) { return f->known && !f->nterms && !f->base; }

/* A move from one thread, block or iteration to another. */
struct wg_scev_move {
    int64_t by[WG_VAR_AXES]; /* how much each index grows */
    uint8_t unknown;         /* a bit for each index that changes by an unknown amount */
    bool to_next;            /* to the next iteration of the loop with this header */
    uint32_t loop;
    /* Whether a register, or what a part of it is computed from, is invariant. NULL: it is. */
    bool (*stays)(const void *user, uint32_t reg);
    const void *user;
};
/* The difference that the move makes; false: not known. Other loops are in the same iteration. */
bool wg_scev_step(struct wg_scev *s, const struct wg_sum *f, const struct wg_scev_move *move,
                  struct wg_sum *step);
/* How many low bits of the sum are known, and these: each variable is a multiple of two to the power that
 * `zeros` gives. None of an address in the block's shared window. */
uint32_t wg_scev_low(const struct wg_scev *s, const struct wg_sum *f,
                     uint32_t (*zeros)(const void *user, const struct wg_form_var *v), const void *user,
                     uint64_t *value);
/* "4096 + 4 tid.x + param(8)*ctaid.y", for tests and people. */
void wg_scev_print(const struct wg_scev *s, const struct wg_sum *f, struct wg_strbuf *out);
#endif
