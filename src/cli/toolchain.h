/* The compilers on this machine.
 *
 * clang, 19 or later, needs nothing of NVIDIA's: it compiles device code to PTX with the headers in device/.
 * nvcc is for those who have it. Either is found in PATH, or named by WARPGLASS_CLANG or WARPGLASS_NVCC.
 */
#ifndef WG_CLI_TOOLCHAIN_H
#define WG_CLI_TOOLCHAIN_H
#include "base/strbuf.h"

enum wg_compiler { WG_COMPILER_CLANG, WG_COMPILER_NVCC };

struct wg_toolchain {
    enum wg_compiler compiler;
    struct wg_strbuf path; /* of clang++ or nvcc */
};

/* False after a message that says what was looked for and how to get one. */
bool wg_toolchain_find(struct wg_toolchain *t, enum wg_compiler compiler);
/* The same without a message. */
bool wg_toolchain_look(struct wg_toolchain *t, enum wg_compiler compiler);
/* The line of `--version` that has the version: "Debian clang version 19.1.7". "" when it does not say. */
void wg_toolchain_version(const struct wg_toolchain *t, struct wg_strbuf *out);
void wg_toolchain_free(struct wg_toolchain *t);
#endif
