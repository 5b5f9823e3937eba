/* See gate.h. */
#include "machine/memory/gate.h"
#include "base/arena.h"
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { MOST_MEMORIES = 64, MOST_SPANS = 1024 };
/* Beside what `use` allows, closing and opening take so much of the time that the process runs: 1 / SHARE. */
enum { SHARE = 50 };

struct range {
    uint64_t base, bytes;
};
/* `lock` is taken within a memory's, and alone in the handler: nothing that may fault is done while it is held. */
static struct {
    pthread_mutex_t lock;
    struct {
        struct wg_memory *m;
        struct wg_gate_use use;
    } of[MOST_MEMORIES];
    uint32_t nof;
    struct range range[MOST_SPANS]; /* that are closed, or were until a moment ago */
    uint32_t n;
    bool closed;
    atomic_bool ended;
    _Atomic uint32_t calls, most_calls;    /* that ended, and after which memory may close */
    _Atomic uint64_t spent_ns, allowed_ns; /* of processor time */
    uint64_t bytes, began_ns;
} gate = {.lock = PTHREAD_MUTEX_INITIALIZER};
/* Taken before all others: which memories there are. */
static pthread_mutex_t memories = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool used, listed; /* whether there is a memory; whether there are ranges */
static _Atomic uint32_t ninside;  /* threads in calls of CUDA */

/* In the initial thread-local block: reading it in a handler must not allocate. */
static _Thread_local bool inside __attribute__((tls_model("initial-exec"))),
    calls __attribute__((tls_model("initial-exec")));

static uint64_t time_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void spend_since(uint64_t begin) {
    atomic_fetch_add(&gate.spent_ns, time_of(CLOCK_THREAD_CPUTIME_ID) - begin);
}

/* Under the lock. */
static void open_all(void) {
    for (uint32_t i = 0; gate.closed && i < gate.n; i++)
        mprotect((void *)gate.range[i].base, gate.range[i].bytes, PROT_READ | PROT_WRITE);
    gate.closed = false;
}

/* Whether closing has not cost too much so far. */
static bool is_affordable(void) {
    uint64_t allowed = atomic_load(&gate.allowed_ns), spent = atomic_load(&gate.spent_ns);
    return spent <= allowed || spent - allowed <= (time_of(CLOCK_MONOTONIC) - gate.began_ns) / SHARE;
}

void wg_gate_open(void) {
    if (!atomic_load(&listed)) return;
    pthread_mutex_lock(&gate.lock);
    if (gate.closed) {
        uint64_t begin = time_of(CLOCK_THREAD_CPUTIME_ID);
        open_all();
        spend_since(begin);
    }
    pthread_mutex_unlock(&gate.lock);
}

void wg_gate_forget(uint64_t base, uint64_t end) {
    if (!atomic_load(&listed)) return;
    pthread_mutex_lock(&gate.lock);
    open_all();
    for (uint32_t i = 0; i < gate.n; i++)
        if (gate.range[i].base < end && base < gate.range[i].base + gate.range[i].bytes)
            gate.range[i--] = gate.range[--gate.n];
    pthread_mutex_unlock(&gate.lock);
}

bool wg_gate_closes(void) { return !atomic_load_explicit(&gate.ended, memory_order_relaxed); }

void wg_gate_add(struct wg_memory *m, const struct wg_gate_use *use) {
    pthread_mutex_lock(&memories);
    pthread_mutex_lock(&gate.lock);
    if (gate.nof == MOST_MEMORIES) gate.ended = true;
    if (!gate.began_ns) gate.began_ns = time_of(CLOCK_MONOTONIC);
    atomic_store(&gate.allowed_ns, use->ns);
    atomic_store(&gate.most_calls, use->calls);
    if (!gate.ended) {
        gate.of[gate.nof].m = m;
        gate.of[gate.nof++].use = *use;
    }
    atomic_store(&used, !gate.ended);
    pthread_mutex_unlock(&gate.lock);
    pthread_mutex_unlock(&memories);
}

void wg_gate_remove(const struct wg_memory *m) {
    wg_gate_forget(m->base, m->base + (UINT64_C(1) << m->bits));
    pthread_mutex_lock(&memories);
    pthread_mutex_lock(&gate.lock);
    for (uint32_t i = 0; i < gate.nof; i++)
        if (gate.of[i].m == m) gate.of[i--] = gate.of[--gate.nof];
    if (!gate.nof) atomic_store(&used, false);
    pthread_mutex_unlock(&gate.lock);
    pthread_mutex_unlock(&memories);
}

void wg_gate_enter(void) {
    inside = calls = true;
    /* Before the lock is taken: a thread that holds it closes no more, or has closed already. */
    atomic_fetch_add(&ninside, 1);
    wg_gate_open();
}

static bool is_devices(const struct wg_span *s) {
    return s->kind == WG_MEM_DEVICE && !s->reserved && !s->mapped && !s->imported && !s->read_only &&
           s->file < 0;
}

/* Under the memory's lock, which keeps the spans. Adds what can be closed to `range`; false: there is too much. */
static bool list(struct wg_memory *m, struct range *range, uint32_t *n, uint64_t *bytes) {
    struct wg_span_at at = {0};
    const struct wg_span *s;
    for (; (s = wg_spans_get(&m->spans, at)); at = wg_spans_next(&m->spans, at)) {
        uint64_t base = s->base & ~(uint64_t)(WG_PAGE - 1);
        uint64_t end = (s->end + WG_MEMORY_PAD + WG_PAGE - 1) & ~(uint64_t)(WG_PAGE - 1);
        if (!is_devices(s)) continue;
        if (*n == MOST_SPANS) return false;
        *bytes += end - base;
        range[(*n)++] = (struct range){base, end - base};
    }
    return true;
}

/* Under all locks. A thread may have run into a range of the last list and not have got to its handler yet: what is
 * still there is in the new one, too, and where there is no new one the last stays. */
static void close_all(void) {
    static struct range fresh[MOST_SPANS];
    uint64_t bytes = gate.bytes;
    uint32_t n = 0;
    bool ended = gate.ended, idle = !atomic_load(&ninside);
    for (uint32_t i = 0; i < gate.nof && idle; i++) idle = gate.of[i].use.idle(gate.of[i].use.user);
    if (!idle) return;
    open_all();
    for (uint32_t i = 0; i < gate.nof && !ended; i++) ended = !list(gate.of[i].m, fresh, &n, &bytes);
    for (uint32_t i = 0; i < gate.nof && !ended; i++) ended = bytes > gate.of[i].use.bytes;
    gate.ended = ended;
    atomic_store(&used, !ended);
    if (ended) return;
    gate.bytes = bytes;
    gate.n = n;
    memcpy(gate.range, fresh, n * sizeof *fresh);
    for (uint32_t i = 0; i < n; i++) mprotect((void *)fresh[i].base, fresh[i].bytes, PROT_NONE);
    gate.closed = true;
    atomic_store(&listed, true);
}

/* MPI and what it moves data by give addresses of device memory to the operating system, whose calls fail where a page
 * is closed. */
static int is_transport(struct dl_phdr_info *info, size_t size, void *unused) {
    static const char *const names[] = {"/libmpi", "/libucp.so", "/libfabric.so", "/libnccl.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(info->dlpi_name, names[i])) return 1;
    return 0;
}

/* Nothing is closed any more. False: that was so already. */
static bool end(void) {
    pthread_mutex_lock(&gate.lock);
    bool first = !gate.ended;
    open_all();
    gate.ended = true;
    atomic_store(&used, false);
    pthread_mutex_unlock(&gate.lock);
    return first;
}

void wg_gate_leave(void) {
    inside = false;
    atomic_fetch_sub(&ninside, 1);
    if (!atomic_load(&used)) return;
    if (atomic_fetch_add(&gate.calls, 1) >= atomic_load(&gate.most_calls)) {
        end();
        return;
    }
    if (!is_affordable()) return;
    uint64_t begin = time_of(CLOCK_THREAD_CPUTIME_ID);
    /* Asked without a lock: a thread that loads a library may be in a call of CUDA, and wait for ours. */
    if (dlsym(RTLD_DEFAULT, "PMPI_Init") || dl_iterate_phdr(is_transport, NULL)) {
        end();
        return;
    }
    pthread_mutex_lock(&memories);
    for (uint32_t i = 0; i < gate.nof; i++) pthread_rwlock_rdlock(&gate.of[i].m->lock);
    pthread_mutex_lock(&gate.lock);
    close_all();
    pthread_mutex_unlock(&gate.lock);
    for (uint32_t i = 0; i < gate.nof; i++) pthread_rwlock_unlock(&gate.of[i].m->lock);
    pthread_mutex_unlock(&memories);
    spend_since(begin);
}

/* ---- who accesses ---- */

static int is_first(struct dl_phdr_info *info, size_t size, void *out) {
    *(uint64_t *)out = info->dlpi_addr;
    return 1; /* the program itself comes first */
}

/* Whether it is the program's own code, or a library's that it called itself: not ours, nor what we call, nor what a
 * library does on threads of its own. Code that is in no file is a kernel's. */
static bool is_programs(uint64_t pc) {
    Dl_info at, own;
    uint64_t program = 1;
    if (!dladdr((void *)pc, &at) || !at.dli_fname) return false;
    dl_iterate_phdr(is_first, &program);
    if ((uint64_t)at.dli_fbase == program) return true;
    if (inside || !calls || !dladdr((void *)wg_gate_fault, &own)) return false;
    const char *slash = strrchr(own.dli_fname, '/');
    return !slash || strncmp(own.dli_fname, at.dli_fname, (size_t)(slash - own.dli_fname) + 1) != 0;
}

enum wg_gate_answer wg_gate_fault(uint64_t address, uint64_t pc, bool write) {
    bool found = false, was_closed;
    struct wg_gate_use use = {0};
    if (!atomic_load(&listed)) return WG_GATE_NONE;
    pthread_mutex_lock(&gate.lock);
    for (uint32_t i = 0; i < gate.n && !found; i++)
        found = address - gate.range[i].base < gate.range[i].bytes;
    was_closed = found && gate.closed;
    if (found) open_all();
    for (uint32_t i = 0; i < gate.nof && was_closed; i++)
        if (wg_memory_holds(gate.of[i].m, address)) use = gate.of[i].use;
    pthread_mutex_unlock(&gate.lock);
    if (!found) return WG_GATE_NONE;
    if (!use.told || inside || !is_programs(pc) || !end()) return WG_GATE_RESTART;
    return use.told(use.user, address, pc, write) ? WG_GATE_RESTART : WG_GATE_FAULT;
}
