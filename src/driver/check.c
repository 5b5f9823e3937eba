/* WARPGLASS_CHECK=FILE: kernels are checked as they run, and the process writes the findings to FILE; with FOLDER/ each
 * process has a file of its own there (program.c).
 *
 * `warpglass check` sets the variable and renders the file (check/README.md).
 * WARPGLASS_CHECK_ONLY=memory,race names the checks that are wanted; without it all are. A process that was
 * forked off leaves no file. WARPGLASS_CHECK_PROOFS=0: what is proven to be right is looked at all the same,
 * and the same is found (tests compare the two).
 */
#include "check/finding.h"
#include "base/hash.h"
#include "base/mangled.h"
#include "base/thread_text.h"
#include "driver/driver.h"
#include "driver/host_access.h"
#include "warpglass/cuda_errors.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct wg_findings *findings;
static pid_t owner;
static atomic_bool finished;
static bool leaks, memory, races; /* WARPGLASS_CHECK_LEAKS; the memory check is on, that for races is */

static uint32_t checks_named(const char *list) {
    uint32_t checks = 0;
    if (!list || !*list) return (1u << WG_CHECKS) - 1;
    for (const char *s = list; *s;) {
        size_t n = strcspn(s, ",");
        uint32_t bit = 0;
        for (int c = 0; c < WG_CHECKS; c++) {
            const char *name = wg_check_name((enum wg_check_id)c);
            if (strlen(name) == n && memcmp(name, s, n) == 0) bit = 1u << c;
        }
        if (!bit) wg_say("WARPGLASS_CHECK_ONLY: unknown check '%.*s'", (int)n, s);
        checks |= bit;
        s += n + (s[n] == ',');
    }
    return checks;
}

/* MPI fills device memory by addresses of its own (docs/mpi.md), which nobody sees: it would count as never written. */
static uint32_t without_unseen(uint32_t checks) {
    uint32_t init = 1u << WG_CHECK_init;
    if (!(checks & init) || !dlsym(RTLD_DEFAULT, "PMPI_Init")) return checks;
    wg_say("this program uses MPI, which writes to device memory unseen: initialisation is not checked");
    return checks & ~init;
}

static bool is_set(const char *value) { return value && *value && strcmp(value, "0") != 0; }

void wg_check_listen(struct wg_options *options) {
    char *path = wg_program_file("WARPGLASS_CHECK");
    if (!path) return;
    findings = wg_findings_new(path);
    free(path);
    owner = getpid();
    struct wg_program p = wg_program_read();
    wg_findings_program(findings, p.argc, p.argv);
    wg_program_free(&p);
    char *device = wg_device_as_json(wg_chip_of(0));
    wg_findings_device(findings, device);
    free(device);
    options->findings = findings;
    options->host = &wg_host_watch;
    /* A run in another order is held against one in order, and not checked. */
    if (!options->schedule.kind)
        options->checks = without_unseen(checks_named(secure_getenv("WARPGLASS_CHECK_ONLY")));
    wg_findings_checks(findings, options->checks);
    const char *proofs = getenv("WARPGLASS_CHECK_PROOFS");
    options->strict_init = is_set(secure_getenv("WARPGLASS_CHECK_STRICT_INIT"));
    options->tells_all = proofs && strcmp(proofs, "0") == 0;
    memory = options->checks & 1u << WG_CHECK_memory;
    races = options->checks & 1u << WG_CHECK_race;
    leaks = memory && is_set(secure_getenv("WARPGLASS_CHECK_LEAKS"));
    wg_findings_write(findings, "running", 0);
}

/* ---- calls that failed ---- */

bool wg_check_finds_races(void) { return races; }

/* The outermost call of a thread, whether what is wrong with it was told already, and whether it is a <<<>>>,
 * which has no result. */
static _Thread_local struct {
    const char *name;
    char *kernel; /* that it would have launched; NULL: none, or not known */
    uint64_t at;
    bool told, no_result;
} caller;

/* A call that gave an error, as often as it did. */
struct failed {
    const char *name;
    char *kernel, *detail;
    uint64_t at, thread, count;
    CUresult r;
    bool no_result; /* nothing was returned, or it was dropped */
    bool handed_on; /* what a kernel did before; the first call that gives it stands for all that do */
    bool seen;      /* by the program, which asked for the last error */
};
static pthread_mutex_t failed_lock = PTHREAD_MUTEX_INITIALIZER;
static WG_VEC(struct failed) failed;

void wg_check_call_begins(const char *name, const void *from) {
    free(caller.kernel);
    caller.kernel = NULL;
    caller.name = name;
    caller.at = (uint64_t)(uintptr_t)from;
    caller.told = caller.no_result = false;
    wg_work_is_of(name, caller.at);
    wg_last_detail_clear();
}

uint64_t wg_check_call_at(void) { return caller.at; }

void wg_check_call_has_no_result(void) { caller.no_result = true; }

void wg_check_refused(const char *kernel) {
    if (findings && !caller.kernel) caller.kernel = wg_function_name(kernel);
}

/* A call that was to launch kernels, of which none ran. */
static bool is_launch(const char *call) { return strstr(call, "Launch") && !strstr(call, "HostFunc"); }

/* Errors that are answers: how things are (with the machine, not with the program), what is already as it was to be, or
 * whether something is there at all. docs/check/api-error.md lists them. */
static bool is_answer(CUresult r) {
    switch (r) {
    case CUDA_ERROR_OUT_OF_MEMORY:
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_DEVICE:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_UNSUPPORTED_LIMIT:
    case CUDA_ERROR_PEER_ACCESS_UNSUPPORTED:
    case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    case CUDA_ERROR_FILE_NOT_FOUND:
    case CUDA_ERROR_OPERATING_SYSTEM:
    case CUDA_ERROR_NOT_FOUND:
    case CUDA_ERROR_PEER_ACCESS_NOT_ENABLED:
    case CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE:
    case CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED:
    case CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED:
    case CUDA_ERROR_NOT_PERMITTED:
    case CUDA_ERROR_NOT_SUPPORTED:
    case CUDA_ERROR_STREAM_CAPTURE_INVALIDATED: /* the call before it that did this was told */
    case CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE: return true;
    default: return false;
    }
}

/* Calls that only ask change nothing where they fail. */
static bool only_asks(const char *call) {
    static const char *const words[] = {"Get", "Peek", "Query", "Can", "Occupancy"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(call, words[i])) return true;
    return false;
}

/* Whether it is a finding, even if the program looked at the error. */
static bool is_finding(const struct failed *x) {
    if (x->handed_on) return false; /* what the kernel did is one */
    return is_launch(x->name) || (!is_answer(x->r) && !only_asks(x->name));
}

static struct failed *find_failed(uint64_t thread, CUresult r, bool no_result) {
    for (uint32_t i = 0; i < failed.n; i++)
        if (failed.v[i].at == caller.at && failed.v[i].r == r && failed.v[i].no_result == no_result &&
            failed.v[i].thread == thread)
            return &failed.v[i];
    return NULL;
}

void wg_check_call_ended(CUresult r) {
    if (!findings || !r || r == CUDA_ERROR_NOT_READY || r == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) return;
    if (caller.told || (!memory && !is_launch(caller.name))) return;
    uint64_t thread = (uint64_t)gettid();
    const char *detail = wg_last_detail();
    bool no_result = caller.no_result || wg_host_call_is_dropped(caller.at);
    pthread_mutex_lock(&failed_lock);
    struct failed *x = find_failed(thread, r, no_result);
    if (!x) {
        x = WG_PUSH(&failed);
        *x = (struct failed){.name = caller.name,
                             .kernel = caller.kernel,
                             .detail = wg_xstrdup(detail),
                             .at = caller.at,
                             .thread = thread,
                             .r = r,
                             .no_result = no_result,
                             .handed_on = wg_is_handed_on(r)};
        caller.kernel = NULL;
    }
    x->count++;
    x->seen = false;
    pthread_mutex_unlock(&failed_lock);
}

void wg_check_error_seen(CUresult r) {
    uint64_t thread = (uint64_t)gettid();
    pthread_mutex_lock(&failed_lock);
    for (uint32_t i = 0; i < failed.n; i++)
        if (failed.v[i].thread == thread && (!r || failed.v[i].r == r)) failed.v[i].seen = true;
    pthread_mutex_unlock(&failed_lock);
}

/* What a kernel did may be a finding itself, or have been looked at behind another call that gave it, or
 * another thread's. */
static bool may_be_known(uint32_t i, bool any_found) {
    const struct failed *x = &failed.v[i];
    if (x->seen || (x->handed_on && any_found)) return true;
    for (uint32_t k = 0; k < failed.n && x->handed_on; k++)
        if (failed.v[k].r == x->r && failed.v[k].handed_on &&
            (k < i || failed.v[k].seen || !failed.v[k].no_result))
            return true;
    return false;
}

/* As the API has it that the call is of. */
static const char *error_name(const char *call, CUresult r) {
    const char *name = NULL;
    if (!strncmp(call, "cuda", 4)) switch ((int)r) {
#define X(NAME, VALUE)                                                                                       \
    case VALUE: return #NAME;
            WG_CUDA_ERRORS(X)
#undef X
        }
    cuGetErrorName(r, &name);
    return name ? name : "an error";
}

/* A program that looks at what a call returns may leave the last error alone: that nobody looked is sure only
 * of what returns nothing, or where the code behind the call drops it. */
static void tell_failed_call(uint32_t i, bool any_found) {
    const struct failed *x = &failed.v[i];
    bool launch = is_launch(x->name) && !x->handed_on, unread = x->no_result && !may_be_known(i, any_found);
    bool found = unread || is_finding(x);
    if (!found && (x->seen || x->no_result)) return;
    struct wg_strbuf b = {0};
    if (launch && x->kernel) wg_strbuf_printf(&b, "the launch of %s", x->kernel);
    wg_strbuf_printf(&b, "%s returned %s (%d)%s%.*s",
                     b.n     ? ""
                     : found ? "it"
                             : x->name,
                     error_name(x->name, x->r), (int)x->r, *x->detail ? ": " : "",
                     (int)strcspn(x->detail, "\n"), x->detail); /* its first line */
    if (found) {
        if (launch && unread) wg_strbuf_puts(&b, "; the program never looked at the error");
        struct wg_finding f = {.kind = launch   ? WG_F_launch_refused
                                       : unread ? WG_F_unread_error
                                                : WG_F_api_error,
                               .site = x->at,
                               .here = {.op = x->name},
                               .detail = b.s,
                               .count = x->count,
                               .host_at = x->at};
        wg_findings_add(findings, &f);
    } else {
        wg_strbuf_puts(&b, "; it is not known whether the program checked the result of the call");
        wg_findings_note(findings, b.s);
    }
    wg_strbuf_free(&b);
}

static void tell_failed(void) {
    bool any_found = wg_findings_any(findings);
    pthread_mutex_lock(&failed_lock);
    for (uint32_t i = 0; i < failed.n; i++) tell_failed_call(i, any_found);
    for (uint32_t i = 0; i < failed.n; i++) {
        free(failed.v[i].kernel);
        free(failed.v[i].detail);
    }
    failed.n = 0;
    pthread_mutex_unlock(&failed_lock);
}

/* ---- memory ---- */

void wg_check_made(struct wg_device *dev, const void *p) {
    if (findings && p) wg_mem_made(dev, p, caller.name, caller.at);
}

static struct wg_finding_memory memory_of(const struct wg_mem_info *i, const struct wg_mem_origin *o,
                                          const void *p) {
    static const char *const kinds[] = {
        [WG_MEM_NONE] = "host",        [WG_MEM_DEVICE] = "device",   [WG_MEM_PINNED] = "host",
        [WG_MEM_MANAGED] = "managed",  [WG_MEM_MODULE] = "module",   [WG_MEM_REGISTERED] = "registered host",
        [WG_MEM_HEAP] = "kernel heap", [WG_MEM_SCRATCH] = "scratch",
    };
    uint64_t a = (uint64_t)(uintptr_t)p, base = (uint64_t)(uintptr_t)i->base;
    return (struct wg_finding_memory){.space = "global",
                                      .address = a,
                                      .has_allocation = true,
                                      .what = kinds[i->kind],
                                      .base = base,
                                      .size = i->size,
                                      .offset = (int64_t)(a - base),
                                      .made_by = o->made_by,
                                      .made_at = o->made_at,
                                      .freed_at = o->freed_at};
}

void wg_check_freeing(struct wg_device *dev, uint32_t kinds, const void *p) {
    struct wg_mem_info info = {0};
    struct wg_mem_origin origin = {0};
    bool freed = false;
    if (!memory) return;
    bool known = wg_mem_around(dev, p, &info, &origin, &freed), whole = known && info.base == p;
    if (whole && !freed && kinds >> info.kind & 1) {
        wg_mem_freeing(dev, p, caller.at);
        return;
    }
    struct wg_finding f = {.kind = whole && freed ? WG_F_double_free : WG_F_invalid_free,
                           .site = caller.at,
                           .here = {.op = caller.name},
                           .memory = {.space = "global", .address = (uint64_t)(uintptr_t)p},
                           .host_at = caller.at};
    if (known) f.memory = memory_of(&info, &origin, p);
    f.memory.freed = freed;
    if (whole && !freed) f.detail = "memory of this kind is freed by another function";
    wg_findings_add(findings, &f);
    caller.told = true;
}

static void tell_leak(void *user, const struct wg_mem_info *info, const struct wg_mem_origin *o) {
    (void)user;
    bool heap = info->kind == WG_MEM_HEAP; /* the name of what made it has the place */
    struct wg_hash h = WG_HASH_INIT;
    if (heap) wg_hash_str(&h, o->made_by);
    struct wg_finding f = {.kind = WG_F_leak,
                           .site = heap         ? h.a
                                   : o->made_at ? o->made_at
                                                : info->id,
                           .here = {.op = o->made_by},
                           .memory = memory_of(info, o, info->base),
                           .host_at = o->made_at};
    wg_findings_add(findings, &f);
}

void wg_check_leaks(struct wg_device *dev) {
    if (leaks && getpid() == owner) wg_mem_each(dev, tell_leak, NULL);
}

/* ---- the host program's own accesses ---- */

struct wg_host_watch wg_host_watch;

void wg_host_accessed(const void *p, uint32_t bytes, bool write, const void *at) {
    struct wg_host_access a = {
        .address = (uint64_t)(uintptr_t)p, .at = (uint64_t)(uintptr_t)at, .bytes = bytes, .write = write};
    wg_host_touches(&wg_host_watch, &a);
}

/* ---- the end ---- */

void wg_check_not_run(void) {
    char text[WG_TEXT_BYTES];
    const char *detail = wg_last_detail();
    snprintf(text, sizeof text, "%.*s", (int)strcspn(detail, "\n"), detail);
    struct wg_finding f = {.kind = WG_F_illegal_instruction,
                           .site = caller.at,
                           .here = {.op = caller.name},
                           .detail = *text ? text : "The kernel was not run",
                           .host_at = caller.at};
    if (!findings) return;
    wg_findings_add(findings, &f);
    caller.told = true;
}

void wg_check_was_doing(const char *kernel, bool compiling) {
    struct wg_finding f = {
        .kind = WG_F_timeout,
        .kernel = kernel,
        .here = {.op = compiling ? "it was still being compiled" : "it was still running"},
    };
    if (findings) wg_findings_add(findings, &f);
}

void wg_check_finish(bool fault, int signal) {
    if (!findings || getpid() != owner || atomic_exchange(&finished, true)) return;
    tell_failed();
    if (!wg_findings_write(findings, signal ? "signal" : fault ? "fault" : "exit", signal))
        wg_say("cannot write the findings: %s", strerror(errno));
}
