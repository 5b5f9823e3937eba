/* See machine_code.h. Long code is made in two halves (halves.h), the second one by another thread: LLVM's
 * objects belong to a context, and a context to one thread, so the half travels as bitcode. Whether there is
 * another thread does not change what is made. */
#include "jit/machine_code.h"
#include "base/cpu.h"
#include "jit/halves.h"
#include "jit/code_passes.h"
#include "jit/optimise.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <signal.h>

/* fast-gather: LLVM otherwise takes AVX2's gathers apart into branches. prfchw: a line that will be written
 * is asked for as one; where the host cannot, the instruction does nothing. */
static const struct wg_target targets[] = {
    {512, "x86-64-v4", "+avx512cd,+avx512vl,+avx512bw,+avx512dq,+fma,+f16c,+bmi2,+fast-gather,+prfchw",
     "avx512"},
    {256, "x86-64-v3", "+fma,+f16c,+bmi2,+fast-gather,+prfchw", "avx2"},
    {128, "x86-64-v2", "+prfchw", "sse4.2"},
};

const struct wg_target *wg_target_for(const struct wg_code_opts *o) {
    uint32_t have = wg_cpu_vector_bits();
    uint32_t want = o && o->width ? o->width : have;
    if (want > have) want = have;
    for (unsigned i = 0; i < sizeof targets / sizeof *targets; i++)
        if (targets[i].width <= want) return &targets[i];
    return &targets[2];
}

LLVMTargetMachineRef wg_new_target_machine(const struct wg_target *t, const struct wg_code_opts *o,
                                           struct wg_diag *d) {
    LLVMTargetRef target;
    char *msg = NULL;
    if (LLVMGetTargetFromTriple("x86_64-pc-linux-gnu", &target, &msg)) {
        wg_diag_error(d, (struct wg_pos){"warpglass", 0, 0}, NULL, "LLVM: %s", msg);
        LLVMDisposeMessage(msg);
        return NULL;
    }
    return LLVMCreateTargetMachine(target, "x86_64-pc-linux-gnu", t->cpu, t->features,
                                   wg_code_level(o->opt_level), LLVMRelocPIC, LLVMCodeModelSmall);
}

void wg_dump(const struct wg_code_opts *o, uint32_t bit, const char *what, const char *text) {
    if (o->dump && (o->dump_mask & bit)) o->dump(o->dump_user, what, text);
}

void wg_dump_llvm(const struct wg_code_opts *o, const char *what, LLVMModuleRef m) {
    if (!(o->dump_mask & WG_DUMP_LLVM)) return;
    char *text = LLVMPrintModuleToString(m);
    wg_dump(o, WG_DUMP_LLVM, what, text);
    LLVMDisposeMessage(text);
}

static void dump_asm(const struct wg_code_opts *o, LLVMTargetMachineRef tm, LLVMModuleRef m,
                     uint32_t left_out) {
    if (!(o->dump_mask & WG_DUMP_ASM)) return;
    LLVMMemoryBufferRef text = wg_generate_code(tm, m, left_out, true);
    if (!text) return;
    wg_dump(o, WG_DUMP_ASM, "asm", LLVMGetBufferStart(text));
    LLVMDisposeMemoryBuffer(text);
}

bool wg_start_thread(pthread_t *thread, void *(*run)(void *), void *user) {
    enum { STACK_BYTES = 8 << 20 }; /* LLVM's own depth, whatever the program's threads have */
    sigset_t all, before;
    pthread_attr_t attr;
    sigfillset(&all);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(thread, &attr, run, user) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    return started;
}

struct half {
    const struct wg_target *target;
    const struct wg_code_opts *opts;
    LLVMMemoryBufferRef bitcode, object;
    uint32_t left_out;
    struct wg_diag diag;
};

static void *make_half(void *user) {
    struct half *h = user;
    LLVMContextRef context = LLVMContextCreate();
    LLVMTargetMachineRef tm = wg_new_target_machine(h->target, h->opts, &h->diag);
    LLVMModuleRef m;
    if (tm && !LLVMParseBitcodeInContext2(context, h->bitcode, &m)) {
        h->object = wg_generate_code(tm, m, h->left_out, false);
        LLVMDisposeModule(m);
    }
    if (tm) LLVMDisposeTargetMachine(tm);
    LLVMContextDispose(context);
    return NULL;
}

static LLVMMemoryBufferRef generate_both(struct wg_emit *e, LLVMTargetMachineRef tm, struct half *h) {
    pthread_t thread;
    bool other = !h->opts->one_thread && wg_start_thread(&thread, make_half, h);
    LLVMMemoryBufferRef first = wg_generate_code(tm, e->L.module, h->left_out, false);
    if (other)
        pthread_join(thread, NULL);
    else
        make_half(h);
    return first;
}

bool wg_make_objects(struct wg_emit *e, const struct wg_target *t, LLVMTargetMachineRef tm, const char *name,
                     uint32_t left_out, struct wg_objects *out, struct wg_diag *d) {
    const struct wg_code_opts *o = e->opts;
    struct half h = {.target = t, .opts = o, .left_out = left_out};
    LLVMModuleRef half = o->opt_level > 1 ? wg_take_half(e->fn, name) : NULL;
    *out = (struct wg_objects){0};
    wg_dump_llvm(o, "llvm (optimised)", e->L.module);
    if (half) {
        wg_dump_llvm(o, "llvm (optimised, second half)", half);
        h.bitcode = LLVMWriteBitcodeToMemoryBuffer(half);
    }
    dump_asm(o, tm, e->L.module, left_out);
    if (half) {
        dump_asm(o, tm, half, left_out);
        LLVMDisposeModule(half);
        out->first = generate_both(e, tm, &h);
        out->second = h.object;
        LLVMDisposeMemoryBuffer(h.bitcode);
    } else {
        out->first = wg_generate_code(tm, e->L.module, left_out, false);
    }
    wg_diag_free(&h.diag);
    if (out->first && (!half || out->second)) return true;
    wg_diag_error(d, (struct wg_pos){e->module->name, 0, 0}, NULL, "kernel '%s': LLVM makes no code of it",
                  e->func->name);
    if (out->first) LLVMDisposeMemoryBuffer(out->first);
    if (out->second) LLVMDisposeMemoryBuffer(out->second);
    return false;
}
