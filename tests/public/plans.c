/* Which forms the kernels of a PTX file get, without running them: prints what `--dump plan` would, for each
 * kernel that can be compiled.
 *
 *     public_plans FILE.ptx BITS        of 512, 256 or 128, whatever this CPU has
 *
 * A kernel is compiled for the block that it declares, else for a usual one: 256 threads in a row, 16 x 16
 * where it asks for threadIdx.y, 8 x 8 x 4 where for threadIdx.z, fewer rows where its launch bounds allow no
 * more. Where such a row would be dealt into blocks of another shape (analysis/bands.h) it is, as in a launch
 * of many rows. */
#include "analysis/bands.h"
#include "analysis/plan.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "jit/code/codegen.h"
#include "jit/code/jit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many dimensions of threadIdx the kernel, or a function of the module that it may call, asks for. */
static uint32_t dimensions(const struct wg_ir_module *m, uint32_t kernel) {
    uint32_t most = 1;
    for (uint32_t k = 0; k < m->nfuncs; k++) {
        const struct wg_ir_func *f = &m->funcs[k];
        if (k != kernel && (f->entry || !m->funcs[kernel].has_calls)) continue;
        for (uint32_t b = 0; b < f->nblocks; b++)
            for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
                const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
                if (in->op != WG_OP_MOV_SREG) continue;
                if (in->sreg == WG_SR_tid_y && most < 2) most = 2;
                if (in->sreg == WG_SR_tid_z) most = 3;
            }
    }
    return most;
}

static void usual_block(const struct wg_ir_module *m, uint32_t kernel, uint32_t ntid[3]) {
    static const uint32_t usual[][3] = {{256, 1, 1}, {16, 16, 1}, {8, 8, 4}};
    const struct wg_ir_func *f = &m->funcs[kernel];
    if (f->reqntid[0]) {
        for (int i = 0; i < 3; i++) ntid[i] = f->reqntid[i] ? f->reqntid[i] : 1;
        return;
    }
    uint32_t n = dimensions(m, kernel), most = 1024;
    memcpy(ntid, usual[n - 1], sizeof usual[0]);
    if (f->maxntid[0]) most = f->maxntid[0];
    for (int i = 1; i < 3; i++)
        if (f->maxntid[i]) most *= f->maxntid[i];
    while (ntid[0] * ntid[1] * ntid[2] > most && ntid[n - 1] > 1) ntid[n - 1] /= 2;
}

static void print_plan(void *user, const char *what, const char *text) {
    (void)user;
    (void)what;
    fputs(text, stdout);
    fflush(stdout);
}

static void compile(const struct wg_ir_module *m, uint32_t kernel, uint16_t width) {
    struct wg_code_opts o = {.linear31 = true,
                             .whole_blocks = true,
                             .stages = WG_STAGES_BLOCKS,
                             .combine = true,
                             .shared_window = 227 * 1024,
                             .arena_base = UINT64_C(1) << 46,
                             .arena_bits = 40,
                             .opt_level = 2,
                             .width = width,
                             .no_cache = true,
                             .one_thread = true,
                             .dump = print_plan,
                             .dump_mask = WG_DUMP_PLAN};
    struct wg_diag d = {0};
    uint32_t width_at;
    usual_block(m, kernel, o.ntid);
    enum wg_band_kind bands = wg_find_bands(m, &m->funcs[kernel], &width_at);
    if (bands != WG_BANDS_NONE && o.ntid[0] == 256 && o.ntid[1] == 1 && o.ntid[2] == 1) {
        o.dealt = (struct wg_dealt){.threads = 256, .shift = 1, .along = bands == WG_BANDS_ALONG};
        memcpy(o.ntid, (uint32_t[3]){32, WG_BAND_ROWS, 4}, sizeof o.ntid);
    }
    o.full_warps = o.ntid[0] * o.ntid[1] * o.ntid[2] % WG_LANES == 0;
    static const char *const steps[WG_STEPS] = {"", "", "", ""};
    struct wg_progress silent = {.steps = steps, .nsteps = WG_STEPS};
    struct wg_order order = {.m = m,
                             .func = kernel,
                             .o = &o,
                             .t = wg_target_of(width),
                             .v = WG_CONVERGED,
                             .first = true,
                             .progress = &silent,
                             .key = "plan"};
    struct wg_cache_meta meta;
    struct wg_strbuf objects = {0};
    bool recursive,
        made = wg_jit_can(m, kernel, &recursive) && wg_codegen_table.translate(&order, &meta, &objects, &d);
    if (!made)
        fprintf(stderr, "%s: not compiled: %s\n", m->funcs[kernel].name, d.text.s ? d.text.s : "calls");
    wg_strbuf_free(&objects);
    wg_diag_free(&d);
}

int main(int argc, char **argv) {
    struct wg_strbuf text = {0};
    struct wg_diag d = {0};
    if (argc != 3 || !wg_file_read(argv[1], &text)) {
        fputs("usage: public_plans FILE.ptx BITS\n", stderr);
        return 2;
    }
    struct wg_ir_module *m = wg_ir_from_ptx(argv[1], text.s, text.n, &d);
    if (!m) fputs(d.text.s ? d.text.s : "no module\n", stderr);
    for (uint32_t k = 0; m && k < m->nfuncs; k++)
        if (m->funcs[k].entry && m->funcs[k].nblocks) compile(m, k, (uint16_t)atoi(argv[2]));
    bool made = m != NULL;
    if (m) wg_ir_free(m);
    wg_strbuf_free(&text);
    wg_diag_free(&d);
    return made ? 0 : 1;
}
