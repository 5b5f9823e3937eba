/* Options -> analysis -> LLVM IR -> passes -> object -> code: see jit.h.
 *
 * An object knows nothing of the process: what it calls are the helpers, by name, which linking resolves. So
 * it can be kept on disk (cache.c) and linked again in a later process.
 */
#include "jit/jit.h"
#include "analysis/bands.h"
#include "analysis/inline.h"
#include "analysis/turns.h"
#include "analysis/unroll.h"
#include "base/hash.h"
#include "jit/cache.h"
#include "jit/count.h"
#include "jit/emit.h"
#include "jit/helpers.h"
#include "jit/left_out.h"
#include "jit/machine_code.h"
#include "jit/optimise.h"
#include "build_id.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *wg_jit_cpu(void) { return wg_target_for(NULL)->name; }

/* ---- the process's linker ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static LLVMOrcLLJITRef linker;
static char *linker_error;
typedef wg_warp_fn warp_fn;
#define COUNTS_SYMBOL "wgn_%s" /* the data of wg_count_finish */
#define HALF_SYMBOL   "wgh_%s" /* code that was made in a thread of its own */
enum { KEY_BYTES = 40 };       /* a letter for the version and 32 digits */

/* What generated code may call. */
static LLVMErrorRef define_helpers(void) {
    size_t n = 0;
    LLVMJITSymbolFlags flags = {LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0};
    const struct {
        const char *name;
        uintptr_t at;
    } list[] = {
#define H(f) {#f, (uintptr_t)&f},
        WG_JIT_HELPERS(H)
#undef H
            {"memcpy", (uintptr_t)&memcpy},
        {"memset", (uintptr_t)&memset},
        {"memmove", (uintptr_t)&memmove},
        {"fma", (uintptr_t)(double (*)(double, double, double))fma},
        {"fesetround", (uintptr_t)&fesetround}, /* SSE4.2 */
    };
    LLVMOrcCSymbolMapPair pairs[sizeof list / sizeof *list];
    for (; n < sizeof list / sizeof *list; n++) {
        pairs[n].Name = LLVMOrcLLJITMangleAndIntern(linker, list[n].name);
        pairs[n].Sym = (LLVMJITEvaluatedSymbol){(LLVMOrcExecutorAddress)list[n].at, flags};
    }
    return LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(linker), LLVMOrcAbsoluteSymbols(pairs, n));
}

static void start(void) {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser(); /* rounding modes without AVX-512 are inline assembly */
    LLVMErrorRef err = LLVMOrcCreateLLJIT(&linker, NULL);
    if (!err) err = define_helpers();
    if (err) linker_error = LLVMGetErrorMessage(err);
}

/* Versions of kernels linked into this process, by the hash of what they were made from: launching the same
 * program twice, or two modules of the same text, shares the code. */
struct linked {
    struct linked *next;
    char key[KEY_BYTES];
    uint32_t users;
    LLVMOrcResourceTrackerRef tracker;
    warp_fn run;
    struct wg_cache_meta meta;
    struct wg_count_groups *groups; /* of code that counts */
};
static struct linked *all_linked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Behind a wg_code: enough to make GENERAL when it is first wanted. */
struct made {
    struct linked *version[WG_VERSIONS]; /* NULL: not wanted yet */
    struct linked *whole;                /* CONVERGED for whole blocks; NULL: there is none */
    const struct wg_ir_module *module;
    uint32_t func;
    struct wg_code_opts opts;
    struct wg_count_plan *counts; /* where the code counts */
};

static bool complain(struct wg_diag *d, const char *what, LLVMErrorRef err) {
    char *msg = LLVMGetErrorMessage(err);
    wg_diag_error(d, (struct wg_pos){"warpglass", 0, 0}, NULL, "%s: %s", what, msg);
    LLVMDisposeErrorMessage(msg);
    return false;
}

static struct linked *find_linked(const char *key) {
    for (struct linked *l = all_linked; l; l = l->next)
        if (strcmp(l->key, key) == 0) return l;
    return NULL;
}

/* Takes the objects. */
static struct linked *link_objects(const struct wg_objects *objects, const char *key, bool counts,
                                   const struct wg_cache_meta *meta, struct wg_diag *d) {
    LLVMOrcResourceTrackerRef rt = LLVMOrcJITDylibCreateResourceTracker(LLVMOrcLLJITGetMainJITDylib(linker));
    LLVMErrorRef err = LLVMOrcLLJITAddObjectFileWithRT(linker, rt, objects->first);
    if (objects->second && !err)
        err = LLVMOrcLLJITAddObjectFileWithRT(linker, rt, objects->second);
    else if (objects->second)
        LLVMDisposeMemoryBuffer(objects->second);
    LLVMOrcExecutorAddress at = 0, groups = 0;
    char symbol[KEY_BYTES + 8];
    snprintf(symbol, sizeof symbol, "wg_%s", key);
    if (!err) err = LLVMOrcLLJITLookup(linker, &at, symbol);
    snprintf(symbol, sizeof symbol, COUNTS_SYMBOL, key);
    if (!err && counts) err = LLVMOrcLLJITLookup(linker, &groups, symbol);
    if (err) {
        LLVMOrcReleaseResourceTracker(rt);
        complain(d, "linking generated code", err);
        return NULL;
    }
    struct linked *l = wg_xcalloc(1, sizeof *l);
    *l = (struct linked){.next = all_linked, .tracker = rt, .run = (warp_fn)(uintptr_t)at, .meta = *meta};
    snprintf(l->key, sizeof l->key, "%s", key);
    if (groups) l->groups = wg_count_groups_new((const int64_t *)(uintptr_t)groups);
    return all_linked = l;
}

static void let_go(struct linked *l) {
    if (!l || --l->users > 0) return;
    for (struct linked **p = &all_linked; *p; p = &(*p)->next)
        if (*p == l) {
            *p = l->next;
            break;
        }
    LLVMErrorRef err = LLVMOrcResourceTrackerRemove(l->tracker);
    if (err) LLVMConsumeError(err);
    LLVMOrcReleaseResourceTracker(l->tracker);
    wg_count_groups_free(l->groups);
    free(l);
}

static void destroy(struct wg_code *c) {
    struct made *made = c->impl;
    pthread_mutex_lock(&lock);
    for (int v = 0; v < WG_VERSIONS; v++) let_go(made->version[v]);
    let_go(made->whole);
    pthread_mutex_unlock(&lock);
    wg_count_plan_free(made->counts);
    free(made);
    free(c);
}

/* ---- IR -> object ---- */

/* Of every function that has a body. */
static void set_attribute(struct wg_emit *e, const char *key, const char *value) {
    LLVMAttributeRef a =
        LLVMCreateStringAttribute(e->L.ctx, key, (unsigned)strlen(key), value, (unsigned)strlen(value));
    for (LLVMValueRef f = LLVMGetFirstFunction(e->L.module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, a);
}

static void finish_function(struct wg_emit *e, const struct wg_target *t, const char *key) {
    char width[8], symbol[KEY_BYTES + 8];
    snprintf(width, sizeof width, "%u", t->width);
    snprintf(symbol, sizeof symbol, "wg_%s", key);
    set_attribute(e, "prefer-vector-width", width);
    set_attribute(e, "min-legal-vector-width", t->width == 512 ? "512" : "0");
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAddAttributeAtIndex(e->fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(e->L.ctx, nounwind, 0));
    /* Or LLVM keeps vectors across lines, wherever the caller's stack happens to end. */
    unsigned aligned = LLVMGetEnumAttributeKindForName("alignstack", 10);
    LLVMAddAttributeAtIndex(e->fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(e->L.ctx, aligned, t->width / 8));
    LLVMSetValueName2(e->fn, symbol, strlen(symbol));
}

static bool optimise(struct wg_emit *e, LLVMTargetMachineRef tm, struct wg_diag *d) {
    wg_dump_llvm(e->opts, "llvm (as made)", e->L.module);
    wg_make_late_adds(e->late_adds.v, e->late_adds.n);
#ifndef NDEBUG
    char *msg = NULL;
    if (LLVMVerifyModule(e->L.module, LLVMReturnStatusAction, &msg)) {
        wg_diag_error(d, (struct wg_pos){e->module->name, 0, 0}, NULL,
                      "kernel '%s': generated code is malformed (a fault of Warpglass): %s", e->func->name,
                      msg);
        LLVMDisposeMessage(msg);
        return false;
    }
    LLVMDisposeMessage(msg);
#endif
    LLVMErrorRef err = wg_optimise(e, tm);
    if (err) return complain(d, "optimising", err);
    if (e->L.avx512) wg_emit_set_bit_selects_apart(e);
    wg_split_masks(e);
    return true;
}

static void init_emit(struct wg_emit *e, struct wg_analysis *an, const struct wg_target *t) {
    e->L.ctx = LLVMContextCreate();
    e->L.module = LLVMModuleCreateWithNameInContext("warpglass", e->L.ctx);
    LLVMSetTarget(e->L.module, "x86_64-pc-linux-gnu");
    e->L.b = LLVMCreateBuilderInContext(e->L.ctx);
    e->L.avx512 = t->width == 512;
    e->L.avx2 = t->width >= 256;
    e->entry_b = LLVMCreateBuilderInContext(e->L.ctx);
    e->block_b = LLVMCreateBuilderInContext(e->L.ctx);
    e->turn_b = LLVMCreateBuilderInContext(e->L.ctx);
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
        e->slot[v] = WG_NEW_N(a, struct wg_slot, nregs);
        e->bb[v] = WG_NEW_N(a, LLVMBasicBlockRef, nblocks);
    }
    e->cur = WG_NEW_N(a, struct wg_value, nregs);
    e->have = WG_NEW_N(a, bool, nregs);
    e->dirty = WG_NEW_N(a, bool, nregs);
    e->wait_slot = WG_NEW_N(a, LLVMValueRef, nblocks);
    e->home = WG_NEW_N(a, uint32_t, nregs);
    e->nook = WG_NEW_N(a, uint32_t, nregs);
    memset(e->home, 0xff, nregs * sizeof *e->home);
}

/* What is asked for: one version of one kernel. whole: CONVERGED in the form for whole blocks, if it has one.
 */
struct order {
    const struct wg_ir_module *m;
    uint32_t func;
    const struct wg_code_opts *o;
    const struct wg_target *t;
    enum wg_version v;
    bool whole;
    char key[KEY_BYTES];
};

static void free_emit(struct wg_emit *e) {
    LLVMDisposeBuilder(e->entry_b);
    LLVMDisposeBuilder(e->block_b);
    LLVMDisposeBuilder(e->turn_b);
    LLVMDisposeBuilder(e->L.b);
    LLVMDisposeModule(e->L.module);
    LLVMContextDispose(e->L.ctx);
    free(e->checks.v);
    free(e->resumes.v);
    free(e->checked.v);
    free(e->late_adds.v);
}

/* Where everything fits the host's registers as it stands, it stays so; and long kernels and large code do
 * without what would take much of the time to compile them (left_out.h). False: it does not fit, and is
 * better made anew with less side by side. */
static bool see_what_is_alive(struct wg_emit *e, uint32_t *left_out) {
    enum { LARGE = 1500 };
    uint32_t bits = e->L.avx512 ? 512 : e->L.avx2 ? 256 : 128, registers = e->L.avx512 ? 32 : 16;
    bool large = wg_instructions_in(e->L.module) > LARGE;
    bool matters = e->v == WG_CONVERGED && e->opts->opt_level > 1;
    bool fits = matters && wg_vectors_alive(e->fn, bits) <= registers;
    *left_out = (fits || e->is_long ? WG_PASS_SCHEDULER : 0) | (e->is_long ? WG_PASS_HOIST : 0) |
                (large || (matters && e->many_sides) ? WG_PASS_LOOP_REDUCE : 0) |
                (large ? WG_PASS_DOMAINS : 0);
    wg_leave_out(e->L.ctx, *left_out);
    return !matters || fits || !e->long_sides;
}

static bool make_objects(struct wg_emit *e, const struct order *w, LLVMTargetMachineRef tm, bool *again,
                         struct wg_objects *out, struct wg_diag *d) {
    if (!wg_emit_kernel(e)) return false;
    finish_function(e, w->t, w->key);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(tm);
    LLVMSetModuleDataLayout(e->L.module, layout);
    LLVMDisposeTargetData(layout);
    char symbol[KEY_BYTES + 8];
    snprintf(symbol, sizeof symbol, COUNTS_SYMBOL, w->key);
    if (w->o->sites) wg_count_finish(e, symbol);
    if (!optimise(e, tm, d)) return false;
    uint32_t left_out;
    *again = !see_what_is_alive(e, &left_out);
    snprintf(symbol, sizeof symbol, HALF_SYMBOL, w->key);
    return !*again && wg_make_objects(e, w->t, tm, symbol, left_out, out, d);
}

/* By its own instructions: a kernel whose few instructions became much code is worth the time. */
static bool is_long(const struct wg_ir_func *f) {
    enum { LONG = 200 };
    uint32_t n = 0;
    for (uint32_t b = 0; b < f->nblocks; b++) n += f->blocks[b].ninstrs;
    return n > LONG;
}

/* The function as code is made from it. */
static const struct wg_ir_func *rearrange(struct wg_arena *room, const struct wg_inlined *inl,
                                          const struct wg_code_opts *o) {
    /* With few lanes a vector, masks are branches: many copies would take seconds to compile. */
    const struct wg_ir_func *dealt = wg_deal_threads(room, inl->func, o);
    const struct wg_ir_func *f = o->width > 128 ? wg_unroll(room, dealt, o) : dealt;
    const struct wg_ir_func *turns = wg_go_by_turns(room, inl->module, f, o);
    if (turns == f) return f;
    struct wg_analysis *an = wg_analyse(inl->module, turns, o);
    if (an->phases) f = turns;
    wg_analysis_free(an);
    return f;
}

static bool translate(const struct order *w, const struct wg_inlined *inl, struct wg_cache_meta *meta,
                      struct wg_objects *out, struct wg_diag *d) {
    const struct wg_target *t = w->t;
    struct wg_code_opts opts = *w->o;
    const struct wg_code_opts *o = &opts;
    struct wg_arena room = {0};
    opts.width = t->width;
    const struct wg_ir_func *f = rearrange(&room, inl, o);
    bool made = false;
    LLVMTargetMachineRef tm = wg_new_target_machine(t, o, d);
    for (bool again = tm != NULL, crowded = false; again; crowded = true) {
        again = false;
        struct wg_analysis *an = wg_analyse(inl->module, f, o);
        struct wg_emit e = {.an = an,
                            .module = inl->module,
                            .func = f,
                            .func_index = w->func,
                            .opts = o,
                            .diag = d,
                            .v = w->v,
                            .whole = w->whole && an->phases,
                            .crowded = crowded,
                            .is_long = is_long(inl->func)};
        init_emit(&e, an, t);
        made = make_objects(&e, w, tm, &again, out, d);
        *meta = (struct wg_cache_meta){.frame_bytes = e.frame_bytes,
                                       .local_bytes = f->local_bytes,
                                       .needs_general = an->needs_general,
                                       .stream_bytes = e.stream_bytes,
                                       .whole = e.whole,
                                       .sums = e.ncombine > 0,
                                       .sweeps = f->sweeps};
        free_emit(&e);
        wg_analysis_free(an);
    }
    if (tm) LLVMDisposeTargetMachine(tm);
    wg_arena_free(&room);
    return made;
}

static struct order make_order(const struct wg_ir_module *m, uint32_t func, const struct wg_code_opts *o,
                               enum wg_version v, bool whole) {
    struct order w = {.m = m, .func = func, .o = o, .t = wg_target_for(o), .v = v, .whole = whole};
    struct wg_hash h = WG_HASH_INIT;
    wg_hash_str(&h, WG_JIT_BUILD);
    wg_hash_add(&h, m->text_hash, sizeof m->text_hash);
    wg_hash_add(&h, &func, sizeof func);
    wg_hash_add(&h, o->ntid, sizeof o->ntid);
    uint64_t bits[15] = {o->linear31,
                         o->bounds,
                         o->bounds || o->shadow_outside ? o->arena_base : 0,
                         o->bounds || o->shadow_outside ? o->arena_bits : 0,
                         o->shared_window,
                         o->opt_level,
                         o->combine,
                         o->whole_blocks,
                         o->check,
                         o->check_told,
                         o->shadow,
                         o->shadow_outside,
                         o->dealt.threads,
                         o->dealt.shift,
                         o->dealt.along};
    wg_hash_add(&h, bits, sizeof bits);
    wg_hash_str(&h, o->sites ? "counts" : "");
    wg_hash_str(&h, w.t->name);
    w.key[0] = v == WG_GENERAL ? 'g' : whole ? 'w' : 'c';
    wg_hash_hex(&h, w.key + 1);
    return w;
}

static void dump_ir(const struct order *w, const struct wg_inlined *inl) {
    if (!(w->o->dump_mask & WG_DUMP_IR) || w->v != WG_CONVERGED) return;
    struct wg_strbuf text = {0};
    wg_ir_print(inl->module, inl->func, &text);
    wg_dump(w->o, WG_DUMP_IR, "ir", text.s ? text.s : "");
    wg_strbuf_free(&text);
}

static bool load(const struct order *w, struct wg_cache_meta *meta, struct wg_objects *out) {
    struct wg_strbuf kept = {0};
    bool there = wg_cache_load(w->key, meta, &kept);
    if (there) {
        size_t first = kept.n - meta->second_bytes;
        out->first = LLVMCreateMemoryBufferWithMemoryRangeCopy(kept.s, first, w->key);
        if (meta->second_bytes)
            out->second =
                LLVMCreateMemoryBufferWithMemoryRangeCopy(kept.s + first, meta->second_bytes, w->key);
    }
    wg_strbuf_free(&kept);
    return there;
}

static void store(const struct order *w, struct wg_cache_meta *meta, const struct wg_objects *objects) {
    struct wg_strbuf bytes = {0};
    wg_strbuf_add(&bytes, LLVMGetBufferStart(objects->first), LLVMGetBufferSize(objects->first));
    meta->second_bytes = objects->second ? (uint32_t)LLVMGetBufferSize(objects->second) : 0;
    if (objects->second) wg_strbuf_add(&bytes, LLVMGetBufferStart(objects->second), meta->second_bytes);
    wg_cache_store(w->key, meta, bytes.s, bytes.n);
    wg_strbuf_free(&bytes);
}

static struct linked *compile(const struct order *w, struct wg_diag *d) {
    struct wg_cache_meta meta;
    struct wg_objects objects = {0};
    bool use_cache = !w->o->no_cache && !w->o->dump_mask, counts = w->o->sites != NULL;
    if (use_cache && load(w, &meta, &objects)) return link_objects(&objects, w->key, counts, &meta, d);
    if (!wg_ir_check_supported(w->m, w->func, d)) return NULL;
    struct wg_inlined inl = wg_inline_calls(w->m, w->func, d);
    bool made = false;
    if (inl.func) {
        dump_ir(w, &inl);
        made = translate(w, &inl, &meta, &objects, d);
    }
    wg_inlined_free(&inl);
    if (!made) return NULL;
    if (use_cache) store(w, &meta, &objects);
    return link_objects(&objects, w->key, counts, &meta, d);
}

/* The version, made if it is not there, with one user more. The lock is held. */
static struct linked *get_version(const struct wg_ir_module *m, uint32_t func, const struct wg_code_opts *o,
                                  enum wg_version v, bool whole, struct wg_diag *d) {
    struct order w = make_order(m, func, o, v, whole);
    if (o->dump_mask) w.key[0] ^= 'a' ^ 'A'; /* dumping compiles anew, beside what is linked */
    struct linked *l = find_linked(w.key);
    if (!l) l = compile(&w, d);
    if (l) l->users++;
    return l;
}

/* Makes a version that is wanted for the first time, and goes on in it. */
static enum wg_warp_status make_and_run(struct wg_warp *w, enum wg_version v) {
    struct wg_code *c = (struct wg_code *)w->code; /* the maker may change what is its own */
    struct made *made = c->impl;
    struct wg_diag d = {0};
    w->block->services->making(w, true);
    pthread_mutex_lock(&lock);
    struct linked **l = &made->version[v];
    if (!*l) *l = get_version(made->module, made->func, &made->opts, v, false, &d);
    warp_fn run = *l ? (*l)->run : NULL;
    if (run) __atomic_store_n(v == WG_GENERAL ? &c->general : &c->run, run, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    w->block->services->making(w, false);
    if (d.text.s) fprintf(stderr, "warpglass: %s", d.text.s);
    wg_diag_free(&d);
    if (run) return run(w);
    w->fault = (struct wg_fault){.kind = WG_FAULT_UNSUPPORTED, .lane = WG_LANES, .func = made->func};
    return WG_WARP_FAULT;
}

static enum wg_warp_status make_general(struct wg_warp *w) { return make_and_run(w, WG_GENERAL); }
static enum wg_warp_status make_converged(struct wg_warp *w) { return make_and_run(w, WG_CONVERGED); }

const struct wg_count_groups *wg_count_groups_of(const struct wg_code *c, enum wg_version v) {
    const struct made *made = c->impl;
    return (v == WG_CONVERGED && made->whole ? made->whole : made->version[v])->groups;
}

static void collect(const struct wg_code *c, struct wg_tally *t, struct wg_counts *rows) {
    const struct made *made = c->impl;
    const struct wg_count_groups *groups[WG_VERSIONS];
    for (int v = 0; v < WG_VERSIONS; v++) groups[v] = made->version[v] ? made->version[v]->groups : NULL;
    if (made->whole) groups[WG_CONVERGED] = made->whole->groups;
    wg_count_collect(made->counts, groups, t, rows);
}

/* Nothing of it is in an object from the cache: worked out again. */
static void plan_counts(struct wg_code *c, const struct wg_ir_module *m, uint32_t func) {
    struct made *made = c->impl;
    struct wg_inlined inl = wg_inline_calls(m, func, NULL);
    made->counts = wg_count_plan_new(inl.func, made->opts.sites);
    c->tally_units = wg_count_groups_units(wg_count_groups_of(c, WG_CONVERGED));
    c->collect = collect;
    wg_inlined_free(&inl);
}

struct wg_code *wg_jit_compile(const struct wg_ir_module *m, uint32_t func, const struct wg_code_opts *opts,
                               struct wg_diag *d) {
    pthread_once(&once, start);
    if (linker_error) {
        wg_diag_error(d, (struct wg_pos){"warpglass", 0, 0}, NULL, "LLVM's linker does not start: %s",
                      linker_error);
        return NULL;
    }
    struct wg_code *c = NULL;
    pthread_mutex_lock(&lock);
    struct linked *l = get_version(m, func, opts, WG_CONVERGED, opts->whole_blocks, d), *g = NULL;
    if (l && opts->dump_mask && l->meta.needs_general) g = get_version(m, func, opts, WG_GENERAL, false, d);
    if (l) {
        bool whole = l->meta.whole;
        struct made *made = wg_xcalloc(1, sizeof *made);
        *made = (struct made){.version = {whole ? NULL : l, g},
                              .whole = whole ? l : NULL,
                              .module = m,
                              .func = func,
                              .opts = *opts};
        c = wg_xcalloc(1, sizeof *c);
        *c = (struct wg_code){.run = whole ? make_converged : l->run,
                              .whole = whole ? l->run : NULL,
                              .general = g ? g->run : make_general,
                              .frame_bytes = l->meta.frame_bytes,
                              .local_bytes = l->meta.local_bytes,
                              .stream_bytes = l->meta.stream_bytes,
                              .sums = l->meta.sums,
                              .sweeps = l->meta.sweeps,
                              .destroy = destroy,
                              .impl = made};
        if (opts->sites) plan_counts(c, m, func);
    }
    pthread_mutex_unlock(&lock);
    return c;
}

bool wg_jit_can(const struct wg_ir_module *m, uint32_t func) { return wg_inline_possible(m, func); }
