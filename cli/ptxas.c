/* NVIDIA's assembler: see ptxas.h. */
#include "cli/ptxas.h"
#include "cli/layout.h"
#include "cli/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool wg_ptxas_find(struct wg_strbuf *path) {
    const char *own = getenv("WARPGLASS_PTXAS"), *home = getenv("CUDA_HOME");
    struct wg_strbuf name = {0};
    if (own) return *own && wg_process_find(own, path);
    bool found = wg_process_find("ptxas", path);
    if (!found && home) {
        wg_strbuf_printf(&name, "%s/bin/ptxas", home);
        found = wg_process_find(name.s, path);
        wg_strbuf_free(&name);
    }
    return found || wg_process_find("/usr/local/cuda/bin/ptxas", path);
}

/* ", debug" behind the target would have ptxas optimise nothing. */
static void remove_debug(char *text) {
    char *target = strstr(text, "\n.target"), *debug = target ? strstr(target, ", debug") : NULL;
    if (debug && debug < target + 1 + strcspn(target + 1, "\n")) memset(debug, ' ', strlen(", debug"));
}

/* "sm_90a" of a text whose target is such a chip's alone; else `arch`. */
static void name_target(const char *text, const char *arch, char out[16]) {
    const char *target = strstr(text, "\n.target");
    char own[16] = "";
    if (target) sscanf(target, " .target %15[a-z0-9_]", own);
    size_t n = strlen(own);
    bool specific = n && (own[n - 1] == 'a' || own[n - 1] == 'f');
    snprintf(out, 16, "%s", specific ? own : arch);
}

bool wg_ptxas_run(const char *ptxas, const struct wg_strbuf *ptx, const char *arch,
                  const struct wg_args *kernels, double timeout, struct wg_strbuf *out) {
    const char *scratch = wg_layout_scratch();
    struct wg_strbuf said = {0}, file = {0};
    struct wg_args a = {0};
    char target[16];
    if (!scratch || !ptx->n) return false;
    wg_strbuf_printf(&said, "%s/ptxas.said", scratch);
    wg_strbuf_printf(&file, "%s/ptxas.ptx", scratch);
    remove_debug(ptx->s);
    name_target(ptx->s, arch, target);
    wg_args_add(&a, ptxas);
    wg_args_add(&a, "-v");
    wg_args_addf(&a, "-arch=%s", target);
    for (size_t i = 0; kernels && i < kernels->n; i++) wg_args_addf(&a, "--entry=%s", kernels->v[i]);
    wg_args_add(&a, file.s);
    wg_args_add(&a, "-o");
    wg_args_addf(&a, "%s/ptxas.cubin", scratch);
    struct wg_process p = {.argv = a.v, .stdout_path = said.s, .stderr_path = said.s, .timeout = timeout};
    bool good = wg_file_write(file.s, ptx->s, ptx->n) && wg_process_run(&p) == 0;
    good = wg_file_read(said.s, out) && good;
    if (p.timed_out) wg_strbuf_printf(out, "it took longer than %g seconds", timeout);
    wg_args_free(&a);
    wg_strbuf_free(&said);
    wg_strbuf_free(&file);
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
