/* Code generation: LLVM IR to object files, in one thread or two. */
#ifndef WG_JIT_MACHINE_CODE_H
#define WG_JIT_MACHINE_CODE_H
#include "base/strbuf.h"
#include "jit/emit/emit.h"
#include "jit/code/target.h"

#include <llvm-c/TargetMachine.h>

LLVMTargetMachineRef wg_new_target_machine(const struct wg_target *t, const struct wg_code_opts *o,
                                           struct wg_diag *d);

void wg_dump(const struct wg_code_opts *o, uint32_t bit, const char *what, const char *text);
void wg_dump_llvm(const struct wg_code_opts *o, const char *what, LLVMModuleRef m);

/* Of the kernel's module, which is optimised, in up to two objects, whose bytes are appended: the second
 * one's function is `name`, where it is needed (split_function.h). second: its length; 0: there is just one.
 * left_out: passes that are (left_out.h). False, with a diagnostic: LLVM cannot. */
bool wg_make_objects(struct wg_emit *e, const struct wg_target *t, LLVMTargetMachineRef tm, const char *name,
                     uint32_t left_out, struct wg_strbuf *out, uint32_t *second, struct wg_diag *d);

#endif
