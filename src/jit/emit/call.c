/* Calls of runtime helpers (code/helpers.h), and the stack arrays that pass lanes to them. */
#include "jit/emit/emit.h"

LLVMValueRef wg_call_helper(struct wg_emit *e, const char *name, LLVMTypeRef ret, LLVMValueRef *args,
                            unsigned n) {
    LLVMTypeRef types[12];
    for (unsigned i = 0; i < n; i++) types[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef ft = LLVMFunctionType(ret, types, n, 0);
    LLVMValueRef f = LLVMGetNamedFunction(e->L.module, name);
    if (!f) f = LLVMAddFunction(e->L.module, name, ft);
    return LLVMBuildCall2(e->L.b, ft, f, args, n, "");
}

LLVMValueRef wg_spill_lanes(struct wg_emit *e, unsigned which, LLVMValueRef vec) {
    if (!e->access.scratch[which]) {
        e->access.scratch[which] = LLVMBuildAlloca(e->entry_b, LLVMArrayType2(e->i64, WG_LANES), "lanes");
        LLVMSetAlignment(e->access.scratch[which], 64);
    }
    LLVMValueRef st = LLVMBuildStore(e->L.b, vec, e->access.scratch[which]);
    LLVMSetAlignment(st, 64);
    LLVMSetVolatile(st, 1); /* keeps the lanes in memory: LLVM would extract them in registers */
    return e->access.scratch[which];
}
