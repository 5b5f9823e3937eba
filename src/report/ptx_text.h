/* Instructions of the PTX as text: the operation, and the registers that it writes and reads.
 *
 *     struct wg_ptx_text t = wg_ptx_text("@%p1 ld.global.f32 %f1, [%rd4+8]");
 *     t.op                                        "ld.global.f32"
 *     wg_ptx_next(&at, t.sources, &name, &n)      from t.operands on: %f1, what it writes
 *     wg_ptx_next(&at, NULL, &name, &n)           from t.sources on: %rd4
 */
#ifndef WG_REPORT_PTX_TEXT_H
#define WG_REPORT_PTX_TEXT_H
#include "base/arena.h"
#include "report/profile.h"

struct wg_ptx_text {
    char op[48];
    const char *guard;    /* "%p1 ..."; NULL: none */
    const char *operands; /* behind the operation */
    const char *sources;  /* behind the first operand, where that is written */
    bool writes;
};
struct wg_ptx_text wg_ptx_text(const char *text);
bool wg_ptx_starts(const char *op, const char *with);
/* The next register between *at and `end`; NULL: the end of the text. False: there is none. */
bool wg_ptx_next(const char **at, const char *end, const char **name, size_t *n);
/* Of the register's name that begins here. */
size_t wg_ptx_length(const char *name);

/* Names of a kernel's registers, with numbers up to `mask`. */
struct wg_ptx_names {
    struct wg_ptx_register {
        const char *name;
        size_t n;
    } *v;
    uint32_t mask;
};
struct wg_ptx_names wg_ptx_names(const struct wg_profile_kernel *k, struct wg_arena *a);
uint32_t wg_ptx_name(struct wg_ptx_names *names, const char *name, size_t n);
#endif
