/* cuobjdump of a toolkit (device_tool.h): what device code is in files, in the form of NVIDIA's. */
#include "cli/code_entries.h"
#include "cli/device_tool.h"
#include "cli/say.h"
#include "cli/terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NO_MACHINE_CODE                                                                                      \
    "Warpglass makes no machine code for GPUs, and has no disassembler for what nvcc made; --dump-ptx "      \
    "shows the PTX"
const struct wg_tool_option wg_cuobjdump_options[] = {
    {"list-ptx", "lptx", NULL, WG_TOOL_FLAG, "list the texts of PTX"},
    {"dump-ptx", "ptx", NULL, WG_TOOL_FLAG, "print them"},
    {"extract-ptx", "xptx", "NAME", WG_TOOL_VALUE,
     "write those whose name has NAME in it into the current folder; all for each"},
    {"list-elf", "lelf", NULL, WG_TOOL_FLAG,
     "list machine code, which nvcc puts in, and which does not run here"},
    {"extract-elf", "xelf", "NAME", WG_TOOL_VALUE, "the same as --extract-ptx for machine code"},
    {"gpu-architecture", "arch", "NAME", WG_TOOL_VALUE, "only what is for this machine, such as sm_90"},
    {"all-fatbin", "all", NULL, WG_TOOL_FLAG, NULL},
    {"dump-sass", "sass", NULL, WG_TOOL_REFUSED, NO_MACHINE_CODE},
    {"dump-elf", "elf", NULL, WG_TOOL_REFUSED, NO_MACHINE_CODE},
    {"dump-elf-symbols", "symbols", NULL, WG_TOOL_REFUSED, NO_MACHINE_CODE},
    {"list-text", "ltext", "NAME", WG_TOOL_REFUSED_VALUE, NO_MACHINE_CODE},
    {"extract-text", "xtext", "NAME", WG_TOOL_REFUSED_VALUE, NO_MACHINE_CODE},
    {"function", "fun", "NAMES", WG_TOOL_REFUSED_VALUE, NO_MACHINE_CODE},
    {"function-index", "findex", "N", WG_TOOL_REFUSED_VALUE, NO_MACHINE_CODE},
    {"sort-functions", "sort", NULL, WG_TOOL_REFUSED, NO_MACHINE_CODE},
    {"dump-resource-usage", "res-usage", NULL, WG_TOOL_REFUSED,
     "registers are those of machine code; \"warpglass occupancy FILE\" shows what kernels of source and PTX "
     "use"},
    {0}};

struct dump {
    const struct wg_tool_words *w;
    const char *stem; /* the file's name without folders */
    size_t stem_length;
    unsigned n[2]; /* texts of PTX, pieces of machine code */
    struct wg_strbuf out;
};

static bool is_asked_for(const struct dump *d, const struct wg_code_entry *code) {
    const char *arch = wg_tool_value(d->w, "gpu-architecture"), *number = arch ? strchr(arch, '_') : NULL;
    return !arch || strtoul(number ? number + 1 : arch, NULL, 10) == code->arch;
}

static bool extract(struct dump *d, const char *wanted, const char *name, const struct wg_code_entry *code) {
    if (!wanted || (strcmp(wanted, "all") != 0 && !strstr(name, wanted))) return true;
    bool good = wg_file_write(name, code->bytes, code->n);
    if (good)
        wg_strbuf_printf(&d->out, "Extracting %s file and ptxas options    %u: %s\n",
                         code->kind == WG_FAT_PTX ? "PTX" : "ELF", d->n[code->kind != WG_FAT_PTX], name);
    else
        wg_say("cannot write %s: %s", name, strerror(errno));
    return good;
}

static void print_text(struct dump *d, const struct wg_code_entry *code) {
    wg_strbuf_printf(
        &d->out,
        "\nFatbin ptx code:\n================\narch = sm_%u%s\nhost = linux\ncompile_size = 64bit\n%s\n%s\n",
        code->arch, code->specific ? "a" : "", code->compressed ? "compressed\n" : "", code->bytes);
}

static bool take(void *user, const struct wg_code_entry *code) {
    struct dump *d = user;
    bool ptx = code->kind == WG_FAT_PTX, good;
    struct wg_strbuf name = {0};
    if (!is_asked_for(d, code)) return true;
    unsigned n = ++d->n[!ptx];
    wg_strbuf_printf(&name, "%.*s.%u.sm_%u%s.%s", (int)d->stem_length, d->stem, n, code->arch,
                     code->specific ? "a" : "", ptx ? "ptx" : "cubin");
    if (wg_tool_value(d->w, ptx ? "list-ptx" : "list-elf"))
        wg_strbuf_printf(&d->out, "%s file %4u: %s\n", ptx ? "PTX" : "ELF", n, name.s);
    if (ptx && wg_tool_value(d->w, "dump-ptx")) print_text(d, code);
    good = extract(d, wg_tool_value(d->w, ptx ? "extract-ptx" : "extract-elf"), name.s, code);
    wg_strbuf_free(&name);
    return good;
}

static bool dump_file(struct dump *d, const char *path) {
    const char *slash = strrchr(path, '/'), *dot;
    d->stem = slash ? slash + 1 : path;
    dot = strrchr(d->stem, '.');
    d->stem_length = dot && dot > d->stem ? (size_t)(dot - d->stem) : strlen(d->stem);
    d->n[0] = d->n[1] = 0;
    bool good = wg_code_entries(path, take, d);
    if (good && !d->n[0] && !d->n[1])
        wg_say("cuobjdump: %s: there is no device code in it%s", path,
               wg_tool_value(d->w, "gpu-architecture") ? " for that machine" : "");
    return good;
}

int wg_tool_cuobjdump(const struct wg_tool_words *w) {
    static const char *const actions[] = {"list-ptx", "dump-ptx", "extract-ptx", "list-elf", "extract-elf"};
    struct dump d = {.w = w};
    bool good = w->files.n > 0, asked = false;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        asked |= wg_tool_value(w, actions[i]) != NULL;
    if (!good) wg_say("cuobjdump: no file");
    if (good && !asked) {
        wg_say("cuobjdump: what is to be shown? %s", NO_MACHINE_CODE);
        good = false;
    }
    for (size_t i = 0; i < w->files.n && good; i++) good = dump_file(&d, w->files.v[i]);
    good &= wg_terminal_print(&d.out);
    wg_strbuf_free(&d.out);
    return good ? 0 : 1;
}
