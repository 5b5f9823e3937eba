/* The target machines: one for each vector width that code is compiled for. */
#ifndef WG_JIT_TARGET_H
#define WG_JIT_TARGET_H
#include "warp/warp.h"

struct wg_target { /* one width of vectors; cpu, features: as LLVM names them */
    uint32_t width;
    const char *cpu, *features, *name;
    bool slow_masks; /* masked stores are slow, and better avoided where a branch can */
};
/* What the options ask for (o: or NULL), as far as this CPU has it. */
const struct wg_target *wg_target_for(const struct wg_code_opts *o);
/* The widest of at most so many bits, whatever the CPU has: for code that is looked at, not run. */
const struct wg_target *wg_target_of(uint32_t width);

#endif
