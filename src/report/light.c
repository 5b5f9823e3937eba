/* See light.h. */
#include "report/light.h"
#include <math.h>
#include <stdlib.h>

enum { SECTOR = 32, LINE = 128 };

const struct wg_light_info wg_light_infos[WG_LIGHT_COUNT] = {
#define X(id, file, name, meaning) {file, name, meaning},
    WG_LIGHTS(X)
#undef X
};
const char *const wg_level_names[WG_LEVELS] = {"DRAM", "L2", "L1"};
const char *const wg_roof_names[WG_ROOFS] = {"FP32", "FP64"};

/* ---- Sums over launches -----------------------------------------------------------------------------------
 */

static void add_launch(struct wg_light *o, const struct wg_estimate *e) {
    const struct wg_time_input *in = &e->input.time;
    const struct wg_time *t = &e->bound.time;
    double waves = e->waves.waves, held = (double)e->occupancy.warps / e->chip->limits->warps_per_sm;
    o->seconds += t->seconds;
    o->of_peak[WG_LIGHT_SCHEDULERS] += in->instructions;
    o->of_peak[WG_LIGHT_TENSOR] += in->matrix_cycles;
    o->of_peak[WG_LIGHT_L1] += in->shared_wavefronts + in->global_lines;
    o->of_peak[WG_LIGHT_L2] += t->part[WG_TIME_L2];
    o->of_peak[WG_LIGHT_ATOMICS] += fmin(t->part[WG_TIME_ATOMICS], t->seconds);
    o->bytes[WG_LEVEL_DRAM] += t->dram_bytes;
    o->bytes[WG_LEVEL_L2] += (t->l1_misses + in->store_sectors + in->atomic_sectors) * SECTOR;
    o->bytes[WG_LEVEL_L1] +=
        (in->load_sectors + in->store_sectors + in->atomic_sectors) * SECTOR + in->shared_wavefronts * LINE;
    o->occupancy += held * t->seconds;
    o->achieved += held * t->seconds * (waves > 0 ? waves / fmax(1, ceil(waves)) : 0);
}

/* ---- Roofs ------------------------------------------------------------------------------------------------
 */

static struct wg_roofline roofline(const struct wg_light *o, double operations, double peak) {
    struct wg_roofline r = {.operations = operations, .peak = peak, .roof = peak, .binds = WG_LEVELS};
    r.reached = o->seconds > 0 ? operations / o->seconds : 0;
    for (int i = 0; i < WG_LEVELS; i++) {
        if (o->bytes[i] <= 0 || o->bandwidth[i] * operations / o->bytes[i] >= r.roof) continue;
        r.roof = o->bandwidth[i] * operations / o->bytes[i];
        r.binds = i;
    }
    return r;
}

static double count(const struct wg_summary *s, enum wg_counter c) { return (double)s->totals.v[c]; }

bool wg_light_of(const struct wg_summary *s, struct wg_light *out) {
    const struct wg_chip *chip = NULL;
    *out = (struct wg_light){0};
    for (uint32_t i = 0; i < s->launch_count; i++) {
        struct wg_estimate e;
        if (!wg_estimate_launch(s->result, s->kernel, s->launches[i], &e)) return false;
        add_launch(out, &e);
        chip = e.chip;
    }
    if (!chip || out->seconds <= 0) return false;
    double sms = chip->sms, hz = chip->clock_khz * 1e3, cycles = out->seconds * hz * sms;
    double lanes = wg_chip_fp32_lanes(chip), doubles = lanes / chip->limits->fp64_ratio;
    double single = count(s, WG_C_fadd) + count(s, WG_C_fmul) + count(s, WG_C_ffma);
    double twice = count(s, WG_C_dadd) + count(s, WG_C_dmul) + count(s, WG_C_dfma);
    out->of_peak[WG_LIGHT_SCHEDULERS] /= cycles * chip->limits->subpartitions;
    out->of_peak[WG_LIGHT_FP32] = single / (cycles * lanes);
    out->of_peak[WG_LIGHT_FP64] = twice / (cycles * doubles);
    out->of_peak[WG_LIGHT_TENSOR] /= cycles;
    out->of_peak[WG_LIGHT_L1] /= cycles;
    out->of_peak[WG_LIGHT_L2] /= out->seconds;
    out->of_peak[WG_LIGHT_ATOMICS] /= out->seconds;
    out->of_peak[WG_LIGHT_DRAM] = out->bytes[WG_LEVEL_DRAM] / (wg_chip_bandwidth(chip) * out->seconds);
    out->occupancy /= out->seconds, out->achieved /= out->seconds;
    out->bandwidth[WG_LEVEL_DRAM] = wg_chip_bandwidth(chip);
    out->bandwidth[WG_LEVEL_L2] = wg_time_constants.l2_read * sms * hz;
    out->bandwidth[WG_LEVEL_L1] = LINE * sms * hz;
    out->roof[WG_ROOF_FP32] = roofline(out, single + count(s, WG_C_ffma), 2 * lanes * sms * hz);
    out->roof[WG_ROOF_FP64] = roofline(out, twice + count(s, WG_C_dfma), 2 * doubles * sms * hz);
    return true;
}

/* ---- The mix ----------------------------------------------------------------------------------------------
 */

static int by_threads(const void *a, const void *b) {
    const struct wg_mix_part *p = a, *q = b;
    if (p->threads != q->threads) return p->threads > q->threads ? -1 : 1;
    return (int)p->counter - (int)q->counter;
}

uint32_t wg_light_mix(const struct wg_summary *s, struct wg_mix_part out[WG_MIX_PARTS]) {
    static const struct {
        enum wg_counter counter;
        const char *name;
    } parts[WG_MIX_PARTS] = {{WG_C_op_fp32, "FP32"},
                             {WG_C_op_fp64, "FP64"},
                             {WG_C_op_fp16, "FP16"},
                             {WG_C_op_integer, "integer"},
                             {WG_C_op_bit, "bits"},
                             {WG_C_op_conversion, "conversions"},
                             {WG_C_op_memory, "memory"},
                             {WG_C_op_control, "control"},
                             {WG_C_op_special, "special functions"},
                             {WG_C_op_warp, "between lanes"},
                             {WG_C_op_tensor, "tensor cores"},
                             {WG_C_op_misc, "moves"}};
    uint32_t n = 0;
    for (int i = 0; i < WG_MIX_PARTS; i++) {
        uint64_t threads = s->totals.v[parts[i].counter];
        if (threads) out[n++] = (struct wg_mix_part){parts[i].counter, parts[i].name, threads};
    }
    if (n) qsort(out, n, sizeof *out, by_threads);
    return n;
}

const char *wg_figure_large(struct wg_arena *a, double x) {
    static const char *const units[] = {" ", " k", " M", " G", " T", " P"};
    int unit = 0;
    while (unit < 5 && x >= 999.5) x /= 1000, unit++;
    return wg_arena_printf(a, "%.3g%s", x, units[unit]);
}
