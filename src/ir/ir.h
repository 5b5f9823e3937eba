/* The typed IR: what PTX text means, as a control-flow graph of instructions over virtual registers.
 *
 * Made by ir/build.c from the parser's tree; read by analysis/, ref/ and jit/; not changed after that, but for kernels that are
 * counted (analysis/apart.h).
 *
 *     @%p1 bra $L2;             block 0: ... ; CBR p1 -> block 2, else block 1
 *     ld.global.v2.f32 {%f1,%f2}, [%rd4+8];     {op LD, type F32, dst {f1,f2}, src {rd4}, offset 8}
 *
 * Invariants (wg_ir_verify checks them):
 *   - Blocks are in reverse postorder with every loop's blocks next to each other ("priority order"): block 0
 *     is the entry, and of several waiting blocks the lowest runs first. Every block is reachable.
 *   - Control is only in terminators. Instructions whose row has F_WAIT (barriers, calls, nanosleep), and
 *     whatever the machine offers as a function (see call), are the LAST instruction of their block, whose
 *     terminator is then a BR: a warp that stops there goes on at the start of the next block.
 *   - Block 0 has no predecessors.
 *   - An instruction whose row has F_SYNC is the FIRST of its block: lanes that must wait for others wait at
 *     a block's start.
 *   - `guard` is only on instructions without F_WAIT, F_SYNC and F_FLOW: those become branches.
 *   - Registers have a width, not a type: an f32 lives in a 32-bit register. 8-bit registers (.b8) are
 *     16 wide like the hardware's; a source narrower than its register is its low part.
 *   - .local variables are merged into one frame a function; a symbol's `offset` is its place there.
 *   - Kernel parameters: `ld.param` has an address operand SYM (kind PARAM) + constant offset, or a register.
 *   - Calls: parameters in `.param` space of a call are laid out in one "call frame" of bytes a lane:
 *     sources of wg_ir_call. st.param/ld.param of the caller are removed: arguments and results are
 *     registers by offset.
 */
#ifndef WG_IR_IR_H
#define WG_IR_IR_H
#include "base/arena.h"
#include "base/diag.h"
#include "base/frame.h"
#include "base/record.h"
#include "ptx/op.h"

#define WG_NO_REG UINT32_MAX

enum wg_width { WG_W1, WG_W16, WG_W32, WG_W64, WG_W128 }; /* of a register */

struct wg_ir_reg {
    const char *name; /* "%rd4", as written */
    uint8_t width;    /* enum wg_width */
    uint8_t type;     /* enum wg_type it was declared with */
    bool
        shadow; /* of another register (check/instrument/shadow.h): CONVERGED leaves before it is not all ones */
};

enum wg_space { WG_S_GENERIC, WG_S_GLOBAL, WG_S_SHARED, WG_S_CLUSTER, WG_S_LOCAL, WG_S_CONST, WG_S_PARAM };

/* A variable or function that has an address. */
enum wg_sym_kind {
    WG_SYM_GLOBAL,    /* .global or .const of the module: address known when the module is loaded */
    WG_SYM_SHARED,    /* offset in the block's shared window */
    WG_SYM_DYNSHARED, /* .extern .shared x[]: starts behind all static shared memory, aligned */
    WG_SYM_LOCAL,     /* offset in the function's local frame */
    WG_SYM_PARAM,     /* kernel parameter: offset in the parameter buffer */
    WG_SYM_FPARAM, /* device function parameter: offset in the incoming call frame (each lane has its own) */
    WG_SYM_FRET,   /* device function's result: offset in the incoming call frame */
    WG_SYM_FUNC,   /* .func: its address is a wg_ir function id + 1 until loading (see call) */
};
/* A variable of the type .texref or .surfref: the description of a texture (driver/texture.c). */
enum { WG_REFERENCE_BYTES = 64 };
struct wg_ir_sym {
    const char *name;
    uint8_t kind;  /* enum wg_sym_kind */
    uint8_t space; /* enum wg_space */
    bool external; /* declared .extern, defined elsewhere or by the machine */
    bool visible;
    bool managed;
    uint8_t reference; /* enum wg_reference (ptx/tree.h): what the variable describes */
    uint32_t align;
    uint64_t size;   /* bytes */
    uint64_t offset; /* in its frame, window or buffer; for GLOBAL in the module's data image of its space */
    uint32_t func;   /* FUNC: index into module->funcs, where nblocks is 0 if it is only declared */
    const uint8_t *init;        /* GLOBAL: `size` bytes of initial value, or NULL for zeros */
    struct wg_ir_reloc *relocs; /* addresses inside `init` */
    uint32_t nrelocs;
};
struct wg_ir_reloc {
    uint64_t offset; /* in the variable: 8 bytes there get the address of sym + addend */
    uint32_t sym;
    int64_t addend;
    bool generic; /* generic(sym) was asked for */
};

enum wg_opd_kind { WG_O_NONE, WG_O_REG, WG_O_IMM, WG_O_SYM };
struct wg_ir_opd {
    uint8_t kind;   /* enum wg_opd_kind; a destination NONE discards (PTX's _) */
    bool negated;   /* predicate sources written !p */
    uint32_t index; /* register, or symbol in module->syms */
    uint64_t imm;   /* IMM: the bits (floats as their IEEE bits at the instruction's type); SYM: addend */
};

/* Where in the user's source an instruction stands; `inlined_at`: the call it was inlined at, or 0. Index 0
 * is "not known". Lines come from PTX's .loc. */
struct wg_ir_loc {
    const char *file;
    uint32_t line, col;
    uint32_t inlined_at;  /* index into module->locs */
    const char *function; /* inlined function's name, or NULL */
};

/* What an instruction of our own asks or tells (ptx/own.def). CHECK_EVENT: */
enum wg_check_event {
    WG_EVENT_FENCE,     /* behind membar and fence: scope and order are in that instruction's modifiers */
    WG_EVENT_WARP_SYNC, /* behind bar.warp.sync and the converging instructions; source: the mask, if it
                         * does not name all */
    WG_EVENT_MALLOC,    /* behind malloc; source: the pointer */
    WG_EVENT_FREE,      /* before free; source: the pointer */
    WG_EVENT_PRINT,     /* before vprintf; sources: the format, and the arguments' buffer */
    WG_EVENT_LEAVE,     /* before a branch: these lanes go where there is no barrier */
    WG_EVENT_ARRIVE, /* before an arrival at an mbarrier; sources: its address, and what more the instruction
                        has */
    WG_EVENT_PASSED, /* behind a test of an mbarrier; sources: whether its phase is over, its address */
    WG_EVENT_MBARRIER,       /* before an mbarrier begins or ends; source: its address */
    WG_EVENT_PROXY_FENCE,    /* behind a fence between threads' accesses and those of hardware of its own */
    WG_EVENT_CLUSTER_ARRIVE, /* before an arrival at the cluster's barrier that is not waited for at once */
    WG_EVENT_BULK_COMMIT, /* bulk copies of a thread so far are a group; all but the last groups (source: how
                           * many) are complete, or have read what they read */
    WG_EVENT_BULK_WAIT,
    WG_EVENT_MATRIX_COMMIT, /* the same of a warp's products of matrices in shared memory */
    WG_EVENT_MATRIX_WAIT,
    WG_EVENT_COPIES_COMMIT, /* asynchronous copies so far are a group; all but the last groups (source: how
                             * many) are complete; all are */
    WG_EVENT_COPIES_WAIT,
    WG_EVENT_COPIES_DONE,
    WG_EVENT_BARRIER, /* all of the block have come to a barrier and go on: from code that runs whole blocks
                       */
    /* Of threads that may wait by asking memory again and again (check/instrument/spin.h). One comes round, with so much
     * in hand (each told before, by an event of its own); is about to access an address; has stored there, or
     * made an atomic; is about to meet others of its warp, and has met them; has left the loop, or comes by
     * behind it. */
    WG_EVENT_SPIN_ROUND,
    WG_EVENT_SPIN_KEEPS,
    WG_EVENT_SPIN_LOOKS,
    WG_EVENT_SPIN_DONE,
    WG_EVENT_SPIN_MEETS,
    WG_EVENT_SPIN_MET,
    WG_EVENT_SPIN_LEFT,
    WG_EVENTS,
    WG_EVENT_IF_APART = 64 /* with one of them: unless all 32 lanes are here (meeting.h) */
};
enum wg_check_decides { WG_DECIDES_BRANCH, WG_DECIDES_ADDRESS, WG_DECIDES_USE }; /* CHECK_DEFINED */
enum wg_check_access {
    WG_CHECK_LOAD = 1,
    WG_CHECK_STORE,
    WG_CHECK_ATOMIC,
    WG_CHECK_SHUFFLE
}; /* CHECK_ACCESS */

/* Whether what is right has to be told of: it has; that is known when the kernel runs; it has not. */
enum wg_quiet { WG_TOLD, WG_PERHAPS_QUIET, WG_QUIET };

struct wg_ir_instr {
    uint16_t op;          /* enum wg_op */
    uint8_t type;         /* enum wg_type: T of the row */
    uint8_t type2;        /* U */
    uint8_t type3, type4; /* B and C: of matrices */
    uint8_t space; /* enum wg_space: of memory instructions (generic when none is written), cvta, mapa, ... */
    uint8_t ndst, nsrc;
    uint8_t nvec; /* elements of a vector access; 1 otherwise */
    bool guard_neg;
    bool checked; /* a memory instruction: not done in lanes that the block's last CHECK_ACCESS refused, where
                   * loads give zeros. A CHECK_ACCESS itself: those refused before stay so */
    uint8_t quiet;            /* enum wg_quiet: a CHECK_ACCESS, of accesses to shared memory */
    uint8_t mod[WG_MC_COUNT]; /* enum wg_mod by enum wg_modc */
    uint16_t columns;         /* WGMMA: N of m64nNk16 */
    uint32_t guard;           /* predicate register, or WG_NO_REG */
    uint32_t loc;             /* index into module->locs */
    uint32_t ptx_line;
    uint32_t id;    /* its number in the module, from 1, which copies of it keep; 0: it is not of the text */
    int64_t offset; /* of a memory instruction's address: src[0] is the base */
    struct wg_ir_opd *dst, *src; /* in the order of the text; a `d|p` pair is dst[0], dst[1] */
    union {
        struct wg_ir_call *call; /* CALL */
        uint32_t sreg;           /* MOV_SREG: enum wg_sreg */
        uint32_t check;          /* own.def: enum wg_check_access, wg_check_event or wg_check_decides */
        const char *unsupported; /* op NONE: what is not there yet, as a message ("unsupported instruction
                                  * 'mma.sync...'"); see wg_ir_check_supported */
    };
};

/* A load or store that others' need not be ordered with: neither volatile, relaxed or stronger, nor `.cv`,
 * which asks memory each time. */
static inline bool wg_ir_is_weak(const struct wg_ir_instr *in) {
    uint8_t sem = in->mod[WG_MC_SEM];
    return (sem == WG_M_none || sem == WG_M_weak) && in->mod[WG_MC_CACHE] != WG_M_cv;
}

/* Arithmetic that becomes a branch to a slow path for rare operands (subnormals, overflow; 64 bits that need them all). */
bool wg_ir_has_slow_path(const struct wg_ir_instr *in);

/* What the machine itself offers as functions (declared .extern in PTX). */
/* clang-format off */
#define WG_BUILTINS(X)                                                                                        \
    X(vprintf, "vprintf") X(malloc, "malloc") X(free, "free") X(assertfail, "__assertfail")                    \
    X(grid_sync, "__wg_grid_sync") X(grid_is_cooperative, "__wg_grid_is_cooperative")                          \
    X(device_runtime, "__wg_device_runtime") X(launch_device, "__cudaCDP2LaunchDeviceV2")                      \
    X(launch_device_ptsz, "__cudaCDP2LaunchDeviceV2_ptsz")
/* clang-format on */
enum wg_builtin {
    WG_B_none,
#define X(id, spelled) WG_B_##id,
    WG_BUILTINS(X)
#undef X
        WG_B_COUNT
};

/* A call. Arguments and results live in the call frame: `bytes` per lane, each lane's contiguous. */
struct wg_ir_arg {
    struct wg_ir_opd value; /* argument: source; result: destination register */
    uint8_t type;           /* enum wg_type of the st.param / ld.param */
    uint32_t offset;        /* in the call frame */
};
struct wg_ir_call {
    uint32_t func;           /* index into module->funcs; WG_NO_REG when indirect or built in */
    uint8_t builtin;         /* enum wg_builtin */
    struct wg_ir_opd target; /* indirect: register holding the function's address */
    struct wg_ir_arg *args, *rets;
    uint32_t nargs, nrets;
    uint32_t arg_bytes; /* arguments lie at [0, arg_bytes) of the frame, results at [ret_offset, bytes) */
    uint32_t ret_offset, bytes;
};

enum wg_term {
    WG_TERM_BR,
    WG_TERM_CBR,
    WG_TERM_BRX,
    WG_TERM_RET,
    WG_TERM_EXIT,
    WG_TERM_TRAP,
    WG_TERM_BAD_CALL, /* what an indirect call becomes for a target that is no function (analysis/inline.h) */
    WG_TERM_OVERFLOW  /* of the stack (analysis/recursion.c) */
};
struct wg_ir_block {
    const char *label;
    struct wg_ir_instr *instrs;
    uint32_t ninstrs;
    uint8_t term;   /* enum wg_term */
    bool cond_neg;  /* CBR: taken when the predicate is false */
    bool uniform;   /* bra.uni and the like: a promise of the program's */
    bool nounroll;  /* .pragma "nounroll": the loop that begins here is one the assembler leaves as it is */
    bool goes_on;   /* whoever comes by has run an iteration of a sweep (analysis/interchange.h) */
    bool rare;      /* CBR: lanes of a warp part here once a launch, if at all (analysis/interchange.h) */
    uint32_t cond;  /* CBR: predicate register; BRX: index register (u32); index out of range traps */
    uint32_t *succ; /* CBR: {taken, not taken}; BR: {next}; BRX: the table */
    uint32_t nsucc;
    uint32_t loc, ptx_line;
    uint32_t id;    /* of the branch or exit at its end, among the instructions' numbers */
    uint32_t *pred; /* blocks that come here */
    uint32_t npred;
    uint32_t loop; /* innermost natural loop: its header's index, or WG_NO_REG; a header is in its own loop */
    uint32_t outer; /* of a header: the header of the next loop around its own; WG_NO_REG otherwise */
};

struct wg_ir_param {
    const char *name;
    uint32_t offset, size, align; /* kernel: in the parameter buffer; function: in the call frame */
    bool pointer;                 /* .ptr */
};

/* Blocks in front of stages, which ask for one. */
enum { WG_STAGE_ASKS = 2 };

struct wg_ir_func {
    const char *name;
    const char *
        within; /* what one instruction of this function became (ir/texture.h); NULL: a function of its own */
    bool entry; /* .entry: a kernel */
    bool visible;
    struct wg_ir_reg *regs;
    uint32_t nregs;
    struct wg_ir_block *blocks;
    uint32_t nblocks; /* 0: only declared */
    struct wg_ir_param *params;
    uint32_t nparams;
    uint32_t param_bytes; /* kernel: size of the parameter buffer; function: arguments in the call frame */
    struct wg_ir_param *rets;
    uint32_t nrets, ret_offset, frame_bytes; /* call frame as in wg_ir_call */
    uint32_t local_bytes, local_align;       /* .local of this function */
    uint32_t shared_bytes; /* static shared memory that this function and what it calls name (kernels) */
    bool uses_dynamic_shared;
    bool has_calls, has_indirect_calls;
    bool recursive; /* calls, direct or through others, may come back to it; an indirect call may go to any
                     * function whose address is taken */
    bool address_taken; /* .func: an indirect call may go to it */
    bool noreturn;
    uint32_t maxntid[3], reqntid[3], minnctapersm, maxnreg; /* 0: not given */
    uint32_t reqnctapercluster[3], maxclusterrank;
    bool explicit_cluster;
    uint32_t loc, ptx_line; /* loc: the first place in its body */
    bool stages;            /* cut at its barriers, behind WG_STAGE_ASKS blocks (analysis/tables.h) */
    bool saves;  /* recursion, in place: registers are saved in wg_warp.saves (analysis/recursion.c) */
    bool frames; /* the same: local memory behind local_bytes is a stack */
    bool sweeps; /* made so that blocks can run each iteration together (analysis/interchange.h) */
    bool apart;  /* lanes that do not meet run copies (analysis/apart.h) */
    const char *refused; /* what is wrong with its text, as it is told, lines and all; its body is then one
                          * instruction of op NONE. NULL: nothing */
};

struct wg_ir_module {
    struct wg_arena arena;
    const char *name;     /* for messages: the PTX file's */
    uint32_t ptx_version; /* 78: .version 7.8 */
    uint32_t sm;          /* 90: .target sm_90 */
    bool sm_specific;     /* sm_90a */
    struct wg_ir_func *funcs;
    uint32_t nfuncs;
    struct wg_ir_sym *syms;
    uint32_t nsyms;
    struct wg_ir_loc *locs;
    uint32_t nlocs;
    uint64_t global_bytes, const_bytes; /* data images: GLOBAL symbols by space, `offset` into them */
    uint32_t nids;                      /* instructions and ends of blocks are numbered 1 .. nids - 1 */
    uint64_t text_hash[2];              /* of the PTX text: part of cache keys */
    uint32_t nrefused;                  /* functions whose text is wrong */
    const struct wg_record *records;    /* padded structures; none: the text does not say which there are */
    uint32_t nrecords;
};

/* What a matrix instruction's operands are: registers of each lane, and their width in bits. Sources are in
 * the order a, b, c; of a load, store or move there is one part, `a` or `d`. */
struct wg_ir_parts {
    struct wg_matrix_shape shape;
    uint8_t a, b, c, d, bits;
};
/* False: there is no such matrix instruction, or it is not there yet. */
bool wg_ir_matrix_parts(const struct wg_ir_instr *i, struct wg_ir_parts *out);

/* What the instruction's row says of a source that stands before all vectors and matrices. NULL: the row is not
 * that long. */
const struct wg_row_form *wg_ir_source_form(const struct wg_ir_instr *in, uint32_t source);
/* The width that the row of an instruction of registers gives a source, which the row must have; a register may be
 * wider. */
uint32_t wg_ir_source_bits(const struct wg_ir_instr *in, uint32_t source);

/* Parses and builds. On errors says them in `d` and gives NULL. `text` needs a zero byte at text[len]. */
struct wg_ir_module *wg_ir_from_ptx(const char *name, const char *text, size_t len, struct wg_diag *d);
/* The same, but what is wrong inside of a function refuses that function alone. NULL where no kernel is left,
 * as well. */
struct wg_ir_module *wg_ir_from_ptx_apart(const char *name, const char *text, size_t len, struct wg_diag *d);
void wg_ir_free(struct wg_ir_module *m);
/* True, said in `d` (which may be NULL), when `func` or a function that it may call is refused. */
bool wg_ir_refused(const struct wg_ir_module *m, uint32_t func, struct wg_diag *d);
/* Whether the function itself calls one of these: bits of enum wg_builtin. */
bool wg_ir_calls(const struct wg_ir_func *f, uint32_t builtins);
/* Whether `func`, or a function that it may call, calls printf, malloc, free or what a failed assertion calls. */
bool wg_ir_makes_system_calls(const struct wg_ir_module *m, uint32_t func);
/* [nfuncs] `func`, and the functions that it may come to. To be freed. */
bool *wg_ir_reached(const struct wg_ir_module *m, uint32_t func);
/* Where the call with this number is; 0: not known. */
uint32_t wg_ir_call_loc(const struct wg_ir_module *m, uint32_t id);
/* False, said in `d`, when `func` or a function that it calls is refused, or has an instruction that is not
 * there yet (op NONE). To be asked before compiling or interpreting a kernel; the rest of the module stays
 * usable. */
bool wg_ir_check_supported(const struct wg_ir_module *m, uint32_t func, struct wg_diag *d);
/* Puts a function's blocks into priority order, finds its loops and each block's predecessors. Every block is
 * reachable. */
void wg_ir_order(struct wg_arena *a, struct wg_ir_func *f);
/* NULL, or what is wrong with the module (a bug of ours), in the module's arena. */
const char *wg_ir_verify(struct wg_ir_module *m);
/* Text for people and tests: `--dump ir`. */
void wg_ir_print(const struct wg_ir_module *m, const struct wg_ir_func *f, struct wg_strbuf *out);
/* The opcode and its words, as PTX has them: "shfl.sync.down.b32". */
void wg_ir_print_words(const struct wg_ir_instr *i, struct wg_strbuf *out);
/* frames.c: a location (0: none) with its inlined callers; `outermost` is the function of the last where the
 * line information names none. Names are the module's. */
struct wg_frame *wg_ir_frames(struct wg_arena *a, const struct wg_ir_module *m, uint32_t loc,
                              const char *outermost, uint32_t *count);
uint32_t wg_ir_find_func(const struct wg_ir_module *m, const char *name); /* WG_NO_REG if there is none */
#endif
