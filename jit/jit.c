/* Options -> analysis -> LLVM IR -> passes -> object -> code: see jit.h.
 *
 * An object knows nothing of the process: what it calls are the helpers, by name, which linking resolves. So it can
 * be kept on disk (cache.c) and linked again in a later process.
 */
#include "jit/jit.h"
#include "analysis/inline.h"
#include "base/hash.h"
#include "jit/cache.h"
#include "jit/emit.h"
#include "jit/helpers.h"
#include "build_id.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct target { /* one width of vectors */
    uint32_t width;
    const char *cpu, *features, *name;
};
/* fast-gather: LLVM otherwise takes AVX2's gathers apart into branches */
static const struct target targets[] = {
    {512, "x86-64-v4", "+avx512cd,+avx512vl,+avx512bw,+avx512dq,+fma,+f16c,+bmi2,+fast-gather", "avx512"},
    {256, "x86-64-v3", "+fma,+f16c,+bmi2,+fast-gather", "avx2"},
    {128, "x86-64-v2", "", "sse4.2"},
};

static const struct target *target_for(const struct wg_code_opts *opts) {
    uint32_t have = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                            __builtin_cpu_supports("avx512cd")
                        ? 512
                    : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 256
                                                                                        : 128;
    uint32_t want = opts && opts->width ? opts->width : have;
    if (want > have) want = have;
    for (unsigned i = 0; i < sizeof targets / sizeof *targets; i++)
        if (targets[i].width <= want) return &targets[i];
    return &targets[2];
}

const char *wg_jit_cpu(void) { return target_for(NULL)->name; }

/* ---- the process's linker ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static LLVMOrcLLJITRef linker;
static char *linker_error;
typedef wg_warp_fn warp_fn;

/* What generated code may call. */
static LLVMErrorRef define_helpers(void) {
    LLVMOrcCSymbolMapPair pairs[32];
    size_t n = 0;
    LLVMJITSymbolFlags flags = {LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0};
    const struct {
        const char *name;
        uintptr_t at;
    } list[] = {
#define H(f) {#f, (uintptr_t)&f},
        WG_JIT_HELPERS(H)
#undef H
        {"memcpy", (uintptr_t)&memcpy}, {"memset", (uintptr_t)&memset}, {"memmove", (uintptr_t)&memmove},
    };
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
    LLVMErrorRef err = LLVMOrcCreateLLJIT(&linker, NULL);
    if (!err) err = define_helpers();
    if (err) linker_error = LLVMGetErrorMessage(err);
}

/* Kernels linked into this process, by the hash of what they were made from: launching the same program twice, or
 * two modules of the same text, shares the code. */
struct linked {
    struct linked *next;
    char key[33];
    uint32_t users;
    LLVMOrcResourceTrackerRef tracker;
    warp_fn run;
    struct wg_cache_meta meta;
};
static struct linked *all_linked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

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

/* Takes the object. */
static struct linked *link_object(LLVMMemoryBufferRef object, const char *key, const struct wg_cache_meta *meta,
                                  struct wg_diag *d) {
    LLVMOrcResourceTrackerRef rt = LLVMOrcJITDylibCreateResourceTracker(LLVMOrcLLJITGetMainJITDylib(linker));
    LLVMErrorRef err = LLVMOrcLLJITAddObjectFileWithRT(linker, rt, object);
    LLVMOrcExecutorAddress at = 0;
    char symbol[40];
    snprintf(symbol, sizeof symbol, "wg_%s", key);
    if (!err) err = LLVMOrcLLJITLookup(linker, &at, symbol);
    if (err) {
        LLVMOrcReleaseResourceTracker(rt);
        complain(d, "linking generated code", err);
        return NULL;
    }
    struct linked *l = wg_xcalloc(1, sizeof *l);
    *l = (struct linked){.next = all_linked, .tracker = rt, .run = (warp_fn)(uintptr_t)at, .meta = *meta};
    memcpy(l->key, key, sizeof l->key);
    return all_linked = l;
}

static void destroy(struct wg_code *c) {
    struct linked *l = c->impl;
    pthread_mutex_lock(&lock);
    if (--l->users == 0) {
        for (struct linked **p = &all_linked; *p; p = &(*p)->next)
            if (*p == l) {
                *p = l->next;
                break;
            }
        LLVMErrorRef err = LLVMOrcResourceTrackerRemove(l->tracker);
        if (err) LLVMConsumeError(err);
        LLVMOrcReleaseResourceTracker(l->tracker);
        free(l);
    }
    pthread_mutex_unlock(&lock);
    free(c);
}

static struct wg_code *code_of(struct linked *l) {
    struct wg_code *c = wg_xcalloc(1, sizeof *c);
    l->users++;
    *c = (struct wg_code){.run = l->run, .frame_bytes = l->meta.frame_bytes, .local_bytes = l->meta.local_bytes,
                          .destroy = destroy, .impl = l};
    return c;
}

/* ---- IR -> object ---- */

static void dump(const struct wg_code_opts *o, uint32_t bit, const char *what, const char *text) {
    if (o->dump && (o->dump_mask & bit)) o->dump(o->dump_user, what, text);
}

static LLVMTargetMachineRef make_machine(const struct target *t, const struct wg_code_opts *o, struct wg_diag *d) {
    LLVMTargetRef target;
    char *msg = NULL;
    if (LLVMGetTargetFromTriple("x86_64-pc-linux-gnu", &target, &msg)) {
        wg_diag_error(d, (struct wg_pos){"warpglass", 0, 0}, NULL, "LLVM: %s", msg);
        LLVMDisposeMessage(msg);
        return NULL;
    }
    LLVMCodeGenOptLevel level = o->opt_level == 0 ? LLVMCodeGenLevelNone : LLVMCodeGenLevelDefault;
    return LLVMCreateTargetMachine(target, "x86_64-pc-linux-gnu", t->cpu, t->features, level, LLVMRelocPIC,
                                   LLVMCodeModelSmall);
}

static void set_attribute(struct wg_emit *e, const char *key, const char *value) {
    LLVMAttributeRef a = LLVMCreateStringAttribute(e->L.ctx, key, (unsigned)strlen(key), value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(e->fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, a);
}

static void finish_function(struct wg_emit *e, const struct target *t, const char *key) {
    char width[8], symbol[40];
    snprintf(width, sizeof width, "%u", t->width);
    snprintf(symbol, sizeof symbol, "wg_%s", key);
    set_attribute(e, "prefer-vector-width", width);
    set_attribute(e, "min-legal-vector-width", t->width == 512 ? "512" : "0");
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAddAttributeAtIndex(e->fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(e->L.ctx, nounwind, 0));
    LLVMSetValueName2(e->fn, symbol, strlen(symbol));
}

static const char *passes(uint8_t level) {
    static const char *const text[] = {
        "function(sroa)",
        "function(sroa,early-cse,simplifycfg)",
        "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,loop-mssa(licm),gvn,"
        "instcombine<no-verify-fixpoint>,simplifycfg,adce)",
    };
    return text[level > 2 ? 2 : level];
}

static LLVMMemoryBufferRef generate(struct wg_emit *e, LLVMTargetMachineRef tm, struct wg_diag *d) {
    const struct wg_code_opts *o = e->opts;
    char *msg = NULL;
    if (o->dump_mask & WG_DUMP_LLVM) {
        char *text = LLVMPrintModuleToString(e->L.module);
        dump(o, WG_DUMP_LLVM, "llvm (as made)", text);
        LLVMDisposeMessage(text);
    }
#ifndef NDEBUG
    if (LLVMVerifyModule(e->L.module, LLVMReturnStatusAction, &msg)) {
        wg_diag_error(d, (struct wg_pos){e->module->name, 0, 0}, NULL, "kernel '%s': generated code is malformed (a fault of Warpglass): %s",
                      e->func->name, msg);
        LLVMDisposeMessage(msg);
        return NULL;
    }
    LLVMDisposeMessage(msg);
#endif
    LLVMPassBuilderOptionsRef po = LLVMCreatePassBuilderOptions();
    LLVMErrorRef err = LLVMRunPasses(e->L.module, passes(o->opt_level), tm, po);
    LLVMDisposePassBuilderOptions(po);
    if (err) return complain(d, "optimising", err), NULL;
    if (o->dump_mask & WG_DUMP_LLVM) {
        char *text = LLVMPrintModuleToString(e->L.module);
        dump(o, WG_DUMP_LLVM, "llvm (optimised)", text);
        LLVMDisposeMessage(text);
    }
    LLVMMemoryBufferRef object = NULL, text = NULL;
    if ((o->dump_mask & WG_DUMP_ASM) && !LLVMTargetMachineEmitToMemoryBuffer(tm, e->L.module, LLVMAssemblyFile, &msg, &text)) {
        dump(o, WG_DUMP_ASM, "asm", LLVMGetBufferStart(text));
        LLVMDisposeMemoryBuffer(text);
    }
    if (LLVMTargetMachineEmitToMemoryBuffer(tm, e->L.module, LLVMObjectFile, &msg, &object)) {
        wg_diag_error(d, (struct wg_pos){e->module->name, 0, 0}, NULL, "kernel '%s': LLVM: %s", e->func->name, msg);
        LLVMDisposeMessage(msg);
        return NULL;
    }
    return object;
}

static void init_emit(struct wg_emit *e, struct wg_analysis *an, const struct target *t) {
    e->L.ctx = LLVMContextCreate();
    e->L.module = LLVMModuleCreateWithNameInContext("warpglass", e->L.ctx);
    LLVMSetTarget(e->L.module, "x86_64-pc-linux-gnu");
    e->L.b = LLVMCreateBuilderInContext(e->L.ctx);
    e->L.avx512 = t->width == 512;
    e->entry_b = LLVMCreateBuilderInContext(e->L.ctx);
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
    memset(e->home, 0xff, nregs * sizeof *e->home);
}

static LLVMMemoryBufferRef translate(const struct wg_ir_module *m, const struct wg_ir_func *f, uint32_t index,
                                     const struct wg_code_opts *o, const struct target *t, const char *key,
                                     struct wg_cache_meta *meta, struct wg_diag *d) {
    struct wg_analysis *an = wg_analyse(m, f, o);
    struct wg_emit e = {.an = an, .module = m, .func = f, .func_index = index, .opts = o, .diag = d};
    init_emit(&e, an, t);
    LLVMMemoryBufferRef object = NULL;
    LLVMTargetMachineRef tm = make_machine(t, o, d);
    if (tm && wg_emit_kernel(&e)) {
        finish_function(&e, t, key);
        LLVMSetModuleDataLayout(e.L.module, LLVMCreateTargetDataLayout(tm));
        object = generate(&e, tm, d);
        *meta = (struct wg_cache_meta){.frame_bytes = e.frame_bytes, .local_bytes = f->local_bytes};
    }
    if (tm) LLVMDisposeTargetMachine(tm);
    LLVMDisposeBuilder(e.entry_b);
    LLVMDisposeBuilder(e.L.b);
    LLVMDisposeModule(e.L.module);
    LLVMContextDispose(e.L.ctx);
    free(e.splits.v);
    free(e.resumes.v);
    free(e.checked.v);
    wg_analysis_free(an);
    return object;
}

static void make_key(const struct wg_ir_module *m, uint32_t func, const struct wg_code_opts *o, const struct target *t,
                     char key[33]) {
    struct wg_hash h = WG_HASH_INIT;
    wg_hash_str(&h, WG_JIT_BUILD);
    wg_hash_add(&h, m->text_hash, sizeof m->text_hash);
    wg_hash_add(&h, &func, sizeof func);
    wg_hash_add(&h, o->ntid, sizeof o->ntid);
    uint64_t bits[6] = {o->linear31, o->bounds, o->bounds ? o->arena_base : 0, o->bounds ? o->arena_bits : 0,
                        o->shared_window, o->opt_level};
    wg_hash_add(&h, bits, sizeof bits);
    wg_hash_str(&h, t->name);
    wg_hash_hex(&h, key);
}

static struct linked *compile(const struct wg_ir_module *m, uint32_t func, const struct wg_code_opts *o,
                              const struct target *t, const char *key, struct wg_diag *d) {
    struct wg_cache_meta meta;
    LLVMMemoryBufferRef object = NULL;
    bool use_cache = !o->no_cache && !o->dump_mask;
    struct wg_strbuf kept = {0};
    if (use_cache && wg_cache_load(key, &meta, &kept)) {
        object = LLVMCreateMemoryBufferWithMemoryRangeCopy(kept.s, kept.n, key);
        wg_strbuf_free(&kept);
        return link_object(object, key, &meta, d);
    }
    wg_strbuf_free(&kept);
    if (!wg_ir_check_supported(m, func, d)) return NULL;
    struct wg_inlined inl = wg_inline_calls(m, func, d);
    if (!inl.func) return NULL;
    if (o->dump_mask & WG_DUMP_IR) {
        struct wg_strbuf text = {0};
        wg_ir_print(inl.module, inl.func, &text);
        dump(o, WG_DUMP_IR, "ir", text.s ? text.s : "");
        wg_strbuf_free(&text);
    }
    object = translate(inl.module, inl.func, func, o, t, key, &meta, d);
    wg_inlined_free(&inl);
    if (!object) return NULL;
    if (use_cache) wg_cache_store(key, &meta, LLVMGetBufferStart(object), LLVMGetBufferSize(object));
    return link_object(object, key, &meta, d);
}

struct wg_code *wg_jit_compile(const struct wg_ir_module *m, uint32_t func, const struct wg_code_opts *opts,
                               struct wg_diag *d) {
    pthread_once(&once, start);
    if (linker_error) {
        wg_diag_error(d, (struct wg_pos){"warpglass", 0, 0}, NULL, "LLVM's linker does not start: %s", linker_error);
        return NULL;
    }
    const struct target *t = target_for(opts);
    char key[33];
    make_key(m, func, opts, t, key);
    pthread_mutex_lock(&lock);
    struct linked *l = opts->dump_mask ? NULL : find_linked(key);
    if (!l && opts->dump_mask) key[0] = 'd'; /* dumping compiles anew, beside what is linked already */
    if (!l && !(l = find_linked(key))) l = compile(m, func, opts, t, key, d);
    struct wg_code *c = l ? code_of(l) : NULL;
    pthread_mutex_unlock(&lock);
    return c;
}

bool wg_jit_can(const struct wg_ir_module *m, uint32_t func) { return wg_inline_possible(m, func); }

const char *wg_jit_cache_dir(void) { return wg_cache_dir(); }
