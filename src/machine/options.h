/* User options, as one X-macro list: WARPGLASS_<NAME> in the environment, --<name> on the command line.
 *
 * Consumers: the struct below, the environment's parser (options.c), the command line and its help (cli/).
 * X(field, NAME, kind, "argument", "help")
 */
#ifndef WG_MACHINE_OPTIONS_H
#define WG_MACHINE_OPTIONS_H
#include "base/diag.h"
#include "warp/warp.h"

/* clang-format off */
#define WG_OPTIONS(X) \
    X(arch,      ARCH,      TEXT,    "NAME",    "the machine to model: sm_50 .. sm_121, or a chip's name (default sm_90)") \
    X(devices,   DEVICES,   DEVICES, "N|LIST",  "the number of devices of that arch, or a list of them: 8 or H200,H200,A100 (docs/devices.md)") \
    X(threads,   THREADS,   UINT,    "N",       "worker threads (default: every CPU this process may use)") \
    X(timeout,   TIMEOUT,   SECONDS, "SECONDS", "stop a kernel that runs longer than this (default: never)") \
    X(backend,   BACKEND,   BACKEND, "jit|ref", "how kernels run: compiled, or by the slow scalar reference") \
    X(opt,       OPT,       FORMS,   "LIST",    "the optimisation level, and which forms to turn off: 2,-jam,-trace") \
    X(width,     WIDTH,     UINT,    "BITS",    "vector width to use: 512, 256 or 128 (default: what the CPU has)") \
    X(verify,    VERIFY,    BLOCKS,  "all|N",   "compare each launch, or N blocks of it, with the reference (docs/verify.md)") \
    X(dump,      DUMP,      DUMP,    "LIST",    "print stages of each kernel to stderr: ptx,ir,plan,llvm,asm") \
    X(cache_dir, CACHE_DIR, TEXT,    "DIR",     "where compiled kernels are cached; 'none' caches none") \
    X(stream_kb, STREAM_KB, UINT,    "KB",      "launches that write more than this bypass the host's caches (default: the size of the caches)") \
    X(strict,    STRICT,    UINT,    "0|1",     "1: accesses outside allocations, or past a block's shared memory, are errors even if they are close") \
    X(deterministic, DETERMINISTIC, UINT, "0|1", "1: where the order of blocks may matter, one thread runs them in a fixed order (docs/determinism.md)") \
    X(schedule,  SCHEDULE,  SCHEDULE, "ORDER",  "the order in which blocks and warps run: reverse or random:SEED; with ,lanes also the lanes of a warp (docs/determinism.md)") \
    X(tiers,     TIERS,     UINT,    "0|1|2",   "kernels that start in code that is compiled faster and runs slower: 0: none; 1: large ones, until they have run for a while (default); 2: all, permanently") \
    X(progress,  PROGRESS,  SECONDS, "SECONDS", "report what is being compiled or run when it takes longer than this; 0: never (default: 2 on a terminal, 0 elsewhere)") \
    X(verbose,   VERBOSE,   UINT,    "LEVEL",   "report on stderr what the machine does: 0, 1 or 2")
/* clang-format on */

enum wg_option_kind {
    WG_OPT_TEXT,
    WG_OPT_DEVICES,
    WG_OPT_UINT,
    WG_OPT_SECONDS,
    WG_OPT_BACKEND,
    WG_OPT_DUMP,
    WG_OPT_FORMS,
    WG_OPT_BLOCKS,
    WG_OPT_SCHEDULE
};
typedef char wg_opt_TEXT[256], wg_opt_DEVICES[256];
typedef uint32_t wg_opt_UINT, wg_opt_BACKEND, wg_opt_DUMP, wg_opt_BLOCKS;
typedef double wg_opt_SECONDS;
typedef struct {
    uint32_t level;
    uint64_t forms_off; /* bits by enum wg_form (analysis/plan.h) */
} wg_opt_FORMS;
enum wg_schedule_kind { WG_SCHEDULE_NONE, WG_SCHEDULE_REVERSE, WG_SCHEDULE_RANDOM };
typedef struct { /* schedule.h */
    uint8_t kind;
    bool lanes;
    uint64_t seed;
} wg_opt_SCHEDULE;
enum wg_backend { WG_BACKEND_JIT, WG_BACKEND_REF };

struct wg_result;   /* count/result.h */
struct wg_findings; /* check/finding.h */
struct wg_verified; /* machine/verified.h */
struct wg_fleet;    /* machine/fleet.h */
typedef struct wg_code *(*wg_compile_fn)(const struct wg_ir_module *, uint32_t func,
                                         const struct wg_code_opts *, struct wg_diag *);

struct wg_options {
#define X(field, NAME, kind, arg, help) wg_opt_##kind field;
    WG_OPTIONS(X)
#undef X
    /* Not for users. */
    struct wg_fleet *fleet;     /* of the process's devices; NULL: it is the only one */
    uint32_t ordinal, ndevices; /* which one of how many; 0: the only one */
    bool mixed;                 /* these are of several kinds */
    wg_compile_fn compile;      /* instead of the backend: tests */
    struct wg_result *result;   /* where profiled launches go; NULL: none is profiled */
    /* With result: whether the launch of this number, which the calling thread asks for, goes there; and, told on a
     * worker's thread, that one is there. NULL: all go there; nobody wants to know. */
    bool (*is_counted)(uint64_t index);
    void (*counted_ended)(void);
    bool (*attribute)(int *value, int which,
                      int device); /* of the chip, by CUDA's numbers; NULL: none is known */
    struct wg_findings *findings;  /* where findings go; NULL: nothing is checked */
    struct wg_verified *verified;  /* results of comparing launches; NULL: none is compared */
    /* with the race check: the host program reports its accesses (machine.h); NULL */
    struct wg_host_watch *host;
    uint32_t checks;  /* which: a bit for each enum wg_check_id (check/finding.h) */
    bool strict_init; /* with init: reads of what was never written are findings */
    bool tells_all;   /* accesses that cannot race are reported to the race check, too: tests */
    /* Called once, from any thread, with the text of the fault that puts the device into its error state. */
    void (*on_fault)(void *user, const char *message);
    void *on_fault_user;
    /* Called from any thread with what succeeds here and may fail on a GPU: a stray (stray.h), too many pending launches
     * (children.c); NULL: nothing is said. */
    void (*on_notice)(const char *message);
};

struct wg_option_info {
    const char *name; /* "opt" */
    const char *env;  /* "WARPGLASS_OPT" */
    uint8_t kind;     /* enum wg_option_kind */
    const char *arg, *help;
};
/* The list above, in its order. */
const struct wg_option_info *wg_option_list(size_t *count);

/* Defaults. */
void wg_options_init(struct wg_options *o);
/* Sets one option by index into wg_option_list. False: `d` says what is wrong with the value. */
bool wg_options_set(struct wg_options *o, size_t option, const char *value, struct wg_diag *d);
/* Reads every WARPGLASS_<NAME> that is set. False when one has a bad value; `d` names the variable. */
bool wg_options_from_env(struct wg_options *o, struct wg_diag *d);
#endif
