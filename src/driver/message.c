/* What people read, and how a status becomes CUDA's.
 *
 * The user's standard output is never touched. A fault in a kernel is told once, when a call returns its code
 * to the program for the first time (or at the end of a program that never asked).
 */
#include "driver/driver.h"
#include "base/progress.h"
#include <string.h>
#include <unistd.h>

static void put(const char *fmt, va_list ap) {
    struct wg_strbuf text = {0}, b = {0};
    wg_strbuf_puts(&text, "warpglass: ");
    wg_strbuf_vprintf(&text, fmt, ap);
    wg_strbuf_puts(&text, "\n");
    wg_strbuf_shown(&b, text.s, text.n); /* names of kernels and files may have anything in them */
    wg_strbuf_free(&text);
    wg_progress_wipe();
    for (size_t at = 0; at < b.n;) {
        ssize_t n = write(STDERR_FILENO, b.s + at, b.n - at);
        if (n <= 0) break;
        at += (size_t)n;
    }
    wg_strbuf_free(&b);
}

void wg_say(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    put(fmt, ap);
    va_end(ap);
}
static unsigned verbose;
void wg_say_up_to(unsigned level) { verbose = level; }

void wg_say_verbose(unsigned level, const char *fmt, ...) {
    if (verbose < level) return;
    va_list ap;
    va_start(ap, fmt);
    put(fmt, ap);
    va_end(ap);
}

CUresult wg_done(struct CUctx_st *ctx, enum wg_status s) {
    if (s == WG_OK || s == WG_NOT_READY) return (CUresult)s;
    const struct wg_fault_record *fault = ctx && ctx->dev ? wg_device_fault(ctx->dev) : NULL;
    if (fault && fault->status == s) {
        if (!atomic_exchange(&ctx->fault_told, true)) {
            size_t n = strlen(fault->message);
            while (n && fault->message[n - 1] == '\n') n--;
            wg_say("%.*s", (int)n, fault->message);
        }
    } else {
        const char *detail = wg_last_detail();
        wg_say_verbose(1, "%s%s%s", wg_status_text(s), detail[0] ? ": " : "", detail);
    }
    return (CUresult)s;
}

CUresult wg_not_supported(const char *function) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static WG_VEC(const char *) told;
    bool known = false;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < told.n && !known; i++) known = !strcmp(told.v[i], function);
    if (!known) *WG_PUSH(&told) = function;
    pthread_mutex_unlock(&lock);
    if (!known)
        wg_say("%s is not supported yet: the call does nothing and returns the error 'not supported' (801)",
               function);
    return CUDA_ERROR_NOT_SUPPORTED;
}

bool wg_told_before(const char *name, CUresult code) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static WG_VEC(struct {
        char *name;
        CUresult code;
    }) told;
    bool known = false;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < told.n && !known; i++)
        known = told.v[i].code == code && !strcmp(told.v[i].name, name);
    if (!known) {
        __typeof__(*told.v) *t = WG_PUSH(&told);
        t->name = wg_xstrdup(name);
        t->code = code;
    }
    pthread_mutex_unlock(&lock);
    return known;
}
