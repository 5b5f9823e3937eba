/* See resource_usage.h. */
#include "cli/resource_usage.h"
#include "cli/say.h"

#include <stdio.h>

void wg_resource_usage_say(const struct wg_kernels *k, const char *arch) {
    static bool said;
    bool estimated = false;
    for (uint32_t i = 0; i < k->list.n; i++) {
        const struct wg_kernel *one = &k->list.v[i];
        fprintf(stderr,
                "ptxas info    : Compiling entry function '%s' for '%s'\nptxas info    : Used %u registers",
                one->name, arch, one->registers);
        if (!one->estimated) fprintf(stderr, ", used %u barriers", one->barriers);
        if (one->shared) fprintf(stderr, ", %llu bytes smem", (unsigned long long)one->shared);
        fputs("\n", stderr);
        estimated |= one->estimated;
    }
    if (estimated && !said)
        wg_say("note: there is no ptxas here, so registers are estimated; half of the estimates are within "
               "10 %%");
    said |= estimated;
}
