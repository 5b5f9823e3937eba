/* A growing string, always terminated; and text files read and written whole.
 *     struct wg_strbuf b = {0};  wg_strbuf_printf(&b, "%d", 3);  puts(b.s);  wg_strbuf_free(&b); */
#ifndef WG_BASE_STRBUF_H
#define WG_BASE_STRBUF_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct wg_strbuf {
    char *s; /* NULL until something is added */
    size_t n, cap;
};

void wg_strbuf_add(struct wg_strbuf *b, const char *s, size_t len);
void wg_strbuf_puts(struct wg_strbuf *b, const char *s);
void wg_strbuf_printf(struct wg_strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void wg_strbuf_vprintf(struct wg_strbuf *b, const char *fmt, va_list ap);
/* Bytes of the UTF-8 character at s, 1 to 4, or 0 where the bytes are none. Reads no byte past a zero byte.
 */
size_t wg_utf8_length(const char *s);
/* Adds n bytes of s so that they can be shown: what a terminal or a browser would act upon instead of showing
 * it - control characters, those that change the direction of writing, bytes that are no UTF-8 - is written
 * as \x1b or
 * \u202e. Newlines and tabs stay. */
void wg_strbuf_shown(struct wg_strbuf *b, const char *s, size_t n);
/* Adds s as JSON has texts, quoted; NULL as null. A byte that belongs to no UTF-8 character, as file names
 * and source text may hold, becomes U+FFFD: a file with one would be no JSON. */
void wg_strbuf_json(struct wg_strbuf *b, const char *s);
/* The same with a name before it: "name": "s". */
void wg_strbuf_json_member(struct wg_strbuf *b, const char *name, const char *s);
void wg_strbuf_free(struct wg_strbuf *b);

/* Reads from the file's position to its end; writes at its position. False with errno set. */
bool wg_read_all(int fd, struct wg_strbuf *out);
bool wg_write_all(int fd, const void *bytes, size_t len);
/* Reads a whole file. False with errno set (EISDIR for a directory). */
bool wg_file_read(const char *path, struct wg_strbuf *out);
/* Writes a whole file by way of a temporary beside it and a rename, so a reader never sees half of it and a
 * full disk leaves the old one. A link stays, and what it leads to is written; what is no file, such as a
 * pipe or a device, is written to as it is. Who may read it is for the umask to say, or as it was. False with
 * errno set. */
bool wg_file_write(const char *path, const void *bytes, size_t len);

#endif
