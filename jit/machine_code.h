/* LLVM's IR -> objects: for which host, and by how many threads. */
#ifndef WG_JIT_MACHINE_CODE_H
#define WG_JIT_MACHINE_CODE_H
#include "jit/emit.h"

#include <llvm-c/TargetMachine.h>
#include <pthread.h>

struct wg_target { /* one width of vectors */
    uint32_t width;
    const char *cpu, *features, *name;
};
const struct wg_target *wg_target_for(const struct wg_code_opts *o); /* o: or NULL */
LLVMTargetMachineRef wg_new_target_machine(const struct wg_target *t, const struct wg_code_opts *o,
                                           struct wg_diag *d);

void wg_dump(const struct wg_code_opts *o, uint32_t bit, const char *what, const char *text);
void wg_dump_llvm(const struct wg_code_opts *o, const char *what, LLVMModuleRef m);

/* A thread that LLVM works in; the program's signals are not for it. False: there is none to be had. */
bool wg_start_thread(pthread_t *thread, void *(*run)(void *), void *user);

struct wg_objects {
    LLVMMemoryBufferRef first, second; /* second: NULL: there is just one */
};
/* Of the kernel's module, which is optimised, in up to two objects: the second one's function is `name`,
 * where it is needed (halves.h). left_out: passes that are (left_out.h). False, with a diagnostic: LLVM
 * cannot. */
bool wg_make_objects(struct wg_emit *e, const struct wg_target *t, LLVMTargetMachineRef tm, const char *name,
                     uint32_t left_out, struct wg_objects *out, struct wg_diag *d);

#endif
