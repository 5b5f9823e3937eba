/* See here.h. */
#include "machine/here.h"
#include "machine/device.h"
#include "machine/module.h"
#include "machine/work.h"
#include "machine/worker.h"
#include <signal.h>
#include <stdlib.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* For generated code's frames, the machine's own, and LLVM's, where code is made when it is first needed. */
enum { STACK_BYTES = 2 << 20 };

/* ---- which launches ---- */

/* Blocks are in an order in which only a loop goes back. */
static bool has_loop(const struct wg_ir_func *f) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].nsucc; i++)
            if (f->blocks[b].succ[i] <= b) return true;
    return false;
}

static bool may_take_long(const struct wg_ir_func *f) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            enum wg_op op = f->blocks[b].instrs[i].op;
            if (op == WG_OP_CALL || op == WG_OP_NANOSLEEP) return true;
        }
    return false;
}

bool wg_here_ends_soon(struct wg_func *f) {
    enum { UNKNOWN, NO, YES };
    uint8_t known = atomic_load_explicit(&f->ends_soon, memory_order_relaxed);
    if (known == UNKNOWN) {
        known = has_loop(f->ir) || may_take_long(f->ir) ? NO : YES;
        atomic_store_explicit(&f->ends_soon, known, memory_order_relaxed);
    }
    return known == YES;
}

/* Nothing looks at the launch besides its stream, and its blocks may run one after the other. */
static bool is_plain(const struct wg_grid *g) {
    const struct wg_device *dev = g->dev;
    return !g->verify && !g->profile && !g->check && !g->later && !g->schedule && !g->cooperative &&
           !g->job.alone && !g->code->collect && !g->block.streams && g->shape.nctas == 1 && !dev->observer &&
           !dev->in_order && wg_code_entry(&g->code->whole);
}

/* ---- the thread ---- */

/* Its stack is deep enough, and is the one that it was created with. */
static bool has_stack(void) {
    static _Thread_local char *low, *high;
    char *at = __builtin_frame_address(0);
    pthread_attr_t attr;
    void *base;
    size_t bytes;
    if (!high && pthread_getattr_np(pthread_self(), &attr) == 0) {
        if (pthread_attr_getstack(&attr, &base, &bytes) == 0) {
            low = base;
            high = low + bytes;
        }
        pthread_attr_destroy(&attr);
    }
    return at > low && at < high && at - low > STACK_BYTES;
}

/* What a worker's thread has and the program's may not: faults can be caught, and sums are rounded to nearest. */
struct manners {
    bool blocks; /* the thread blocks the signals of faults */
    sigset_t blocked;
    unsigned rounding;
};

/* A thread that blocks nothing is asked again when handlers are (look_at_signals in launch.c). */
static void unblock(struct manners *m) {
    static _Thread_local uint64_t asked; /* after how many looks, of which there are some; 0: never */
    uint64_t looks = wg_trap_looks();
    sigset_t faults;
    m->blocks = false;
    if (asked == looks) return;
    sigemptyset(&faults);
    sigaddset(&faults, SIGSEGV);
    sigaddset(&faults, SIGBUS);
    pthread_sigmask(SIG_UNBLOCK, &faults, &m->blocked);
    m->blocks = sigismember(&m->blocked, SIGSEGV) || sigismember(&m->blocked, SIGBUS);
    asked = m->blocks ? 0 : looks;
}

static void behave(struct manners *m) {
    unblock(m);
#if defined(__x86_64__)
    enum { AT_START = 0x1f80 };
    m->rounding = _mm_getcsr();
    if (m->rounding != AT_START) _mm_setcsr(AT_START);
#endif
}

static void restore(const struct manners *m) {
#if defined(__x86_64__)
    _mm_setcsr(m->rounding);
#endif
    if (m->blocks) pthread_sigmask(SIG_SETMASK, &m->blocked, NULL);
}

static struct wg_worker *worker_of(struct wg_device *dev) {
    if (!dev->here) {
        dev->here = wg_xcalloc(1, sizeof *dev->here);
        dev->here->pool = &dev->pool;
        wg_sums_init(&dev->here->sums);
    }
    return dev->here;
}

/* Whether there is a fault or the like. */
static bool tells(struct wg_grid *g) {
    return g->fault_unit != UINT64_MAX || g->stopped_unit != UINT64_MAX || g->overrun.seen || g->nstrays ||
           atomic_load(&g->strayed) || atomic_load(&g->stop) != WG_STOP_NO;
}

enum wg_here wg_here_run(struct wg_grid *g) {
    struct wg_device *dev = g->dev;
    struct manners m;
    if (!g->job.brief || !is_plain(g) || !wg_here_ends_soon(g->func) || wg_trap_self() || !has_stack())
        return WG_HERE_NOT;
    if (atomic_exchange(&dev->here_taken, true)) return WG_HERE_NOT; /* by another thread */
    struct wg_worker *w = worker_of(dev);
    behave(&m);
    wg_trap_lend(w);
    wg_worker_run_grid(w, g, 0, g->job.units);
    wg_trap_lend(NULL);
    restore(&m);
    atomic_store(&dev->here_taken, false);
    return tells(g) ? WG_HERE_TELLS : WG_HERE_ENDED;
}

bool wg_here_run_units(struct wg_grid *g, const uint64_t *units, uint32_t n, wg_here_ended *ended,
                       void *user) {
    bool well = true;
    struct manners m;
    if (wg_trap_self() || !has_stack() || atomic_exchange(&g->dev->here_taken, true)) return false;
    struct wg_worker *w = worker_of(g->dev);
    behave(&m);
    wg_trap_lend(w);
    for (uint32_t i = 0; i < n && well; i++) {
        wg_worker_run_grid(w, g, units[i], units[i] + 1);
        well = !tells(g);
        if (well) ended(user, i);
    }
    wg_trap_lend(NULL);
    restore(&m);
    atomic_store(&g->dev->here_taken, false);
    return well;
}

/* ---- what is left to do ---- */

static void run_rest(struct wg_worker *w, struct wg_job *rest, uint64_t begin, uint64_t end) {
    wg_job_finished(w->pool, rest, end - begin);
}
static void completed(struct wg_job *rest) {
    struct wg_grid *g = wg_grid_of_alone(rest);
    g->launcher->completed(g);
}
static void release(struct wg_job *rest) { wg_grid_release(wg_grid_of_alone(rest)); }

struct wg_job *wg_here_rest(struct wg_grid *g) {
    static const struct wg_job_kind rest = {run_rest, completed, release};
    g->alone = (struct wg_job){
        .kind = &rest, .units = 1, .longest = 1, .longest_quick = 1, .priority = g->job.priority};
    return &g->alone;
}

void wg_here_close(struct wg_device *dev) {
    if (!dev->here) return;
    wg_slot_trim(dev->here, 0);
    wg_sums_free(&dev->here->sums);
    free(dev->here);
}
