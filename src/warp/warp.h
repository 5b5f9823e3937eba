/* The execution interface of a warp: what compiled kernels and the machine agree on.
 *
 * A compiled kernel is a function that runs one warp until it blocks or ends: `wg_warp_fn`. Generated code
 * (jit/) and the scalar reference (ref/) both implement it; machine/ calls it and is independent of how. A
 * block is its warps, scheduled on one worker thread; a cluster is its blocks on one worker.
 *
 *     enum wg_warp_status s = k->run(warp);    first time: warp->resume == 0
 *     DONE     every lane has exited
 *     BARRIER  all live lanes wait at the same block barrier: warp->wait[0] says which; the machine counts
 *              them, and when the barrier completes calls run() again, which resumes after it
 *     WAITING  live lanes wait at several places (or a barrier with only some of the lanes), each other among
 *              them: warp->wait[0..nwait)
 *     YIELD    the warp spins, or sleeps: run the others, then call again; the reference says in
 *              warp->fault.loc where
 *     FAULT    stop the launch: warp->fault says why
 *
 * Lane l of warp w in a block is thread w*32+l in the order x, y, z. Lanes beyond the block's size are not
 * live.
 *
 * Memory as generated code sees it:
 *   global, const, param, local and generic addresses are the process's own addresses.
 *   A shared address is a 32-bit offset from block->cluster_shared, signed: block r of a cluster has its own
 *   window at r * WG_SHARED_STRIDE + [0, size), so shared::cta and shared::cluster are one numbering, mapa
 *   adds strides, and the generic address is cluster_shared + offset. A block's static variables start at
 *   block->shared_offset = rank * WG_SHARED_STRIDE.
 *   cluster_shared is a multiple of WG_SHARED_STRIDE: the low 24 bits of a generic address are the offset in
 *   the window, as on an H100, which programs rely on. Between windows nothing is mapped, nor in reach of 32
 *   bits of them.
 *   Lane l's local frame: warp->local + l * warp->local_stride, growing up.
 */
#ifndef WG_WARP_WARP_H
#define WG_WARP_WARP_H
#include "ir/ir.h"
#include "warp/combine.h"
#include <stddef.h>

enum {
    WG_LANES = 32,
    WG_SHARED_STRIDE = 1 << 24,
    WG_SHARED_RANKS = 31,        /* more than the blocks of any cluster */
    WG_SHARED_MOST = 256 * 1024, /* of a window: more than any chip's blocks have */
    WG_BARRIERS = 16,            /* that programs name */
    WG_GROUP_BARRIERS = 8,       /* after them: one for each four warps, of wgmma.wait_group */
    WG_MAX_WAITS = 32,
    WG_SWEEP_BLOCKS = 64,           /* most blocks that are swept together, in a row of the grid... */
    WG_SWEEP_MOST_X = (1 << 30) - 1 /* ...up to this one */
};
enum {
    WG_WORKSPACE_BYTES = 64,
    WG_RESERVED_BYTES = 1024,
    /* %reserved_smem_offset_end of an H200. Programs may read it; here a block's own variables begin at 0. */
    WG_SYSTEM_SHARED_USED = 288,
};

/* Stages of code that is fissioned at its barriers (analysis/tables.h): block->stage. */
enum wg_stage { WG_STAGE_CLEAR, WG_STAGE_COUNT, WG_STAGE_HAND_OVER, WG_STAGES };
/* Which launches the machine runs by stages, where code has them: of blocks by themselves, of clusters. */
enum wg_runs_stages { WG_STAGES_NONE, WG_STAGES_BLOCKS, WG_STAGES_CLUSTERS };

/* LEFT and GRID: of `whole` alone, see struct wg_code. */
enum wg_warp_status {
    WG_WARP_DONE,
    WG_WARP_BARRIER,
    WG_WARP_WAITING,
    WG_WARP_YIELD,
    WG_WARP_FAULT,
    WG_WARP_LEFT,
    WG_WARP_GRID
};

/* WARP: for other lanes of the warp. The function ends these waits by itself, and reports them only when
 * nothing but the release of others could end them: then the machine can report the cycle. MBARRIER: not a
 * wait of the warp, but the reported state of lanes that poll an mbarrier. */
enum wg_wait_kind { WG_WAIT_BLOCK, WG_WAIT_CLUSTER, WG_WAIT_GRID, WG_WAIT_WARP, WG_WAIT_MBARRIER };

/* A group of lanes that waits at one place. */
struct wg_wait {
    uint32_t lanes;     /* which */
    uint8_t kind;       /* enum wg_wait_kind */
    uint8_t red;        /* enum wg_mod of bar.red: WG_M_popc, and, or; WG_M_none otherwise */
    uint8_t released;   /* set by the machine: these lanes may continue */
    uint8_t id;         /* BLOCK: barrier 0..15 */
    uint32_t threads;   /* BLOCK: the thread count given, or 0 for all threads of the block */
    uint32_t predicate; /* bar.red: lanes whose predicate holds */
    uint32_t result;    /* bar.red: set by the machine before release: the count, or 0/1 */
    uint32_t resume;    /* their resume point: the function's own numbering */
    uint32_t site;      /* id of the instruction they wait at; 0: not known */
    uint32_t loc;       /* index into the module's locs, 0: not known: says where lanes wait in a deadlock */
};

enum wg_fault_kind {
    WG_FAULT_NONE,
    WG_FAULT_ADDRESS, /* an address that is not device memory */
    WG_FAULT_MISALIGNED,
    WG_FAULT_TRAP,        /* trap, brx.idx out of its table */
    WG_FAULT_ASSERT,      /* __assertfail: the message has been printed */
    WG_FAULT_UNSUPPORTED, /* an unimplemented instruction was reached */
    WG_FAULT_CALL,        /* an indirect call whose target is not a function */
    WG_FAULT_DEADLOCK,    /* lanes wait for each other */
    WG_FAULT_STACK,       /* stack overflow in local memory */
    WG_FAULT_TIMEOUT,
    WG_FAULT_BARRIER,  /* barrier number or count out of range */
    WG_FAULT_COPY,     /* a bulk copy's size, alignment, tensor map or mbarrier is invalid */
    WG_FAULT_MBARRIER, /* `address` is no mbarrier, or its counts would be out of range */
};
struct wg_fault {
    uint32_t kind; /* enum wg_fault_kind */
    uint32_t lane; /* WG_LANES: not known */
    uint32_t loc;  /* index into the module's locs, 0: not known */
    uint32_t size; /* bytes of the access */
    uint64_t address;
    uint32_t op;   /* enum wg_op */
    uint32_t func; /* index into module->funcs */
};

struct wg_warp;
struct wg_block;
struct wg_code;
struct wg_sites;  /* analysis/sites.h: what is counted of a kernel */
struct wg_tally;  /* count/tally.h: a worker's counts of a launch */
struct wg_counts; /* count/counters.h: a row of counters */

/* Code with checks in it (check/README.md) keeps for each instruction where its last accesses were found
 * good: a lane's access may begin at [lo, lo + starts). In the shared memory of a cluster's blocks these are
 * places in each block's. The machine sets it; zeros: nowhere. quiet: valid accesses of that instruction
 * cannot race there, and need not be reported. defined: what *block->undefined was when all bytes
 * that they reach were defined; 0: they are not. */
struct wg_check_window {
    uint64_t lo, starts, quiet, defined;
};
/* A hash of 16 bytes: hashes are only compared. */
#define WG_CHECK_BOTH UINT64_C(0x9e3779b97f4a7c15)
static inline uint64_t wg_check_both(uint64_t low, uint64_t high) { return low ^ high * WG_CHECK_BOTH; }
/* Lanes are about to make the access of instruction `id`. */
struct wg_check_ask {
    const uint64_t *address; /* the process's, of shared memory, too; NULL: as `spread` has them */
    const struct wg_check_spread *spread;
    uint64_t base, scale;
    const uint64_t
        *value;       /* stores: what is written, of 16 bytes both halves (wg_check_both); NULL: not known */
    int64_t variable; /* local memory: where in a lane's memory the variable lies; -1: not known */
    uint32_t id;
    bool inside;    /* every lane is in the instruction's window, and aligned */
    bool converged; /* where a lane is refused nothing else happens, and the same is asked again */
};
/* An access whose lanes' addresses are computed from one: lane l is at base + k[l] + scale * r[l]. A constant
 * in the code. */
struct wg_check_spread {
    uint64_t id, converged, scaled; /* scaled: r is not all zeros */
    int64_t variable, low, high;    /* the least and the most of k */
    int64_t k[WG_LANES], r[WG_LANES];
};

/* Rows of a tile, or its columns where these are contiguous: addresses are the process's. */
struct wg_check_tile {
    uint64_t at, pitch; /* bytes from one to the next */
    uint32_t rows, bytes;
};
enum { WG_BULK_REFUSED = 1, WG_BULK_SILENT = 2, WG_BULK_BYTES = 2 };
enum { WG_GIVEN = 8 };
enum { WG_GRANULE = 16, WG_GRANULES = WG_SHARED_MOST / WG_GRANULE };

/* What generated code asks of the machine. Every function gets the warp; `lanes` is the mask of lanes that
 * call. Vector arguments are arrays of 32, entries of other lanes hold garbage. */
/* What is added later: atomics flush f32's subnormals, copies that add keep them. */
enum wg_sum_kind { WG_SUM_F32, WG_SUM_F32_KEPT, WG_SUM_F64 };

struct wg_services {
    /* id: the call's */
    void (*vprintf)(struct wg_warp *w, uint32_t id, uint32_t lanes, const uint64_t *format,
                    const uint64_t *args, uint32_t *ret);
    void (*malloc)(struct wg_warp *w, uint32_t id, uint32_t lanes, const uint64_t *size, uint64_t *ret);
    void (*free)(struct wg_warp *w, uint32_t id, uint32_t lanes, const uint64_t *ptr);
    /* warp/device_runtime.h: `what`, and its arguments */
    void (*device_runtime)(struct wg_warp *w, uint32_t id, uint32_t lanes, const uint64_t *what,
                           const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *ret);
    /* message, file, function: addresses of strings in device memory */
    void (*assertfail)(struct wg_warp *w, uint32_t lanes, const uint64_t *message, const uint64_t *file,
                       const uint32_t *line, const uint64_t *function);
    /* bar.arrive: counts lanes at barrier `id` without waiting; threads: the count given */
    void (*bar_arrive)(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t threads);
    void (*cluster_arrive)(struct wg_warp *w, uint32_t lanes);
    uint64_t (*clock)(struct wg_warp *w);       /* cycles of the modelled SM clock */
    uint64_t (*globaltimer)(struct wg_warp *w); /* nanoseconds */
    /* warp/combine.h; code compiled with `combine` only. Additions to elements of `element` bytes, of which
     * the first is at `low` and the last at `high`, are not all where combiner `which` has additions: may
     * they go to sums all the same? The sums are to be added now, because an access would touch what is
     * pending of combiner `touched` (WG_COMBINERS: because of a fence or the like). */
    bool (*combine_miss)(struct wg_warp *w, uint32_t which, uint64_t low, uint64_t high, uint32_t element);
    void (*publish)(struct wg_warp *w, uint32_t touched);
    /* Code of CHECK_ACCESS, CHECK_EVENT and CHECK_DEFINED (ptx/own.def). check_access gives the lanes that
     * must not make the access. Operands are the lanes' sources, NULL where there is none. */
    uint32_t (*check_access)(struct wg_warp *w, uint32_t lanes, const struct wg_check_ask *a);
    void (*check_event)(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t event, const uint64_t *a,
                        const uint64_t *b);
    /* What decides is undefined in these lanes; they load or store something undefined:
     * check/instrument/shadow.h. */
    void (*check_defined)(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t decides);
    void (*check_undefined)(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t access,
                            const uint64_t *address);
    /* What hardware of its own does, as it begins, in code with checks (w->windows is not NULL).
     * A bulk or tensor copy of one lane: its sources, addresses as the process has them. Gives 0, or that it
     * is not made: WG_BULK_REFUSED, with WG_BULK_SILENT where its mbarriers are not signalled either,
     * else those shifted by WG_BULK_BYTES.
     * A tile that a warp loads or stores: false, it is not touched, and loads give zeros. A product: which 16
     * bytes of the block's shared memory the warp reads for it, a bit each. */
    uint64_t (*check_bulk)(struct wg_warp *w, uint32_t lane, uint32_t id, const uint64_t *sources);
    bool (*check_tile)(struct wg_warp *w, uint32_t lanes, uint32_t id, const struct wg_check_tile *t);
    void (*check_operands)(struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *granules);
    /* Where wg_block.adds_later: adds each lane's bits of b to global memory. Gives the lanes that
     * have to do it themselves. */
    uint32_t (*add_later)(struct wg_warp *w, uint32_t lanes, const uint64_t *at, const uint64_t *b,
                          enum wg_sum_kind kind);
    /* What warp/touch.h cannot answer by itself. */
    bool (*may_touch)(struct wg_warp *w, uint64_t at, uint64_t bytes);
    /* Compilation begins, or ends, before the warp can continue: this time is not the kernel's. In pairs. */
    void (*making)(struct wg_warp *w, bool begins);
    /* Grid barrier is a wait of kind GRID, no service. */
};

/* One block in flight. Generated code reads the first part; the rest belongs to machine/. */
struct wg_block {
    const struct wg_services *services;
    uint8_t *cluster_shared;     /* shared offset 0 of the cluster */
    uint64_t arena, arena_bytes; /* the device's address space: warp/touch.h */
    const uint8_t *params;       /* the launch's parameter buffer */
    const uint64_t *symbols;     /* address of each GLOBAL symbol, by index into module->syms */
    uint32_t shared_offset;      /* of this block's own window */
    uint32_t dynamic_shared;     /* bytes of dynamic shared memory of the launch */
    uint32_t static_shared;      /* where dynamic shared memory begins in the window (aligned) */
    uint32_t reserved_at;   /* offset of WG_RESERVED_BYTES that are zero at the block's start, in modules that
                             * read %reserved_smem_offset_1 (NVIDIA's cooperative groups) */
    uint32_t system_shared; /* bytes that the chip takes of each block's shared memory */
    uint32_t warp_slots;    /* %nwarpid: of an SM */
    uint32_t ctaid[3], nctaid[3], ntid[3];
    uint32_t clusterid[3], nclusterid[3], cluster_ctaid[3], cluster_nctaid[3];
    uint32_t cluster_ctarank, cluster_nctarank;
    uint32_t explicit_cluster; /* 0 or 1 */
    uint32_t cooperative;      /* 0 or 1 */
    uint32_t streams;          /* 0 or 1: the launch writes more than the host's caches hold */
    uint32_t smid, nsmid;
    uint32_t workspace[2]; /* %envreg2 and %envreg1: the two halves of an address of WG_WORKSPACE_BYTES zeroed
                            * bytes, where a cooperative grid's blocks meet; 0 in other launches */
    uint64_t gridid;
    const uint32_t *stop; /* non-zero: the launch is cancelled (timeout, Ctrl-C, a fault elsewhere): polled
                           * where warps yield */
    struct wg_combiner *combiners; /* the worker's, WG_COMBINERS of them */
    /* run() may continue by itself from a warp that is done, or waits for all at barrier 0, with the next
     * live one up to this; it stores in *current which one it runs. NULL: it runs one warp. */
    const struct wg_warp *last;
    struct wg_warp *_Atomic *current; /* the worker's: the warp that faulted or returned */
    /* `whole` may continue by itself with so many more blocks, in the order x, y, z: it counts them down, and
     * sets ctaid, before it begins each. Their other fields the machine sets when it is called for them. */
    uint64_t more;
    /* Code that sweeps (loop interchange of blocks and iterations): how many iterations of its loop the block
     * has run. It runs one now and sets goes_on, or runs all that are left. And %ctaid.x of the first and the
     * last of the blocks that are swept together. The last one answers for all; after it the code may begin
     * the first one's next iteration by itself, with `more` as it was there. last_x 0: the block runs all its
     * iterations by itself. */
    uint32_t iteration, first_x, last_x, goes_on;
    uint32_t stage;  /* code with stages: the one to run; the block then ends */
    uint64_t lines;  /* code with shadows: the byte of the arena's first line (machine/memory/shadow.h) */
    uint64_t shadow; /* wg_code_opts.shadow */
    /* The same: how often something undefined has come into device memory, from 1 on; whether all of the
     * block's own window is defined, which only what GENERAL does can end. */
    const uint64_t *undefined;
    uint64_t shared_defined;
    /* Memory outside the device's own that may_touch found: the host's, or another device's. The last found
     * is first, and generated code looks at it alone; the rest spare loops over several arrays the search. */
    struct wg_given {
        uint64_t base, bytes;
    } given[WG_GIVEN];
    uint32_t adds_later; /* 0 or 1: floats are added to global memory by the service of that name */
    void *machine;       /* machine/'s own */
    uint64_t lane_order; /* the reference: lanes run one at a time, 1: the last first, else by chance with
                                  * this key; 0: those at one place together */
};

enum { WG_SAVES_MOST = 1 << 30 }; /* bytes at wg_warp.saves */

struct wg_warp {
    struct wg_block *block;
    uint8_t *frame; /* kernel->frame_bytes, 64-byte aligned: registers across stops; the function's own */
    uint8_t *local; /* lane 0's local memory */
    uint64_t local_stride;   /* bytes of local memory a lane */
    uint8_t *saves;          /* the function's own: registers that recursion saves, 64-byte aligned */
    uint64_t save_bytes;     /* its size, all lanes' */
    uint32_t id;             /* in the block */
    uint32_t live;           /* lanes that have not exited */
    uint32_t active;         /* the function's own: lanes to continue with */
    uint32_t resume;         /* the function's own; 0: start */
    uint32_t version;        /* the function's own */
    uint32_t met;            /* the function's own; 0 at the start */
    uint32_t spun, spent;    /* slices.h; 0 at the start: lanes last on a back edge; repeats in vain */
    uint32_t rounds, rested; /* slices.h; 0 at the start */
    uint32_t told; /* the access where CONVERGED left after check_access was called for it; 0: none */
    uint64_t clocks_of,
        clocks;    /* service.c: how often it has asked for the time in this block of this launch */
    uint32_t fuel; /* the reference: back edges, of any loop, until it yields; it counts them down, the
                      machine sets it */
    uint32_t nwait;
    const struct wg_code *code;      /* what runs this warp; the machine sets it */
    struct wg_tally *tally;          /* the worker's, where the code counts; else NULL */
    struct wg_check_notes *notes;    /* check_init.c's own */
    struct wg_check_window *windows; /* the worker's, by instruction id, in code with checks; else NULL */
    void *machine;                   /* machine/'s own */
    struct wg_fault fault;
    struct wg_wait wait[WG_MAX_WAITS]; /* last: fields touched at every start are adjacent */
};

typedef enum wg_warp_status (*wg_warp_fn)(struct wg_warp *w);

/* Block remapping: how a launch's threads are distributed to blocks of our own (analysis/bands.h). */
struct wg_dealt {
    uint32_t threads; /* in a row of a block of the program; 0: no remapping */
    uint8_t shift;    /* the row is cut into so many strips, as a power of two; joined: with so many others */
    bool along;       /* rows follow one another in %ctaid.x; else %ctaid.y counts them */
    bool joined; /* a row of a block of ours is those of neighbours in %ctaid.x (analysis/joined_rows.h) */
};

/* What code is compiled for: the machine's promises about the launches that will run it. */
/* Which kernels begin in code that is compiled quickly and runs slower (jit/code/tiers.h): none, those that
 * are large, or all, for good. */
enum wg_tiers { WG_TIERS_NONE, WG_TIERS_LARGE, WG_TIERS_QUICK };

struct wg_code_opts {
    struct wg_dealt dealt;
    uint32_t ntid[3]; /* block shape: constants in the code */
    bool linear31;    /* every nctaid[i] * ntid[i] < 2^31: global thread indices fit a signed int */
    bool full_warps;  /* threads of a block are a multiple of 32 (follows from ntid) */
    uint32_t warps;   /* jit's own: of a block that run (wg_code.warps) */
    /* What addresses are tested for before their use, so that no kernel reaches the host (warp/touch.h);
     * others are found bad by the page fault that they cause. bounds: every one, for the host may lie right
     * beside the device's address space; given: the program has given memory of its own to the device, so
     * what is outside is not always wrong; strangers: words of 8 bytes among the parameters that are no
     * pointers into that space in some launch, the first in bit 0, the 64th and all after it in bit 63. */
    bool bounds, given;
    uint64_t strangers;
    const uint64_t
        *safe; /* jit's own: bits of accesses that need no test, by their ids (analysis/touch.h), or NULL */
    uint64_t arena_base;
    uint32_t arena_bits;
    uint32_t shared_window; /* bytes of shared memory a block may touch */
    bool whole_blocks;      /* `whole` may be asked for: no clusters */
    bool grid_waits;        /* the launch is cooperative: `whole` may stop at the grid's barrier */
    uint8_t stages;         /* enum wg_runs_stages: code may have them */
    bool combine; /* blocks have combiners: additions to global memory may be made later (warp/combine.h) */
    bool check;   /* the IR has instructions of our own: the code does no more than it says */
    uint64_t
        shadow; /* shadow bytes lie so far after the bytes of the arena (check/instrument/shadow.h); 0: none do */
    bool shadow_outside; /* some memory lies outside of the arena: it is defined, and has no shadow */
    bool check_told;     /* check_access hears of every access, but of those to quiet windows */
    const struct wg_sites *sites; /* count at these; NULL: do not count. Outlives the code */
    bool slow_alone;              /* of those only the slow paths (analysis/slow_paths.h) */
    bool dry;                     /* accesses are counted and not made: loads give zeros (analysis/alike.h) */
    /* Back end. */
    uint8_t opt_level;    /* 0..2 */
    uint64_t forms_off;   /* bits by enum wg_form: forms that it must not have (analysis/plan.h) */
    struct wg_plan *plan; /* where it is noted which ones it has; NULL: nowhere */
    uint16_t width;       /* 0: what the CPU has; 256: no AVX-512; 128: SSE4.2 only */
    uint8_t tiers;        /* enum wg_tiers */
    bool verbose;         /* report on standard error that better code was compiled */
    bool no_cache;        /* neither read nor write the disk cache */
    double progress;      /* seconds after which a line says how far compiling is; 0: none does */
    bool one_thread;      /* compile in the calling thread alone */
    char **shown;         /* the kernel's name as the source has it: filled in where it is NULL */
    const bool *unwanted; /* changed atomically: true: the code is not needed any more; NULL: it is */
    const char *_Atomic *compiling; /* holds that name while code is made of the kernel, which takes long */
    /* Long regions after a divergent branch are compiled twice, for whole warps and predicated: for the code
     * that runs warps which did diverge there, compiled when the first one does. */
    bool long_regions;
    void (*dump)(void *user, const char *what, const char *text); /* what: "llvm", "asm", ...; may be NULL */
    void *dump_user;
    uint32_t dump_mask; /* WG_DUMP_... */
};
/* Threads of a block that run. */
static inline uint32_t wg_running_threads(const struct wg_code_opts *o) {
    return o->warps ? o->warps * WG_LANES : o->ntid[0] * o->ntid[1] * o->ntid[2];
}
/* Whether a block is a single thread: nothing differs from lane to lane. */
static inline bool wg_is_one_thread(const struct wg_code_opts *o) { return wg_running_threads(o) == 1; }
enum { WG_DUMP_PTX = 1, WG_DUMP_IR = 2, WG_DUMP_LLVM = 4, WG_DUMP_ASM = 8, WG_DUMP_PLAN = 16 };

/* A kernel ready to run for one block shape. `run` keeps no state of its own: any number of warps at a time.
 * ref/ref.h and jit/code/jit.h make these:
 *     struct wg_code *wg_ref_compile(const struct wg_ir_module *, uint32_t func, const struct wg_code_opts *,
 *                                    struct wg_diag *);
 *     struct wg_code *wg_jit_compile(...the same...);
 * NULL with a diagnostic (an instruction that is not there yet: named, with its line).
 * run, whole, general and back may be replaced by better code at any time: wg_code_entry. */
struct wg_code {
    wg_warp_fn run;
    /* Runs a whole block, given its first warp, when none of its warps has begun, and perhaps those after it
     * (block->more): DONE, all warps have ended; FAULT, the one in block->current; LEFT, it cannot go on:
     * each warp's state is where run() takes it up, at a barrier if nwait is not 0; GRID, all wait at the
     * grid's barrier, and when it is called again with the first warp it resumes after it. While it runs
     * the warps' states are not kept. NULL: the machine runs warp by warp. */
    wg_warp_fn whole;
    wg_warp_fn general; /* the maker's own: where run() exits to when lanes diverge */
    wg_warp_fn back;    /* the maker's own: where general() exits to when they have reconverged */
    uint32_t frame_bytes;
    uint32_t local_bytes;  /* local memory a lane needs, without recursion */
    uint32_t stream_bytes; /* that a warp may store past the host's caches, if wg_block.streams says so */
    uint32_t
        warps; /* of a block that run, the first ones: others compute the same (analysis/duplicates.h); 0: all */
    bool sums;   /* it adds to combiners, which the machine publishes between blocks: so few run in a row */
    bool sweeps; /* blocks may be swept together: wg_block.iteration */
    bool saves;  /* recursion: it needs wg_warp.saves */
    bool frames; /* recursion: what local memory a lane has beyond local_bytes is a stack */
    bool reference; /* ref/ made it */
    bool stages;    /* the first stage for one block of many, the second for all, the third for one of them */
    /* Where it counts: the units its tallies have, and what a tally that ran holds as one row a site: added
     * to `rows`, and those of memory sites to the tally's own. */
    uint32_t tally_units;
    void (*collect)(const struct wg_code *c, struct wg_tally *t, struct wg_counts *rows);
    void (*destroy)(struct wg_code *c);
    void *impl;       /* the maker's own; run() finds it through wg_warp.code */
    uint32_t running; /* launches that are under way: changed atomically */
    uint32_t unit_ns; /* what a cluster of blocks took, in the latest claim of some; atomic; 0: not known */
};
static inline wg_warp_fn wg_code_entry(const wg_warp_fn *entry) {
    return __atomic_load_n(entry, __ATOMIC_ACQUIRE);
}
#endif
