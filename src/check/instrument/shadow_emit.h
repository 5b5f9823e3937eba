/* Emission of shadow instructions, for shadow.c, which walks the code, and shadow_rules.c, which has the
 * transfer function of each row. A shadow value is an operand: a register, or the immediate ~0: all is
 * defined.
 */
#ifndef WG_CHECK_SHADOW_EMIT_H
#define WG_CHECK_SHADOW_EMIT_H
#include "cfg/bits.h"
#include "check/instrument/choice.h"
#include "check/instrument/pass.h"

struct wg_shadow {
    struct wg_instrument *x;
    const struct wg_ir_func *func;
    wg_bits tainted;  /* registers that may hold something undefined */
    wg_bits known;    /* of them, those that are defined here in the block: asked about, or written so */
    uint32_t *shadow; /* [register] its shadow; WG_NO_REG: none yet */
    uint32_t carry;   /* shadow of the carry flag: a predicate; WG_NO_REG: none yet */
    const struct wg_ir_instr *asked_for; /* the access that a CHECK_ACCESS may stand before */
    const struct wg_ir_instr *at;        /* the current instruction: source locations are taken from it */
    const struct wg_ir_instr **def;      /* [register] what wrote it last */
    uint32_t *written;                   /* [register] when, as instructions are counted; 0: not yet */
    uint32_t now, block_began;
    struct wg_choices choices;
};

static inline struct wg_ir_opd wg_sh_imm(uint64_t x) {
    return (struct wg_ir_opd){.kind = WG_O_IMM, .imm = x};
}
static inline struct wg_ir_opd wg_sh_reg(uint32_t r) {
    return (struct wg_ir_opd){.kind = WG_O_REG, .index = r};
}
static inline struct wg_ir_opd wg_sh_all(void) { return wg_sh_imm(UINT64_MAX); }
static inline bool wg_sh_is_all(struct wg_ir_opd o) { return o.kind == WG_O_IMM && o.imm == UINT64_MAX; }

uint32_t wg_sh_bits(enum wg_width w);
enum wg_width wg_sh_width(uint32_t bits);                         /* of a register that holds so many */
uint8_t wg_sh_type(uint32_t bits);                                /* pred, b16, b32, b64 */
uint32_t wg_sh_reg_bits(const struct wg_shadow *s, uint32_t reg); /* of a register of the program's */

/* The shadow of an operand of the program's, `bits` wide: what lies above them in its register is defined. */
struct wg_ir_opd wg_sh_of(struct wg_shadow *s, const struct wg_ir_opd *o, uint32_t bits);

/* A row's instruction of the place at hand: `op` over `type`, its result in a new register of `width`. */
struct wg_ir_opd wg_sh_op(struct wg_shadow *s, enum wg_op op, uint8_t type, enum wg_width width,
                          uint32_t nsrc, const struct wg_ir_opd *src);
struct wg_ir_opd wg_sh_op2(struct wg_shadow *s, enum wg_op op, uint32_t bits, struct wg_ir_opd a,
                           struct wg_ir_opd b);
/* The same row as the one at hand, with its modifiers, over other sources. */
struct wg_ir_opd wg_sh_same(struct wg_shadow *s, enum wg_width width, uint32_t nsrc,
                            const struct wg_ir_opd *src);
struct wg_ir_opd wg_sh_and(struct wg_shadow *s, uint32_t bits, struct wg_ir_opd a, struct wg_ir_opd b);
struct wg_ir_opd wg_sh_or(struct wg_shadow *s, uint32_t bits, struct wg_ir_opd a, struct wg_ir_opd b);
struct wg_ir_opd wg_sh_not(struct wg_shadow *s, uint32_t bits, struct wg_ir_opd a);
struct wg_ir_opd wg_sh_compare(struct wg_shadow *s, enum wg_mod cmp, uint8_t type, struct wg_ir_opd a,
                               struct wg_ir_opd b);
/* pred ? a : b */
struct wg_ir_opd wg_sh_select(struct wg_shadow *s, uint32_t bits, struct wg_ir_opd a, struct wg_ir_opd b,
                              struct wg_ir_opd pred);
/* A carry may come from each undefined bit: what is left of the lowest is undefined. */
struct wg_ir_opd wg_sh_fill(struct wg_shadow *s, uint32_t bits, struct wg_ir_opd a);
/* Predicate: all bits are defined. */
struct wg_ir_opd wg_sh_whole(struct wg_shadow *s, uint32_t bits, struct wg_ir_opd a);
/* All bits or none, from `bits` wide to `to` wide. */
struct wg_ir_opd wg_sh_smear(struct wg_shadow *s, uint32_t bits, struct wg_ir_opd a, uint32_t to);
struct wg_ir_opd wg_sh_spread(struct wg_shadow *s, struct wg_ir_opd whole, uint32_t to);

/* The register's shadow becomes v, where the guard of the instruction at hand holds; an undefined guard makes
 * it undefined. */
void wg_sh_set(struct wg_shadow *s, uint32_t reg, struct wg_ir_opd v);
/* A shadow register becomes v where the guard holds. */
void wg_sh_assign(struct wg_shadow *s, uint32_t shadow, uint32_t bits, struct wg_ir_opd v);
/* The shadow register of a tainted register. */
uint32_t wg_sh_shadow(struct wg_shadow *s, uint32_t reg);

/* shadow_rules.c: shadows of the results of the instruction at hand, which accesses no memory. */
void wg_shadow_apply(struct wg_shadow *s);
/* shadow_matrix.c */
bool wg_shadow_matrix_tainted(const struct wg_shadow *s, const struct wg_ir_instr *in);
void wg_shadow_matrix(struct wg_shadow *s);
/* Whether a result may be undefined because an operand is. */
bool wg_shadow_has_rule(enum wg_op op);
#endif
