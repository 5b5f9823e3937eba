/* The table of instructions in the form that programs read: ops.def's strings taken apart, once a process.
 *
 *     OP(MUL_I, "mul", "MULW? T", "u16 u32 ...", "dw a b", 0)
 * becomes a row with two slots (a set of {lo, hi, wide} that may be absent, then the type T) and three forms
 * (a destination twice as wide as T, two sources). The parser matches an instruction's dotted words against
 * the slots, the IR builder its operands against the forms, docs/ops.md prints them.
 */
#ifndef WG_PTX_ROW_H
#define WG_PTX_ROW_H
#include "ptx/op.h"

enum { WG_MAX_SLOTS = 14, WG_MAX_FORMS = 12, WG_MOD_WORDS = (WG_M_COUNT + 63) / 64 };

enum wg_slot_kind { WG_SLOT_MOD, WG_SLOT_T, WG_SLOT_U, WG_SLOT_B, WG_SLOT_C };
struct wg_slot {
    uint8_t kind; /* enum wg_slot_kind */
    uint8_t cls;  /* enum wg_modc; WG_MC_COUNT: the word is part of the opcode and lands nowhere (bar.warp) */
    bool optional;
    uint64_t allow[WG_MOD_WORDS]; /* bit set of enum wg_mod */
};

/* One operand of a row, as ops.def's comment explains. */
struct wg_row_form {
    char kind;     /* d p D a i q V m z F A l n x | (the bar belongs to the form before it) */
    char rel;      /* 0: type T; 'U': type U; 'w': twice T's width where .wide is given */
    uint8_t width; /* a fixed width in bits, or 0 */
    bool optional;
};

struct wg_row {
    const char *id, *opcode, *mods, *types, *operands;
    uint16_t next; /* the next row of this opcode, or WG_OP_NONE */
    uint8_t nslots, nforms;
    uint64_t t_allow, u_allow, b_allow, c_allow; /* bit sets of enum wg_type */
    struct wg_slot slots[WG_MAX_SLOTS];
    struct wg_row_form forms[WG_MAX_FORMS];
};
const struct wg_row *wg_row(enum wg_op op);
/* The lowest modifier that a slot allows: the one of a literal. */
enum wg_mod wg_slot_only(const struct wg_slot *s);

/* What a word can mean in an instruction. */
struct wg_spelling {
    const char *s;
    uint16_t mod;      /* enum wg_mod, or WG_M_none */
    uint8_t type;      /* enum wg_type, or WG_T_NONE */
    bool known_opcode; /* an opcode of the PTX ISA, with or without rows */
    bool known_word;   /* a modifier of the PTX ISA */
    uint16_t row;      /* the first row of this opcode, or WG_OP_NONE */
};
/* NULL when PTX knows no such word. */
const struct wg_spelling *wg_spelling(const char *s, uint32_t len);

/* A row chosen for an instruction. */
struct wg_match {
    uint16_t op;                       /* enum wg_op */
    uint8_t type, type2, type3, type4; /* T, U, B, C */
    uint8_t mod[WG_MC_COUNT];
    uint16_t columns; /* N of m64nNk16 */
};
/* Chooses the first of the opcode's rows, from `row` on, that consumes all `n` words. Words stand in the
 * row's order; in memory instructions in any order, because compilers differ there (atom.global.cta,
 * atom.cta.global). */
bool wg_row_match(uint16_t row, const struct wg_spelling *const *words, uint32_t n, struct wg_match *out);
#endif
