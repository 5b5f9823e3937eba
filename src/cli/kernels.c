/* The kernels of PTX: see kernels.h. */
#include "cli/kernels.h"
#include "analysis/ptxas.h"
#include "analysis/registers.h"
#include "base/mangled.h"
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

/* A kernel that is wrong, or that needs what is not there, is no kernel to show figures of. */
static bool add_kernels(struct wg_kernels *k, const char *file, const struct wg_ir_module *m,
                        const char *said) {
    bool good = true;
    for (uint32_t i = 0; i < m->nfuncs; i++) {
        if (m->funcs[i].refused) fputs(m->funcs[i].refused, stderr);
        good &= !m->funcs[i].refused;
        if (m->funcs[i].entry && !m->funcs[i].refused) add_kernel(k, file, m, i, said);
    }
    return good;
}

int wg_kernels_add_ptx(struct wg_kernels *k, const char *path, const char *file, const struct wg_chip *chip) {
    int status = 1;
    struct wg_strbuf text = {0}, said = {0};
    struct wg_diag d = {0};
    if (!wg_file_read(path, &text)) {
        wg_say("%s: cannot be read", path);
        return 1;
    }
    struct wg_ir_module *m = wg_ir_from_ptx(file, text.s ? text.s : "", text.n, &d);
    if (m) {
        k->sm = m->sm;
        k->specific = m->sm_specific;
        ask_ptxas(file, text.s ? text.s : "", chip, &said);
        if (add_kernels(k, file, m, said.s)) status = 0;
        wg_ir_free(m);
    } else {
        fputs(d.text.s ? d.text.s : "", stderr);
    }
    wg_diag_free(&d);
    wg_strbuf_free(&said);
    wg_strbuf_free(&text);
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
