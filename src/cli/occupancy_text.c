/* What `warpglass occupancy` prints, for a person (80 columns) and as JSON: see shape.h. */
#include "cli/shape.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long ull;

static double percent(const struct wg_shape *s, uint32_t warps) {
    return 100.0 * warps / s->chip->limits->warps_per_sm;
}

/* "registers, shared memory" */
static const char *limit_list(unsigned limits) {
    static char text[128];
    text[0] = 0;
    for (int i = 0; i < WG_LIMITS; i++)
        if (limits >> i & 1) {
            if (text[0]) strcat(text, ", ");
            strcat(text, wg_occupancy_limit_names[i]);
        }
    return text;
}

/* ---- Text
 * -------------------------------------------------------------------------------------------------- */

static void text_head(const struct wg_shape *s, struct wg_strbuf *out) {
    const struct wg_limits *l = s->chip->limits;
    const struct wg_kernel *k = s->kernel;
    if (k) wg_strbuf_printf(out, "%s   (%s)\n", k->display, k->file);
    wg_strbuf_printf(out, "%s, %s\nAn SM has %u warps, %u blocks, %u registers, %u KB of shared memory.\n",
                     s->chip->name, s->chip->arch, l->warps_per_sm, l->blocks_per_sm, l->regs_per_sm,
                     l->shared_per_sm / 1024);
    wg_strbuf_printf(out, "\n  threads a block     %8u%s\n", s->k.threads,
                     s->best              ? "   the best size; --threads asks for another"
                     : s->k.threads % 32u ? "   no whole number of warps: some lanes idle"
                                          : "");
    wg_strbuf_printf(out, "  registers a thread  %8u", s->k.registers);
    if (k && s->k.registers == k->registers && k->estimated)
        wg_strbuf_printf(out, "   estimated, half of them within %d %%: no ptxas here",
                         WG_REGISTERS_HALF_WITHIN);
    else if (k && s->k.registers == k->registers)
        wg_strbuf_puts(out, "   from ptxas");
    wg_strbuf_puts(out, "\n");
    wg_strbuf_printf(out, "  shared memory       %8llu", (ull)s->k.shared);
    if (k && s->dynamic_shared)
        wg_strbuf_printf(out, "   %llu static, %llu dynamic", (ull)k->shared, (ull)s->dynamic_shared);
    else if (k && k->dynamic_shared)
        wg_strbuf_puts(out, "   static; --shared adds what the launch adds");
    wg_strbuf_puts(out, "\n");
}

static void text_limits(const struct wg_shape *s, const struct wg_occupancy *o, struct wg_strbuf *out) {
    const struct wg_limits *l = s->chip->limits;
    unsigned limiters = wg_occupancy_limiters(o);
    wg_strbuf_printf(out, "\n  occupancy %.0f %%: %u of %u warps in %u block%s an SM, limited by %s\n\n",
                     percent(s, o->warps), o->warps, l->warps_per_sm, o->blocks, o->blocks == 1 ? "" : "s",
                     limit_list(limiters));
    for (int i = 0; i < WG_LIMITS; i++) {
        uint32_t blocks = wg_occupancy_limit_blocks(o, (enum wg_occupancy_limit)i);
        if (blocks == UINT32_MAX || (i == WG_LIMIT_BARRIERS && s->k.barriers < 2)) continue;
        wg_strbuf_printf(out, "  %c %-14s let in %4u blocks", limiters >> i & 1 ? '*' : ' ',
                         wg_occupancy_limit_names[i], blocks);
        if (i == WG_LIMIT_REGISTERS)
            wg_strbuf_printf(out, "   a block takes %u of %u", wg_occupancy_block_registers(l, &s->k),
                             l->regs_per_sm);
        if (i == WG_LIMIT_SHARED)
            wg_strbuf_printf(out, "   a block takes %llu of %u bytes",
                             (ull)wg_occupancy_block_shared(l, s->k.shared), l->shared_per_sm);
        wg_strbuf_puts(out, "\n");
    }
}

static void text_next(const struct wg_shape *s, const struct wg_occupancy *o, struct wg_strbuf *out) {
    struct wg_occupancy_next n = wg_occupancy_next(s->chip->limits, &s->k);
    uint32_t warps = (s->k.threads + 31) / 32;
    if (n.blocks) {
        wg_strbuf_printf(out, "\n  For %u block%s (%.0f %%):\n", n.blocks, n.blocks == 1 ? "" : "s",
                         percent(s, n.blocks * warps));
        if (n.change >> WG_LIMIT_REGISTERS & 1)
            wg_strbuf_printf(out,
                             "    at most %u registers per thread, %u fewer: __launch_bounds__(%u, "
                             "%u)\n",
                             n.registers, s->k.registers - n.registers, s->k.threads, n.blocks);
        if (n.change >> WG_LIMIT_SHARED & 1)
            wg_strbuf_printf(out, "    at most %llu bytes of shared memory per block, %llu fewer\n",
                             (ull)n.shared, (ull)(s->k.shared - n.shared));
        if (n.change >> WG_LIMIT_BARRIERS & 1)
            wg_strbuf_printf(out, "    at most %u barriers per block, %u fewer\n", n.barriers,
                             s->k.barriers - n.barriers);
    } else if (o->warps == s->chip->limits->warps_per_sm) {
        wg_strbuf_puts(out, "\n  Every warp of the SM is in use: no change can add one.\n");
    } else {
        wg_strbuf_puts(out, "\n  At this block size no change to the kernel fits another block.\n");
    }
    if (n.other_threads && n.other_threads <= s->most)
        wg_strbuf_printf(out,
                         "  Or blocks of %u threads, if the rest stays: %u of them, %u warps (%.0f %%)\n",
                         n.other_threads, n.other_blocks, n.other_warps, percent(s, n.other_warps));
}

static void text_launch(const struct wg_shape *s, struct wg_strbuf *out) {
    if (s->cluster > 1) {
        uint32_t clusters = wg_occupancy_clusters(s->chip, &s->k, s->cluster);
        wg_strbuf_printf(out,
                         "\n  Clusters of %u: at most %u at once on %u SMs, %u blocks.%s"
                         " cudaOccupancyMaxActiveClusters tells for a chip at hand.\n",
                         s->cluster, clusters, s->chip->sms, clusters * s->cluster,
                         s->chip->groups ? "\n  Chips differ:"
                                         : " Fewer where not all\n  SMs of a group work:");
        if (s->cluster > s->chip->limits->cluster_portable)
            wg_strbuf_printf(out,
                             "  More than %u blocks per cluster must be allowed "
                             "(cudaFuncAttributeNonPortableClusterSizeAllowed).\n",
                             s->chip->limits->cluster_portable);
    }
    if (!s->grid) return;
    struct wg_waves w = wg_occupancy_waves(s->chip, &s->k, s->grid, s->cluster);
    if (!w.at_once) return;
    wg_strbuf_printf(out,
                     "\n  %llu blocks: %.2f waves of %u at once on %u SMs; the last one has %llu.\n  If "
                     "all blocks take the same time, %.0f %% of the block slots are idle, and an SM\n  has "
                     "%.1f warps on average.\n",
                     (ull)s->grid, w.waves, w.at_once, s->chip->sms, (ull)w.last, 100 * w.idle,
                     w.warps_per_sm);
}

static void text_table(const struct wg_shape *s, struct wg_strbuf *out) {
    wg_strbuf_puts(out, "\n    threads  blocks  warps  occupancy                  limited by\n");
    for (const uint32_t *size = wg_shape_sizes; *size && *size <= s->most; size++) {
        struct wg_occupancy_kernel k = s->k;
        k.threads = *size;
        struct wg_occupancy o = wg_occupancy(s->chip->limits, &k);
        double full = percent(s, o.warps);
        wg_strbuf_printf(out, "  %c %7u  %6u  %5u    %4.0f %%  ", *size == s->k.threads ? '>' : ' ', *size,
                         o.blocks, o.warps, full);
        for (int i = 1; i <= 16; i++) wg_strbuf_puts(out, full >= 6.25 * i ? "#" : ".");
        wg_strbuf_printf(out, "  %s\n", limit_list(wg_occupancy_limiters(&o)));
    }
}

void wg_shape_text(const struct wg_shape *s, struct wg_strbuf *out) {
    struct wg_occupancy o = wg_occupancy(s->chip->limits, &s->k);
    text_head(s, out);
    text_limits(s, &o, out);
    text_next(s, &o, out);
    text_launch(s, out);
    text_table(s, out);
}

/* ---- JSON
 * -------------------------------------------------------------------------------------------------- */

static json_t *limits_json(unsigned limits) {
    json_t *list = json_array();
    for (int i = 0; i < WG_LIMITS; i++)
        if (limits >> i & 1) json_array_append_new(list, json_string(wg_occupancy_limit_names[i]));
    return list;
}

static json_t *occupancy_json(const struct wg_shape *s, const struct wg_occupancy *o, uint32_t threads) {
    json_t *j = json_pack("{s:i, s:i, s:i, s:f, s:o}", "threads", (int)threads, "blocks", (int)o->blocks,
                          "warps", (int)o->warps, "occupancy", percent(s, o->warps) / 100, "limited_by",
                          limits_json(wg_occupancy_limiters(o)));
    json_t *by = json_object();
    for (int i = 0; i < WG_LIMITS; i++) {
        uint32_t blocks = wg_occupancy_limit_blocks(o, (enum wg_occupancy_limit)i);
        json_object_set_new(by, wg_occupancy_limit_names[i],
                            blocks == UINT32_MAX ? json_null() : json_integer(blocks));
    }
    json_object_set_new(j, "blocks_by", by);
    return j;
}

static json_t *next_json(const struct wg_shape *s) {
    struct wg_occupancy_next n = wg_occupancy_next(s->chip->limits, &s->k);
    json_t *j = json_object();
    if (n.blocks) {
        json_object_set_new(j, "blocks", json_integer(n.blocks));
        json_object_set_new(j, "change", limits_json(n.change));
        if (n.change >> WG_LIMIT_REGISTERS & 1)
            json_object_set_new(j, "registers", json_integer(n.registers));
        if (n.change >> WG_LIMIT_SHARED & 1)
            json_object_set_new(j, "shared", json_integer((json_int_t)n.shared));
        if (n.change >> WG_LIMIT_BARRIERS & 1) json_object_set_new(j, "barriers", json_integer(n.barriers));
    }
    if (n.other_threads && n.other_threads <= s->most)
        json_object_set_new(j, "other_block",
                            json_pack("{s:i, s:i, s:i}", "threads", (int)n.other_threads, "blocks",
                                      (int)n.other_blocks, "warps", (int)n.other_warps));
    return j;
}

static json_t *shape_json(const struct wg_shape *s) {
    const struct wg_kernel *k = s->kernel;
    struct wg_occupancy o = wg_occupancy(s->chip->limits, &s->k);
    json_t *j = json_object(), *table = json_array();
    if (k)
        json_object_update_new(
            j, json_pack("{s:s, s:s, s:s}", "kernel", k->name, "display", k->display, "file", k->file));
    json_object_update_new(
        j, json_pack("{s:i, s:s, s:I, s:i, s:o, s:o}", "registers", (int)s->k.registers, "registers_from",
                     !k || s->k.registers != k->registers ? "option"
                     : k->estimated                       ? "estimate"
                                                          : "ptxas",
                     "shared", (json_int_t)s->k.shared, "barriers", (int)(s->k.barriers ? s->k.barriers : 1),
                     "occupancy", occupancy_json(s, &o, s->k.threads), "next", next_json(s)));
    if (s->cluster > 1)
        json_object_set_new(j, "cluster",
                            json_pack("{s:i, s:i}", "blocks", (int)s->cluster, "at_once",
                                      (int)wg_occupancy_clusters(s->chip, &s->k, s->cluster)));
    if (s->grid) {
        struct wg_waves w = wg_occupancy_waves(s->chip, &s->k, s->grid, s->cluster);
        json_object_set_new(j, "launch",
                            json_pack("{s:I, s:i, s:f, s:I, s:f, s:f}", "blocks", (json_int_t)s->grid,
                                      "at_once", (int)w.at_once, "waves", w.waves, "last", (json_int_t)w.last,
                                      "idle", w.idle, "warps_per_sm", w.warps_per_sm));
    }
    for (const uint32_t *size = wg_shape_sizes; *size && *size <= s->most; size++) {
        struct wg_occupancy_kernel one = s->k;
        one.threads = *size;
        struct wg_occupancy at = wg_occupancy(s->chip->limits, &one);
        json_array_append_new(table, occupancy_json(s, &at, *size));
    }
    json_object_set_new(j, "table", table);
    return j;
}

void wg_shapes_json(const struct wg_shape *shapes, size_t n, struct wg_strbuf *out) {
    json_t *kernels = json_array();
    for (size_t i = 0; i < n; i++) json_array_append_new(kernels, shape_json(&shapes[i]));
    json_t *all = json_pack("{s:s, s:i, s:s, s:s, s:o}", "format", "warpglass-occupancy", "version", 1,
                            "chip", shapes[0].chip->name, "arch", shapes[0].chip->arch, "kernels", kernels);
    char *text = json_dumps(all, JSON_INDENT(1) | JSON_REAL_PRECISION(6) | JSON_ENSURE_ASCII);
    wg_strbuf_puts(out, text ? text : "{}");
    wg_strbuf_puts(out, "\n");
    free(text);
    json_decref(all);
}
