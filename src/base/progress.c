/* See progress.h. */
#include "base/progress.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "base/thread.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static atomic_bool shown; /* a line stands on the terminal, without its end */
static atomic_bool taken; /* one has the terminal's line */

void wg_progress_wipe(void) {
    static const char wipe[] = "\r\033[K";
    if (atomic_exchange(&shown, false)) wg_write_all(STDERR_FILENO, wipe, sizeof wipe - 1);
}

static void write_line(const char *text, bool terminal) {
    struct wg_strbuf line = {0};
    struct winsize size = {0};
    if (terminal) wg_strbuf_puts(&line, "\r");
    wg_strbuf_puts(&line, "warpglass: ");
    wg_strbuf_shown(&line, text, strlen(text));
    /* A line that is longer than the terminal is wide could not be written over. */
    bool known = terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    if (known && line.n > size.ws_col) line.n = size.ws_col;
    wg_strbuf_puts(&line, terminal ? "\033[K" : "\n");
    if (terminal) atomic_store(&shown, true);
    wg_write_all(STDERR_FILENO, line.s, line.n);
    wg_strbuf_free(&line);
}

static void write_step(const struct wg_progress *p, bool terminal) {
    uint32_t step = atomic_load_explicit(&p->step, memory_order_relaxed);
    double seconds = (double)(wg_now_ns() - p->began) * 1e-9;
    struct wg_strbuf text = {0};
    wg_strbuf_puts(&text, p->what);
    if (p->nsteps) wg_strbuf_printf(&text, ": step %u of %u, %s", step + 1, p->nsteps, p->steps[step]);
    wg_strbuf_printf(&text, ", %.3g s", seconds);
    write_line(text.s, terminal);
    wg_strbuf_free(&text);
}

/* The next time that something is said, in ns from the beginning: none that is over. */
static uint64_t next(uint64_t began, uint64_t last, bool terminal) {
    uint64_t then = wg_now_ns() - began;
    do last = terminal ? last + 1000000000u : 2 * last;
    while (last <= then);
    return last;
}

static void *tell(void *user) {
    struct wg_progress *p = user;
    bool terminal = isatty(STDERR_FILENO), mine = false;
    pthread_mutex_lock(&p->lock);
    for (uint64_t at = (uint64_t)(p->after * 1e9); !p->over;) {
        uint64_t until = p->began + at;
        struct timespec t = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
        if (wg_now_ns() < until) {
            pthread_cond_timedwait(&p->ends, &p->lock, &t);
            continue;
        }
        if (terminal && !mine) mine = !atomic_exchange(&taken, true);
        if (mine || !terminal) write_step(p, terminal);
        at = next(p->began, at, terminal);
    }
    pthread_mutex_unlock(&p->lock);
    if (mine) wg_progress_wipe();
    if (mine) atomic_store(&taken, false);
    return NULL;
}

void wg_progress_begin(struct wg_progress *p) {
    pthread_condattr_t clock;
    p->began = wg_now_ns();
    if (!(p->after > 0)) return;
    if (p->after < 1e-3) p->after = 1e-3;
    pthread_mutex_init(&p->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&p->ends, &clock);
    pthread_condattr_destroy(&clock);
    p->started = wg_start_thread(&p->thread, tell, p);
}

void wg_progress_end(struct wg_progress *p) {
    if (!(p->after > 0)) return;
    pthread_mutex_lock(&p->lock);
    p->over = true;
    pthread_cond_signal(&p->ends);
    pthread_mutex_unlock(&p->lock);
    if (p->started) pthread_join(p->thread, NULL);
    pthread_cond_destroy(&p->ends);
    pthread_mutex_destroy(&p->lock);
}

/* ---- who only waits ---- */

bool wg_progress_is_due(struct wg_progress_line *l) {
    if (!(l->after > 0)) return false;
    if (!l->next) l->next = (uint64_t)(l->after * 1e9) + 1;
    return wg_now_ns() - l->began >= l->next;
}

void wg_progress_put(struct wg_progress_line *l, const char *text) {
    bool terminal = isatty(STDERR_FILENO);
    l->next = next(l->began, l->next, terminal);
    if (terminal && !l->mine) l->mine = !atomic_exchange(&taken, true);
    if (l->mine || !terminal) write_line(text, terminal);
}

void wg_progress_over(struct wg_progress_line *l) {
    if (!l->mine) return;
    wg_progress_wipe();
    atomic_store(&taken, false);
}
