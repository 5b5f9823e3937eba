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
#include <time.h>
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

static uint32_t character_of(const char *s, size_t n) {
    static const unsigned char bits[5] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t c = (unsigned char)*s & bits[n];
    for (size_t i = 1; i < n; i++) c = c << 6 | ((unsigned char)s[i] & 0x3f);
    return c;
}

/* A terminal, a browser or an editor acts upon it. */
static bool is_hidden(uint32_t c) {
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

void wg_strbuf_shown(struct wg_strbuf *b, const char *s, size_t n) {
    wg_strbuf_add(b, "", 0);
    for (const char *end = s + n; s < end;) {
        size_t bytes = *s ? wg_utf8_length(s) : 1;
        if (bytes > (size_t)(end - s)) bytes = 0; /* it is cut off */
        uint32_t c = bytes ? character_of(s, bytes) : (unsigned char)*s;
        if (bytes && (!is_hidden(c) || c == '\n' || c == '\t'))
            wg_strbuf_add(b, s, bytes);
        else
            wg_strbuf_printf(b, c < 0x100 ? "\\x%02x" : "\\u%04x", c);
        s += bytes ? bytes : 1;
    }
}

void wg_strbuf_json(struct wg_strbuf *b, const char *s) {
    if (!s) {
        wg_strbuf_puts(b, "null");
        return;
    }
    wg_strbuf_puts(b, "\"");
    while (*s) {
        size_t n = wg_utf8_length(s);
        uint32_t c = n ? character_of(s, n) : 0xfffd;
        if (!n)
            wg_strbuf_puts(b, "\uFFFD");
        else if (c == '"' || c == '\\')
            wg_strbuf_printf(b, "\\%c", (int)c);
        else if (is_hidden(c))
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

bool wg_read_all(int fd, struct wg_strbuf *out) {
    char chunk[1 << 16];
    ssize_t got;
    while ((got = read(fd, chunk, sizeof chunk)) != 0) {
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return false;
        wg_strbuf_add(out, chunk, (size_t)got);
    }
    wg_strbuf_add(out, "", 0);
    return true;
}

bool wg_file_read(const char *path, struct wg_strbuf *out) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    struct stat st;
    bool folder = fstat(fd, &st) == 0 && S_ISDIR(st.st_mode), good = !folder && wg_read_all(fd, out);
    int why = folder ? EISDIR : errno;
    close(fd);
    errno = why;
    return good;
}

bool wg_write_all(int fd, const void *bytes, size_t len) {
    for (const char *p = bytes; len;) {
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
    bool ok = wg_write_all(fd, bytes, len);
    int why = errno;
    if (close(fd) != 0 && ok) return false;
    errno = why;
    return ok;
}

/* Where a link leads to, also if nothing is there yet; NULL with errno set. */
static char *behind_links(const char *path) {
    enum { LINKS_AT_MOST = 40 };
    char *at = wg_xstrdup(path), to[4096];
    for (int links = 0;; links++) {
        ssize_t n = readlink(at, to, sizeof to);
        if (n < 0) return at;
        const char *slash = strrchr(at, '/');
        struct wg_strbuf next = {0};
        if (slash && *to != '/') wg_strbuf_add(&next, at, (size_t)(slash + 1 - at));
        wg_strbuf_add(&next, to, (size_t)n);
        free(at);
        at = next.s;
        if (links < LINKS_AT_MOST && (size_t)n < sizeof to) continue;
        free(at);
        errno = ELOOP;
        return NULL;
    }
}

/* A new file beside `path`, with the rights that it is to have: `path` becomes its name. */
static int open_beside(struct wg_strbuf *path, mode_t mode) {
    enum { TRIES = 100 };
    size_t n = path->n;
    for (int i = 0; i < TRIES; i++) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        path->n = n;
        wg_strbuf_printf(path, ".%lx%lx", (unsigned long)getpid(), (unsigned long)now.tv_nsec);
        int fd = open(path->s, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

static bool write_anew(const char *path, const struct stat *there, const void *bytes, size_t len) {
    struct wg_strbuf tmp = {0};
    wg_strbuf_puts(&tmp, path);
    int fd = open_beside(&tmp, 0666), why = errno;
    bool ok = fd >= 0;
    if (ok) {
        ok = (!there || fchmod(fd, there->st_mode & 0777) == 0) && wg_write_all(fd, bytes, len);
        why = errno;
        if (close(fd) != 0 && ok) ok = false, why = errno;
        if (ok && rename(tmp.s, path) != 0) ok = false, why = errno;
        if (!ok) unlink(tmp.s);
    }
    wg_strbuf_free(&tmp);
    errno = why;
    return ok;
}

bool wg_file_write(const char *path, const void *bytes, size_t len) {
    struct stat st;
    bool there = stat(path, &st) == 0;
    if (there && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) return write_into(path, bytes, len);
    char *end = behind_links(path);
    bool ok = end && write_anew(end, there && S_ISREG(st.st_mode) ? &st : NULL, bytes, len);
    int why = errno;
    free(end);
    errno = why;
    return ok;
}
