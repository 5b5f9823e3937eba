/* Comparison of counters of a profiled launch: those of generated code against those of the reference. See
 * verify.h. */
#include "analysis/sites.h"
#include "machine/profile.h"
#include "machine/verify/verify.h"
#include <inttypes.h>
#include <stdlib.h>

static void put_site(struct wg_strbuf *b, const struct wg_verify *v, const struct wg_site *s) {
    const struct wg_ir_module *ir = wg_grid_ir(v->g);
    const struct wg_ir_loc *l = s->loc && s->loc < ir->nlocs ? &ir->locs[s->loc] : NULL;
    if (l)
        wg_strbuf_printf(b, "%s:%u", l->file ? l->file : "?", l->line);
    else
        wg_strbuf_printf(b, "line %u of the PTX", s->ptx_line);
}

static void say(const struct wg_verify *v, const struct wg_site *s, int counter, uint64_t generated,
                uint64_t reference) {
    struct wg_strbuf b = {0};
    char *kernel = wg_func_pretty(v->g->func);
    put_site(&b, v, s);
    wg_strbuf_printf(&b,
                     ": counters of generated code and of the reference differ in kernel %s, launch %" PRIu64
                     "\n    %s of %s: %" PRIu64 " and %" PRIu64,
                     kernel, v->g->block.gridid - 1, wg_counter_infos[counter].name,
                     wg_class_infos[s->class].label, generated, reference);
    v->g->dev->options.verified->say("%s", b.s);
    wg_strbuf_free(&b);
    free(kernel);
}

bool wg_verify_counts_differ(struct wg_verify *v) {
    const struct wg_sites *sites = v->g->func->sites;
    const struct wg_counts *a = wg_profile_rows(v->g), *b = wg_profile_rows(v->ref);
    if (!a || !b) return false;
    for (uint32_t i = 0; i < sites->n; i++)
        for (int c = 0; c < WG_COUNTERS; c++) {
            if (a[i].v[c] == b[i].v[c]) continue;
            if (wg_verify_is_new(v, NULL)) say(v, &sites->v[i], c, a[i].v[c], b[i].v[c]);
            return true;
        }
    return false;
}
