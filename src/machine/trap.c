/* The signal handler for page faults in kernel code; fault_report.c reports them.
 *
 * The first write to memory under a snapshot is restarted once the snapshot has its copy, and one to memory that
 * moves into a file (memory/shared.h) once it is there. Otherwise, when the
 * calling thread is a worker that is running kernel code, the handler notes the address and jumps back to the
 * worker (run_guarded in worker.c), unless the access is a stray that passes (stray.h). Any other fault is
 * not ours and goes to the handler that was installed before.
 *
 * A program may install a handler of its own over ours at any time. Launches look (wg_trap_install), take the
 * first place again and chain to the program's handler. That one may in its turn call the handler that it
 * found, which is ours: then ours calls the one before it.
 */
#include "machine/device.h"
#include "machine/stray.h"
#include "machine/memory/gate.h"
#include "machine/memory/shared.h"
#include "machine/memory/snapshot.h"
#include "machine/worker.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { SIGNAL_STACK = 64 * 1024, PAGE_FAULT_WRITE = 2 /* a bit of the processor's error code */ };

/* In the initial thread-local block: reading it in a handler must not allocate. */
static _Thread_local struct wg_worker *self __attribute__((tls_model("initial-exec")));

/* Handlers that had replaced ours, the latest last. */
enum { MOST_BEFORE = 8 };
struct handlers {
    struct sigaction before[MOST_BEFORE];
    _Atomic uint32_t n;
};
static pthread_mutex_t install_lock = PTHREAD_MUTEX_INITIALIZER;
static struct handlers of_segv, of_bus;

/* How many of them have been called already, each by the next one, for the current signal. */
static _Thread_local uint32_t passed __attribute__((tls_model("initial-exec")));

static void pass_on(int number, siginfo_t *info, void *context) {
    static const struct sigaction none = {.sa_handler = SIG_DFL};
    const struct handlers *all = number == SIGBUS ? &of_bus : &of_segv;
    uint32_t n = atomic_load(&all->n);
    const struct sigaction *old = passed < n ? &all->before[n - 1 - passed] : &none;
    passed++;
    if (old->sa_flags & SA_SIGINFO) {
        old->sa_sigaction(number, info, context);
    } else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) {
        old->sa_handler(number);
    } else if (info->si_code > 0 || old->sa_handler == SIG_DFL) {
        /* Returning runs into the same fault again, with the default action; what was sent is sent again. */
        struct sigaction plain = {.sa_handler = SIG_DFL};
        sigaction(number, &plain, NULL);
        if (info->si_code <= 0) raise(number);
    }
    passed--;
}

/* A loop that never yields is left from here. */
static void kicked(struct wg_worker *w) {
    struct wg_warp *warp = atomic_load_explicit(&w->warp, memory_order_relaxed);
    if (!warp || w->in_service || !__atomic_load_n(warp->block->stop, __ATOMIC_RELAXED)) return;
    w->kicked = true;
    siglongjmp(w->escape, 1);
}

void wg_trap_kick(struct wg_worker *w) { pthread_kill(w->thread, SIGSEGV); }

/* Whether the operating system called us, not another handler: it puts the context right after the return
 * address. A handler that was called may never have returned (siglongjmp). */
#define IS_DELIVERED(context) ((char *)(context) == (char *)__builtin_frame_address(0) + 2 * sizeof(void *))

static void on_fault(int number, siginfo_t *info, void *context) {
    struct wg_worker *w = self;
    if (IS_DELIVERED(context)) passed = 0;
    if (w && info->si_code == SI_TKILL) {
        kicked(w);
        return;
    }
    if (info->si_code > 0 && wg_snapshot_fault((uint64_t)info->si_addr)) return;
    const ucontext_t *at = context;
    enum wg_gate_answer gate = WG_GATE_NONE;
    if (number == SIGSEGV && info->si_code > 0)
        gate = wg_gate_fault((uint64_t)info->si_addr, (uint64_t)at->uc_mcontext.gregs[REG_RIP],
                             at->uc_mcontext.gregs[REG_ERR] & PAGE_FAULT_WRITE);
    if (gate == WG_GATE_RESTART) return;
    if (gate == WG_GATE_FAULT) {
        pass_on(number, info, context);
        raise(number); /* the memory is open, so that it does not come again of itself */
        return;
    }
    if (number == SIGSEGV && info->si_code > 0 && wg_shared_fault((uint64_t)info->si_addr)) return;
    if (w && w->guard) siglongjmp(*w->guard, 1);
    if (!w || w->in_service || !atomic_load_explicit(&w->warp, memory_order_relaxed)) {
        pass_on(number, info, context);
        return;
    }
    if (number == SIGSEGV && info->si_code > 0 && info->si_code != SI_KERNEL &&
        wg_stray_pass(w, (uint64_t)info->si_addr, (uint64_t)at->uc_mcontext.gregs[REG_RIP]))
        return;
    /* For a non-canonical address the signal has no address. */
    w->fault_address_known = info->si_code != SI_KERNEL;
    w->fault_address = (uint64_t)info->si_addr;
    siglongjmp(w->escape, 1);
}

struct wg_worker *wg_trap_self(void) { return self; }

/* Byte by byte, and not instrumented by sanitizers: the memory is the kernel's. */
__attribute__((no_sanitize("address", "thread"))) static void read_bytes(char *to, const volatile char *from,
                                                                         size_t n) {
    for (size_t i = 0; i < n; i++) to[i] = from[i];
}

bool wg_trap_read(void *to, uint64_t from, size_t n) {
    struct wg_worker *w = self;
    sigjmp_buf guard;
    struct wg_span span;
    if (!w || !wg_fleet_may_touch(w->pool->dev, from, n, &span)) return false;
    if (sigsetjmp(guard, 0)) {
        w->guard = NULL;
        return false;
    }
    w->guard = &guard;
    atomic_signal_fence(memory_order_seq_cst);
    read_bytes(to, (const volatile char *)from, n);
    atomic_signal_fence(memory_order_seq_cst);
    w->guard = NULL;
    return true;
}

bool wg_trap_try(void (*fn)(void *arg), void *arg) {
    struct wg_worker *w = self;
    sigjmp_buf guard;
    if (w && sigsetjmp(guard, 0)) {
        w->guard = NULL;
        return false;
    }
    if (w) w->guard = &guard;
    atomic_signal_fence(memory_order_seq_cst);
    fn(arg);
    atomic_signal_fence(memory_order_seq_cst);
    if (w) w->guard = NULL;
    return true;
}

char *wg_trap_string(uint64_t from, size_t most) {
    struct wg_strbuf out = {0};
    char piece[64];
    wg_strbuf_puts(&out, "");
    while (out.n < most) {
        /* Up to the next multiple of the piece's size: never across a page. */
        size_t n = sizeof piece - (from + out.n) % sizeof piece;
        bool whole = wg_trap_read(piece, from + out.n, n);
        if (!whole) n = 1; /* what is registered may end before that, and the string before it */
        if (!whole && !wg_trap_read(piece, from + out.n, n)) {
            wg_strbuf_free(&out);
            return NULL;
        }
        size_t len = strnlen(piece, n);
        wg_strbuf_add(&out, piece, len);
        if (len < n) break;
    }
    return out.s;
}

static bool is_ours(const struct sigaction *a) {
    return (a->sa_flags & SA_SIGINFO) && a->sa_sigaction == on_fault;
}

static bool same(const struct sigaction *a, const struct sigaction *b) {
    return (a->sa_flags & SA_SIGINFO) == (b->sa_flags & SA_SIGINFO) && a->sa_handler == b->sa_handler;
}

/* A handler that is seen again was restored by later ones. With the default action, and where there are too
 * many, the earlier ones are not called. */
static void keep(struct handlers *all, const struct sigaction *now) {
    uint32_t n = atomic_load(&all->n), at = 0;
    bool first = !(now->sa_flags & SA_SIGINFO) && (now->sa_handler == SIG_DFL || now->sa_handler == SIG_IGN);
    while (!first && at < n && !same(&all->before[at], now)) at++;
    if (at == MOST_BEFORE) at = 0;
    all->before[at] = *now;
    atomic_store(&all->n, at + 1);
}

static void install(int number, struct handlers *all) {
    struct sigaction now, ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&ours.sa_mask);
    sigaction(number, NULL, &now);
    if (is_ours(&now)) return;
    keep(all, &now);
    sigaction(number, &ours, NULL);
}

static _Atomic uint64_t looks;

uint64_t wg_trap_looks(void) { return atomic_load_explicit(&looks, memory_order_relaxed); }

void wg_trap_install(void) {
    struct sigaction now;
    atomic_fetch_add_explicit(&looks, 1, memory_order_relaxed);
    /* Who handles one handles both; most launches find nothing to do. */
    if (sigaction(SIGSEGV, NULL, &now) == 0 && is_ours(&now)) return;
    pthread_mutex_lock(&install_lock);
    install(SIGSEGV, &of_segv);
    install(SIGBUS, &of_bus);
    pthread_mutex_unlock(&install_lock);
}

void wg_trap_enter(struct wg_worker *w) {
    void *p = mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t stack = {.ss_sp = p, .ss_size = SIGNAL_STACK};
    if (p != MAP_FAILED && sigaltstack(&stack, NULL) == 0) w->signal_stack = p;
    self = w;
}

void wg_trap_lend(struct wg_worker *w) {
    self = w;
    atomic_signal_fence(memory_order_seq_cst);
}

void wg_trap_leave(struct wg_worker *w) {
    stack_t off = {.ss_flags = SS_DISABLE};
    self = NULL;
    sigaltstack(&off, NULL);
    if (w->signal_stack) munmap(w->signal_stack, SIGNAL_STACK);
}
