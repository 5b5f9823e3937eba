/* ptxas of a toolkit (device_tool.h): PTX is read as it is before it runs, and wrapped into a container (base/fat_binary.h).
 */
#include "base/fat_binary.h"
#include "cli/device_tool.h"
#include "cli/resource_usage.h"
#include "cli/say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOUNDS "say it in the PTX, with .maxntid and its like: directives are honoured"
const struct wg_tool_option wg_ptxas_options[] = {
    {"gpu-name", "arch", "NAME", WG_TOOL_VALUE, "the machine, such as sm_90; that of the PTX by default"},
    {"output-file", "o", "FILE", WG_TOOL_VALUE, "the file to write, elf.o by default"},
    {"verbose", "v", NULL, WG_TOOL_FLAG, "print what each kernel takes: registers, barriers, shared memory"},
    {"fmad", "fmad", "true|false", WG_TOOL_VALUE,
     "true: products and sums are fused when the code runs. false is refused: say mul.rn and add.rn in the "
     "PTX"},
    {"input-as-string", "ias", "PTX", WG_TOOL_REFUSED_VALUE, "PTX is read from files only"},
    {"maxntid", "maxntid", "N", WG_TOOL_REFUSED_VALUE, BOUNDS},
    {"minnctapersm", "minnctapersm", "N", WG_TOOL_REFUSED_VALUE, BOUNDS},
    {"override-directive-values", "override-directive-values", NULL, WG_TOOL_REFUSED, BOUNDS},
    {"sanitize", "sanitize", "TOOL", WG_TOOL_REFUSED_VALUE,
     "\"warpglass check\" finds in any program what such code would find"},
    {"compile-as-tools-patch", "astoolspatch", NULL, WG_TOOL_REFUSED, "there is no machine code to patch"},
    {"list-version", "version-ls", NULL, WG_TOOL_REFUSED, "PTX up to 9.9 is read"},
    {"compile-only", "c", NULL, WG_TOOL_FLAG, NULL},
    {"opt-level", "O", "N", WG_TOOL_VALUE, NULL},
    {"Ofast-compile", "Ofc", "HOW", WG_TOOL_VALUE, NULL},
    {"machine", "m", "BITS", WG_TOOL_VALUE, NULL},
    {"entry", "e", "NAMES", WG_TOOL_VALUE, NULL},
    {"generate-line-info", "lineinfo", NULL, WG_TOOL_FLAG, NULL},
    {"device-debug", "g", NULL, WG_TOOL_FLAG, NULL},
    {"suppress-debug-info", "suppress-debug-info", NULL, WG_TOOL_FLAG, NULL},
    {"dont-merge-basicblocks", "no-bb-merge", NULL, WG_TOOL_FLAG, NULL},
    {"return-at-end", "ret-end", NULL, WG_TOOL_FLAG, NULL},
    {"preserve-relocs", "preserve-relocs", NULL, WG_TOOL_FLAG, NULL},
    {"position-independent-code", "pic", NULL, WG_TOOL_FLAG, NULL},
    {"allow-expensive-optimizations", "allow-expensive-optimizations", "true|false", WG_TOOL_VALUE, NULL},
    {"def-load-cache", "dlcm", "HOW", WG_TOOL_VALUE, NULL},
    {"def-store-cache", "dscm", "HOW", WG_TOOL_VALUE, NULL},
    {"force-load-cache", "flcm", "HOW", WG_TOOL_VALUE, NULL},
    {"force-store-cache", "fscm", "HOW", WG_TOOL_VALUE, NULL},
    {"maxrregcount", "maxrregcount", "N", WG_TOOL_VALUE, NULL},
    {"register-usage-level", "regUsageLevel", "N", WG_TOOL_VALUE, NULL},
    {"split-compile", "split-compile", "N", WG_TOOL_VALUE, NULL},
    {"disable-warnings", "w", NULL, WG_TOOL_FLAG, NULL},
    {"warning-as-error", "Werror", NULL, WG_TOOL_FLAG, NULL},
    {"warn-on-spills", "warn-spills", NULL, WG_TOOL_FLAG, NULL},
    {"warn-on-local-memory-usage", "warn-lmem-usage", NULL, WG_TOOL_FLAG, NULL},
    {"warn-on-double-precision-use", "warn-double-usage", NULL, WG_TOOL_FLAG, NULL},
    {"compiler-annotations", "annotate", NULL, WG_TOOL_FLAG, NULL},
    {"device-function-maxrregcount", "func-maxrregcount", "N", WG_TOOL_VALUE, NULL},
    {"device-stack-protector", "device-stack-protector", "true|false", WG_TOOL_VALUE, NULL},
    {"disable-optimizer-constants", "disable-optimizer-consts", NULL, WG_TOOL_FLAG, NULL},
    {"extensible-whole-program", "ewp", NULL, WG_TOOL_FLAG, NULL},
    {"g-tensor-memory-access-check", "g-tmem-access-check", NULL, WG_TOOL_FLAG, NULL},
    {"gno-tensor-memory-access-check", "gno-tmem-access-check", NULL, WG_TOOL_FLAG, NULL},
    {"legacy-bar-warp-wide-behavior", "legacy-bar-warp-wide-behavior", NULL, WG_TOOL_FLAG, NULL},
    {"make-errors-visible-at-exit", "make-errors-visible-at-exit", NULL, WG_TOOL_FLAG, NULL},
    {"optimize-float-atomics", "opt-fp-atomics", NULL, WG_TOOL_FLAG, NULL},
    {"sp-bounds-check", "sp-bounds-check", NULL, WG_TOOL_FLAG, NULL},
    {"suppress-async-bulk-multicast-advisory-warning", "suppress-async-bulk-multicast-advisory-warning", NULL,
     WG_TOOL_FLAG, NULL},
    {"suppress-double-demote-warning", "suppress-double-demote-warning", NULL, WG_TOOL_FLAG, NULL},
    {"suppress-sparse-mma-advisory-info", "suppress-sparse-mma-advisory-info", NULL, WG_TOOL_FLAG, NULL},
    {"suppress-stack-size-warning", "suppress-stack-size-warning", NULL, WG_TOOL_FLAG, NULL},
    {0}};

/* Whether PTX for .target `sm` becomes code of the machine `arch`, as ptxas has it. */
static bool fits(const char *file, const struct wg_kernels *k, const char *arch) {
    unsigned cc = (unsigned)strtoul(strchr(arch, '_') ? strchr(arch, '_') + 1 : "", NULL, 10);
    if (k->specific ? k->sm == cc : k->sm <= cc) return true;
    wg_say("%s: its .target sm_%u%s is not for -arch=%s", file, k->sm, k->specific ? "a" : "", arch);
    return false;
}

int wg_tool_ptxas(const struct wg_tool_words *w) {
    const char *arch = wg_tool_value(w, "gpu-name"), *output = wg_tool_value(w, "output-file");
    const struct wg_chip *chip = wg_job_chip(arch);
    struct wg_kernels k = {0};
    char own[24];
    if (w->files.n != 1) {
        wg_say("ptxas: %s%s", w->files.n ? "one file of PTX at a time, not also " : "no file of PTX",
               w->files.n ? w->files.v[1] : "");
        return 1;
    }
    for (uint32_t i = 0; i < w->items.n; i++)
        if (!strcmp(w->items.v[i].option->name, "fmad") && !strcmp(w->items.v[i].value, "false")) {
            wg_say("ptxas: -fmad=false is not supported: say mul.rn and add.rn in the PTX, as nvcc "
                   "-fmad=false does");
            return 1;
        }
    if (!chip) return 1;
    const char *file = w->files.v[0];
    int status = wg_job_check_input(file) ? wg_kernels_add_ptx(&k, file, file, chip) : 1;
    snprintf(own, sizeof own, "sm_%u%s", k.sm, k.specific ? "a" : "");
    if (!arch) arch = own;
    if (!status && !fits(file, &k, arch)) status = 1;
    if (!status && wg_tool_value(w, "verbose")) wg_resource_usage_say(&k, arch);
    if (!output) output = "elf.o";
    if (!status && !wg_fat_binary_wrap(file, arch, output)) {
        wg_say("cannot write %s: %s", output, strerror(errno));
        status = 1;
    }
    wg_kernels_free(&k);
    return status;
}
