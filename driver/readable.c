/* Asks the kernel about memory: a write to a pipe from an address that cannot be read fails with EFAULT
 * instead of raising a signal. One byte of each page is enough; up to 1024 pages go in one call.
 */
#include "driver/readable.h"
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PAGE = 4096, BATCH = IOV_MAX < 1024 ? IOV_MAX : 1024 };

static size_t readable_pages(int in, int out, uintptr_t first, size_t pages) {
    struct iovec iov[BATCH];
    char drain[BATCH];
    size_t done = 0;
    while (done < pages) {
        int n = pages - done < BATCH ? (int)(pages - done) : BATCH;
        for (int i = 0; i < n; i++) iov[i] = (struct iovec){(void *)(first + (done + (size_t)i) * PAGE), 1};
        ssize_t wrote = writev(out, iov, n);
        if (wrote > 0 && read(in, drain, (size_t)wrote) != wrote) break;
        if (wrote > 0) done += (size_t)wrote;
        if (wrote < n) break;
    }
    return done;
}

size_t wg_readable(const void *p, size_t n) {
    int pipes[2];
    uintptr_t at = (uintptr_t)p, first = at & ~(uintptr_t)(PAGE - 1);
    if (!p || !n) return 0;
    if (at + n < at) n = UINTPTR_MAX - at;
    if (pipe(pipes)) return 0;
    /* The first byte asked for is `p` itself: writev gives back what it could do up to the first bad page. */
    size_t pages = (at + n - 1 - first) / PAGE + 1;
    size_t ok = readable_pages(pipes[0], pipes[1], first, pages);
    close(pipes[0]);
    close(pipes[1]);
    if (!ok) return 0;
    size_t bytes = first + ok * PAGE - at;
    return bytes < n ? bytes : n;
}

size_t wg_readable_text(const void *p) {
    size_t len = 0;
    for (size_t step = 1 << 16;; len += step) {
        size_t n = wg_readable((const char *)p + len, step);
        const char *zero = n ? memchr((const char *)p + len, 0, n) : NULL;
        if (zero) return (size_t)(zero - (const char *)p);
        if (n < step) return len + n;
    }
}
