/* Reading images: see image.h. What a fat binary holds reads base/fat_binary.h; around it there may be a
 *
 *   wrapper   u32 magic, u32 version, u64 data, u64 linked     (linked: array of fat binaries, ends with 0)
 */
#include "driver/image.h"
#include "base/fat_binary.h"
#include "driver/readable.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WRAPPER_MAGIC = 0x466243b1, ELF_MAGIC = 0x464c457f, MAX_LINKED = 4096 };

struct wrapper {
    uint32_t magic, version;
    const void *data;
    const void *const *linked;
};
_Static_assert(sizeof(struct wrapper) == 24, "the file's layout");

/* What one fat binary holds. */
struct contents {
    struct wg_fat_entry best; /* the PTX to use; kind 0: none */
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

static void consider(const struct wg_fat_entry *e, unsigned cc, struct contents *c) {
    if (e->kind == WG_FAT_MACHINE_CODE) {
        c->elf++;
        c->elf_arch = e->arch;
    }
    if (e->kind != WG_FAT_PTX) return;
    c->ptx++;
    if (e->specific ? e->arch != cc : e->arch > cc) {
        if (!c->newer++ || e->arch < c->oldest_needed) c->oldest_needed = e->arch;
    } else if (!c->best.kind || e->arch > c->best.arch || (e->arch == c->best.arch && e->specific)) {
        c->best = *e;
    }
}

static CUresult damaged(struct wg_image *im, const char *why) {
    return fail(im, CUDA_ERROR_INVALID_IMAGE, "the fat binary is damaged: %s", why);
}

/* Walks the entries of a fat binary. */
static CUresult survey(const void *p, unsigned cc, struct wg_image *im, struct contents *c) {
    uint32_t magic;
    uint64_t whole, at = 0;
    struct wg_fat_entry e;
    const char *why;
    if (wg_readable(p, WG_FAT_BINARY_HEADER) < WG_FAT_BINARY_HEADER)
        return fail(im, CUDA_ERROR_INVALID_IMAGE, "the fat binary cannot be read");
    memcpy(&magic, p, sizeof magic);
    if (magic != WG_FAT_BINARY_MAGIC)
        return fail(im, CUDA_ERROR_INVALID_IMAGE, "not a fat binary: it begins with 0x%08x instead of 0x%08x",
                    magic, WG_FAT_BINARY_MAGIC);
    whole = wg_fat_binary_bytes(p); /* from its beginning: a wrong header could reach over a hole */
    if (!whole || wg_readable(p, whole) < whole)
        return fail(im, CUDA_ERROR_INVALID_IMAGE,
                    "the fat binary is cut off: its header says that it has %llu bytes",
                    (unsigned long long)whole);
    while (wg_fat_binary_next(p, &at, &e, &why)) consider(&e, cc, c);
    return why ? damaged(im, why) : CUDA_SUCCESS;
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
    const char *why;
    size_t len = 0;
    char *text = wg_fat_entry_text(&c.best, &len, &why);
    if (!text && errno == ENOMEM) return fail(im, CUDA_ERROR_OUT_OF_MEMORY, "a fat binary: %s", why);
    if (!text) return damaged(im, why);
    keep_text(im, text, len, c.best.name ? strndup(c.best.name, c.best.name_length) : NULL);
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
    if (begins_with(p, n, WG_FAT_BINARY_MAGIC)) return take_binary(p, cc, im, &too_new);
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
