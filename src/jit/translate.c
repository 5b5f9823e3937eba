/* See translate.h. */
#include "jit/emit/issue.h"
#include "jit/translate.h"
#include "analysis/bands.h"
#include "analysis/duplicates.h"
#include "analysis/inline.h"
#include "analysis/memory.h"
#include "analysis/plan.h"
#include "analysis/touch.h"
#include "analysis/tables.h"
#include "analysis/interchange.h"
#include "analysis/idioms.h"
#include "analysis/interior.h"
#include "analysis/unroll.h"
#include "base/mangled.h"
#include "jit/llvm/code_passes.h"
#include "jit/emit/count.h"
#include "jit/emit/emit.h"
#include "jit/llvm/machine_code.h"
#include "jit/llvm/late_adds.h"
#include "jit/llvm/optimise.h"
#include "jit/warp/function.h"
#include "jit/llvm/outline.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void start(void) {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser(); /* without AVX-512, rounding modes are inline assembly */
}

static bool complain(struct wg_diag *d, LLVMErrorRef err) {
    char *msg = LLVMGetErrorMessage(err);
    wg_diag_error(d, (struct wg_pos){"warpglass", 0, 0}, NULL, "optimising: %s", msg);
    LLVMDisposeErrorMessage(msg);
    return false;
}

/* Sets an attribute on every function that has a body. */
static void set_attribute(struct wg_emit *e, const char *key, const char *value) {
    LLVMAttributeRef a =
        LLVMCreateStringAttribute(e->L.ctx, key, (unsigned)strlen(key), value, (unsigned)strlen(value));
    for (LLVMValueRef f = LLVMGetFirstFunction(e->L.module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, a);
}

static void finish_function(struct wg_emit *e, const struct wg_target *t, const char *key) {
    char width[8], symbol[WG_KEY_BYTES + 8];
    snprintf(width, sizeof width, "%u", t->width);
    snprintf(symbol, sizeof symbol, "wg_%s", key);
    set_attribute(e, "prefer-vector-width", width);
    set_attribute(e, "min-legal-vector-width", t->width == 512 ? "512" : "0");
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAddAttributeAtIndex(e->fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(e->L.ctx, nounwind, 0));
    /* Else LLVM's spilled vectors straddle cache lines, depending on the caller's stack pointer. */
    unsigned aligned = LLVMGetEnumAttributeKindForName("alignstack", 10);
    LLVMAddAttributeAtIndex(e->fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(e->L.ctx, aligned, t->width / 8));
    LLVMSetValueName2(e->fn, symbol, strlen(symbol));
}

/* Always, also in release builds: LLVM does not diagnose malformed IR by itself. */
static bool is_well_formed(struct wg_emit *e, const char *when, struct wg_diag *d) {
    char *msg = NULL;
    bool malformed = LLVMVerifyModule(e->L.module, LLVMReturnStatusAction, &msg);
    if (malformed)
        wg_diag_error(d, (struct wg_pos){e->module->name, 0, 0}, NULL,
                      "kernel '%s': code is malformed %s (a bug in Warpglass): %s", e->func->name, when, msg);
    e->broken |= malformed;
    LLVMDisposeMessage(msg);
    return !malformed;
}

static bool optimise(struct wg_emit *e, LLVMTargetMachineRef tm, bool quick, struct wg_diag *d) {
    wg_dump_llvm(e->opts, "llvm (as made)", e->L.module);
    if (!is_well_formed(e, "as it was made", d)) return false;
    wg_make_late_adds(e->access.late_adds.v, e->access.late_adds.n);
    LLVMErrorRef err = wg_optimise(e, tm, quick);
    if (err) return complain(d, err);
    if (e->L.avx512) wg_emit_set_bit_selects_apart(e);
    wg_split_small_masks(e);
    wg_split_masks(e);
    wg_part_store_runs(e);
    wg_hide_mask_logic(e);
    wg_spread_masks(e);
    return is_well_formed(e, "after passes of our own", d);
}

static void init_emit(struct wg_emit *e, struct wg_analysis *an, const struct wg_target *t) {
    e->L.ctx = LLVMContextCreate();
    e->L.module = LLVMModuleCreateWithNameInContext("warpglass", e->L.ctx);
    LLVMSetTarget(e->L.module, "x86_64-pc-linux-gnu");
    e->L.b = LLVMCreateBuilderInContext(e->L.ctx);
    e->L.avx512 = t->width == 512;
    e->L.avx2 = t->width >= 256;
    e->L.slow_masks = t->slow_masks;
    e->entry_b = LLVMCreateBuilderInContext(e->L.ctx);
    e->block_b = LLVMCreateBuilderInContext(e->L.ctx);
    e->warp_b = LLVMCreateBuilderInContext(e->L.ctx);
    e->i1 = LLVMInt1TypeInContext(e->L.ctx);
    e->i8 = LLVMInt8TypeInContext(e->L.ctx);
    e->i16 = LLVMInt16TypeInContext(e->L.ctx);
    e->i32 = LLVMInt32TypeInContext(e->L.ctx);
    e->i64 = LLVMInt64TypeInContext(e->L.ctx);
    e->ptr = LLVMPointerTypeInContext(e->L.ctx, 0);
    e->invariant = LLVMMDNodeInContext2(e->L.ctx, NULL, 0);
    struct wg_arena *a = &an->arena;
    uint32_t nregs = an->func->nregs, nblocks = an->func->nblocks;
    for (int v = 0; v < WG_VERSIONS; v++) {
        e->regs.slot[v] = WG_NEW_N(a, struct wg_slot, nregs);
        e->bb[v] = WG_NEW_N(a, LLVMBasicBlockRef, nblocks);
    }
    e->regs.def = an->cfg.def;
    e->regs.cur = WG_NEW_N(a, struct wg_value, nregs);
    e->regs.have = WG_NEW_N(a, bool, nregs);
    e->regs.dirty = WG_NEW_N(a, bool, nregs);
    e->masks.early = WG_NEW_N(a, LLVMValueRef, nblocks);
    e->masks.rest = WG_NEW_N(a, LLVMValueRef, nblocks);
    e->regs.home = WG_NEW_N(a, uint32_t, nregs);
    e->regs.nook = WG_NEW_N(a, uint32_t, nregs);
    memset(e->regs.home, 0xff, nregs * sizeof *e->regs.home);
    for (size_t i = 0; i < sizeof e->regs.sets / sizeof *e->regs.sets; i++)
        e->regs.sets[i] = wg_bits_new(a, nregs);
}

/* Frees what is not needed once LLVM's IR is complete: generating machine code takes more memory than
 * everything before, and needs only the IR. */
static void free_analysis(struct wg_emit *e) {
    wg_issues_free(e);
    wg_analysis_free(e->an);
    e->an = NULL;
}

static void free_emit(struct wg_emit *e) {
    free_analysis(e);
    LLVMDisposeBuilder(e->entry_b);
    LLVMDisposeBuilder(e->block_b);
    LLVMDisposeBuilder(e->warp_b);
    LLVMDisposeBuilder(e->L.b);
    LLVMDisposeModule(e->L.module);
    LLVMContextDispose(e->L.ctx);
    free(e->out.checks.v);
    free(e->out.resumes.v);
    free(e->access.checked.v);
    free(e->access.late_adds.v);
}

/* Whether to compile the code without optimisation, judged as emitted. *for_good: no optimised code will
 * follow. Code that would take LLVM's optimisers more than a second or two starts as quick code. 32 lanes
 * of a 32-bit value are two registers, four or eight; in a traced block each value is one. Checked code
 * runs once or twice at a small size: compiling it takes longer than running it. */
static bool is_made_quickly(const struct wg_order *w, struct wg_emit *e, bool *for_good) {
    enum { REGISTERS = 40000, LARGE_CHECKED = 2500, HUGE = 60000 };
    uint32_t n = wg_instructions_in(e->L.module), large = REGISTERS / (e->traced     ? 1
                                                                       : e->L.avx512 ? 2
                                                                       : e->L.avx2   ? 4
                                                                                     : 8);
    if (w->o->check) large = LARGE_CHECKED;
    *for_good = e->v == WG_GENERAL && n > HUGE && !w->brief;
    if (w->optimised) return false;
    return *for_good || w->brief || w->tiers == WG_TIERS_QUICK || (w->tiers == WG_TIERS_LARGE && n > large);
}

/* Where all values fit the host's registers in the present order, the order stays; long kernels and large
 * code skip passes that would take much of the compile time (code_passes.h). False: register pressure is
 * too high, and the code is better compiled again with fewer warps jammed. */
static bool see_what_is_alive(struct wg_emit *e, uint32_t *left_out) {
    enum { LARGE = 1500 };
    uint32_t bits = e->L.avx512 ? 512 : e->L.avx2 ? 256 : 128, registers = e->L.avx512 ? 32 : 16;
    uint32_t instructions = wg_instructions_in(e->L.module);
    bool large = instructions > LARGE;
    bool matters = e->v == WG_CONVERGED && e->opts->opt_level > 1;
    bool fits = matters && wg_vectors_alive(e->fn, bits) <= registers;
    *left_out = (fits || e->is_long ? WG_PASS_SCHEDULER : 0) | (e->is_long ? WG_PASS_HOIST : 0) |
                (large || (matters && e->many_sides) ? WG_PASS_LOOP_REDUCE : 0) |
                (large ? WG_PASS_DOMAINS : 0);
    return !matters || fits || !e->long_sides;
}

/* Starts the next step. False: it is cancelled, because the code is not needed any more. */
static bool go_on(const struct wg_order *w, enum wg_step step) {
    wg_progress_step(w->progress, step);
    return !w->o->unwanted || !__atomic_load_n(w->o->unwanted, __ATOMIC_RELAXED);
}

static bool make_objects(struct wg_emit *e, const struct wg_order *w, LLVMTargetMachineRef tm, bool *again,
                         struct wg_strbuf *out, struct wg_cache_meta *meta, struct wg_diag *d) {
    enum { HUGE = 300000 };
    if (!go_on(w, WG_STEP_EMITTING) || !wg_emit_kernel(e)) return false;
    finish_function(e, w->t, w->key);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(tm);
    LLVMSetModuleDataLayout(e->L.module, layout);
    LLVMDisposeTargetData(layout);
    char symbol[WG_KEY_BYTES + 8];
    snprintf(symbol, sizeof symbol, WG_COUNTS_SYMBOL, w->key);
    if (w->o->sites) wg_count_finish(e, symbol);
    bool for_good, quick = is_made_quickly(w, e, &for_good), huge = wg_instructions_in(e->L.module) > HUGE;
    if (!go_on(w, WG_STEP_OPTIMISING) || !optimise(e, tm, quick, d)) return false;
    uint32_t left_out = WG_PASS_OPTIMISERS;
    *again = !quick && !see_what_is_alive(e, &left_out);
    if (quick) wg_outline_vectors(e->fn);
    snprintf(symbol, sizeof symbol, WG_SPLIT_SYMBOL, w->key);
    free_analysis(e);
    bool made = go_on(w, WG_STEP_MACHINE_CODE) && !*again &&
                wg_make_objects(e, w->t, tm, symbol, left_out, out, &meta->second_bytes, d);
    meta->quick = quick && (!for_good || !made);
    meta->huge = huge;
    return made;
}

/* By its own instructions: a kernel whose few instructions expand to much code is worth the time. */
static bool is_long(const struct wg_ir_func *f) {
    enum { LONG = 200 };
    uint32_t n = 0;
    for (uint32_t b = 0; b < f->nblocks; b++) n += f->blocks[b].ninstrs;
    return n > LONG;
}

/* A short kernel compiles fast enough with all its entry points; and where another form besides GENERAL
 * has to be compiled, another thread does it. */
static bool may_be_one_way(const struct wg_order *w, const struct wg_ir_func *f) {
    return w->first && !w->o->sites && !w->o->one_thread && is_long(f);
}

/* The transformed function, if it can run as whole thread blocks; else f. */
static const struct wg_ir_func *if_of_use(const struct wg_inlined *inl, const struct wg_ir_func *made,
                                          const struct wg_ir_func *f, const struct wg_code_opts *o) {
    if (made == f) return f;
    struct wg_analysis *an = wg_analyse(inl->module, made, o);
    if (an->phases) f = made;
    wg_analysis_free(an);
    return f;
}

/* Which accesses' addresses are known safe in the code as written, which shows better how pointers are
 * used. */
static const uint64_t *safe_accesses(struct wg_arena *room, const struct wg_inlined *inl,
                                     const struct wg_code_opts *o) {
    struct wg_code_opts quiet = *o;
    quiet.plan = NULL; /* its forms are not those of the generated code */
    struct wg_analysis *an = wg_analyse(inl->module, inl->func, &quiet);
    const uint64_t *safe = wg_touch_safe(room, an);
    wg_analysis_free(an);
    return safe;
}

/* The function that code is generated from, after transformations. Of clusters, only stages run as whole
 * thread blocks. */
static const struct wg_ir_func *rearrange(struct wg_arena *room, const struct wg_inlined *inl,
                                          struct wg_code_opts *o) {
    /* With few lanes per vector, masks are branches: many copies would take seconds to compile. */
    const struct wg_ir_func *dealt = wg_deal_threads(room, inl->func, o);
    const struct wg_ir_func *f = o->width > 128 ? wg_unroll(room, dealt, o) : dealt;
    f = wg_find_idioms(room, inl->module, f, o);
    if (o->width > 128) f = wg_split_interior(room, f, o);
    struct wg_code_opts whole = *o;
    whole.whole_blocks |= o->stages == WG_STAGES_CLUSTERS;
    f = if_of_use(inl, wg_cut_stages(room, inl->module, f, &whole), f, &whole);
    o->whole_blocks |= f->stages;
    f = if_of_use(inl, wg_interchange(room, inl->module, f, o), f, o);
    if (f->sweeps) wg_plan_yes(o, WG_FORM_sweeps, NULL);
    return f;
}

static void dump_plan(const struct wg_order *w, const struct wg_code_opts *o,
                      const struct wg_cache_meta *meta) {
    struct wg_strbuf version = {0}, text = {0};
    bool tests = o->bounds || o->given || o->strangers & wg_touch_words(w->m, &w->m->funcs[w->func]);
    wg_strbuf_printf(&version, "%s%s%s", w->v == WG_GENERAL ? "GENERAL" : "CONVERGED",
                     w->v != WG_GENERAL && meta->whole ? ", whole blocks" : "",
                     tests ? ", testing addresses" : "");
    char *name = wg_function_name(w->m->funcs[w->func].name);
    wg_plan_print(o->plan, w->m, name, version.s, o, &text);
    wg_strbuf_free(&version);
    wg_dump(o, WG_DUMP_PLAN, "plan", text.s);
    wg_strbuf_free(&text);
    free(name);
}

/* One attempt. `crowded`: with fewer warps jammed than before. *again: such an attempt is needed. */
static bool make_of(const struct wg_order *w, const struct wg_inlined *inl, const struct wg_ir_func *f,
                    const struct wg_code_opts *o, LLVMTargetMachineRef tm, bool crowded, bool *again,
                    bool *broken, struct wg_cache_meta *meta, struct wg_strbuf *out, struct wg_diag *d) {
    struct wg_analysis *an = wg_analyse(inl->module, f, o);
    if (w->if_needed && !an->needs_general) {
        wg_analysis_free(an);
        return false;
    }
    struct wg_emit e = {.an = an,
                        .module = inl->module,
                        .func = f,
                        .func_index = w->func,
                        .opts = o,
                        .diag = d,
                        .v = w->v,
                        .whole = w->first && an->phases,
                        .one_way = may_be_one_way(w, inl->func) && !an->phases,
                        .brief = w->brief,
                        .crowded = crowded,
                        .is_long = is_long(inl->func)};
    init_emit(&e, an, w->t);
    struct wg_cache_meta of = {.needs_general = an->needs_general};
    bool made = make_objects(&e, w, tm, again, out, &of, d);
    *meta = (struct wg_cache_meta){.frame_bytes = e.regs.frame_bytes,
                                   .local_bytes = f->local_bytes,
                                   .needs_general = of.needs_general,
                                   .stream_bytes = e.access.stream_bytes,
                                   .warps = o->warps,
                                   .whole = e.whole,
                                   .one_way = e.one_way,
                                   .sums = e.access.ncombine > 0,
                                   .saves = f->saves,
                                   .frames = f->frames,
                                   .sweeps = f->sweeps,
                                   .stages = f->stages,
                                   .crowded = crowded,
                                   .quick = of.quick,
                                   .huge = of.huge,
                                   .second_bytes = of.second_bytes};
    *broken = e.broken;
    free_emit(&e);
    return made;
}

/* *broken: code with these forms violates their invariants. */
static bool translate(const struct wg_order *w, const struct wg_inlined *inl, uint64_t forms_off,
                      bool *broken, struct wg_cache_meta *meta, struct wg_strbuf *out, struct wg_diag *d) {
    struct wg_code_opts opts = *w->o;
    const struct wg_code_opts *o = &opts;
    struct wg_arena room = {0};
    wg_progress_step(w->progress, WG_STEP_ANALYSING);
    opts.width = w->t->width;
    opts.forms_off |= forms_off;
    opts.plan = o->dump_mask & WG_DUMP_PLAN ? wg_plan_new() : NULL;
    if (o->dealt.threads) wg_plan_yes(o, WG_FORM_bands, NULL);
    opts.long_regions = w->v == WG_CONVERGED && !w->first && o->whole_blocks;
    opts.warps = wg_distinct_warps(inl->module, inl->func, o);
    const struct wg_ir_func *f = rearrange(&room, inl, &opts);
    if (!wg_has_same_accesses(inl->func, f)) {
        wg_diag_error(d, (struct wg_pos){inl->module->name, 0, 0}, NULL,
                      "kernel '%s': rearranged code has other accesses (a bug in Warpglass)", f->name);
        assert(!"rearranged code has the same accesses");
        wg_plan_free(opts.plan);
        wg_arena_free(&room);
        *broken = true;
        return false;
    }
    if (f != inl->func) opts.safe = safe_accesses(&room, inl, o);
    bool made = false;
    LLVMTargetMachineRef tm = wg_new_target_machine(w->t, o, d);
    for (bool again = tm != NULL, crowded = false; again; crowded = true) {
        again = false;
        made = make_of(w, inl, f, o, tm, crowded, &again, broken, meta, out, d);
    }
    if (made && opts.plan) dump_plan(w, o, meta);
    wg_plan_free(opts.plan);
    if (tm) LLVMDisposeTargetMachine(tm);
    wg_arena_free(&room);
    return made;
}

static void dump_ir(const struct wg_order *w, const struct wg_inlined *inl) {
    if (!(w->o->dump_mask & WG_DUMP_IR) || w->v != WG_CONVERGED) return;
    struct wg_strbuf text = {0};
    wg_ir_print(inl->module, inl->func, &text);
    wg_dump(w->o, WG_DUMP_IR, "ir", text.s ? text.s : "");
    wg_strbuf_free(&text);
}

/* Code whose forms violate an invariant is compiled again without them: slower, but correct. */
static bool translate_safely(const struct wg_order *w, const struct wg_inlined *inl,
                             struct wg_cache_meta *meta, struct wg_strbuf *out, struct wg_diag *d) {
    struct wg_diag first = {0};
    size_t before = out->n;
    bool broken = false;
    if (translate(w, inl, 0, &broken, meta, out, &first)) return true;
    if (!broken && meta->quick) { /* quick code may need more stack than there is */
        struct wg_order optimised = *w;
        struct wg_diag second = {0};
        optimised.optimised = true;
        optimised.brief = false;
        out->n = before;
        bool made = translate(&optimised, inl, 0, &broken, meta, out, &second);
        wg_diag_free(made ? &first : &second);
        if (made) return true;
    }
    uint64_t all = (UINT64_C(1) << WG_FORMS) - 1;
    bool again = broken && (w->o->forms_off & all) != all;
    if (again) {
        char *name = wg_function_name(w->m->funcs[w->func].name);
        fprintf(stderr,
                "warpglass: %s is compiled without forms, and runs slower: a check of its code failed. "
                "Please report\n"
                "this, with its PTX (--dump ptx):\n%s",
                name, first.text.s ? first.text.s : "");
        free(name);
    } else {
        wg_diag_append(d, &first);
    }
    wg_diag_free(&first);
    return again && translate(w, inl, all, &broken, meta, out, d);
}

bool wg_translate(const struct wg_order *w, struct wg_cache_meta *meta, struct wg_strbuf *out,
                  struct wg_diag *d) {
    pthread_once(&once, start);
    if (!wg_ir_check_supported(w->m, w->func, d)) return false;
    struct wg_inlined inl = wg_inline_calls(w->m, w->func, d);
    bool made = false;
    if (inl.func) {
        dump_ir(w, &inl);
        made = translate_safely(w, &inl, meta, out, d);
    }
    wg_inlined_free(&inl);
    return made;
}
