/* Optimisation plans: which forms a kernel's code has, where, and why not the others.
 *
 *     $ warpglass run --dump plan saxpy.cu
 *     plan of saxpy(int, float, float const*, float*): CONVERGED, 512 bits, level 2
 *       whole        parallel regions        yes
 *       all_lanes    branch versioning       yes   line 5
 *       jam          unroll-and-jam          no    no phase gains by it
 *
 * Code that decides about a form calls wg_may_use first, and then records the outcome. A form is switched off
 * by `--opt 2,-jam` or WARPGLASS_OPT, which are part of the code cache's key.
 */
#ifndef WG_ANALYSIS_PLAN_H
#define WG_ANALYSIS_PLAN_H
#include "warp/warp.h"

enum wg_form {
#define X(name, term, scope, moves, level, modes, gain, legal) WG_FORM_##name,
#include "analysis/forms.def"
#undef X
    WG_FORMS
};
_Static_assert(WG_FORMS <= 64, "wg_code_opts.forms_off has a bit for each form");

/* What forms do to accesses: wg_form_info.moves. */
enum {
    WG_FORM_HOIST = 1,
    WG_FORM_SINK = 2,
    WG_FORM_JOIN = 4,
    WG_FORM_WIDEN = 8,
    WG_FORM_INTERLEAVE = 16,
    WG_FORM_PRIVATIZE = 32,
    WG_FORM_REPLAY = 64
};

struct wg_form_info {
    const char *name, *term, *scope, *gain, *legal;
    uint8_t moves, level, modes;
};
const struct wg_form_info *wg_form_info(enum wg_form form);

/* Whether code of these options may have the form: by its level, its modes, and the switches. */
bool wg_may_use(const struct wg_code_opts *o, enum wg_form form);

/* "2", "1,-jam,-trace", "-all,+jam": a level, and forms that are off or on again. NULL, or what is wrong with
 * it. */
const char *wg_forms_parse(const char *text, uint32_t *level, uint64_t *off);

/* The form is used at an instruction (NULL: for all of the kernel), or is not, and why. Where no plan is made
 * they do nothing. */
void wg_plan_yes(const struct wg_code_opts *o, enum wg_form form, const struct wg_ir_instr *at);
void wg_plan_no(const struct wg_code_opts *o, enum wg_form form, const char *why);

struct wg_plan *wg_plan_new(void);
void wg_plan_free(struct wg_plan *p);
/* The table, in the forms' order. version: "CONVERGED" and so on. */
void wg_plan_print(const struct wg_plan *p, const struct wg_ir_module *m, const char *kernel,
                   const char *version, const struct wg_code_opts *o, struct wg_strbuf *out);
#endif
