/* Code generation, in two threads for long code. See machine_code.h. Long functions are split (split_function.h), and
 * another thread compiles the second part: LLVM's objects belong to a context, and a context to one thread,
 * so the part is passed as bitcode. Whether there is another thread does not change the result. */
#include "analysis/plan.h"
#include "jit/llvm/machine_code.h"
#include "base/thread.h"
#include "jit/llvm/split_function.h"
#include "jit/llvm/code_passes.h"
#include "jit/llvm/optimise.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>

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
    LLVMMemoryBufferRef text = wg_generate_code(tm, m, left_out, true, NULL);
    if (!text) return;
    wg_dump(o, WG_DUMP_ASM, "asm", LLVMGetBufferStart(text));
    LLVMDisposeMemoryBuffer(text);
}

struct part {
    const struct wg_target *target;
    const struct wg_code_opts *opts;
    LLVMMemoryBufferRef bitcode, object;
    uint32_t left_out;
    struct wg_diag diag;
};

static void *make_part(void *user) {
    struct part *h = user;
    LLVMContextRef context = LLVMContextCreate();
    LLVMTargetMachineRef tm = wg_new_target_machine(h->target, h->opts, &h->diag);
    LLVMModuleRef m;
    if (tm && !LLVMParseBitcodeInContext2(context, h->bitcode, &m)) {
        h->object = wg_generate_code(tm, m, h->left_out, false, h->opts->unwanted);
        LLVMDisposeModule(m);
    }
    if (tm) LLVMDisposeTargetMachine(tm);
    LLVMContextDispose(context);
    return NULL;
}

static LLVMMemoryBufferRef generate_both(struct wg_emit *e, LLVMTargetMachineRef tm, struct part *h) {
    pthread_t thread;
    bool other = !h->opts->one_thread && wg_start_thread(&thread, make_part, h);
    LLVMMemoryBufferRef first = wg_generate_code(tm, e->L.module, h->left_out, false, h->opts->unwanted);
    if (other)
        pthread_join(thread, NULL);
    else
        make_part(h);
    return first;
}

static bool take_bytes(LLVMMemoryBufferRef object, struct wg_strbuf *out) {
    if (!object) return false;
    wg_strbuf_add(out, LLVMGetBufferStart(object), LLVMGetBufferSize(object));
    LLVMDisposeMemoryBuffer(object);
    return true;
}

/* Whether splitting pays. Quick code is generated block by block, in memory that grows with the function:
 * splitting a function with short blocks saves nothing, and finding the parts took as long as compiling them.
 */
static bool has_parts(const struct wg_emit *e, uint32_t left_out) {
    enum { SHORT = 100 };
    uint32_t blocks = LLVMCountBasicBlocks(e->fn);
    return !(left_out & WG_PASS_OPTIMISERS) || wg_instructions_in(e->L.module) > SHORT * blocks;
}

bool wg_make_objects(struct wg_emit *e, const struct wg_target *t, LLVMTargetMachineRef tm, const char *name,
                     uint32_t left_out, struct wg_strbuf *out, uint32_t *second, struct wg_diag *d) {
    const struct wg_code_opts *o = e->opts;
    struct part h = {.target = t, .opts = o, .left_out = left_out};
    LLVMModuleRef part =
        has_parts(e, left_out) && wg_may_use(o, WG_FORM_split) ? wg_split_function(e->fn, name) : NULL;
    if (part) {
        wg_plan_yes(o, WG_FORM_split, NULL);
        wg_split_long_functions(e->L.module);
        wg_split_long_functions(part);
    }
    LLVMMemoryBufferRef first;
    wg_dump_llvm(o, "llvm (optimised)", e->L.module);
    if (part) {
        wg_dump_llvm(o, "llvm (optimised, second part)", part);
        h.bitcode = LLVMWriteBitcodeToMemoryBuffer(part);
    }
    dump_asm(o, tm, e->L.module, left_out);
    if (part) {
        dump_asm(o, tm, part, left_out);
        LLVMDisposeModule(part);
        first = generate_both(e, tm, &h);
        LLVMDisposeMemoryBuffer(h.bitcode);
    } else {
        first = wg_generate_code(tm, e->L.module, left_out, false, o->unwanted);
    }
    wg_diag_free(&h.diag);
    bool made = take_bytes(first, out);
    size_t before = out->n;
    if (part) made &= take_bytes(h.object, out);
    *second = (uint32_t)(out->n - before);
    if (!made)
        wg_diag_error(d, (struct wg_pos){e->module->name, 0, 0}, NULL,
                      "kernel '%s': LLVM cannot generate code for it, or only code that wants more than %u "
                      "MiB of stack",
                      e->func->name, WG_MOST_STACK >> 20);
    return made;
}
