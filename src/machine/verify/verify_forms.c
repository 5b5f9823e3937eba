/* Bisection over the compiler's optimisations: the launch runs again with some of them turned off, until what
 * it writes is what the reference writes. See verify.h. */
#include "analysis/plan.h"
#include "machine/verify/verify.h"
#include "machine/worker.h"
#include <stdlib.h>
#include <string.h>

#define ALL_FORMS ((UINT64_C(1) << WG_FORMS) - 1)

enum outcome { EQUAL, DIFFERS, NOT_RUN };

/* A block by itself has the same number with any code. */
static uint64_t never(const struct wg_verify *v) { return v->sample ? UINT64_C(1) << WG_FORM_bands : 0; }

static enum outcome try(struct wg_verify *v, const struct wg_how *how) {
    enum wg_status status;
    struct wg_how as = *how;
    as.forms_off |= never(v);
    struct wg_grid *g = wg_grid_make(v->g->dev, &v->order, &as, &status);
    if (!g) return NOT_RUN;
    wg_verify_like(v, g);
    wg_verify_run(v, g);
    enum outcome r = NOT_RUN;
    if (g->fault_unit == UINT64_MAX && atomic_load(&g->stop) == WG_STOP_NO)
        r = wg_verify_is_equal(v) ? EQUAL : DIFFERS;
    wg_grid_release(g);
    return r;
}

static enum outcome without(struct wg_verify *v, const struct wg_how *asked, uint64_t forms) {
    struct wg_how how = *asked;
    how.forms_off |= forms;
    return try(v, &how);
}

/* Fewer of those without which it is equal. */
static uint64_t fewest(struct wg_verify *v, const struct wg_how *asked) {
    uint64_t off = ALL_FORMS & ~asked->forms_off;
    for (uint32_t f = 0; f < WG_FORMS; f++)
        if (off >> f & 1 && without(v, asked, UINT64_C(1) << f) == EQUAL) return UINT64_C(1) << f;
    for (uint32_t f = 0; f < WG_FORMS; f++)
        if (off >> f & 1 && without(v, asked, off & ~(UINT64_C(1) << f)) == EQUAL) off &= ~(UINT64_C(1) << f);
    return off;
}

static void put_forms(struct wg_strbuf *b, const struct wg_how *asked, uint64_t forms) {
    bool one = (forms & (forms - 1)) == 0;
    wg_strbuf_printf(b, "without the form%s", one ? "" : "s");
    for (uint32_t f = 0; f < WG_FORMS; f++)
        if (forms >> f & 1) wg_strbuf_printf(b, " %s", wg_form_info(f)->name);
    wg_strbuf_printf(b, " generated code agrees with the reference (--opt %u", asked->opt_level);
    for (uint32_t f = 0; f < WG_FORMS; f++)
        if ((forms | asked->forms_off) >> f & 1) wg_strbuf_printf(b, ",-%s", wg_form_info(f)->name);
    wg_strbuf_puts(b, ")");
}

/* Where no form makes it: narrower vectors, or less optimisation. */
static void put_simpler(struct wg_strbuf *b, struct wg_verify *v, const struct wg_how *asked) {
    static const struct {
        uint8_t level;
        uint16_t width; /* 0: as asked for */
        const char *what;
    } simpler[] = {
        {2, 256, "vectors of 256 bits (WARPGLASS_WIDTH=256)"},
        {2, 128, "vectors of 128 bits (WARPGLASS_WIDTH=128)"},
        {1, 0, "--opt 1"},
        {0, 0, "--opt 0"},
    };
    for (size_t i = 0; i < sizeof simpler / sizeof *simpler; i++) {
        struct wg_how how = *asked;
        if (simpler[i].level < how.opt_level) how.opt_level = simpler[i].level;
        if (simpler[i].width) how.width = simpler[i].width;
        if ((how.opt_level == asked->opt_level && how.width == asked->width) || try(v, &how) != EQUAL)
            continue;
        wg_strbuf_printf(b, "with %s generated code gives the same; the forms make no difference",
                         simpler[i].what);
        return;
    }
    wg_strbuf_puts(b,
                   "the difference does not depend on the forms, the vector width or the optimisation level");
}

bool wg_verify_differs_again(struct wg_verify *v) {
    struct wg_how asked = wg_how_asked(&v->g->dev->options);
    asked.plain = true;
    return try(v, &asked) == DIFFERS;
}

char *wg_verify_blame(struct wg_verify *v) {
    struct wg_how asked = wg_how_asked(&v->g->dev->options);
    struct wg_strbuf b = {0};
    asked.plain = true;
    if (v->g->dev->options.compile) return NULL;
    if (try(v, &asked) == EQUAL)
        wg_strbuf_puts(&b, "run once more, generated code gave the same as the reference: its results vary "
                           "from run to run");
    else if (without(v, &asked, ALL_FORMS) == EQUAL)
        put_forms(&b, &asked, fewest(v, &asked));
    else
        put_simpler(&b, v, &asked);
    return b.s;
}
