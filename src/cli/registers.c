/* See registers.h. */
#include "cli/registers.h"
#include "analysis/ptxas.h"
#include "cli/say.h"
#include "model/occupancy.h"

/* Longer than this nobody should wait for one number of a report. */
enum { SECONDS_AT_MOST = 10 };

static void ask_for_text(struct wg_profile *p, struct wg_arena *a, const char *ptx) {
    const char **names = WG_NEW_N(a, const char *, p->kernel_count + 1);
    struct wg_strbuf said = {0};
    struct wg_ptxas_figures f;
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->kernel_count; i++)
        if (p->kernels[i].ptx == ptx && p->kernels[i].launch_count) names[n++] = p->kernels[i].name;
    if (n && !wg_ptxas_ask(ptx, p->arch, names, n, SECONDS_AT_MOST, &said) && said.n)
        wg_say_verbose("ptxas does not accept the program's PTX, so registers are estimated:\n%s", said.s);
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        struct wg_profile_kernel *k = &p->kernels[i];
        if (k->ptx != ptx || !k->launch_count || !wg_ptxas_look(said.s, k->name, &f)) continue;
        k->registers = wg_occupancy_launch_registers(f.registers);
        if (k->registers < k->registers_least) k->registers = k->registers_least;
        k->registers_estimated = false;
    }
    wg_strbuf_free(&said);
}

void wg_registers_ask(struct wg_profile *p) {
    struct wg_arena a = {0};
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        const char *ptx = p->kernels[i].ptx;
        bool asked = !ptx;
        for (uint32_t k = 0; k < i; k++) asked |= p->kernels[k].ptx == ptx;
        if (!asked) ask_for_text(p, &a, ptx);
    }
    wg_arena_free(&a);
}
