/* See chart.h. */
#include "report/chart.h"
#include "report/estimate.h"
#include "report/touched.h"
#include <math.h>

enum { SECTOR = 32, WAVEFRONT = 128 };

const char *const wg_chart_names[WG_CHART_KINDS] = {"loads", "stores", "atomics", "local memory",
                                                    "shared memory"};

static void add_launch(struct wg_chart *o, const struct wg_estimate *e) {
    const struct wg_time_input *in = &e->input.time;
    struct wg_chart_row *r = o->row;
    r[WG_CHART_LOADS].l1 += in->load_sectors * SECTOR;
    r[WG_CHART_LOADS].l2 += fmin(in->load_sectors, e->bound.time.l1_misses) * SECTOR;
    r[WG_CHART_LOADS].dram += in->read_bytes;
    r[WG_CHART_STORES].l1 += in->store_sectors * SECTOR;
    r[WG_CHART_STORES].l2 += in->store_sectors * SECTOR;
    r[WG_CHART_STORES].dram += in->written_bytes;
    r[WG_CHART_ATOMICS].l1 += in->atomic_sectors * SECTOR;
    r[WG_CHART_ATOMICS].l2 += in->atomic_sectors * SECTOR;
    r[WG_CHART_SHARED].l1 += in->shared_wavefronts * WAVEFRONT;
}

static void add_requests(struct wg_chart *o, const struct wg_summary *s) {
    for (int i = 0; i < WG_CLASSES; i++) {
        double n = (double)s->classes.of[i].v[WG_C_requests];
        enum wg_class_memory memory = wg_class_infos[i].memory;
        switch (wg_touching((enum wg_class)i)) {
        case WG_TOUCHES_LOADS: o->row[WG_CHART_LOADS].requests += n; break;
        case WG_TOUCHES_STORES: o->row[WG_CHART_STORES].requests += n; break;
        case WG_TOUCHES_ATOMICS: o->row[WG_CHART_ATOMICS].requests += n; break;
        case WG_TOUCHES_NOTHING:
            if (memory == WG_MEMORY_SHARED || memory == WG_MEMORY_REMOTE)
                o->row[WG_CHART_SHARED].requests += n;
            if (memory != WG_MEMORY_LOCAL) break;
            o->row[WG_CHART_LOCAL].requests += n;
            o->row[WG_CHART_LOCAL].l1 += (double)s->classes.of[i].v[WG_C_sectors] * SECTOR;
            break;
        }
    }
}

static double kept(double before, double after) { return before > 0 ? fmax(0, 1 - after / before) : -1; }

bool wg_chart_of(const struct wg_summary *s, struct wg_chart *out) {
    bool any = false;
    *out = (struct wg_chart){0};
    for (uint32_t i = 0; i < s->launch_count; i++) {
        struct wg_estimate e;
        if (!wg_estimate_launch(s->result, s->kernel, s->launches[i], &e)) return false;
        add_launch(out, &e);
    }
    add_requests(out, s);
    for (int i = 0; i < WG_CHART_KINDS; i++) any |= out->row[i].requests > 0;
    const struct wg_chart_row *loads = &out->row[WG_CHART_LOADS];
    out->l1_hits = kept(loads->l1, loads->l2);
    out->l2_hits = kept(loads->l2, loads->dram);
    return any;
}
