/* Runs ptxas and nvdisasm: see sass.h. */
#define _GNU_SOURCE
#include "analysis/sass.h"
#include "analysis/cuda_tool.h"
#include "analysis/ptxas.h"
#include "analysis/sass_shared.h"
#include "base/cache_dir.h"
#include "base/command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct tools {
    struct wg_strbuf ptxas, nvdisasm;
};

/* "ptxas 13.0" of "Cuda compilation tools, release 13.0, V13.0.88" */
static void ask_version(struct wg_arena *a, const struct tools *t, struct wg_strbuf *text) {
    char *const words[] = {t->ptxas.s, wg_arena_strdup(a, "--version"), NULL};
    struct wg_strbuf said = {0};
    bool told = wg_command_output(words, "", 0, 1, &said) && said.n;
    const char *at = told ? strstr(said.s, "release ") : NULL;
    if (at) {
        at += strlen("release ");
        wg_strbuf_printf(text, "ptxas %.*s\n", (int)strcspn(at, ", \n"), at);
    }
    wg_strbuf_free(&said);
}

static bool run(const struct tools *t, const struct wg_sass_question *q, struct wg_strbuf *text) {
    struct wg_arena a = {0};
    struct wg_strbuf said = {0};
    int fd =
        memfd_create("kernels.cubin", MFD_CLOEXEC); /* nothing is left of it, whatever ends this process */
    char *file = wg_arena_printf(&a, "/proc/%d/fd/%d", (int)getpid(), fd);
    bool good = fd >= 0 && wg_ptxas_run(t->ptxas.s, "-lineinfo", &q->text, file, q->timeout, &said);
    if (good) {
        char *const words[] = {t->nvdisasm.s, wg_arena_strdup(&a, "-c"), wg_arena_strdup(&a, "-gp"), file,
                               NULL};
        wg_strbuf_free(&said);
        ask_version(&a, t, text);
        good = wg_command_output(words, "", 0, q->timeout, text);
    }
    if (!good && said.n) wg_strbuf_puts(text, said.s);
    if (fd >= 0) close(fd);
    wg_strbuf_free(&said);
    wg_arena_free(&a);
    return good;
}

/* Where what they say of the text's kernel alone is kept. NULL s: nowhere. */
static struct wg_strbuf kept_in(const struct tools *t, const struct wg_cuda_text *of,
                                const char *const *kernels, uint32_t n) {
    struct wg_cuda_text text = {of->ptx, of->arch, kernels, n};
    struct wg_hash h = WG_HASH_INIT;
    if (!wg_cuda_tool_hash(t->ptxas.s, &h) || !wg_cuda_tool_hash(t->nvdisasm.s, &h))
        return (struct wg_strbuf){0};
    return wg_cuda_tool_kept_in("sass", h, &text);
}

static void keep(struct wg_strbuf *kept, const struct wg_strbuf *text) {
    enum { KEEP_AT_MOST = 1024, MEGABYTES_AT_MOST = 64 };
    if (kept->s && text->n) wg_cuda_tool_keep(kept->s, text, KEEP_AT_MOST, MEGABYTES_AT_MOST);
}

/* Asks about a kernel with others, whose answers are kept. False: it is to be asked about alone. */
static bool run_shared(const struct tools *t, const struct wg_sass_question *q, struct wg_strbuf *text) {
    const double PATIENCE = 0.25; /* a part of what is left for the kernel alone */
    struct wg_arena a = {0};
    struct wg_strbuf said = {0};
    uint32_t n = 0;
    const char **names =
        q->text.nkernels == 1 ? wg_sass_shared(&a, q->text.ptx, q->text.kernels[0], &n) : NULL;
    struct wg_sass_question all = {{q->text.ptx, q->text.arch, names, n}, q->timeout * PATIENCE};
    bool good = n > 1 && run(t, &all, &said);
    size_t head = said.s ? strcspn(said.s, "\n") + 1 : 0; /* the version */
    for (uint32_t i = n; good && i-- > 0;) {
        struct wg_strbuf kept = i ? kept_in(t, &q->text, &names[i], 1) : (struct wg_strbuf){0};
        wg_strbuf_free(text);
        wg_strbuf_add(text, said.s, head);
        if (!wg_sass_cut(said.s, names[i], text))
            good = i > 0;
        else if (kept.s)
            wg_cache_write_sealed(kept.s, text->s, text->n);
        wg_strbuf_free(&kept);
    }
    if (!good) wg_strbuf_free(text);
    wg_strbuf_free(&said);
    wg_arena_free(&a);
    return good;
}

static bool ask(const struct tools *t, const struct wg_sass_question *q, struct wg_strbuf *text) {
    struct wg_strbuf kept = kept_in(t, &q->text, q->text.kernels, q->text.nkernels);
    bool good = kept.s && wg_cache_read_sealed(kept.s, text) && text->n;
    if (!good) {
        wg_strbuf_free(text);
        good = (kept.s && run_shared(t, q, text)) || run(t, q, text);
        if (good) keep(&kept, text);
    }
    wg_strbuf_free(&kept);
    return good && text->n;
}

bool wg_sass_ask(const struct wg_sass_question *q, struct wg_strbuf *text) {
    struct tools t = {0};
    bool good = *q->text.ptx && wg_cuda_tool_find("ptxas", "WARPGLASS_PTXAS", &t.ptxas) &&
                wg_cuda_tool_find("nvdisasm", "WARPGLASS_NVDISASM", &t.nvdisasm) && ask(&t, q, text);
    wg_strbuf_free(&t.ptxas);
    wg_strbuf_free(&t.nvdisasm);
    return good;
}
