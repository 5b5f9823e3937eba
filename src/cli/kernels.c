/* The kernels of files: see kernels.h. */
#include "cli/kernels.h"
#include "analysis/ptxas.h"
#include "analysis/registers.h"
#include "base/mangled.h"
#include "cli/compile.h"
#include "cli/layout.h"
#include "cli/say.h"
#include "ir/ir.h"
#include "model/occupancy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t volume(const uint32_t d[3]) {
    uint32_t n = d[0];
    for (int i = 1; i < 3; i++)
        if (d[i]) n *= d[i];
    return n;
}

static void add_kernel(struct wg_kernels *k, const char *file, const struct wg_ir_module *m, uint32_t func,
                       const char *said) {
    const struct wg_ir_func *f = &m->funcs[func];
    struct wg_kernel *one = WG_PUSH(&k->list);
    struct wg_ptxas_figures figures;
    *one = (struct wg_kernel){.name = wg_xstrdup(f->name),
                              .display = wg_function_name(f->name),
                              .file = file,
                              .shared = f->shared_bytes,
                              .exactly = volume(f->reqntid),
                              .cluster = volume(f->reqnctapercluster),
                              .dynamic_shared = f->uses_dynamic_shared};
    one->most = f->maxntid[0] ? volume(f->maxntid) : one->exactly ? one->exactly : WG_CHIP_BLOCK_THREADS;
    if (one->most > WG_CHIP_BLOCK_THREADS) one->most = WG_CHIP_BLOCK_THREADS;
    one->estimated = !wg_ptxas_look(said, f->name, &figures);
    one->registers = one->estimated ? wg_registers_estimate(m, func) : figures.registers;
    if (one->registers < WG_SYSTEM_CALL_REGISTERS && wg_ir_makes_system_calls(m, func))
        one->registers = WG_SYSTEM_CALL_REGISTERS;
    one->barriers = one->estimated ? 0 : figures.barriers;
}

/* What ptxas says of the file; empty where there is no ptxas, or none for this chip. */
static void ask_ptxas(const char *file, const char *text, const struct wg_chip *chip,
                      struct wg_strbuf *said) {
    if (wg_ptxas_ask(text, chip->arch, NULL, 0, 0, said)) return;
    if (said->n)
        wg_say_verbose("ptxas does not accept %s for %s, so registers are estimated:\n%s", file, chip->arch,
                       said->s);
    wg_strbuf_free(said);
}

/* `path` holds the PTX, `file` is what the user named. */
static int add_ptx(struct wg_kernels *k, const char *path, const char *file, const struct wg_chip *chip) {
    struct wg_strbuf text = {0}, said = {0};
    struct wg_diag d = {0};
    if (!wg_file_read(path, &text)) {
        wg_say("%s: cannot be read", path);
        return 1;
    }
    struct wg_ir_module *m = wg_ir_from_ptx(file, text.s ? text.s : "", text.n, &d);
    if (m) {
        ask_ptxas(file, text.s ? text.s : "", chip, &said);
        for (uint32_t i = 0; i < m->nfuncs; i++)
            if (m->funcs[i].entry) add_kernel(k, file, m, i, said.s);
        wg_ir_free(m);
    } else {
        fputs(d.text.s ? d.text.s : "", stderr);
    }
    wg_diag_free(&d);
    wg_strbuf_free(&said);
    wg_strbuf_free(&text);
    return m ? 0 : 1;
}

static bool is_ptx(const char *path) {
    size_t n = strlen(path);
    return n > 4 && !strcmp(path + n - 4, ".ptx");
}

/* The command line with those of its files that are PTX, or with the others. */
static struct wg_cmdline files_of(const struct wg_cmdline *c, bool ptx) {
    struct wg_cmdline some = {.command = c->command, .program_args = c->program_args};
    for (uint32_t i = 0; i < c->items.n; i++) {
        const struct wg_item *item = &c->items.v[i];
        if (item->option != WG_CLI_FILE || is_ptx(item->value) == ptx) *WG_PUSH(&some.items) = *item;
    }
    return some;
}

static int add_sources(struct wg_kernels *k, const struct wg_cmdline *c, const struct wg_chip *chip) {
    struct wg_job job = {0};
    struct wg_strbuf ptx = {0};
    const char *scratch = wg_layout_scratch();
    if (!scratch) return 1;
    int status = wg_job_plan(&job, c, scratch);
    if (!status && !wg_toolchain_find(&job.tools, job.tools.compiler)) status = 1;
    for (uint32_t i = 0; i < job.sources.n && !status; i++) {
        const struct wg_source *s = &job.sources.v[i];
        if (s->language != WG_LANGUAGE_CUDA) continue;
        wg_strbuf_free(&ptx);
        wg_strbuf_printf(&ptx, "%s/kernels%u.ptx", scratch, i);
        status = wg_compile_ptx(&job, s, scratch, ptx.s, NULL);
        if (!status) status = add_ptx(k, ptx.s, s->path, chip);
    }
    wg_strbuf_free(&ptx);
    wg_job_free(&job);
    return status;
}

int wg_kernels_read(struct wg_kernels *k, const struct wg_cmdline *c, const struct wg_chip *chip) {
    struct wg_cmdline ptx = files_of(c, true), sources = files_of(c, false);
    int status = 0;
    *k = (struct wg_kernels){0};
    for (uint32_t i = 0; i < ptx.items.n && !status; i++)
        if (ptx.items.v[i].option == WG_CLI_FILE) {
            const char *path = ptx.items.v[i].value;
            status = wg_job_check_input(path) ? add_ptx(k, path, path, chip) : 1;
        }
    if (!status && wg_cmdline_has(&sources, WG_CLI_FILE)) status = add_sources(k, &sources, chip);
    wg_cmdline_free(&ptx);
    wg_cmdline_free(&sources);
    return status;
}

void wg_kernels_free(struct wg_kernels *k) {
    for (uint32_t i = 0; i < k->list.n; i++) {
        free(k->list.v[i].name);
        free(k->list.v[i].display);
    }
    free(k->list.v);
    *k = (struct wg_kernels){0};
}
