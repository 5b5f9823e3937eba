/* Advice on expensive arithmetic: accidental double precision, and integer divisions.
 *
 *     y = x * 0.1          float, double, float: on an H200 as long as 18 multiplications
 *     i = j % n            about 20 instructions, about 70 with 64 bits
 *
 * No counter has their number: it is the line's instructions times their share of the line's PTX.
 */
#include "report/advice/adviser.h"
#include <string.h>

enum { CONVERSION = 8, DIVISION = 20, DIVISION_64 = 70 };

/* Executed instructions of the line for each one of its PTX. */
static double each_of(const struct wg_site_summary *site) {
    const struct wg_mix *m = &site->site->mix;
    return m->all ? (double)site->counts.v[WG_C_instructions] / m->all : 0;
}

static bool keeps_doubles(const struct wg_summary *s) {
    for (uint32_t i = 0; i < s->kernel->site_count; i++) {
        const struct wg_site *site = &s->kernel->sites[i];
        if (s->sites[i].counts.v[WG_C_requests] && strstr(site->op, "f64")) return true;
    }
    return false;
}

void wg_advise_accidental_double(struct wg_advising *g) {
    const struct wg_chip *chip = wg_chip_find(wg_summary_chip(g->s));
    const struct wg_site_summary *most = NULL;
    double doubles = 0, conversions = 0, worst = 0;
    for (uint32_t i = 0; chip && i < g->s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &g->s->sites[i];
        const struct wg_mix *m = &site->site->mix;
        double here = each_of(site) * (m->doubles + m->conversions);
        doubles += each_of(site) * m->doubles;
        conversions += each_of(site) * m->conversions;
        if (here > worst) worst = here, most = site;
    }
    /* What is computed in double precision all along is meant to be. */
    if (!most || keeps_doubles(g->s) || conversions * 8 < doubles) return;
    struct wg_advice *a = wg_advice_add(g, "accidental_double", most->site);
    a->title = "Accidental double precision";
    a->text = wg_arena_printf(
        g->arena,
        "The kernel loads and stores no doubles, yet it computes in double and converts to and from it: a "
        "constant without f (0.5) or a function without f (pow) makes its expression double. Write 0.5f and "
        "powf. This chip adds floats %u times as fast as doubles, and conversions are slower still.",
        chip->limits->fp64_ratio);
    a->unit = "warp instructions on doubles";
    a->before = (uint64_t)(doubles + conversions + 0.5), a->after = 0, a->proven = true;
    a->hidden = doubles * (chip->limits->fp64_ratio - 1) + conversions * (CONVERSION - 1);
    double all = (double)g->s->totals.v[WG_C_instructions];
    wg_change_of(g, a)->instructions = all > conversions ? (all - conversions) / all : 1;
}

void wg_advise_integer_division(struct wg_advising *g) {
    const struct wg_site_summary *most = NULL;
    double divisions = 0, hidden = 0, worst = 0;
    bool wide = false;
    for (uint32_t i = 0; i < g->s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &g->s->sites[i];
        const struct wg_mix *m = &site->site->mix;
        double here = each_of(site) * (m->divisions * (DIVISION - 1) + m->divisions64 * (DIVISION_64 - 1));
        divisions += each_of(site) * (m->divisions + m->divisions64);
        hidden += here;
        wide |= here > 0 && m->divisions64;
        if (here > worst) worst = here, most = site;
    }
    if (!most) return;
    struct wg_advice *a = wg_advice_add(g, "integer_division", most->site);
    a->title = "Integer division";
    a->text = wg_arena_printf(
        g->arena,
        "%% and / by a number that is not known at compile time take about %d instructions%s. Make the "
        "divisor a constant or a template parameter, use & and >> if it is a power of two, or update "
        "quotient and remainder incrementally instead of dividing each time.%s",
        DIVISION, wide ? wg_arena_printf(g->arena, ", and about %d in 64 bits, as here", DIVISION_64) : "",
        wide ? " 32 bits are enough for most indices." : "");
    a->unit = "divisions by warps";
    a->before = (uint64_t)(divisions + 0.5), a->after = 0;
    a->hidden = hidden;
    wg_change_of(g, a);
}
