/* NVIDIA's assembler: see ptxas.h. */
#include "cli/ptxas.h"
#include "cli/layout.h"
#include "cli/process.h"
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

/* A copy without ", debug" behind the target, which would have ptxas optimise nothing. False: as it is. */
static bool without_debug(const char *ptx, const char *copy) {
    struct wg_strbuf text = {0};
    bool good = wg_file_read(ptx, &text);
    char *target = good && text.s ? strstr(text.s, "\n.target") : NULL;
    char *debug = target ? strstr(target, ", debug") : NULL;
    good = debug && debug < target + 1 + strcspn(target + 1, "\n");
    if (good) memset(debug, ' ', strlen(", debug"));
    FILE *f = good ? fopen(copy, "w") : NULL;
    good = f && fwrite(text.s, 1, text.n, f) == text.n;
    if (f) good &= fclose(f) == 0;
    wg_strbuf_free(&text);
    return good;
}

bool wg_ptxas_run(const char *ptxas, const char *ptx, const char *arch, struct wg_strbuf *out) {
    const char *scratch = wg_layout_scratch();
    if (!scratch) return false;
    struct wg_strbuf said = {0}, plain = {0};
    struct wg_args a = {0};
    wg_strbuf_printf(&said, "%s/ptxas.said", scratch);
    wg_args_add(&a, ptxas);
    wg_args_add(&a, "-v");
    wg_args_addf(&a, "-arch=%s", arch);
    wg_strbuf_printf(&plain, "%s/ptxas.ptx", scratch);
    wg_args_add(&a, without_debug(ptx, plain.s) ? plain.s : ptx);
    wg_args_add(&a, "-o");
    wg_args_addf(&a, "%s/ptxas.cubin", scratch);
    struct wg_process p = {.argv = a.v, .stdout_path = said.s, .stderr_path = said.s};
    int status = wg_process_run(&p);
    bool good = wg_file_read(said.s, out) && status == 0;
    wg_args_free(&a);
    wg_strbuf_free(&said);
    wg_strbuf_free(&plain);
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
