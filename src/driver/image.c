/* Reading images: see image.h. Facts of the format are from what nvcc 12 and 13 write.
 *
 *   wrapper   u32 magic, u32 version, u64 data, u64 linked     (linked: array of fat binaries, ends with 0)
 *   binary    u32 magic, u16 version, u16 header bytes, u64 bytes that follow the header
 *   entry     u16 kind (1 PTX, 2 machine code), u16 version, u32 header bytes, u64 payload bytes,
 *             u32 compressed bytes, u32 -, u16 minor, u16 major, u32 arch, u32 name offset, u32 name bytes,
 *             u64 flags, u64 -, u64 bytes when decompressed                     header bytes: 64 and up
 *
 * Compressed bytes are 0 for raw payloads; the payload is padded at its end.
 */
#include "driver/image.h"
#include "driver/readable.h"
#include <ctype.h>
#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { WRAPPER_MAGIC = 0x466243b1, BINARY_MAGIC = 0xba55ed50u, ELF_MAGIC = 0x464c457f };
enum { KIND_PTX = 1, KIND_ELF = 2 };
enum {
    FLAG_LZ4 = 0x2000,
    FLAG_ZSTD = 0x8000,
    FLAG_ARCH_SPECIFIC = 0x100000,
    FLAG_FAMILY_SPECIFIC = 0x200000
};
enum { MAX_TEXT = 1 << 30, MAX_LINKED = 4096, ENTRY_HEADER = 64 };

struct wrapper {
    uint32_t magic, version;
    const void *data;
    const void *const *linked;
};
struct binary {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes;
};
struct entry {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t payload_bytes;
    uint32_t compressed_bytes, unknown1;
    uint16_t minor, major;
    uint32_t arch, name_offset, name_bytes;
    uint64_t flags, unknown2, text_bytes;
};
_Static_assert(sizeof(struct wrapper) == 24 && sizeof(struct binary) == 16 &&
                   sizeof(struct entry) == ENTRY_HEADER,
               "the file's layout");

/* What one fat binary holds. */
struct contents {
    struct entry best; /* the PTX to use; kind 0: none */
    const uint8_t *best_at;
    unsigned ptx, elf, newer; /* entries: PTX, machine code, PTX for newer devices */
    unsigned oldest_needed;   /* the oldest of those */
    unsigned elf_arch;        /* of the last machine code entry */
};

static CUresult fail(struct wg_image *im, CUresult code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static CUresult fail(struct wg_image *im, CUresult code, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    if (!im->why.n) wg_strbuf_vprintf(&im->why, fmt, ap);
    va_end(ap);
    return code;
}

unsigned wg_ptx_target(const char *text, size_t len, bool *specific) {
    const char *p = text, *end = text + len;
    *specific = false;
    while ((p = memmem(p, (size_t)(end - p), ".target", 7))) {
        p += 7;
        const char *line = memchr(p, '\n', (size_t)(end - p));
        const char *sm = memmem(p, (size_t)((line ? line : end) - p), "sm_", 3);
        if (!sm) continue;
        unsigned n = 0;
        for (p = sm + 3; p < end && isdigit((unsigned char)*p) && n < 10000; p++)
            n = n * 10 + (unsigned)(*p - '0');
        *specific = p < end && (*p == 'a' || *p == 'f');
        return n;
    }
    return 0;
}

static void keep_text(struct wg_image *im, char *text, size_t len, char *name) {
    *WG_PUSH(&im->texts) = (struct wg_image_text){text, len, name};
}

static CUresult take_ptx_text(const void *p, struct wg_image *im) {
    size_t len = wg_readable_text(p);
    char *text = wg_xmalloc(len + 1);
    memcpy(text, p, len);
    text[len] = 0;
    keep_text(im, text, len, NULL);
    return CUDA_SUCCESS;
}

/* PTX text begins with a directive or a comment. */
static bool looks_like_ptx(const char *p, size_t n) {
    size_t i = 0;
    while (i < n && isspace((unsigned char)p[i])) i++;
    return i < n && (p[i] == '.' || p[i] == '/');
}

static CUresult unpack(struct wg_image *im, const struct entry *e, const uint8_t *payload, char **text,
                       size_t *len) {
    bool packed = e->flags & (FLAG_LZ4 | FLAG_ZSTD);
    uint64_t in = packed && e->compressed_bytes ? e->compressed_bytes : e->payload_bytes;
    uint64_t size = packed ? e->text_bytes : in;
    if (in > e->payload_bytes || !size || size > MAX_TEXT)
        return fail(im, CUDA_ERROR_INVALID_IMAGE,
                    "the fat binary is damaged: a PTX entry has impossible sizes");
    char *out = malloc(size + 1);
    if (!out)
        return fail(im, CUDA_ERROR_OUT_OF_MEMORY, "no memory for %llu bytes of PTX",
                    (unsigned long long)size);
    bool good = true;
    if (!packed) {
        memcpy(out, payload, size);
    } else if (e->flags & FLAG_ZSTD) {
        size_t n = ZSTD_decompress(out, size, payload, in);
        good = !ZSTD_isError(n) && n == size;
    } else {
        good = LZ4_decompress_safe((const char *)payload, out, (int)in, (int)size) == (int)size;
    }
    if (!good) {
        free(out);
        return fail(im, CUDA_ERROR_INVALID_IMAGE,
                    "the fat binary is damaged: its %s-compressed PTX cannot be decompressed",
                    e->flags & FLAG_ZSTD ? "zstd" : "LZ4");
    }
    out[size] = 0;
    *len = strlen(out); /* padded with zero bytes */
    *text = out;
    return CUDA_SUCCESS;
}

static void consider(const struct entry *e, const uint8_t *at, unsigned cc, struct contents *c) {
    if (e->kind == KIND_ELF) {
        c->elf++;
        c->elf_arch = e->arch;
    }
    if (e->kind != KIND_PTX) return;
    c->ptx++;
    bool specific = e->flags & (FLAG_ARCH_SPECIFIC | FLAG_FAMILY_SPECIFIC);
    if (specific ? e->arch != cc : e->arch > cc) {
        if (!c->newer++ || e->arch < c->oldest_needed) c->oldest_needed = e->arch;
    } else if (!c->best.kind || e->arch > c->best.arch || (e->arch == c->best.arch && specific)) {
        c->best = *e;
        c->best_at = at;
    }
}

/* Walks the entries of a fat binary. */
static CUresult survey(const void *p, unsigned cc, struct wg_image *im, struct contents *c) {
    struct binary b;
    if (wg_readable(p, sizeof b) < sizeof b)
        return fail(im, CUDA_ERROR_INVALID_IMAGE, "the fat binary cannot be read");
    memcpy(&b, p, sizeof b);
    if (b.magic != BINARY_MAGIC || b.header_bytes < sizeof b)
        return fail(im, CUDA_ERROR_INVALID_IMAGE, "not a fat binary: it begins with 0x%08x instead of 0x%08x",
                    b.magic, BINARY_MAGIC);
    const uint8_t *at = (const uint8_t *)p + b.header_bytes;
    uint64_t whole =
        b.header_bytes + b.bytes; /* from its beginning: a wrong header could reach over a hole */
    if (whole < b.bytes || wg_readable(p, whole) < whole)
        return fail(im, CUDA_ERROR_INVALID_IMAGE,
                    "the fat binary is cut off: its header says that it has %llu bytes",
                    (unsigned long long)b.bytes);
    for (uint64_t left = b.bytes; left;) {
        struct entry e;
        if (left < sizeof e)
            return fail(im, CUDA_ERROR_INVALID_IMAGE, "the fat binary is damaged: its last entry is cut off");
        memcpy(&e, at, sizeof e);
        if (e.header_bytes < sizeof e || e.header_bytes > left || e.payload_bytes > left - e.header_bytes)
            return fail(im, CUDA_ERROR_INVALID_IMAGE,
                        "the fat binary is damaged: an entry extends past its end");
        consider(&e, at, cc, c);
        at += e.header_bytes + e.payload_bytes;
        left -= e.header_bytes + e.payload_bytes;
    }
    return CUDA_SUCCESS;
}

static char *entry_name(const struct entry *e, const uint8_t *at) {
    if (!e->name_offset || !e->name_bytes || e->name_offset > e->header_bytes ||
        e->name_bytes > e->header_bytes - e->name_offset)
        return NULL;
    size_t n = strnlen((const char *)at + e->name_offset, e->name_bytes);
    while (n && at[e->name_offset + n - 1] == ' ') n--;
    char *name = wg_xcalloc(n + 1, 1);
    memcpy(name, at + e->name_offset, n);
    return name;
}

static CUresult no_ptx(struct wg_image *im, const struct contents *c, unsigned cc) {
    if (c->newer)
        return fail(im, CUDA_ERROR_NO_BINARY_FOR_GPU,
                    "the program has PTX for sm_%u%s, and the device modelled is sm_%u: run with '--arch "
                    "sm_%u', or compile with 'nvcc -arch=sm_%u'",
                    c->oldest_needed, c->newer > 1 ? " and newer devices" : "", cc, c->oldest_needed, cc);
    return fail(im, CUDA_ERROR_NO_BINARY_FOR_GPU,
                "the program has machine code for sm_%u but no PTX, which is what runs here: compile it with "
                "'nvcc -gencode arch=compute_%u,code=[sm_%u,compute_%u]', or simply 'nvcc -arch=sm_%u'",
                c->elf_arch ? c->elf_arch : cc, cc, cc, cc, cc);
}

static CUresult take_binary(const void *p, unsigned cc, struct wg_image *im, bool *too_new) {
    struct contents c = {0};
    CUresult r = survey(p, cc, im, &c);
    if (r) return r;
    *too_new = !c.best.kind && c.newer;
    if (!c.best.kind) return no_ptx(im, &c, cc);
    char *text = NULL;
    size_t len = 0;
    if ((r = unpack(im, &c.best, c.best_at + c.best.header_bytes, &text, &len))) return r;
    keep_text(im, text, len, entry_name(&c.best, c.best_at));
    return CUDA_SUCCESS;
}

static CUresult take_linked(const struct wrapper *w, unsigned cc, struct wg_image *im) {
    for (unsigned i = 0; i < MAX_LINKED; i++) {
        const void *const *slot = &w->linked[i];
        if (wg_readable(slot, sizeof *slot) < sizeof *slot)
            return fail(im, CUDA_ERROR_INVALID_IMAGE,
                        "the wrapper's list of linked fat binaries cannot be read");
        if (!*slot)
            return i ? CUDA_SUCCESS : fail(im, CUDA_ERROR_INVALID_IMAGE, "the wrapper lists no fat binary");
        bool too_new = false;
        CUresult r = take_binary(*slot, cc, im, &too_new);
        /* nvcc -rdc=true links CUDA's device runtime to every program, with PTX for the newest chips alone;
         * what is called of it is named when the PTX is read. */
        if (r && too_new && im->texts.n) {
            im->why.n = 0;
            continue;
        }
        if (r) return r;
    }
    return fail(im, CUDA_ERROR_INVALID_IMAGE, "the wrapper's list of linked fat binaries has no end");
}

/* Looks at each byte only when the one before was right: the image may be an empty text. */
static bool begins_with(const uint8_t *p, size_t n, uint32_t magic) {
    for (unsigned i = 0; i < 4; i++)
        if (i >= n || p[i] != (uint8_t)(magic >> 8 * i)) return false;
    return true;
}

static CUresult take_any(const void *p, unsigned cc, struct wg_image *im, bool inside_wrapper) {
    size_t n = wg_readable(p, 64);
    bool too_new = false;
    if (begins_with(p, n, BINARY_MAGIC)) return take_binary(p, cc, im, &too_new);
    if (begins_with(p, n, ELF_MAGIC))
        return fail(im, CUDA_ERROR_NO_BINARY_FOR_GPU,
                    "the module is machine code (a cubin), which cannot run here: load PTX instead ('nvcc "
                    "-ptx', or a fat binary with PTX inside)");
    if (begins_with(p, n, WRAPPER_MAGIC) && !inside_wrapper) {
        struct wrapper w;
        if (n < sizeof w) return fail(im, CUDA_ERROR_INVALID_IMAGE, "the fat binary's wrapper is cut off");
        memcpy(&w, p, sizeof w);
        if (w.version == 1) return take_any(w.data, cc, im, true);
        if (w.version == 2 && w.linked) return take_linked(&w, cc, im);
        if (w.version == 2) return take_any(w.data, cc, im, true);
        return fail(im, CUDA_ERROR_INVALID_IMAGE,
                    "the fat binary's wrapper has version %u; 1 and 2 are known", w.version);
    }
    if (n && looks_like_ptx(p, n)) return take_ptx_text(p, im);
    return fail(im, CUDA_ERROR_INVALID_IMAGE, "the module is neither PTX text nor a fat binary");
}

CUresult wg_image_open(const void *image, unsigned cc, struct wg_image *out) {
    return take_any(image, cc, out, false);
}

void wg_image_close(struct wg_image *im) {
    for (uint32_t i = 0; i < im->texts.n; i++) {
        free(im->texts.v[i].text);
        free(im->texts.v[i].name);
    }
    free(im->texts.v);
    wg_strbuf_free(&im->why);
    *im = (struct wg_image){0};
}
