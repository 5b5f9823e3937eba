/* Growing strings and whole files: see strbuf.h. */
#include "base/strbuf.h"
#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void reserve(struct wg_strbuf *b, size_t more) {
    if (b->n + more + 1 <= b->cap) return;
    while (b->cap < b->n + more + 1) b->cap = b->cap ? b->cap * 2 : 64;
    b->s = wg_xrealloc(b->s, b->cap);
}

void wg_strbuf_add(struct wg_strbuf *b, const char *s, size_t len) {
    reserve(b, len);
    if (len) memcpy(b->s + b->n, s, len);
    b->n += len;
    b->s[b->n] = 0;
}

void wg_strbuf_puts(struct wg_strbuf *b, const char *s) { wg_strbuf_add(b, s, strlen(s)); }

void wg_strbuf_vprintf(struct wg_strbuf *b, const char *fmt, va_list ap) {
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    reserve(b, (size_t)n);
    vsnprintf(b->s + b->n, (size_t)n + 1, fmt, again);
    va_end(again);
    b->n += (size_t)n;
}

void wg_strbuf_printf(struct wg_strbuf *b, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    wg_strbuf_vprintf(b, fmt, ap);
    va_end(ap);
}

/* No characters: too long a form, half of a pair of UTF-16, or beyond the last one, too. */
size_t wg_utf8_length(const char *text) {
    const unsigned char *s = (const unsigned char *)text;
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = *s < 0x80 ? 1 : *s >> 5 == 6 ? 2 : *s >> 4 == 14 ? 3 : *s >> 3 == 30 ? 4 : 0;
    if (n < 2) return n;
    uint32_t c = *s & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if (s[i] >> 6 != 2) return 0;
        c = c << 6 | (s[i] & 0x3f);
    }
    return c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : n;
}

void wg_strbuf_json(struct wg_strbuf *b, const char *s) {
    if (!s) {
        wg_strbuf_puts(b, "null");
        return;
    }
    wg_strbuf_puts(b, "\"");
    while (*s) {
        unsigned char c = (unsigned char)*s;
        size_t n = wg_utf8_length(s);
        if (!n)
            wg_strbuf_puts(b, "\uFFFD");
        else if (c == '"' || c == '\\')
            wg_strbuf_printf(b, "\\%c", c);
        else if (c < 32 || c == 127)
            wg_strbuf_printf(b, "\\u%04x", c);
        else
            wg_strbuf_add(b, s, n);
        s += n ? n : 1;
    }
    wg_strbuf_puts(b, "\"");
}

void wg_strbuf_json_member(struct wg_strbuf *b, const char *name, const char *s) {
    wg_strbuf_printf(b, "\"%s\": ", name);
    wg_strbuf_json(b, s);
}

void wg_strbuf_free(struct wg_strbuf *b) {
    free(b->s);
    *b = (struct wg_strbuf){0};
}

bool wg_file_read(const char *path, struct wg_strbuf *out) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    struct stat st;
    if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        close(fd);
        errno = EISDIR;
        return false;
    }
    char chunk[1 << 16];
    ssize_t got;
    while ((got = read(fd, chunk, sizeof chunk)) != 0) {
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) break;
        wg_strbuf_add(out, chunk, (size_t)got);
    }
    int why = errno;
    close(fd);
    errno = why;
    if (got == 0) wg_strbuf_add(out, "", 0);
    return got == 0;
}

static bool write_all(int fd, const char *p, size_t len) {
    while (len) {
        ssize_t put = write(fd, p, len);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return false;
        p += put;
        len -= (size_t)put;
    }
    return true;
}

static bool write_into(const char *path, const void *bytes, size_t len) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return false;
    bool ok = write_all(fd, bytes, len);
    int why = errno;
    if (close(fd) != 0 && ok) return false;
    errno = why;
    return ok;
}

bool wg_file_write(const char *path, const void *bytes, size_t len) {
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode))
        return write_into(path, bytes, len);
    struct wg_strbuf tmp = {0};
    wg_strbuf_printf(&tmp, "%s.XXXXXX", path);
    int fd = mkstemp(tmp.s);
    bool ok = fd >= 0;
    if (ok) {
        ok = fchmod(fd, 0644) == 0 && write_all(fd, bytes, len);
        int why = errno;
        if (close(fd) != 0 && ok)
            ok = false;
        else
            errno = why;
        if (ok) ok = rename(tmp.s, path) == 0;
        if (!ok) {
            why = errno;
            unlink(tmp.s);
            errno = why;
        }
    }
    wg_strbuf_free(&tmp);
    return ok;
}
