/* Runs ptxas and nvdisasm: see sass.h. */
#define _GNU_SOURCE
#include "analysis/sass.h"
#include "analysis/cuda_tool.h"
#include "analysis/ptxas.h"
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
    const char *at = wg_command_output(words, "", 0, 1, &said) ? strstr(said.s, "release ") : NULL;
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

static bool ask(const struct tools *t, const struct wg_sass_question *q, struct wg_strbuf *text) {
    enum { KEEP_AT_MOST = 256, MEGABYTES_AT_MOST = 64 };
    struct wg_strbuf kept = {0};
    struct wg_hash h = WG_HASH_INIT;
    if (wg_cuda_tool_hash(t->ptxas.s, &h) && wg_cuda_tool_hash(t->nvdisasm.s, &h))
        kept = wg_cuda_tool_kept_in("sass", h, &q->text);
    bool good = kept.s && wg_cache_read_sealed(kept.s, text) && text->n;
    if (!good) {
        wg_strbuf_free(text);
        good = run(t, q, text);
        if (good && text->n && kept.s) wg_cuda_tool_keep(kept.s, text, KEEP_AT_MOST, MEGABYTES_AT_MOST);
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
