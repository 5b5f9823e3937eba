/* The kernels of source and PTX: see kernels.h. */
#include "cli/compile.h"
#include "cli/kernels.h"
#include "cli/layout.h"

#include <string.h>

static bool is_ptx(const char *path) {
    size_t n = strlen(path);
    return n > 4 && !strcmp(path + n - 4, ".ptx");
}

/* The command line with those of its files that are PTX, or with the others. */
static struct wg_cmdline files_of(const struct wg_cmdline *c, bool ptx) {
    struct wg_cmdline some = {.command = c->command, .program_args = c->program_args};
    for (uint32_t i = 0; i < c->items.n; i++) {
        const struct wg_item *item = &c->items.v[i];
        if (item->option != WG_CLI_FILE || is_ptx(item->value) == ptx) *WG_PUSH(&some.items) = *item;
    }
    return some;
}

static int add_sources(struct wg_kernels *k, const struct wg_cmdline *c, const struct wg_chip *chip) {
    struct wg_job job = {0};
    struct wg_strbuf ptx = {0};
    const char *scratch = wg_layout_scratch();
    if (!scratch) return 1;
    int status = wg_job_plan(&job, c, scratch);
    if (!status && !wg_toolchain_find(&job.tools, job.tools.compiler)) status = 1;
    for (uint32_t i = 0; i < job.sources.n && !status; i++) {
        const struct wg_source *s = &job.sources.v[i];
        if (s->language != WG_LANGUAGE_CUDA) continue;
        wg_strbuf_free(&ptx);
        wg_strbuf_printf(&ptx, "%s/kernels%u.ptx", scratch, i);
        status = wg_compile_ptx(&job, s, scratch, ptx.s, NULL);
        if (!status) status = wg_kernels_add_ptx(k, ptx.s, s->path, chip);
    }
    wg_strbuf_free(&ptx);
    wg_job_free(&job);
    return status;
}

int wg_kernels_read(struct wg_kernels *k, const struct wg_cmdline *c, const struct wg_chip *chip) {
    struct wg_cmdline ptx = files_of(c, true), sources = files_of(c, false);
    int status = 0;
    *k = (struct wg_kernels){0};
    for (uint32_t i = 0; i < ptx.items.n && !status; i++)
        if (ptx.items.v[i].option == WG_CLI_FILE) {
            const char *path = ptx.items.v[i].value;
            status = wg_job_check_input(path) ? wg_kernels_add_ptx(k, path, path, chip) : 1;
        }
    if (!status && wg_cmdline_has(&sources, WG_CLI_FILE)) status = add_sources(k, &sources, chip);
    wg_cmdline_free(&ptx);
    wg_cmdline_free(&sources);
    return status;
}
