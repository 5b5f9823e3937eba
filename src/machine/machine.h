/* The machine: a device with memory, modules, streams and events, that runs grids of warps.
 *
 * Layering: driver/ calls this; it calls ref/ or jit/ for the code of a kernel (warp/warp.h) and
 * model/ for the limits of the chip. It knows no CUDA type. Everything hangs off a device handle; handles are
 * freed by their own destroy function or with the device.
 *
 *     struct wg_device *dev;  struct wg_module *mod;  void *p;  struct wg_diag d = {0};
 *     wg_device_open(&options, &dev, &d);
 *     wg_module_load(dev, "k.ptx", text, len, &mod, &d);
 *     wg_mem_alloc(dev, WG_MEM_DEVICE, 4096, &p);
 *     struct wg_launch l = {.func = wg_module_func(mod, "k"), .grid = {16, 1, 1}, .block = {256, 1, 1},
 *                           .params = &p, .param_bytes = sizeof p};
 *     wg_launch(wg_device_stream(dev, WG_STREAM_LEGACY), &l);
 *     if (wg_device_sync(dev) != WG_OK) puts(wg_device_fault(dev)->message);
 *
 * Threads: any function may be called from any thread, unless it says otherwise. A handle must not be used
 * while or after another thread destroys it.
 *
 * Errors: functions return a wg_status. Statuses of a fault in a kernel are sticky: from then on everything
 * that works on the device returns it, until the device is closed. wg_last_detail() has a sentence for a
 * person about the calling thread's last failure.
 *
 * Addresses are the process's own: a pointer into device memory, pinned, managed and module memory can be
 * read and written by the host as well once the work on it has ended.
 */
#ifndef WG_MACHINE_MACHINE_H
#define WG_MACHINE_MACHINE_H
#include "base/diag.h"
#include "machine/options.h"
#include "model/chip.h"
#include <stdatomic.h>

/* X(id, number, CUDA's name, "meaning"): the numbers are CUDA's (CUresult and cudaError agree on them), so
 * driver/ hands them on. */
/* clang-format off */
#define WG_STATUSES(X) \
    X(OK, 0, cudaSuccess, "no error") \
    X(INVALID_VALUE, 1, cudaErrorInvalidValue, "invalid argument") \
    X(OUT_OF_MEMORY, 2, cudaErrorMemoryAllocation, "out of memory") \
    X(INVALID_CONFIGURATION, 9, cudaErrorInvalidConfiguration, "the launch's grid or block is not possible (the driver API calls it 1)") \
    X(NOT_INITIALIZED, 3, cudaErrorInitializationError, "the device cannot be used here (for example, after fork)") \
    X(INVALID_DEVICE, 101, cudaErrorInvalidDevice, "no such device or arch") \
    X(INVALID_IMAGE, 200, cudaErrorInvalidKernelImage, "not a module that can be loaded") \
    X(NO_IMAGE_FOR_DEVICE, 209, cudaErrorNoKernelImageForDevice, "the module is for a newer device") \
    X(INVALID_PTX, 218, cudaErrorInvalidPtx, "the PTX text has errors") \
    X(UNSUPPORTED_PTX, 222, cudaErrorUnsupportedPtxVersion, "the PTX version or target is newer than this machine") \
    X(SYMBOL_NOT_FOUND, 500, cudaErrorSymbolNotFound, "no such function or variable") \
    X(INVALID_HANDLE, 400, cudaErrorInvalidResourceHandle, "invalid stream, event or function") \
    X(NOT_READY, 600, cudaErrorNotReady, "not finished yet") \
    X(ILLEGAL_ADDRESS, 700, cudaErrorIllegalAddress, "a kernel accessed memory that is not the device's") \
    X(OUT_OF_RESOURCES, 701, cudaErrorLaunchOutOfResources, "the launch needs more than the device has") \
    X(LAUNCH_TIMEOUT, 702, cudaErrorLaunchTimeout, "the kernel was stopped: it ran too long, or was interrupted") \
    X(ASSERT, 710, cudaErrorAssert, "a device-side assertion failed") \
    X(ALREADY_REGISTERED, 712, cudaErrorHostMemoryAlreadyRegistered, "the host memory is already registered") \
    X(NOT_REGISTERED, 713, cudaErrorHostMemoryNotRegistered, "the host memory is not registered") \
    X(ILLEGAL_INSTRUCTION, 715, cudaErrorIllegalInstruction, "a kernel reached an instruction that cannot be executed") \
    X(MISALIGNED_ADDRESS, 716, cudaErrorMisalignedAddress, "a kernel's address is not aligned for its access") \
    X(INVALID_PC, 718, cudaErrorInvalidPc, "a kernel called something that is not a function") \
    X(LAUNCH_FAILED, 719, cudaErrorLaunchFailure, "a kernel failed") \
    X(COOPERATIVE_TOO_LARGE, 720, cudaErrorCooperativeLaunchTooLarge, "too many blocks for a cooperative launch") \
    X(NOT_SUPPORTED, 801, cudaErrorNotSupported, "not supported") \
    X(UNSUPPORTED_LIMIT, 215, cudaErrorUnsupportedLimit, "no such limit on this device") \
    X(INVALID_CLUSTER_SIZE, 912, cudaErrorInvalidClusterSize, "a cluster of this size cannot be run") \
    X(INTERNAL, 999, cudaErrorUnknown, "internal error of Warpglass")
/* clang-format on */
enum wg_status {
#define X(id, number, cuda, text) WG_##id = number,
    WG_STATUSES(X)
#undef X
};
const char *wg_status_name(enum wg_status s); /* CUDA's: "cudaErrorIllegalAddress" */
const char *wg_status_text(enum wg_status s);
/* More about the calling thread's last status other than WG_OK, "" if there is no more to say. Valid until
 * the thread's next call. */
const char *wg_last_detail(void);
void wg_last_detail_clear(void);

struct wg_device;
struct wg_fleet;
struct wg_module;
struct wg_func;
struct wg_stream;
struct wg_event;

/* ---- Devices ------------------------------------------------------------------------------------------- */

/* Opens a device of options->arch. `d` gets what is wrong with the options; may be NULL. */
enum wg_status wg_device_open(const struct wg_options *options, struct wg_device **out, struct wg_diag *d);
/* Waits for the work under way (stops it first when the device has failed), then frees all that is the
 * device's: memory, modules, streams, events. Not from a host callback. */
void wg_device_close(struct wg_device *dev);
/* The devices of one process (fleet.h): options->fleet when they are opened. Freed after them. */
struct wg_fleet *wg_fleet_new(void);
void wg_fleet_free(struct wg_fleet *f);
/* Kernels of `dev` may touch what was allocated on `peer`, of the same fleet, from now on; or may not. */
void wg_device_let(struct wg_device *dev, struct wg_device *peer, bool on);
uint32_t wg_device_ordinal(const struct wg_device *dev);
bool wg_device_reaches(struct wg_device *dev, struct wg_device *peer);
const struct wg_chip *wg_device_chip(const struct wg_device *dev);
/* Waits for all work; prints what kernels printed. The sticky status, if there is one. */
enum wg_status wg_device_sync(struct wg_device *dev);
/* As that, but prints nothing. */
enum wg_status wg_device_wait(struct wg_device *dev);
/* How many lines kernels have printed that nothing has waited for, and the first of them. */
uint64_t wg_device_unshown(struct wg_device *dev, char *first, size_t most);
/* The sticky status; never waits. */
enum wg_status wg_device_status(struct wg_device *dev);
/* Makes running and waiting kernels end with LAUNCH_TIMEOUT. Safe in a signal handler. */
void wg_device_interrupt(struct wg_device *dev);
/* In a signal handler, after wg_device_interrupt: gets workers out of code that never yields. */
void wg_device_kick(struct wg_device *dev);
/* Whether workers are running, or were just now. Safe in a signal handler. */
bool wg_device_busy(struct wg_device *dev);
/* The kernel that is compiled, or if none is, one that runs; false when there is neither, or it cannot be
 * determined now. Safe in a signal handler. */
bool wg_device_doing(struct wg_device *dev, bool *compiling, char *name, size_t size);

/* One place in the source. */
struct wg_place {
    const char *function; /* NULL: not known */
    const char *file;     /* NULL: not known */
    uint32_t line, col;
};
/* What went wrong in a kernel. Lives as long as the device. */
struct wg_fault_record {
    enum wg_status status;
    uint32_t kind; /* enum wg_fault_kind */
    const char *kernel;
    const struct wg_place *places; /* the access first, then the calls it was inlined at, outwards */
    uint32_t nplaces;
    uint32_t block[3];
    uint32_t thread[3];
    bool block_known, thread_known;
    uint64_t address;      /* ADDRESS, MISALIGNED */
    uint32_t size;         /* bytes of the access; 0: not known */
    const char *operation; /* "ld.global.f32"; NULL: not known */
    const char *nearest;   /* "16 bytes after a 4096-byte allocation at 0x..."; NULL: does not apply */
    const char *message;   /* all of it, several lines, for a person; ends with a newline */
};
/* NULL while all is well. */
const struct wg_fault_record *wg_device_fault(struct wg_device *dev);

enum wg_limit { WG_LIMIT_STACK, WG_LIMIT_PRINTF_BUFFER, WG_LIMIT_MALLOC_HEAP, WG_LIMIT_PENDING_LAUNCHES };
enum wg_status wg_limit_get(struct wg_device *dev, enum wg_limit which, size_t *out);
enum wg_status wg_limit_set(struct wg_device *dev, enum wg_limit which, size_t value);

/* ---- Memory -------------------------------------------------------------------------------------------- */

enum wg_mem_kind {
    WG_MEM_NONE, /* no memory of the device's: pageable host memory, or nothing at all */
    WG_MEM_DEVICE,
    WG_MEM_PINNED, /* cudaMallocHost */
    WG_MEM_MANAGED,
    WG_MEM_REGISTERED, /* cudaHostRegister: the program's own memory */
    WG_MEM_MODULE,     /* a module's .global and .const variables */
    WG_MEM_HEAP,       /* what kernels malloc */
    WG_MEM_SCRATCH,    /* shared, local and parameter memory of running kernels */
};
/* Where in the program an allocation was made and freed: code addresses. For checks. */
struct wg_mem_origin {
    const char *made_by; /* "cudaMalloc"; NULL: not known */
    uint64_t made_at, freed_at;
};
struct wg_mem_info {
    enum wg_mem_kind kind;
    void *base;
    size_t size;    /* as asked for */
    uint64_t id;    /* never given twice in a process */
    uint32_t flags; /* the caller's, as given to wg_mem_alloc_flags or wg_mem_register */
    bool imported;  /* wg_mem_import */
    bool mapped;    /* at an address that the program reserved: mapping.h */
};

/* kind: DEVICE, PINNED or MANAGED. Aligned to 4096 bytes; zeroed; followed by memory that faults. size 0:
 * INVALID_VALUE. */
enum wg_status wg_mem_alloc(struct wg_device *dev, enum wg_mem_kind kind, size_t size, void **out);
/* `flags` is kept for wg_mem_query and means nothing here. */
enum wg_status wg_mem_alloc_flags(struct wg_device *dev, enum wg_mem_kind kind, size_t size, uint32_t flags,
                                  void **out);
/* Waits for all work of the device first, as cudaFree does. `p` must be the base of an allocation of `kind`
 * (DEVICE also frees MANAGED): INVALID_VALUE otherwise. NULL is allowed and does nothing. */
enum wg_status wg_mem_free(struct wg_device *dev, enum wg_mem_kind kind, void *p);
/* In stream order, memory of the device `of`: it can be used at once by work on any stream after this returns, though
 * a check says where that does not come behind the allocation; freed when the stream gets there. */
enum wg_status wg_mem_alloc_async(struct wg_device *of, struct wg_stream *s, size_t size, void **out);
enum wg_status wg_mem_free_async(struct wg_stream *s, void *p);
enum { WG_REGISTERED_READ_ONLY = 8 }; /* a flag with a meaning here: cudaHostRegisterReadOnly */
enum wg_status wg_mem_register(struct wg_device *dev, void *host, size_t size, uint32_t flags);
enum wg_status wg_mem_unregister(struct wg_device *dev, void *host);
/* Notes where the allocation at `base` was made; where it is about to be freed. */
void wg_mem_made(struct wg_device *dev, const void *base, const char *by, uint64_t at);
void wg_mem_freeing(struct wg_device *dev, const void *base, uint64_t at);
/* Whether the host code at return address `at` ignores the call's result. False when in doubt. */
bool wg_host_call_is_dropped(uint64_t at);
/* Calls `fn` for every allocation of the program that lives, by address, and then for what kernels' own
 * malloc made where memory is checked: for each call of it the smallest block, as often as there are some. */
void wg_mem_each(struct wg_device *dev,
                 void (*fn)(void *user, const struct wg_mem_info *info, const struct wg_mem_origin *o),
                 void *user);
/* The program's allocation around `p`, live or freed (*freed). False: none is known. */
bool wg_mem_around(struct wg_device *dev, const void *p, struct wg_mem_info *info, struct wg_mem_origin *o,
                   bool *freed);
/* What `p` points into, of this device or another one of its fleet. kind NONE and base NULL when it is none of theirs. */
struct wg_mem_info wg_mem_query(struct wg_device *dev, const void *p);
/* Whether kernels of the device may touch it. */
bool wg_mem_is_reached(struct wg_device *dev, const void *p);
/* The same, and its owner; NULL: none. */
struct wg_mem_info wg_mem_query_owner(struct wg_device *dev, const void *p, struct wg_device **owner);
/* The allocation at `base` is of a pool: kernels of devices with these ordinals, a bit each, may touch it. */
void wg_mem_show_to(struct wg_device *dev, const void *base, uint32_t ordinals);
/* Memory of other processes (memory/shared.h). Export: the allocation around `p`, which must be of kind DEVICE and
 * of `dev`, has its pages in *file from now on; the file stays the allocation's. Import: the pages of such a file,
 * which becomes the new allocation's if this succeeds; freed by wg_mem_close_import, which waits for all work
 * of the device. */
enum wg_status wg_mem_export(struct wg_device *dev, const void *p, int *file, struct wg_mem_info *info);
enum wg_status wg_mem_import(struct wg_device *dev, int file, size_t size, void **out);
enum wg_status wg_mem_close_import(struct wg_device *dev, void *p);
enum wg_status wg_mem_totals(struct wg_device *dev, size_t *free_bytes, size_t *total_bytes);

/* ---- Modules and functions ----------------------------------------------------------------------------- */

/* Reads PTX text (a zero byte at text[len]), allocates and initialises its variables, resolves symbols. `d`
 * gets located messages. */
enum wg_status wg_module_load(struct wg_device *dev, const char *name, const char *text, size_t len,
                              struct wg_module **out, struct wg_diag *d);
/* The same from IR, which becomes the module's (freed also on failure). */
enum wg_status wg_module_from_ir(struct wg_device *dev, struct wg_ir_module *ir, struct wg_module **out,
                                 struct wg_diag *d);
/* Variables of the module that are in the program's own memory: one address for host and kernels, as
 * __managed__ requires. Before the module's first launch. `fresh`: they get their initial values. */
struct wg_hosted {
    const char *name; /* in the PTX */
    void *at;
    size_t size;
};
enum wg_status wg_module_host(struct wg_module *m, const struct wg_hosted *variables, uint32_t n, bool fresh);
/* Waits for all work of the device. */
void wg_module_unload(struct wg_module *m);
struct wg_func *wg_module_func(struct wg_module *m, const char *name); /* kernels only; NULL: none */
uint32_t wg_module_func_count(const struct wg_module *m);              /* kernels, in the text's order */
struct wg_func *wg_module_func_at(struct wg_module *m, uint32_t index);
/* INVALID_PTX, with the reason, for a kernel that cannot be run although others of its module can. */
enum wg_status wg_func_refused(const struct wg_func *f);
/* A .global or .const variable. */
enum wg_status wg_module_global(struct wg_module *m, const char *name, void **address, size_t *size);
const struct wg_ir_module *wg_module_ir(const struct wg_module *m);

struct wg_func_info {
    const char *name;
    const struct wg_ir_param *params; /* name, offset, size, align of each */
    uint32_t nparams, param_bytes;
    uint32_t shared_static;          /* bytes */
    uint32_t local_bytes;            /* a thread */
    uint32_t const_bytes;            /* of the module */
    uint32_t bound;                  /* threads a block, by the function's own bounds */
    uint32_t maxntid[3], reqntid[3]; /* 0: not given */
    uint32_t cluster[3];             /* 0: not given at compile time */
    bool cluster_required;           /* .explicitcluster or .reqnctapercluster */
    uint32_t max_cluster_rank;       /* 0: not given */
    uint16_t ptx_version;            /* 78 */
    uint16_t sm;                     /* 90 */
    /* Set by wg_func_set. */
    uint32_t dynamic_shared_max; /* 48 KB - static until raised */
    bool nonportable_cluster;
    int32_t carveout; /* percent, -1: default; kept only */
};
/* A snapshot. */
void wg_func_info(const struct wg_func *f, struct wg_func_info *out);
/* Registers per thread: ptxas' number where it is installed and gives one (`known`), else an estimate. ptxas
 * runs once, which may take seconds; `_now`: what is known without running it. */
struct wg_registers {
    uint32_t n;
    bool known;
};
struct wg_registers wg_func_registers(struct wg_func *f);
struct wg_registers wg_func_registers_now(const struct wg_func *f);
/* The greatest block: what the function's bounds allow, and its registers where they are known. */
uint32_t wg_func_max_threads(struct wg_func *f);
enum wg_func_attr {
    WG_FUNC_DYNAMIC_SHARED, /* INVALID_VALUE beyond the device's opt-in limit less the static bytes */
    WG_FUNC_NONPORTABLE_CLUSTER,
    WG_FUNC_CARVEOUT,
    WG_FUNC_CLUSTER_X,
    WG_FUNC_CLUSTER_Y,
    WG_FUNC_CLUSTER_Z, /* for functions without a compile-time size */
};
enum wg_status wg_func_set(struct wg_func *f, enum wg_func_attr a, int64_t value);
/* Blocks of `threads` threads that one SM holds at once. */
enum wg_status wg_func_occupancy(struct wg_func *f, uint32_t threads, size_t dynamic_shared,
                                 uint32_t *blocks);
/* The block size that fills an SM best, and how many blocks fill the device. `dynamic_shared` of a block
 * size, or NULL for `fixed_shared`; `limit` 0: none. */
enum wg_status wg_func_best_block(struct wg_func *f, size_t (*dynamic_shared)(void *user, uint32_t threads),
                                  void *user, size_t fixed_shared, uint32_t limit, uint32_t *grid,
                                  uint32_t *block);
/* Dynamic shared memory a block may use so that `blocks` of them fit into one SM. */
enum wg_status wg_func_shared_for(struct wg_func *f, uint32_t blocks, uint32_t threads, size_t *bytes);

/* ---- Launches ------------------------------------------------------------------------------------------ */

struct wg_launch {
    struct wg_func *func;
    uint32_t grid[3];    /* in blocks */
    uint32_t block[3];   /* in threads */
    uint32_t cluster[3]; /* in blocks; zeros: the function's own, or no cluster */
    size_t dynamic_shared;
    bool cooperative;
    uint64_t graph; /* which executable graph's it is, for its conditions; 0: none's */
    /* The parameters: either one buffer laid out as the function's params say, or one pointer for each. */
    const void *params;
    size_t param_bytes;
    const void *const *args; /* used when params is NULL */
};
/* Checks everything CUDA checks, compiles when needed, copies the parameters, and returns without waiting. */
enum wg_status wg_launch(struct wg_stream *s, const struct wg_launch *l);
/* Whether a launch might not fit a real device, and why: by an estimate of its registers. */
bool wg_launch_doubt(const struct wg_launch *l, char *why, size_t size);
/* Only the checks before compilation. (params are ignored.) */
enum wg_status wg_launch_check(const struct wg_launch *l);
/* How many clusters of this launch the device can hold at once (0 when it has none); the greatest cluster
 * size it could be launched with. (params are ignored.) */
enum wg_status wg_launch_max_clusters(const struct wg_launch *l, uint32_t *clusters);
enum wg_status wg_launch_max_cluster_size(const struct wg_launch *l, uint32_t *blocks);

/* ---- Streams ------------------------------------------------------------------------------------------- */

enum wg_stream_flags { WG_STREAM_BLOCKING = 0, WG_STREAM_NONBLOCKING = 1 };
/* Device-owned streams. LEGACY: waits for every BLOCKING stream and they wait for it. PER_THREAD: the calling
 * thread's own, BLOCKING. */
enum wg_stream_builtin { WG_STREAM_LEGACY, WG_STREAM_PER_THREAD };
struct wg_stream *wg_device_stream(struct wg_device *dev, enum wg_stream_builtin which);
enum wg_status wg_stream_create(struct wg_device *dev, uint32_t flags, int priority, struct wg_stream **out);
/* Returns at once; the work in it still runs to its end. */
enum wg_status wg_stream_destroy(struct wg_stream *s);
enum wg_status wg_stream_sync(struct wg_stream *s);
enum wg_status wg_stream_query(struct wg_stream *s); /* OK or NOT_READY */
uint32_t wg_stream_flags(const struct wg_stream *s);
int wg_stream_priority(const struct wg_stream *s);
/* Counts from 1, with the number of its device in the high bits (WG_STREAM_DEVICE_AT, count/result.h). */
uint64_t wg_stream_id(const struct wg_stream *s);
struct wg_device *wg_stream_device(const struct wg_stream *s);
/* Calls fn(user) when the stream gets there, on a thread of the device's, which may block but must not call
 * the machine but for wg_call_touches. `status` tells. */
enum wg_call_flags {
    WG_CALL_ALWAYS = 1,  /* also after a fault */
    WG_CALL_TOUCHES = 2, /* it declares its memory accesses */
};
enum wg_status wg_stream_call(struct wg_stream *s, void (*fn)(void *user, enum wg_status status), void *user,
                              uint32_t flags);

/* Work that is put together when the stream comes to it, on a thread of the device's. `step` puts some into `inner` and
 * returns true, and is called again when that has ended; or there is no more. Then `over`, as when the device has failed.
 * The caller's thread may wait for it, where results have to be the same in every run. */
struct wg_steps {
    bool (*step)(void *user, struct wg_stream *inner,
                 enum wg_status *status); /* other than WG_OK: the device fails */
    void (*over)(void *user);
    void *user;
};
enum wg_status wg_stream_steps(struct wg_stream *s, const struct wg_steps *steps);

/* Values that kernels set (cudaGraphSetConditional), by handle. Only a kernel whose launch is of the graph that has the
 * condition may set it. */
uint64_t wg_condition_new(struct wg_device *dev);
void wg_condition_free(struct wg_device *dev, uint64_t handle);
void wg_condition_give(struct wg_device *dev, uint64_t handle, uint64_t graph); /* 0: to none */
void wg_condition_set(struct wg_device *dev, uint64_t handle, uint32_t value);
uint32_t wg_condition(struct wg_device *dev, uint64_t handle);

/* What a function that a stream calls is about to do to the device's memory: `height` rows of `width` bytes, `pitch` from
 * row to row. Each row begins `skip` bytes further in than the last, and is `grow` bytes longer: triangles. */
struct wg_operand_touch {
    const void *p;
    uint64_t width, height, pitch;
    int64_t skip, grow;
    bool write;
    uint32_t align;   /* of its elements; 0: any */
    const char *name; /* as messages have it: "A" */
};
/* The caller: a library function, and where the program called it (a code address; 0: not known). */
struct wg_toucher {
    const char *function;
    uint64_t at;
};
/* Called in such a function. False: it must not make the access; the device has failed, or there is a
 * finding. */
bool wg_call_touches(struct wg_device *dev, const struct wg_toucher *by, const struct wg_operand_touch *t,
                     uint32_t n);

/* A copy of `depth` slices of `height` rows of `width` bytes. Either side may be device, pinned or pageable
 * host memory. A linear copy is {dst, src, width = n, height = 1, depth = 1}. Overlap is undefined. */
struct wg_copy {
    void *dst;
    const void *src;
    size_t width, height, depth;
    size_t dst_pitch, src_pitch; /* bytes from row to row; needed when height > 1 */
    size_t dst_slice, src_slice; /* bytes from slice to slice; needed when depth > 1 */
};
/* INVALID_VALUE when a side begins in the device's memory and leaves its allocation, or a pitch is less than
 * the width. Pageable memory is read before this returns, and written before this returns. */
enum wg_status wg_copy(struct wg_stream *s, const struct wg_copy *c);
/* Attributes the calling thread's copies from now on to this call of the host program, for findings.
 * `name` outlives them. */
void wg_work_is_of(const char *name, uint64_t at);
/* Instrumented accesses of the host program to memory that kernels may touch: they are reported for
 * [base, base + size) while there is work that the host has not synchronised with. */
struct wg_host_watch {
    _Atomic uint64_t base, size;
    struct wg_device *_Atomic dev;
    /* Its kernels, or another's, have left undefined values in memory that the host reads: all accesses are reported. */
    struct wg_device *_Atomic undefined;
    struct wg_device *_Atomic calling; /* a host function of a stream runs: all its accesses are reported */
    atomic_bool used;                  /* the program is instrumented */
};
struct wg_host_access {
    uint64_t address, at; /* at: the code's address */
    uint32_t bytes;
    bool write;
};
void wg_host_touches(struct wg_host_watch *w, const struct wg_host_access *a);
/* The host program must not access device memory: while true, the machine wants to know that the calling thread begins
 * a call of CUDA, not one within another, and that it is back in the program. */
bool wg_host_memory_closes(void);
void wg_host_enters(void);
void wg_host_leaves(void);
/* As wg_copy, and waits until it is done. */
enum wg_status wg_copy_sync(struct wg_stream *s, const struct wg_copy *c);
/* Sets elements of 1, 2 or 4 bytes: `width` is in elements, `pitch` in bytes (needed when height > 1). */
enum wg_status wg_fill(struct wg_stream *s, void *dst, size_t pitch, uint32_t value, uint32_t element_bytes,
                       size_t width, size_t height);

/* ---- Events -------------------------------------------------------------------------------------------- */

enum wg_event_flags { WG_EVENT_DEFAULT = 0, WG_EVENT_NO_TIMING = 1, WG_EVENT_SHARED = 2 };
enum wg_status wg_event_create(struct wg_device *dev, uint32_t flags, struct wg_event **out);
/* One that has WG_EVENT_SHARED can be opened by other processes, by its file (shared_event.h), which stays the event's;
 * -1: it is no such event. Opening takes the file if it succeeds. */
int wg_event_file(const struct wg_event *e);
enum wg_status wg_event_open(struct wg_device *dev, int file, struct wg_event **out);
enum wg_status wg_event_destroy(struct wg_event *e);
enum wg_status wg_event_record(struct wg_event *e, struct wg_stream *s);
enum wg_status wg_event_query(struct wg_event *e); /* OK (also when never recorded) or NOT_READY */
enum wg_status wg_event_sync(struct wg_event *e);
/* INVALID_HANDLE when one was made without timing or never recorded, NOT_READY when one has not happened. */
enum wg_status wg_event_elapsed(struct wg_event *start, struct wg_event *end, double *milliseconds);
/* Work put into `s` from now on waits for the event's latest record so far. */
enum wg_status wg_stream_wait_event(struct wg_stream *s, struct wg_event *e);

/* ---- Values in memory as signals ------------------------------------------------------------------------- */

/* When a wait ends: the memory's value is at least the one waited for, as numbers that go round; is that; has a bit of it;
 * has a bit unset that it has not. */
enum wg_value_test { WG_VALUE_GEQ, WG_VALUE_EQ, WG_VALUE_AND, WG_VALUE_NOR };
/* Of 4 or 8 bytes, in the device's memory or the host's that is registered; whoever writes it. */
enum wg_status wg_stream_wait_value(struct wg_stream *s, const void *at, uint64_t value, uint32_t bytes,
                                    enum wg_value_test test);
enum wg_status wg_stream_write_value(struct wg_stream *s, void *at, uint64_t value, uint32_t bytes);
#endif
