/* Runs ptxas: see ptxas.h. */
#include "analysis/ptxas.h"
#include "analysis/cuda_tool.h"
#include "base/arena.h"
#include "base/cache_dir.h"
#include "base/command.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ", debug" after the target would disable ptxas's optimisation. */
static void remove_debug(char *text) {
    char *target = strstr(text, "\n.target"), *debug = target ? strstr(target, ", debug") : NULL;
    if (debug && debug < target + 1 + strcspn(target + 1, "\n")) memset(debug, ' ', strlen(", debug"));
}

/* "sm_90a" of a text whose target is such a chip's alone; else `arch`. */
static void choose_target(const char *text, const char *arch, char out[16]) {
    const char *target = strstr(text, "\n.target");
    char own[16] = "";
    if (target) sscanf(target, " .target %15[a-z0-9_]", own);
    size_t n = strlen(own);
    bool specific = n && (own[n - 1] == 'a' || own[n - 1] == 'f');
    snprintf(out, 16, "%s", specific ? own : arch);
}

/* A question: to whom, about what. */
bool wg_ptxas_run(char *ptxas, const char *option, const struct wg_cuda_text *t, const char *out,
                  double timeout, struct wg_strbuf *said) {
    enum { WORDS = 7 };
    struct wg_arena a = {0};
    char target[16], *text = wg_arena_strdup(&a, t->ptx);
    char **words = WG_NEW_N(&a, char *, t->nkernels + WORDS), **next = words;
    remove_debug(text);
    choose_target(text, t->arch, target);
    *next++ = ptxas;
    *next++ = wg_arena_strdup(&a, option);
    *next++ = wg_arena_printf(&a, "-arch=%s", target);
    for (uint32_t i = 0; i < t->nkernels; i++) *next++ = wg_arena_printf(&a, "--entry=%s", t->kernels[i]);
    *next++ = wg_arena_strdup(&a, "/dev/stdin");
    *next++ = wg_arena_strdup(&a, "-o");
    *next++ = wg_arena_strdup(&a, out);
    *next = NULL;
    bool good = wg_command_output(words, text, strlen(text), timeout, said);
    wg_arena_free(&a);
    return good;
}

bool wg_ptxas_ask(const char *ptx, const char *arch, const char *const *kernels, uint32_t nkernels,
                  double timeout, struct wg_strbuf *said) {
    enum { KEEP_AT_MOST = 1024, MEGABYTES_AT_MOST = 16 };
    struct wg_cuda_text t = {ptx, arch, kernels, nkernels};
    struct wg_strbuf ptxas = {0}, kept = {0};
    struct wg_hash h = WG_HASH_INIT;
    if (!*ptx || !wg_cuda_tool_find("ptxas", "WARPGLASS_PTXAS", &ptxas)) return false;
    if (wg_cuda_tool_hash(ptxas.s, &h)) kept = wg_cuda_tool_kept_in("registers", h, &t);
    bool good = kept.s && wg_cache_read_sealed(kept.s, said);
    if (good) {
        good = said->n && strstr(said->s, "Used "); /* else it is why it did not take the text */
    } else {
        wg_strbuf_free(said);
        good = wg_ptxas_run(ptxas.s, "-v", &t, "/dev/null", timeout, said);
        if (!good && !said->n) wg_strbuf_puts(said, "it says nothing, or takes too long");
        if (kept.s) wg_cuda_tool_keep(kept.s, said, KEEP_AT_MOST, MEGABYTES_AT_MOST);
    }
    wg_strbuf_free(&kept);
    wg_strbuf_free(&ptxas);
    return good;
}

/* The number before `unit` on the line: 28 of "Used 28 registers". 0 when the line has none. */
static uint32_t number_before(const char *line, const char *unit) {
    const char *end = line + strcspn(line, "\n");
    const char *at = strstr(line, unit);
    if (!at || at >= end) return 0;
    while (at > line && at[-1] == ' ') at--;
    while (at > line && at[-1] >= '0' && at[-1] <= '9') at--;
    return (uint32_t)strtoul(at, NULL, 10);
}

bool wg_ptxas_look(const char *said, const char *kernel, struct wg_ptxas_figures *f) {
    struct wg_strbuf head = {0};
    wg_strbuf_printf(&head, "entry function '%s'", kernel);
    const char *at = said ? strstr(said, head.s) : NULL;
    wg_strbuf_free(&head);
    *f = (struct wg_ptxas_figures){0};
    while (at && (at = strchr(at, '\n')) && *++at) {
        if (strstr(at, "entry function '") == at + strcspn(at, "\n")) break;
        uint32_t stack = number_before(at, " bytes stack frame");
        if (stack) f->stack = stack;
        f->registers = number_before(at, " registers");
        f->barriers = number_before(at, " barriers");
        if (f->registers) return true;
    }
    return false;
}
