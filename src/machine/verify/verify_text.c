/* Messages about a launch on which generated code and the reference differ. See verify.h. */
#include "machine/device.h"
#include "machine/verify/verify.h"
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_place(struct wg_strbuf *b, const struct wg_ir_module *ir, uint32_t loc) {
    if (!loc || loc >= ir->nlocs) return;
    const struct wg_ir_loc *l = &ir->locs[loc];
    wg_strbuf_printf(b, "%s:%u", l->file ? l->file : "?", l->line);
    if (l->col) wg_strbuf_printf(b, ":%u", l->col);
    wg_strbuf_puts(b, ": ");
}

static void put_callers(struct wg_strbuf *b, const struct wg_ir_module *ir, uint32_t loc) {
    for (; loc && loc < ir->nlocs && ir->locs[loc].inlined_at; loc = ir->locs[loc].inlined_at) {
        const struct wg_ir_loc *outer = &ir->locs[ir->locs[loc].inlined_at];
        wg_strbuf_printf(b, "    in %s, inlined at %s:%u\n",
                         ir->locs[loc].function ? ir->locs[loc].function : "a function",
                         outer->file ? outer->file : "?", outer->line);
    }
}

/* The bytes as one number, the highest first, and what it is as a float. */
static void put_value(struct wg_strbuf *b, const uint8_t *bytes, uint32_t size, uint8_t type) {
    float f;
    double d;
    wg_strbuf_puts(b, "0x");
    for (uint32_t k = size; k-- > 0;) wg_strbuf_printf(b, "%02x", bytes[k]);
    memcpy(&f, bytes, sizeof f);
    memcpy(&d, bytes, sizeof d);
    if (type == WG_T_F32) wg_strbuf_printf(b, " (%.*g)", FLT_DECIMAL_DIG, (double)f);
    if (type == WG_T_F64) wg_strbuf_printf(b, " (%.*g)", DBL_DECIMAL_DIG, d);
}

static void put_memory(struct wg_strbuf *b, struct wg_verify *v, uint64_t address) {
    static const char *const names[] = {
        [WG_MEM_DEVICE] = "an allocation",           [WG_MEM_PINNED] = "pinned memory",
        [WG_MEM_MANAGED] = "managed memory",         [WG_MEM_REGISTERED] = "registered host memory",
        [WG_MEM_MODULE] = "the module's variables",  [WG_MEM_HEAP] = "the kernels' heap",
        [WG_MEM_SCRATCH] = "shared or local memory",
    };
    struct wg_span s;
    wg_strbuf_printf(b, "    at %#" PRIx64, address);
    if (wg_module_name_address(v->g->dev, address, b)) {
    } else if (wg_memory_find(&v->g->dev->memory, address, &s)) {
        wg_strbuf_printf(b, ", byte %" PRIu64 " of %s of %" PRIu64 " bytes", address - s.base, names[s.kind],
                         s.end - s.base);
    } else {
        wg_strbuf_puts(b, ", in no allocation");
    }
    wg_strbuf_puts(b, "\n");
}

static void put_head(struct wg_strbuf *b, struct wg_verify *v, uint32_t loc) {
    char *kernel = wg_func_pretty(v->g->func);
    put_place(b, wg_grid_ir(v->g), loc);
    wg_strbuf_printf(b, "generated code and the reference differ in kernel %s, launch %" PRIu64 "\n", kernel,
                     v->g->block.gridid - 1);
    put_callers(b, wg_grid_ir(v->g), loc);
    free(kernel);
}

static bool are_nans_of_f64(const struct wg_verify_difference *d) {
    double generated, reference;
    if (!d->instr || d->instr->type != WG_T_F64) return false;
    memcpy(&generated, d->generated, sizeof generated);
    memcpy(&reference, d->reference, sizeof reference);
    return isnan(generated) && isnan(reference);
}

/* What, other than a fault of Warpglass, makes such a difference. */
static const char *other_reason(const struct wg_verify_difference *d) {
    if (d->order_is_open)
        return "    the kernel uses what atomics return, which depends on the order of threads: that "
               "may be the only reason";
    if (are_nans_of_f64(d))
        return "    both are NaNs: of two different NaNs in one f64 operation generated code keeps either "
               "one (docs/nans.md)";
    return "    a data race in the program can also cause this: warpglass check finds those";
}

void wg_verify_say_difference(struct wg_verify *v, const struct wg_verify_difference *d, const char *blame) {
    struct wg_strbuf b = {0};
    const struct wg_ir_instr *i = d->instr;
    put_head(&b, v, i ? i->loc : 0);
    if (i)
        wg_strbuf_printf(&b, "    %s of %u bytes by thread (%u,%u,%u) of block (%u,%u,%u)\n",
                         wg_op_name(i->op), d->size, d->thread[0], d->thread[1], d->thread[2], d->block[0],
                         d->block[1], d->block[2]);
    else
        wg_strbuf_puts(&b, "    the reference writes nothing there\n");
    if (i && !i->loc)
        wg_strbuf_printf(&b, "    at line %u of its PTX (--dump ptx); nvcc -lineinfo gives source lines\n",
                         i->ptx_line);
    put_memory(&b, v, d->at);
    wg_strbuf_puts(&b, "    generated code has ");
    put_value(&b, d->generated, d->size, i ? i->type : WG_T_B32);
    wg_strbuf_puts(&b, ", the reference ");
    put_value(&b, d->reference, d->size, i ? i->type : WG_T_B32);
    uint64_t words = d->words - d->by_order;
    wg_strbuf_printf(&b, "\n    %" PRIu64 " word%s differ%s", words, words == 1 ? "" : "s",
                     words == 1 ? "s" : "");
    if (d->strays && d->strays < d->words)
        wg_strbuf_printf(&b, ", %" PRIu64 " of them where the reference writes nothing", d->strays);
    if (d->by_order) wg_strbuf_printf(&b, "; %" PRIu64 " more, by the order of float atomics", d->by_order);
    wg_strbuf_puts(&b, "\n");
    if (blame) wg_strbuf_printf(&b, "    %s\n", blame);
    wg_strbuf_puts(&b, other_reason(d));
    v->g->dev->options.verified->say("%s", b.s);
    wg_strbuf_free(&b);
}

void wg_verify_say_fault(struct wg_verify *v) {
    struct wg_strbuf b = {0};
    const struct wg_fault_record *r = wg_fault_report(v->ref);
    put_head(&b, v, 0);
    wg_strbuf_printf(&b, "    in generated code %s\n    the reference %s%s",
                     v->g->fault_unit == UINT64_MAX ? "nothing fails" : "it fails, as reported",
                     r ? "says: " : "ends without a fault", r ? r->message : "");
    if (b.n && b.s[b.n - 1] == '\n') b.s[--b.n] = 0;
    v->g->dev->options.verified->say("%s", b.s);
    wg_strbuf_free(&b);
}
