/* Asks the kernel about memory: a write to a pipe from an address that cannot be read fails with EFAULT
 * instead of raising a signal. One byte of each page is enough; up to 1024 pages go in one call. When one of
 * them is bad, the kernel tells only that, and the pages are asked for one by one.
 */
#include "driver/readable.h"
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PAGE = 4096, BATCH = IOV_MAX < 1024 ? IOV_MAX : 1024 };

/* Are all of the `n` pages from `first` readable? */
static int all_readable(int in, int out, uintptr_t first, int n) {
    struct iovec iov[BATCH];
    char drain[BATCH];
    for (int i = 0; i < n; i++) iov[i] = (struct iovec){(void *)(first + (uintptr_t)i * PAGE), 1};
    long wrote = syscall(SYS_writev, out, iov, n); /* not writev(): sanitizers read what it is given */
    return (wrote <= 0 || read(in, drain, (size_t)wrote) == wrote) && wrote == n;
}

static size_t readable_pages(int in, int out, uintptr_t first, size_t pages) {
    size_t done = 0;
    int batch = BATCH;
    while (done < pages) {
        int n = pages - done < (size_t)batch ? (int)(pages - done) : batch;
        if (all_readable(in, out, first + done * PAGE, n))
            done += (size_t)n;
        else if (n > 1)
            batch = 1;
        else
            break;
    }
    return done;
}

size_t wg_readable(const void *p, size_t n) {
    int pipes[2];
    uintptr_t at = (uintptr_t)p, first = at & ~(uintptr_t)(PAGE - 1);
    if (!p || !n) return 0;
    if (at + n < at) n = UINTPTR_MAX - at;
    if (pipe(pipes)) return 0;
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
