/* Page faults of kernel code: found here, reported by fault.c.
 *
 * The handler does one thing: when the calling thread is a worker that is running kernel code, it notes the
 * address and jumps back to the worker (run_guarded in worker.c). Any other fault is somebody else's and goes
 * to the handler that was there before.
 */
#include "machine/device.h"
#include "machine/worker.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { SIGNAL_STACK = 64 * 1024 };

/* In the initial thread-local block: reading it in a handler must not allocate. */
static _Thread_local struct wg_worker *self __attribute__((tls_model("initial-exec")));

static pthread_mutex_t install_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction before_segv, before_bus;

static void pass_on(int number, siginfo_t *info, void *context) {
    const struct sigaction *old = number == SIGBUS ? &before_bus : &before_segv;
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
}

/* A loop that never yields is left from here. */
static void kicked(struct wg_worker *w) {
    struct wg_warp *warp = atomic_load_explicit(&w->warp, memory_order_relaxed);
    if (!warp || w->in_service || !__atomic_load_n(warp->block->stop, __ATOMIC_RELAXED)) return;
    w->kicked = true;
    siglongjmp(w->escape, 1);
}

void wg_trap_kick(struct wg_worker *w) { pthread_kill(w->thread, SIGSEGV); }

static void on_fault(int number, siginfo_t *info, void *context) {
    struct wg_worker *w = self;
    if (w && info->si_code == SI_TKILL) {
        kicked(w);
        return;
    }
    if (w && w->guard) siglongjmp(*w->guard, 1);
    if (!w || w->in_service || !atomic_load_explicit(&w->warp, memory_order_relaxed)) {
        pass_on(number, info, context);
        return;
    }
    /* An address that is not canonical gives no address. */
    w->fault_address_known = info->si_code != SI_KERNEL;
    w->fault_address = (uint64_t)info->si_addr;
    siglongjmp(w->escape, 1);
}

struct wg_worker *wg_trap_self(void) { return self; }

/* Byte by byte, and no sanitizer's business: the memory is the kernel's. */
__attribute__((no_sanitize("address", "thread"))) static void read_bytes(char *to, const volatile char *from,
                                                                         size_t n) {
    for (size_t i = 0; i < n; i++) to[i] = from[i];
}

bool wg_trap_read(void *to, uint64_t from, size_t n) {
    struct wg_worker *w = self;
    sigjmp_buf guard;
    if (!w || !wg_memory_may_touch(&w->pool->dev->memory, from, n)) return false;
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

char *wg_trap_string(uint64_t from, size_t most) {
    struct wg_strbuf out = {0};
    char piece[64];
    wg_strbuf_puts(&out, "");
    while (out.n < most) {
        /* Up to the next multiple of the piece's size: never across a page. */
        size_t n = sizeof piece - (from + out.n) % sizeof piece;
        if (!wg_trap_read(piece, from + out.n, n)) {
            wg_strbuf_free(&out);
            return NULL;
        }
        size_t len = strnlen(piece, n);
        wg_strbuf_add(&out, piece, len);
        if (len < n) break;
    }
    return out.s;
}

static void install(int number, struct sigaction *before) {
    struct sigaction now, ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&ours.sa_mask);
    sigaction(number, NULL, &now);
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault) return;
    *before = now;
    sigaction(number, &ours, NULL);
}

void wg_trap_install(void) {
    pthread_mutex_lock(&install_lock);
    install(SIGSEGV, &before_segv);
    install(SIGBUS, &before_bus);
    pthread_mutex_unlock(&install_lock);
}

void wg_trap_enter(struct wg_worker *w) {
    void *p = mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t stack = {.ss_sp = p, .ss_size = SIGNAL_STACK};
    if (p != MAP_FAILED && sigaltstack(&stack, NULL) == 0) w->signal_stack = p;
    self = w;
}

void wg_trap_leave(struct wg_worker *w) {
    stack_t off = {.ss_flags = SS_DISABLE};
    self = NULL;
    sigaltstack(&off, NULL);
    if (w->signal_stack) munmap(w->signal_stack, SIGNAL_STACK);
}
