/* `warpglass nvcc`: `warpglass cc` as build systems know nvcc, which the script bin/nvcc of a toolkit (toolkit.h)
 * starts. It differs from cc in what it says of itself, in the libraries that programs are linked with, which are the
 * toolkit's, and in __NVCC__.
 *
 * CMake, Meson and others learn who a compiler is, and where its toolkit lies, from what nvcc says with --version and
 * -v: lines that begin with "#$ ", settings first, then the commands that run.
 */
#include "cli/build.h"
#include "cli/commands.h"
#include "cli/process.h"
#include "cli/terminal.h"
#include "cli/toolkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Build systems look for the words in quotes, and for the release's number. */
static const char version[] =
    "nvcc of Warpglass " WG_VERSION ", which compiles CUDA for the CPU. Build systems look for\n"
    "\"nvcc: NVIDIA (R) Cuda compiler driver\", which it replaces\n"
    "Cuda compilation tools, release " WG_TOOLKIT_RELEASE ", V" WG_TOOLKIT_VERSION "\n";

/* compute_75, sm_90, ...: what -arch takes. */
static void list_chips(const char *prefix, struct wg_strbuf *out) {
    size_t n;
    const struct wg_chip *chips = wg_chip_list(&n);
    for (size_t i = 0; i < n; i++)
        if (!i || strcmp(chips[i].arch, chips[i - 1].arch) != 0)
            wg_strbuf_printf(out, "%s%s\n", prefix, strchr(chips[i].arch, '_') + 1);
}

/* The settings that -v begins with, in nvcc's form. */
static void say_settings(const struct wg_job *job) {
    const char *path = getenv("PATH"), *root = job->toolkit;
    struct wg_args a = {0};
    wg_toolkit_library_folders(root, &a);
    struct wg_strbuf folders = {0};
    wg_process_add_words(&folders, a.v);
    fprintf(stderr,
            "#$ _HERE_=%s/bin\n#$ TOP=%s\n#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n#$ PATH=%s/bin:%s\n"
            "#$ INCLUDES=\"-I%s/include\"  \n#$ LIBRARIES=  %s\n#$ DEVICE_CODE=\"-arch compute_%s\"\n",
            root, root, root, root, path ? path : "", root, folders.s + 1, *job->arch ? job->arch + 3 : "90");
    wg_strbuf_free(&folders);
    wg_args_free(&a);
}

int wg_command_nvcc(const struct wg_cmdline *c) {
    struct wg_strbuf root = {0}, text = {0};
    if (wg_cmdline_has(c, WG_CLI_NVCC_VERSION)) wg_strbuf_puts(&text, version);
    if (wg_cmdline_has(c, WG_CLI_LIST_ARCH)) list_chips("compute_", &text);
    if (wg_cmdline_has(c, WG_CLI_LIST_CODE)) list_chips("sm_", &text);
    if (text.n) return wg_terminal_finish(&text);
    const char *named = wg_cmdline_value(c, WG_CLI_TOOLKIT_ROOT);
    if (named)
        wg_strbuf_puts(&root, named);
    else if (!wg_toolkit_make(NULL, &root))
        return 1;
    wg_process_show_as("#$");
    struct wg_job job = {.toolkit = root.s};
    int status = wg_build(&job, c, say_settings);
    wg_strbuf_free(&root);
    return status;
}
