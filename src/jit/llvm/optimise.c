/* The pass pipelines, by the kind of code. See optimise.h. */
#include "jit/llvm/optimise.h"
#include "jit/llvm/broadcasts.h"
#include "jit/llvm/code_passes.h"
#include "jit/llvm/nans.h"
#include "jit/llvm/promote.h"

#include <llvm-c/Transforms/PassBuilder.h>

#ifdef WG_QUICK_CODE
enum { QUICK = true };
#else
enum { QUICK = false };
#endif

static uint32_t blocks_in(LLVMModuleRef m) {
    uint32_t n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        n += LLVMCountBasicBlocks(f);
    return n;
}

/* In the version for divergent lanes everything may be live everywhere. Where it has thousands of blocks (a
 * radix sort under checks: 4700), values that LLVM hoists out of loops and keeps live across blocks cost its
 * register allocator more than half of the time. Such code rarely runs. */
static uint8_t level_for(const struct wg_emit *e, bool quick) {
    enum { MANY_BLOCKS = 2000 };
    bool light = e->v == WG_GENERAL && blocks_in(e->L.module) > MANY_BLOCKS;
    return e->opts->opt_level > 1 && (QUICK || light || quick) ? 1 : e->opts->opt_level;
}

static LLVMErrorRef run(struct wg_emit *e, LLVMTargetMachineRef tm, const char *passes) {
    LLVMPassBuilderOptionsRef po = LLVMCreatePassBuilderOptions();
    LLVMErrorRef err = LLVMRunPasses(e->L.module, passes, tm, po);
    LLVMDisposePassBuilderOptions(po);
    return err;
}

LLVMErrorRef wg_optimise(struct wg_emit *e, LLVMTargetMachineRef tm, bool quick) {
    /* Global value numbering finds what early-cse does not in loops that are hot and short; a long kernel has
     * little of that, and looking for it costs a third of all these passes. */
    static const char *const thorough =
        "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,loop-mssa(licm),gvn,"
        "simplifycfg,adce)";
    static const char *const of_long =
        "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,loop-mssa(licm),"
        "early-cse<memssa>,simplifycfg,adce)";
    /* In a very long kernel thousands of values are invariant in its loop over warps. Hoisted out of it,
     * all of them are live throughout, where there are registers for a few. */
    static const char *const of_very_long =
        "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,early-cse<memssa>,"
        "simplifycfg,adce)";
    enum { VERY_LONG = 20000 };
    wg_promote_variables(e->fn);
    LLVMErrorRef err = run(e, tm, "function(sroa)");
    if (err) return err;
    wg_nans(e->L.module);
    switch (level_for(e, quick)) {
    case 0: return NULL;
    case 1: return run(e, tm, "function(sroa,early-cse,simplifycfg)");
    default: break;
    }
    bool very_long = e->is_long && wg_instructions_in(e->L.module) > VERY_LONG;
    err = run(e, tm, very_long ? of_very_long : e->is_long ? of_long : thorough);
    if (!err) wg_sink_broadcasts(e->fn);
    return err;
}

LLVMCodeGenOptLevel wg_code_level(uint8_t opt_level) {
    return QUICK || opt_level == 0 ? LLVMCodeGenLevelNone : LLVMCodeGenLevelDefault;
}
