/* Running scenes: see scene.h. */
#include "tests/rows/scene.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prologue[] =
    ".visible .entry scene(.param .u64 p_in, .param .u64 p_out) {\n"
    "  .reg .b32 %x, %t, %lane, %a0, %a1, %a2, %r<40>;\n  .reg .b64 %in, %out, %my, %d<20>;\n"
    "  .reg .b16 %h<10>;\n  .reg .f32 %f<10>;\n  .reg .f64 %e<10>;\n  .reg .pred %p<20>;\n"
    "  mov.u32 %a0, %tid.x;\n  mov.u32 %a1, %tid.y;\n  mov.u32 %a2, %ntid.x;\n"
    "  mad.lo.u32 %t, %a1, %a2, %a0;\n  mov.u32 %a1, %ntid.y;\n  mov.u32 %a0, %tid.z;\n"
    "  mul.lo.u32 %a1, %a1, %a2;\n  mad.lo.u32 %t, %a0, %a1, %t;\n"
    "  mov.u32 %a0, %ntid.z;\n  mul.lo.u32 %a1, %a1, %a0;\n  mov.u32 %a0, %ctaid.x;\n"
    "  mad.lo.u32 %x, %a0, %a1, %t;\n  mov.u32 %lane, %laneid;\n"
    "  ld.param.u64 %in, [p_in];\n  ld.param.u64 %out, [p_out];\n"
    "  cvta.to.global.u64 %in, %in;\n  cvta.to.global.u64 %out, %out;\n"
    "  mul.wide.u32 %my, %x, 4;\n  add.s64 %my, %out, %my;\n";

struct stage {
    const struct scene *s;
    struct harness_kernel kernel;
    uint32_t *in, *out[HARNESS_BACKENDS], *want;
};

static uint32_t or_else(uint32_t v, uint32_t other) { return v ? v : other; }

static bool complain(const struct stage *g, enum harness_backend b, const char *what) {
    printf("%s, %s: %s\n", g->s->name, harness_name(b), what);
    return false;
}

static bool fault_is_right(const struct stage *g, enum harness_backend b, const struct harness_result *r) {
    const struct scene *s = g->s;
    char why[768];
    if (r->ok) return complain(g, b, "ran to its end, but a fault was to come");
    bool right = r->fault.kind == s->fault && (s->fault_op == WG_OP_NONE || r->fault.op == s->fault_op) &&
                 (r->fault.lane == s->fault_lane || r->fault.lane == WG_LANES);
    if (right) return true;
    snprintf(why, sizeof why, "another fault than kind %u, lane %u: %s", s->fault, s->fault_lane, r->message);
    return complain(g, b, why);
}

static bool results_are_right(const struct stage *g, enum harness_backend b) {
    char why[256];
    const uint32_t *want = g->s->expect ? g->want : g->out[HARNESS_REF];
    for (uint32_t k = 0; k < SCENE_WORDS; k++) {
        if (want[k] == g->out[b][k]) continue;
        snprintf(why, sizeof why, "out[%u] is 0x%x, not 0x%x", k, g->out[b][k], want[k]);
        return complain(g, b, why);
    }
    return true;
}

static bool run_on(struct stage *g, enum harness_backend b) {
    const struct scene *s = g->s;
    struct {
        const void *in;
        void *out;
    } params = {g->in, g->out[b]};
    struct harness_launch l = {
        .kernel = &g->kernel,
        .backend = b,
        .grid = {or_else(s->grid, 1), 1, 1},
        .block = {or_else(s->block[0], 64), or_else(s->block[1], 1), or_else(s->block[2], 1)},
        .cluster = s->cluster,
        .dynamic_shared = s->dynamic_shared,
        .cooperative = s->cooperative,
        .params = &params,
        .param_bytes = sizeof params,
        .fuel = s->fuel,
        .max_yields = or_else(s->max_yields, 10000)};
    struct harness_result r;
    harness_reset(&g->kernel);
    harness_run(&l, &r);
    bool ok;
    if (s->refused)
        ok = (!r.ok && strstr(r.message, s->refused)) || complain(g, b, r.ok ? "was not refused" : r.message);
    else if (s->fault)
        ok = fault_is_right(g, b, &r);
    else
        ok = r.ok ? results_are_right(g, b) : complain(g, b, r.message);
    if (ok && !s->refused && s->printed && !(r.printed.s && strstr(r.printed.s, s->printed)))
        ok = complain(g, b, r.printed.s ? r.printed.s : "printed nothing");
    wg_strbuf_free(&r.printed);
    return ok;
}

bool scene_holds(const struct scene *s) {
    struct stage g = {.s = s, .in = harness_alloc(SCENE_WORDS * 4), .want = calloc(SCENE_WORDS, 4)};
    struct wg_strbuf ptx = {0};
    bool ok = true;
    for (uint32_t k = 0; k < SCENE_WORDS; k++) g.in[k] = scene_in(k);
    uint32_t block = or_else(s->block[0], 64) * or_else(s->block[1], 1) * or_else(s->block[2], 1);
    if (s->expect) s->expect(g.want, or_else(s->grid, 1) * block, block);
    wg_strbuf_printf(&ptx, ".version 8.6\n.target sm_90\n.address_size 64\n%s\n%s%sEND:\n  ret;\n}\n",
                     s->module ? s->module : "", prologue, s->body);
    if (!harness_open(&g.kernel, s->name, ptx.s, "scene"))
        ok = complain(&g, HARNESS_REF, g.kernel.diag.text.s ? g.kernel.diag.text.s : "not built");
    for (int b = 0; b < HARNESS_BACKENDS; b++) g.out[b] = harness_alloc(SCENE_WORDS * 4);
    for (int b = 0; ok && b < HARNESS_BACKENDS; b++)
        if (harness_has(b) && !(s->reference_only && b != HARNESS_REF)) ok = run_on(&g, b);
    for (int b = 0; b < HARNESS_BACKENDS; b++) harness_free(g.out[b]);
    harness_close(&g.kernel);
    harness_free(g.in);
    free(g.want);
    wg_strbuf_free(&ptx);
    return ok;
}
