/* fatbinary of a toolkit (device_tool.h): device code of several files in one container (base/fat_binary.h). */
#include "base/fat_binary.h"
#include "cli/code_entries.h"
#include "cli/device_tool.h"
#include "cli/say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct wg_tool_option wg_fatbinary_options[] = {
    {"create", "create", "FILE", WG_TOOL_VALUE, "the container to write"},
    {"image3", "image3", "SPEC", WG_TOOL_VALUE,
     "kind=ptx|elf,sm=90,file=FILE: a file to put in, for a machine"},
    {"image2", "image2", "SPEC", WG_TOOL_VALUE,
     "kind=ptx|elf,file=FILE: the same, for the machine that the file says"},
    {"image", "image", "SPEC", WG_TOOL_VALUE,
     "profile=sm_90|compute_90,file=FILE: the same, in an older form"},
    {"embedded-fatbin", "fatbin", "FILE", WG_TOOL_REFUSED_VALUE,
     "not supported: bin2c makes an array in C of the file that --create writes"},
    {"64", "64", NULL, WG_TOOL_FLAG, NULL},
    {"32", "32", NULL, WG_TOOL_REFUSED, "there is no 32-bit device code"},
    {"cmdline", "cmdline", "OPTIONS", WG_TOOL_VALUE, NULL},
    {"compress", "compress", "true|false", WG_TOOL_VALUE, NULL},
    {"compress-all", "compress-all", NULL, WG_TOOL_FLAG, NULL},
    {"compress-mode", "compress-mode", "HOW", WG_TOOL_VALUE, NULL},
    {"debug", "g", NULL, WG_TOOL_FLAG, NULL},
    {"device-c", "c", NULL, WG_TOOL_FLAG, NULL},
    {"ident", "ident", "NAME", WG_TOOL_VALUE, NULL},
    {"link", "link", NULL, WG_TOOL_FLAG, NULL},
    {"no-asm", "no-asm", NULL, WG_TOOL_FLAG, NULL},
    {0}};

struct image {
    const char *file, *arch; /* "sm_90" or "90"; NULL: as the file has it */
};

/* "kind=ptx,sm=90,file=FILE"; the words are cut where they stand. */
static bool read_spec(char **parts, struct image *im) {
    *im = (struct image){0};
    for (; *parts; parts++) {
        if (!strncmp(*parts, "file=", 5)) im->file = *parts + 5;
        if (!strncmp(*parts, "sm=", 3)) im->arch = *parts + 3;
        if (!strncmp(*parts, "profile=", 8)) im->arch = *parts + 8;
    }
    return im->file != NULL;
}

struct adding {
    struct wg_strbuf *to;
    const char *arch;
    unsigned n;
};
static bool add_code(void *user, const struct wg_code_entry *code) {
    struct adding *a = user;
    char own[24];
    snprintf(own, sizeof own, "sm_%u%s", code->arch, code->specific ? "a" : "");
    wg_fat_binary_add(a->to, code->kind, a->arch ? a->arch : own, code->bytes, code->n);
    a->n++;
    return true;
}

static bool add_image(struct wg_strbuf *to, const struct image *im) {
    struct wg_strbuf arch = {0};
    if (im->arch) wg_strbuf_printf(&arch, "%s%s", strchr(im->arch, '_') ? "" : "sm_", im->arch);
    struct adding a = {to, arch.s, 0};
    bool good = wg_code_entries(im->file, add_code, &a);
    if (good && !a.n) wg_say("fatbinary: %s: there is no device code in it", im->file);
    wg_strbuf_free(&arch);
    return good && a.n;
}

int wg_tool_fatbinary(const struct wg_tool_words *w) {
    const char *output = wg_tool_value(w, "create");
    struct wg_strbuf file = {0};
    bool good = output != NULL;
    if (!good) wg_say("fatbinary: no --create=FILE says what to write");
    for (uint32_t i = 0; i < w->items.n && good; i++) {
        const struct wg_tool_item *item = &w->items.v[i];
        struct wg_args parts = {0};
        struct image im;
        if (strncmp(item->option->name, "image", 5) != 0) continue;
        wg_args_add_words(&parts, item->value, ",");
        if (read_spec(parts.n ? parts.v : (char *[]){NULL}, &im)) {
            good = add_image(&file, &im);
        } else {
            wg_say("fatbinary: --%s %s: expected %s", item->option->name, item->value, item->option->help);
            good = false;
        }
        wg_args_free(&parts);
    }
    if (good && !file.n) {
        wg_say("fatbinary: no --image3=kind=ptx,sm=90,file=FILE says what to put in");
        good = false;
    }
    if (good && !wg_file_write(output, file.s, file.n)) {
        wg_say("cannot write %s: %s", output, strerror(errno));
        good = false;
    }
    wg_strbuf_free(&file);
    return good ? 0 : 1;
}
