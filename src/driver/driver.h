/* What the files of driver/ share: the devices of the process, contexts, handles, messages.
 *
 * Where it stands: the user's program -> runtime/ -> this -> machine/. The CUDA types of cuda.h end here;
 * below are only wg_ handles.
 *
 *   context   a struct wg_device of its own: memory, modules, streams and the sticky error live and die with
 *             it. The primary context (the runtime API's) is opened on first use and can be reset.
 *   handle    every CUstream, CUevent, CUmodule, CUfunction, ... is an object of ours, listed in handles.c
 *             while it lives, so that a handle that is stale or rubbish gets CUDA_ERROR_INVALID_HANDLE
 *             instead of a crash.
 *   status    machine/ answers with CUDA's numbers; wg_done() passes them on and, when a kernel's fault
 *             reaches the program for the first time, prints its text on stderr.
 *
 * A driver function, whole:
 *     CUresult cuStreamQuery(CUstream stream) {
 *         struct CUctx_st *ctx;
 *         struct wg_stream *s;
 *         CUresult r = wg_stream_of(stream, &ctx, &s);
 *         return r ? r : wg_done(ctx, wg_stream_query(s));
 *     }
 */
#ifndef WG_DRIVER_DRIVER_H
#define WG_DRIVER_DRIVER_H
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include "driver/entry.h"
#include "machine/machine.h"

/* ---- The process (state.c) ---------------------------------------------------------------------- */

struct CUctx_st {
    struct wg_device *dev; /* NULL: the primary context while inactive, or destroyed */
    CUdevice device;
    bool primary;
    unsigned retained; /* primary: by how many cuDevicePrimaryCtxRetain */
    unsigned attached; /* by how many cuCtxAttach */
    unsigned flags;
    unsigned generation; /* counts openings of `dev`: what was made in an earlier one is gone */
    unsigned long long id;
    atomic_bool fault_told;
    CUfunc_cache cache;
    size_t limits[10]; /* those that only are kept; by CUlimit */
    struct CUmemPoolHandle_st *default_pool, *pool;
    struct CUctx_st *next; /* every context ever made: a destroyed one must be known as such */
};

/* CUDA_SUCCESS once cuInit succeeded; NOT_PERMITTED to a function that a stream calls. */
CUresult wg_initialized(void);
/* The calling thread begins or ends such a function, which may call nothing of the API: it would wait for the
 * stream that waits for it. */
void wg_called_by_stream(bool on);
/* INVALID_DEVICE unless there is one of this number. */
CUresult wg_check_device(CUdevice device);
/* How many there are; a device's chip; the least compute capability of all, which what is loaded on each has to do with
 * (devices.c). */
unsigned wg_device_count(void);
const struct wg_chip *wg_chip_of(CUdevice device);
unsigned wg_least_capability(void);
/* Is it a context, destroyed or not? */
bool wg_is_context(const struct CUctx_st *ctx);
/* The calling thread's context, ready for work. */
CUresult wg_current(struct CUctx_st **out);
/* The device's context, ready for work: the current one if it is the device's, else the primary. */
CUresult wg_context_on(CUdevice device, struct CUctx_st **out);
/* The context that the device of machine/ is of. */
struct CUctx_st *wg_context_of(const struct wg_device *dev);
/* The context whose memory holds it; `ctx`, if none does. */
struct CUctx_st *wg_owner_of(struct CUctx_st *ctx, const void *p);
/* Called when the process ends: lets kernels end, for a while, and tells of faults that the program never
 * asked for. */
void wg_at_exit(void);

/* ---- Ctrl-C (interrupt.c) ----------------------------------------------------------------------- */

/* Stops kernels at SIGINT, unless the program handles it; before a device is opened with these options. */
void wg_interrupt_listen(struct wg_options *options);
/* A device whose kernels are to be stopped, from now on or no more. */
void wg_interrupt_device(struct wg_device *dev, bool on);

/* ---- Profiles (profile.c) ----------------------------------------------------------------------- */

/* Reads WARPGLASS_PROFILE: launches are counted and the result goes into that file. */
void wg_profile_listen(struct wg_options *options);
/* Writes the file; `signal` 0: the process ends by itself. */
void wg_profile_finish(bool fault, int signal);
void wg_profile_counts(bool on);           /* from now on: cudaProfilerStart, cudaProfilerStop */
struct wg_result *wg_profile_result(void); /* NULL: nothing is counted */
/* calls.c: what the call that is running moves: "host to device", "fill", ... */
/* Whether it is a copy between two devices' memory is seen here. */
void wg_profile_copied(struct wg_device *dev, const struct wg_copy *c);
void wg_call_moves(uint64_t bytes, const char *kind, const struct wg_stream *s);

/* ---- Checks (check.c) --------------------------------------------------------------------------- */

/* Reads WARPGLASS_CHECK and WARPGLASS_CHECK_ONLY: launches are checked and what is found goes into that file.
 */
void wg_check_listen(struct wg_options *options);
void wg_check_not_run(void); /* a kernel, for what Warpglass does not have: wg_last_detail says what */
void wg_check_refused(const char *kernel);                   /* the call that is running does not launch it */
void wg_check_was_doing(const char *kernel, bool compiling); /* when the program was interrupted */
void wg_check_finish(bool fault, int signal);                /* as wg_profile_finish */
bool wg_check_finds_races(void);
/* calls.c: the outermost call of the calling thread. */
void wg_check_call_begins(const char *name, const void *from);
void wg_check_call_ended(CUresult r);
void wg_check_call_has_no_result(void);
bool wg_call_running(void);
uint64_t wg_check_call_at(void); /* the program's code that makes it */
/* r CUDA_SUCCESS: any error of the thread's. */
void wg_check_error_seen(CUresult r);
/* A function of the driver's that allocates or frees says who called it, where that is the program itself. */
#define WG_CHECK_CALLER()                                                                                    \
    do {                                                                                                     \
        if (!wg_call_running()) wg_check_call_begins(__func__, __builtin_return_address(0));                 \
    } while (0)
/* Memory was allocated by the call that is running; is about to be freed (`kinds`: a bit for each that may
 * be), or is not there to be. */
void wg_check_made(struct wg_device *dev, const void *p);
void wg_check_freeing(struct wg_device *dev, uint32_t kinds, const void *p);
/* What lives at the program's end, if that is wanted. */
void wg_check_leaks(struct wg_device *dev);

/* ---- Comparing with the reference (verify.c) ----------------------------------------------------- */

/* Once the options are known. */
void wg_verify_listen(struct wg_options *options);
void wg_verify_finish(void); /* says what it came to */

/* ---- The process as files have it (program.c) ---------------------------------------------------- */

enum { WG_PROGRAM_WORDS = 256 };
struct wg_program {
    struct wg_strbuf text;
    int argc;
    char *argv[WG_PROGRAM_WORDS];
};
/* The command line as the kernel has it. */
struct wg_program wg_program_read(void);
/* The file that this process leaves for a command, as an environment variable has it; NULL: none is wanted. To be freed. */
char *wg_program_file(const char *variable);
void wg_program_free(struct wg_program *p);
char *wg_device_as_json(const struct wg_chip *chip); /* to be freed */
char *wg_devices_as_json(void);                      /* the same; NULL: there is one */

/* ---- Messages and statuses (message.c) ---------------------------------------------------------- */

/* wg_say only for WARPGLASS_VERBOSE >= level; how much that is. */
void wg_say_up_to(unsigned level);
void wg_say_verbose(unsigned level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A machine status as the driver's, telling of a kernel's fault when the program sees it first. */
CUresult wg_done(struct CUctx_st *ctx, enum wg_status s);

/* ---- Handles (handles.c) ------------------------------------------------------------------------ */

enum wg_handle_kind {
    WG_H_NONE,
    WG_H_MODULE,
    WG_H_FUNCTION,
    WG_H_STREAM,
    WG_H_EVENT,
    WG_H_LIBRARY,
    WG_H_KERNEL,
    WG_H_POOL,
    WG_H_LINK,
    WG_H_GRAPH,
    WG_H_GRAPH_NODE,
    WG_H_GRAPH_EXEC,
    WG_H_GRAPH_MEMORY,
    WG_H_USER_OBJECT,
    WG_H_ARRAY,
    WG_H_TEXTURE,
    WG_H_TEXTURE_REFERENCE,
    WG_H_SURFACE_REFERENCE,
    WG_H_PHYSICAL
};
void wg_handle_add(const void *handle, enum wg_handle_kind kind);
/* One whose end is the context's at the latest: `end` frees the object then; what machine/ has behind it goes with the
 * device. */
void wg_handle_add_in(const struct CUctx_st *ctx, const void *handle, enum wg_handle_kind kind,
                      void (*end)(void *handle));
bool wg_handle_is(const void *handle, enum wg_handle_kind kind);
/* False when it was none. */
bool wg_handle_remove(const void *handle, enum wg_handle_kind kind);
/* Ends any handle of the context; false when there is none left. */
bool wg_handle_end_one(const struct CUctx_st *ctx);

/* ---- Objects ------------------------------------------------------------------------------------ */

struct CUfunc_st {
    struct wg_func *f;
    struct CUmod_st *module;
    struct wg_old_launch *old; /* what cuLaunch is to do; NULL: nothing was said (old_launch.c) */
};
struct CUmod_st {
    struct CUctx_st *ctx;
    struct wg_module *m;
    pthread_mutex_t lock;
    WG_VEC(struct CUfunc_st *) functions; /* by index of wg_module_func_at; NULL until asked for */
    CUtexref textures;                    /* that were asked for (references.c) */
    CUsurfref surfaces;
    atomic_bool references_changed; /* since the last launch */
};
struct CUstream_st {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    struct wg_capture *capture; /* that it takes part in; NULL: none (capture.c) */
    WG_VEC(CUgraphNode) tail;   /* of the graph: what its next work comes behind */
};
struct CUevent_st {
    struct CUctx_st *ctx;
    struct wg_event *e;
    unsigned long long captured; /* recorded in a capture: which; 0: in none */
    WG_VEC(CUgraphNode) tail;    /* and behind what */
};

/* Frees a module's object, without what machine/ has behind it. */
void wg_module_free(struct CUmod_st *m);

/* The stream's context and machine stream; 0, CU_STREAM_LEGACY and CU_STREAM_PER_THREAD are the current
 * context's. */
CUresult wg_stream_of(CUstream stream, struct CUctx_st **ctx, struct wg_stream **s);
CUresult wg_event_of(CUevent event, struct wg_event **e);
CUevent wg_event_handle(struct CUctx_st *ctx, struct wg_event *e); /* a new one, of the context */
/* What comes into `behind` from now on waits for what is in `before`, of any device. */
enum wg_status wg_order_streams(struct wg_stream *before, struct wg_stream *behind);
/* A function from a CUfunction or, as the driver allows, from a CUkernel; the context is the function's. */
CUresult wg_function_of(CUfunction function, struct CUctx_st **ctx, struct wg_func **f);
/* What stands for a kernel that cannot be run, for what is wrong with its text; told once a kernel. */
CUresult wg_function_refused(const struct wg_func *f);
/* A module of PTX text in `ctx`. `log`: gets the messages, which otherwise go to stderr. */
CUresult wg_load_text(struct CUctx_st *ctx, const char *name, const char *text, size_t len,
                      struct wg_strbuf *log, CUmodule *out);
/* A variable of a module, which may be a texture reference (references.h). */
CUresult wg_module_variable(CUmodule module, const char *name, CUdeviceptr *pointer, size_t *bytes);
/* What messages call the PTX that came from a source file or program (NULL: not known); to be freed. */
char *wg_text_name(const char *source);

#endif
