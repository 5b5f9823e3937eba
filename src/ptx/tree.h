/* The syntax tree of a PTX module: what was written, in order, before any name has a meaning. The IR builder
 * reads it and throws it away.
 *
 *     @%p1 ld.global.v2.f32 {%f1,%f2}, [%rd4+8];
 *     INSTR  guard %p1, match {LD, F32, SPACE=global, VEC=v2},
 *            operands VECTOR{NAME, NAME}, ADDRESS{NAME %rd4 +8}
 *
 * Places are byte offsets (`off`) into the text. Modifiers are already matched to a row of ops.def; an
 * instruction that PTX has and the table has not carries its text in `unsupported`.
 */
#ifndef WG_PTX_TREE_H
#define WG_PTX_TREE_H
#include "base/record.h"
#include "ptx/lex.h"
#include "ptx/row.h"

/* A constant: what a constant expression came to. */
enum wg_ptx_value_kind { WG_V_INT, WG_V_F32, WG_V_F64 };
struct wg_ptx_value {
    uint8_t kind;
    bool is_unsigned; /* INT */
    uint64_t bits;
};

enum wg_ptx_opk {
    WG_P_NAME, /* register, symbol, label; `plus` is a constant added to it; `suffix` as in %tid.x, %v.y */
    WG_P_VALUE,
    WG_P_VECTOR,  /* {a, b} */
    WG_P_ADDRESS, /* [a+4]; texture forms have several elements */
    WG_P_PAIR,    /* d|p */
    WG_P_LIST,    /* (a, b) of a call */
    WG_P_SINK,    /* _ */
};
struct wg_ptx_opd {
    uint8_t kind;
    bool negated; /* !p */
    bool has_plus;
    bool minus; /* -%r1: only where an instruction has it */
    uint32_t off, nelem;
    struct wg_name *name, *suffix;
    int64_t plus;
    struct wg_ptx_value value;
    struct wg_ptx_opd *elem;
};

struct wg_ptx_instr {
    struct wg_name *opcode;
    struct wg_match match;   /* op NONE: unsupported */
    const char *unsupported; /* "mma.sync.aligned.m16n8k16...", or NULL */
    struct wg_name *guard;   /* NULL: none */
    bool guard_neg;
    uint32_t guard_off;
    struct wg_ptx_opd *opd;
    uint32_t nopd;
};

enum wg_ptx_space {
    WG_PS_REG,
    WG_PS_SREG,
    WG_PS_GLOBAL,
    WG_PS_CONST,
    WG_PS_SHARED,
    WG_PS_LOCAL,
    WG_PS_PARAM,
    WG_PS_TEX
};
/* An initialiser: a list in braces, a constant, or an address. */
struct wg_ptx_init {
    bool list, symbol, generic;
    uint64_t mask; /* 0xff00(sym): one byte of the address; 0: the whole */
    uint32_t off, n;
    struct wg_ptx_init *elem;
    struct wg_ptx_value value;
    struct wg_name *name;
    int64_t addend;
};
/* What a variable without a type of PTX stands for: .texref, .samplerref, .surfref. */
enum wg_reference { WG_REFERENCE_NONE, WG_REFERENCE_TEXTURE, WG_REFERENCE_SAMPLER, WG_REFERENCE_SURFACE };
enum { WG_PTX_MAX_DIMS = 8 };
struct wg_ptx_var {
    struct wg_name *name; /* NULL: `_` in prototypes */
    uint32_t off, line;
    uint8_t space;     /* enum wg_ptx_space */
    uint8_t type;      /* enum wg_type; NONE for .texref and the like */
    uint8_t reference; /* those: enum wg_reference */
    uint8_t vec;       /* .v2: 2; 1 otherwise */
    bool external, visible, weak, common, managed, pointer;
    bool array, unsized; /* x[3], x[] */
    uint32_t align;      /* as written; 0: the type's own */
    uint32_t count;      /* %r<count>; 0: a plain name */
    uint8_t ndims;
    uint64_t dims[WG_PTX_MAX_DIMS];
    struct wg_ptx_init *init;
};

struct wg_ptx_loc {
    uint32_t file, line, col;
    struct wg_name *function; /* label in .debug_str, or NULL */
    uint32_t function_plus;
    bool inlined;
    uint32_t at_file, at_line, at_col;
};

/* .callprototype and the heads of functions. */
struct wg_ptx_signature {
    struct wg_ptx_var *rets, *params;
    uint32_t nrets, nparams;
    bool noreturn;
};

/* A label, or a table behind one. Labels of a scope are listed there, since branches may stand before them.
 */
struct wg_ptx_label {
    struct wg_name *name;
    uint32_t off;
    struct wg_ptx_label *next;          /* in its scope */
    struct wg_ptx_signature *prototype; /* .callprototype */
    struct wg_ptx_opd *targets;         /* .branchtargets, .calltargets */
    uint32_t ntargets;
    bool is_table;
    bool nounroll;  /* .pragma "nounroll" stands at it: the loop that begins here is not to be unrolled */
    uint32_t block; /* the IR builder: 1 + where it stands, 0: not met yet */
};
struct wg_ptx_scope {
    struct wg_ptx_scope *parent;
    struct wg_ptx_label *labels;
};

enum wg_ptx_stmt_kind { WG_ST_INSTR, WG_ST_LABEL, WG_ST_VAR, WG_ST_LOC, WG_ST_OPEN, WG_ST_CLOSE };
struct wg_ptx_stmt {
    uint8_t kind;
    uint32_t off, line;
    union {
        struct wg_ptx_instr *instr;
        struct wg_ptx_label *label;
        struct wg_ptx_var *var;
        struct wg_ptx_loc *loc;
        struct wg_ptx_scope *scope; /* OPEN */
    };
};

struct wg_ptx_func {
    struct wg_name *name;
    uint32_t off, line;
    bool entry, external, visible, weak;
    struct wg_ptx_signature sig;
    bool has_body;
    struct wg_ptx_scope scope; /* the body's */
    struct wg_ptx_stmt *stmts;
    uint32_t nstmts;
    uint32_t maxntid[3], reqntid[3], minnctapersm, maxnreg, reqnctapercluster[3], maxclusterrank;
    bool explicit_cluster;
    const char *refused;           /* what is wrong with it alone (lex.h: wg_ptx_aside), or NULL */
    struct wg_ptx_loc *refused_at; /* the last .loc before that, or NULL */
};

struct wg_ptx_file {
    uint32_t index;
    const char *path;
};
/* A string of .section .debug_str, by its label. */
struct wg_ptx_string {
    struct wg_name *label;
    const char *bytes; /* to the end of the section's string, with a zero byte behind */
    uint32_t len;
};
/* A section of debugging information: bytes in the machine's order, and where a label stands in place of a
 * number (a difference of labels: the first). */
struct wg_ptx_debug_ref {
    uint32_t at;
    struct wg_name *label;
};
struct wg_ptx_debug {
    const uint8_t *bytes;
    uint32_t n;
    const struct wg_ptx_debug_ref *refs; /* rising `at` */
    uint32_t nrefs;
};
struct wg_ptx_alias {
    struct wg_name *name, *target;
    uint32_t off;
};

struct wg_ptx_module {
    uint32_t version; /* 78: .version 7.8 */
    uint32_t sm;
    bool sm_specific;
    bool debug;         /* .target sm_90, debug: for the debugger, not optimised */
    uint32_t ntextures; /* instructions that access a texture or a surface */
    WG_VEC(struct wg_ptx_var *) vars;
    WG_VEC(struct wg_ptx_func *) funcs;
    WG_VEC(struct wg_ptx_file) files;
    WG_VEC(struct wg_ptx_string) strings;
    struct wg_ptx_debug abbrev, info, ranges; /* .section .debug_abbrev, .debug_info, .debug_ranges */
    WG_VEC(struct wg_ptx_alias) aliases;
    WG_VEC(struct wg_record) records; /* their holes are names' and stay with them */
};
#endif
