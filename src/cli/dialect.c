/* Device code's dialect of C++: see dialect.h. */
#include "cli/dialect.h"
#include "cli/layout.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct wg_strbuf wg_dialect_passes(void) {
    struct wg_strbuf path = {0};
    wg_strbuf_printf(&path, "%s/libwarpglass-dialect.so", wg_layout_libraries());
    return path;
}

bool wg_dialect_has_passes(const char *clang) {
    struct wg_strbuf passes = wg_dialect_passes();
    char *program = realpath(clang, NULL), *ours = realpath(WG_LLVM_TOOLS, NULL);
    char *slash = program ? strrchr(program, '/') : NULL;
    if (slash) *slash = 0;
    bool has = slash && ours && !strcmp(program, ours) && access(passes.s, R_OK) == 0;
    free(program);
    free(ours);
    wg_strbuf_free(&passes);
    return has;
}

/* C++ lets a compiler assume that none of this happens in a program, nvcc does not, and programs rely on it:
 * memory written as one type and read as another, loops that never end and have no effect, functions that end
 * without a value, `this` and references that are null. */
#define NOT_ASSUMED                                                                                          \
    "-fno-strict-aliasing,-fno-finite-loops,-fno-strict-return,-fno-delete-null-pointer-checks"

/* For `warpglass check`: the host's calls in several branches stay as many. Of those made one there is no line. */
#define NOT_JOINED "-mllvm,-sink-common-insts=false,-mllvm,-enable-tail-merge=false"

void wg_dialect_host_words(struct wg_args *words) {
    wg_args_add_list(words, NOT_ASSUMED ",-fwrapv");
    if (getenv("WARPGLASS_AS_WRITTEN")) wg_args_add_list(words, NOT_JOINED);
}

/* What stands between two branches on one condition stays one piece of code, as nvcc leaves it. clang's copies of it, one
 * for each way, would part the lanes of a warp: twice the requests that the hardware counts, and printf by halves. */
#define NOT_THREADED "-mllvm,-simplifycfg-max-small-block-size=0"

/* For `warpglass check` (WARPGLASS_AS_WRITTEN): what both sides of a branch access is not made one access, which would
 * have no line, and an address that nothing can be proven of; and a float4 of which some members are read is loaded
 * whole, as it is written. */
#define NOT_MERGED "-mllvm,-sink-common-insts=false,-mllvm,-hoist-common-insts=false"
#define NOT_SPLIT  "-mllvm,-disable-vector-combine"

void wg_dialect_words(const char *clang, struct wg_args *words) {
    wg_args_add_list(words, NOT_ASSUMED "," NOT_THREADED);
    if (getenv("WARPGLASS_AS_WRITTEN")) wg_args_add_list(words, NOT_MERGED "," NOT_SPLIT);
    if (!wg_dialect_has_passes(clang)) {
        wg_args_add_list(words, "-mllvm,-unroll-peel-max-count=0"); /* also where lanes do not meet */
        return;
    }
    struct wg_strbuf passes = wg_dialect_passes();
    wg_args_add(words, "-fno-strict-float-cast-overflow");
    wg_args_addf(words, "-fpass-plugin=%s", passes.s);
    wg_strbuf_free(&passes);
}
