/* printf of kernels.
 *
 * CUDA's compilers lower printf("%d %f", i, x) to vprintf(format, buffer): the buffer holds the arguments as
 * C varargs, 4 or 8 bytes each, naturally aligned. A line is formatted when the kernel prints it, kept with
 * its block's number, and sorted by block at the end of the launch: the output is the same with any number of
 * threads. It goes to the program's stdout when the program synchronises, as CUDA's does: never at its end.
 */
#include "machine/device.h"
#include "machine/worker.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_STRING = 1 << 20, EARLY_BYTES = 64 << 20 };

struct arguments {
    uint64_t at;
    bool unreadable;
    uint32_t n;
    const struct wg_print_reader *reader; /* NULL: nobody listens */
};

static uint64_t next_argument(struct arguments *a, uint32_t bytes) {
    uint64_t v = 0;
    a->at = (a->at + bytes - 1) & ~(uint64_t)(bytes - 1);
    if (!a->unreadable) a->unreadable = !wg_trap_read(&v, a->at, bytes);
    a->n++;
    if (a->reader && !a->unreadable) a->reader->argument(a->reader->user, a->n, a->at, bytes);
    a->at += bytes;
    return v;
}

/* One conversion, from after its '%': flags, width, precision and length as written, then the letter. */
struct conversion {
    char text[48];  /* "%-*.3" with stars replaced, no length */
    uint32_t bytes; /* of an integer argument */
    bool is_char_or_short;
    uint32_t narrow; /* 1 hh, 2 h, 0 neither */
    char letter;
};

static const char *read_conversion(const char *s, struct arguments *args, struct conversion *c) {
    size_t n = 0;
    const size_t most = sizeof c->text - 16;
    memset(c, 0, sizeof *c);
    c->bytes = 4;
    c->text[n++] = '%';
    while (*s && strchr("-+ #0123456789.*", *s)) {
        if (*s == '*')
            n += (size_t)snprintf(c->text + n, 12, "%d", (int)next_argument(args, 4));
        else if (n < most)
            c->text[n++] = *s;
        if (n >= most) n = most;
        s++;
    }
    for (; *s && strchr("hlLqjzt", *s); s++) {
        if (*s == 'h')
            c->narrow = c->narrow == 2 ? 1 : 2;
        else
            c->bytes = 8;
    }
    c->letter = *s;
    return *s ? s + 1 : s;
}

static int64_t narrowed(uint64_t v, const struct conversion *c) {
    if (c->narrow == 1) return (int8_t)v;
    if (c->narrow == 2) return (int16_t)v;
    return c->bytes == 4 ? (int32_t)v : (int64_t)v;
}
static uint64_t widened(uint64_t v, const struct conversion *c) {
    if (c->narrow == 1) return (uint8_t)v;
    if (c->narrow == 2) return (uint16_t)v;
    return c->bytes == 4 ? (uint32_t)v : v;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
static void print_one(struct wg_strbuf *out, struct conversion *c, struct arguments *args) {
    char piece[512], *text = NULL;
    size_t n = strlen(c->text);
    double real;
    uint64_t v;
    switch (c->letter) {
    case 'd':
    case 'i':
        strcpy(c->text + n, PRId64);
        snprintf(piece, sizeof piece, c->text, narrowed(next_argument(args, c->bytes), c));
        break;
    case 'u':
    case 'o':
    case 'x':
    case 'X': {
        const char *spelled = c->letter == 'u'   ? PRIu64
                              : c->letter == 'o' ? PRIo64
                              : c->letter == 'x' ? PRIx64
                                                 : PRIX64;
        strcpy(c->text + n, spelled);
        snprintf(piece, sizeof piece, c->text, widened(next_argument(args, c->bytes), c));
        break;
    }
    case 'c':
        strcpy(c->text + n, "c");
        snprintf(piece, sizeof piece, c->text, (int)next_argument(args, 4));
        break;
    case 'p':
        strcpy(c->text + n, "p");
        snprintf(piece, sizeof piece, c->text, (void *)next_argument(args, 8));
        break;
    case 's':
        v = next_argument(args, 8);
        if (args->reader && !args->unreadable) args->reader->string(args->reader->user, args->n, v);
        text = v ? wg_trap_string(v, LONGEST_STRING) : wg_xstrdup("(null)");
        strcpy(c->text + n, "s");
        wg_strbuf_printf(out, c->text, text ? text : "(unreadable string)");
        free(text);
        return;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        v = next_argument(args, 8);
        memcpy(&real, &v, sizeof real);
        c->text[n] = c->letter;
        wg_strbuf_printf(out, c->text, real);
        return;
    default: /* not a conversion: copied verbatim, like the C library */
        wg_strbuf_puts(out, c->text);
        if (c->letter) wg_strbuf_add(out, &c->letter, 1);
        return;
    }
    wg_strbuf_puts(out, piece);
}
#pragma GCC diagnostic pop

/* The number of arguments. */
static uint32_t format(struct wg_strbuf *out, const char *f, uint64_t buffer,
                       const struct wg_print_reader *reader) {
    struct arguments args = {.at = buffer, .reader = reader};
    uint32_t count = 0;
    while (*f) {
        size_t n = strcspn(f, "%");
        wg_strbuf_add(out, f, n);
        f += n;
        if (!*f) break;
        if (f[1] == '%') {
            wg_strbuf_add(out, "%", 1);
            f += 2;
            continue;
        }
        struct conversion c;
        f = read_conversion(f + 1, &args, &c);
        print_one(out, &c, &args);
        count++;
    }
    return count;
}

static void early(struct wg_grid *g) {
    if (!g->dry) fwrite(g->text.s, 1, g->text.n, stdout);
    fflush(stdout);
    g->text.n = 0;
    g->prints.n = 0;
}

uint32_t wg_print(struct wg_warp *w, uint64_t format_at, uint64_t buffer) {
    const struct wg_cta *c = w->machine;
    struct wg_grid *g = c->unit->grid;
    struct wg_strbuf out = {0};
    char *text = format_at ? wg_trap_string(format_at, LONGEST_STRING) : NULL;
    if (!text) return UINT32_MAX;
    uint32_t count = format(&out, text, buffer, NULL);
    free(text);
    if (out.n) {
        pthread_mutex_lock(&g->lock);
        *WG_PUSH(&g->prints) =
            (struct wg_print){wg_block_index(&c->block), (uint32_t)g->text.n, (uint32_t)out.n};
        wg_strbuf_add(&g->text, out.s, out.n);
        if (g->text.n > EARLY_BYTES) early(g); /* a kernel that never ends must not fill the memory */
        pthread_mutex_unlock(&g->lock);
    }
    wg_strbuf_free(&out);
    return count;
}

void wg_print_read(uint64_t format_at, uint64_t buffer, const struct wg_print_reader *r) {
    struct wg_strbuf out = {0};
    char *text = format_at ? wg_trap_string(format_at, LONGEST_STRING) : NULL;
    if (text) format(&out, text, buffer, r);
    free(text);
    wg_strbuf_free(&out);
}

/* By block; what a block printed stays in its order. */
static int by_block(const void *a, const void *b) {
    const struct wg_print *x = a, *y = b;
    if (x->block != y->block) return x->block < y->block ? -1 : 1;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

void wg_print_take(struct wg_grid *g) {
    if (!g->prints.n) return;
    qsort(g->prints.v, g->prints.n, sizeof *g->prints.v, by_block);
    pthread_mutex_lock(&g->dev->print_lock);
    for (uint32_t i = 0; i < g->prints.n; i++)
        wg_strbuf_add(&g->dev->printed, g->text.s + g->prints.v[i].begin, g->prints.v[i].len);
    atomic_store(&g->dev->has_printed, true);
    bool much = g->dev->printed.n > EARLY_BYTES;
    pthread_mutex_unlock(&g->dev->print_lock);
    g->prints.n = 0;
    g->text.n = 0;
    if (much) wg_print_flush(g->dev); /* nor may a program that never synchronises */
}

void wg_print_flush(struct wg_device *dev) {
    if (!atomic_load(&dev->has_printed)) return;
    pthread_mutex_lock(&dev->print_lock);
    fwrite(dev->printed.s, 1, dev->printed.n, stdout);
    dev->printed.n = 0;
    atomic_store(&dev->has_printed, false);
    pthread_mutex_unlock(&dev->print_lock);
}

uint64_t wg_device_unshown(struct wg_device *dev, char *first, size_t most) {
    uint64_t lines = 0;
    if (!wg_device_is_here(dev) || !atomic_load(&dev->has_printed)) return 0;
    pthread_mutex_lock(&dev->print_lock);
    const struct wg_strbuf *b = &dev->printed;
    snprintf(first, most, "%.*s", (int)strcspn(b->s, "\n"), b->s);
    for (size_t i = 0; i < b->n; i++) lines += b->s[i] == '\n';
    lines += b->n && b->s[b->n - 1] != '\n';
    pthread_mutex_unlock(&dev->print_lock);
    return lines;
}
