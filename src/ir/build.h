/* The IR builder's insides: from the parser's tree to wg_ir_module.
 *
 * build.c runs the steps; symbol.c and data.c make the module's variables, scope.c binds names, func.c walks
 * a function's statements, operand.c, call.c and texture.c convert one instruction, emit.c puts it into the open draft
 * block, flow.c and order.c turn draft blocks into the blocks of ir.h, contract.c fuses products with sums,
 * graph.c lays out shared memory over the call graph.
 */
#ifndef WG_IR_BUILD_H
#define WG_IR_BUILD_H
#include "ir/ir.h"
#include "ptx/tree.h"

/* ---- names ---- */

enum wg_bind { WG_BIND_REG, WG_BIND_REGSET, WG_BIND_SYM, WG_BIND_LABEL, WG_BIND_CPARAM };
struct wg_binding {
    struct wg_binding *hidden;  /* what the name meant outside */
    struct wg_binding *sibling; /* the next of the same scope */
    struct wg_name *name;
    struct wg_scope *scope;
    uint8_t kind;   /* enum wg_bind */
    uint8_t type;   /* REG, REGSET: enum wg_type */
    uint8_t vec;    /* REG: elements; registers index .. index + vec - 1 */
    uint32_t index; /* REG: register; SYM: symbol; REGSET: how many */
    union {
        uint32_t **pages; /* REGSET: 1 + the register of each number met so far, in pages of 256 */
        struct wg_ptx_label *label;
        struct wg_cparam *cparam;
    };
};
struct wg_scope {
    struct wg_scope *parent;
    struct wg_binding *bindings;
    uint32_t depth;
};

/* ---- a call's .param variables in the caller ---- */

/* A place in such a variable that the function stores to or loads from. */
struct wg_cslot {
    uint32_t offset;
    uint8_t type;
    bool loaded;  /* a load's: calls that return into the variable set `reg` */
    bool pending; /* a store's: `value` is what was stored, and its register still has it */
    bool held;    /* `reg` has what was stored */
    struct wg_ir_opd value;
    uint32_t reg; /* register that holds the place across blocks, or WG_NO_REG */
};
struct wg_cparam {
    struct wg_name *name;
    uint32_t size, align;
    struct wg_cparam *next; /* of the function */
    WG_VEC(struct wg_cslot) slots;
    WG_VEC(struct wg_ir_call *) returns; /* calls whose result this is */
    WG_VEC(uint32_t) ret_offsets;        /* and where in their frames */
};

/* ---- a function being built ---- */

struct wg_target {
    struct wg_ptx_label *label; /* or NULL: `block` */
    uint32_t block, off;
};
/* A block before order and shape are final: instrs[first, first + n). */
struct wg_draft {
    const char *label;
    uint32_t first, n;
    uint8_t term;
    bool cond_neg, uniform, waits, syncs, nounroll;
    uint32_t cond, nsucc;
    struct wg_target two[2];
    struct wg_target *succ; /* NULL: two */
    uint32_t loc, line;
};

/* A call that stands for a texture instruction: texture.c. */
struct wg_texture_call {
    struct wg_ir_call *call;
    const char *name;     /* of the function, but for how many values are asked for */
    uint32_t most;        /* values that it gives, or takes */
    bool whole;           /* all of them, whether they are read or not */
    uint32_t first_value; /* arguments from this one on are parts of one parameter */
    uint32_t loc, line;
};

struct wg_fn {
    struct wg_build *b;
    struct wg_ptx_func *src;
    struct wg_ir_func *out;
    uint32_t index;
    struct wg_scope *scope;
    struct wg_cparam *cparams;
    uint32_t npending; /* pending slots of all cparams */
    WG_VEC(struct wg_ir_reg) regs;
    WG_VEC(struct wg_ir_instr) instrs;
    WG_VEC(struct wg_draft) blocks; /* the last is open */
    uint32_t loc, line, off;        /* of the statement at hand */
    uint32_t sound_loc;             /* of the last statement before the first error */
    const char *unsupported;        /* why the instruction at hand cannot be converted, although PTX has it */
    /* .reg parameters of device functions live in the call frame as well */
    WG_VEC(struct wg_ir_opd) reg_rets; /* registers stored to symbols reg_ret_syms at ret */
    WG_VEC(uint32_t) reg_ret_syms;
    WG_VEC(struct wg_texture_call) textures;
    bool placed; /* all its instructions stand at `loc` and `line` */
};

/* What a function refers to, for graph.c. */
struct wg_uses {
    WG_VEC(uint32_t) shared; /* symbols */
    WG_VEC(uint32_t) calls;  /* functions */
    bool indirect, dynamic;
};

struct wg_build {
    struct wg_ptx_text *src;
    struct wg_ptx_module *tree;
    struct wg_names *names;
    struct wg_arena *arena; /* the module's */
    struct wg_arena scratch;
    struct wg_ir_module *m;
    struct wg_scope module_scope;
    struct wg_scope *scope; /* the innermost that is open */
    WG_VEC(struct wg_ir_sym) syms;
    WG_VEC(struct wg_ir_loc) locs;
    struct wg_ptx_func **func_src; /* by function: its definition, or first declaration */
    struct wg_uses *uses;          /* by function */
    struct wg_locs *loc_table;
    struct wg_inlines *inlines;
    WG_VEC(struct wg_texture_function *) textures; /* the module's last functions */
};

/* ---- emit.c ---- */
/* A new instruction at the end of the open block, with the place filled in. Pointers to others become
 * invalid. */
struct wg_ir_instr *wg_emit(struct wg_fn *f, enum wg_op op);
struct wg_ir_opd *wg_copy_opds(struct wg_fn *f, const struct wg_ir_opd *o, uint32_t n);
/* Notes that the instruction at hand is right, but not there yet; gives false. Its place is taken by an
 * instruction of op NONE, so that only kernels that reach it fail. */
bool wg_unsupported(struct wg_fn *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- scope.c ---- */
void wg_scope_open(struct wg_build *b, struct wg_scope *s);
void wg_scope_close(struct wg_build *b);
/* NULL, reported, if the scope has the name already. */
struct wg_binding *wg_bind(struct wg_build *b, struct wg_name *n, enum wg_bind kind, uint32_t off);
struct wg_binding *wg_lookup(const struct wg_name *n, uint32_t *number); /* number: in a REGSET */

/* What an operand's name is. */
enum wg_ref_kind { WG_REF_NONE, WG_REF_REG, WG_REF_SREG, WG_REF_SYM, WG_REF_CPARAM, WG_REF_LABEL };
struct wg_ref {
    uint8_t kind;
    uint8_t vec;    /* REG: elements of a vector register named as a whole; 1 otherwise */
    uint32_t index; /* register, special register, symbol */
    struct wg_cparam *cparam;
    struct wg_ptx_label *label;
};
/* REF_NONE, reported, if the name is not known. */
struct wg_ref wg_resolve(struct wg_fn *f, const struct wg_ptx_opd *o);
uint32_t wg_new_reg(struct wg_fn *f, const char *name, uint8_t type);

/* ---- symbol.c ---- */
uint32_t wg_add_var(struct wg_build *b, const struct wg_ptx_var *v,
                    struct wg_fn *f); /* symbol, or WG_NO_REG reported */
bool wg_var_size(struct wg_build *b, const struct wg_ptx_var *v, uint64_t *size, uint32_t *align);
struct wg_layout {
    uint32_t *param, *ret; /* offsets */
    uint32_t arg_bytes, ret_offset, bytes;
};
bool wg_lay_out(struct wg_build *b, const struct wg_ptx_signature *sig, struct wg_layout *out);
void wg_build_module_vars(struct wg_build *b);
void wg_build_funcs_declared(struct wg_build *b);
/* A function of no name that code could say; there is room for one for each texture instruction. */
uint32_t wg_add_func(struct wg_build *b, struct wg_ptx_func *f);

/* ---- data.c ---- */
bool wg_build_init(struct wg_build *b, const struct wg_ptx_var *v, struct wg_ir_sym *sym);

/* ---- loc.c ---- */
void wg_locs_begin(struct wg_build *b, struct wg_fn *f);
uint32_t wg_loc_index(struct wg_build *b, struct wg_fn *f, const struct wg_ptx_loc *l);
void wg_locs_free(struct wg_build *b);

/* ---- inlined.c ---- */
/* A call that was inlined; `parent`: the one it was inlined in, or NULL. */
struct wg_inline {
    const struct wg_inline *parent;
    const char *function; /* that was called */
    uint32_t file, line, col, depth;
};
void wg_inlines_read(struct wg_build *b);
void wg_inlines_begin(struct wg_build *b); /* a function's body */
void wg_inlines_label(struct wg_build *b, const struct wg_name *label);
/* The innermost inlined call of the code behind the last label, or NULL. */
const struct wg_inline *wg_inlines_now(const struct wg_build *b);
void wg_inlines_free(struct wg_build *b);

/* ---- func.c ---- */
void wg_build_func(struct wg_build *b, uint32_t index);
/* Ends the open block and opens the next one. */
struct wg_draft *wg_end_block(struct wg_fn *f, enum wg_term term);

/* ---- operand.c ---- */
/* Converts the operands of an instruction and emits it without its guard. False: reported. */
bool wg_build_operands(struct wg_fn *f, const struct wg_ptx_instr *in, struct wg_ir_instr *out);
/* A source of `bits` width and type. */
bool wg_source(struct wg_fn *f, const struct wg_ptx_opd *o, uint8_t type, uint32_t bits, bool wider,
               struct wg_ir_opd *out);
bool wg_predicate(struct wg_fn *f, const struct wg_ptx_opd *o, struct wg_ir_opd *out);
bool wg_dest(struct wg_fn *f, const struct wg_ptx_opd *o, uint32_t bits, bool wider, bool discard,
             struct wg_ir_opd *out);
bool wg_immediate(struct wg_build *b, uint32_t off, struct wg_ptx_value v, uint8_t type, uint64_t *out);

/* ---- call.c ---- */

/* A move into a register that is as wide as the value. */
struct wg_ir_instr *wg_emit_mov(struct wg_fn *f, uint32_t reg, struct wg_ir_opd value);
bool wg_build_call(struct wg_fn *f, const struct wg_ptx_instr *in);
/* ld.param / st.param on a variable of the caller. */
bool wg_cparam_store(struct wg_fn *f, struct wg_cparam *c, const struct wg_ir_instr *st, int64_t offset);
bool wg_cparam_load(struct wg_fn *f, struct wg_cparam *c, const struct wg_ir_instr *ld, int64_t offset);
/* Before an instruction that writes these registers, and before a block ends: stored arguments must keep
 * their values. */
void wg_cparam_protect(struct wg_fn *f, const struct wg_ir_opd *dst, uint32_t n);
void wg_cparam_settle(struct wg_fn *f);
void wg_cparam_finish(struct wg_fn *f);

/* ---- flow.c ---- */
bool wg_finish_blocks(struct wg_fn *f);

/* ---- contract.c ---- */
/* Fuses products with sums, as PTX lets the assembler do. After wg_finish_blocks; makes registers. */
void wg_contract(struct wg_fn *f);

/* ---- graph.c ---- */
void wg_build_graph(struct wg_build *b);
#endif
