/* A command line of `warpglass cc` or `warpglass nvcc`, from its plan to its end: see build.h. */
#include "cli/build.h"
#include "cli/compile.h"
#include "cli/layout.h"
#include "cli/phases.h"
#include "cli/say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- -clean ---------------------------------------------------------------------------------------------
 */

static int delete(const char *path) {
    if (unlink(path) == 0 || errno == ENOENT) return 0;
    wg_say("-clean: cannot delete %s: %s", path, strerror(errno));
    return 1;
}

/* Deletes what the job would write, and nothing else. */
static int clean(const struct wg_job *job) {
    bool linked = job->product == WG_PRODUCT_PROGRAM || job->product == WG_PRODUCT_LIBRARY ||
                  job->product == WG_PRODUCT_DEVICE_LINK;
    int status = linked ? delete (wg_job_program_name(job)) : 0;
    for (uint32_t i = 0; i < job->sources.n; i++) {
        const struct wg_source *s = &job->sources.v[i];
        if (!linked && s->object) status |= delete (s->object);
        if (!job->keep || s->language != WG_LANGUAGE_CUDA) continue;
        struct wg_strbuf kept = {0};
        wg_job_kept_name(job, s, &kept);
        status |= delete (kept.s);
        wg_strbuf_free(&kept);
    }
    if (job->rule.file) status |= delete (job->rule.file);
    return status;
}

/* ---- -run -----------------------------------------------------------------------------------------------
 */

static int run(const struct wg_job *job, const struct wg_cmdline *c) {
    const char *program = wg_job_program_name(job);
    struct wg_args a = {0};
    wg_args_addf(&a, "%s%s", strchr(program, '/') ? "" : "./", program);
    for (uint32_t i = 0; i < c->items.n; i++)
        if (c->items.v[i].option == WG_CLI_RUN_ARGS) wg_args_add_list(&a, c->items.v[i].value);
    struct wg_process p = {.argv = a.v, .is_users = true};
    int status = wg_process_run(&p);
    if (p.start_error) wg_say("-run: %s: %s", a.v[0], strerror(p.start_error));
    wg_args_free(&a);
    return status;
}

/* ---- All of it ------------------------------------------------------------------------------------------
 */

static int compile(struct wg_job *job, const struct wg_cmdline *c, const char *scratch) {
    const char *times = wg_cmdline_value(c, WG_CLI_TIMES);
    char *make[] = {"mkdir", "-p", (char *)scratch, NULL}, *remove[] = {"rm", "-rf", (char *)scratch, NULL};
    if (times) wg_phases_begin();
    wg_process_show_step(make, NULL);
    int status = wg_compile(job, scratch, wg_job_program_name(job), NULL);
    wg_process_show_step(remove, NULL);
    if (times && !wg_process_is_only_shown() && !wg_phases_write(times) && !status) status = 1;
    bool runs = job->product == WG_PRODUCT_PROGRAM && !job->shared && wg_cmdline_has(c, WG_CLI_RUN_IT);
    return status || !runs ? status : run(job, c);
}

int wg_build(struct wg_job *job, const struct wg_cmdline *c, void (*settings)(const struct wg_job *)) {
    const char *scratch = wg_layout_scratch();
    if (!scratch) return 1;
    bool dry = wg_cmdline_has(c, WG_CLI_DRY_RUN);
    if (dry) wg_process_only_show();
    int status = wg_job_plan(job, c, scratch);
    if (settings && (dry || wg_cmdline_has(c, WG_CLI_VERBOSE))) settings(job);
    if (!status && wg_cmdline_has(c, WG_CLI_CLEAN)) {
        status = dry ? 0 : clean(job);
    } else {
        if (!status && !wg_toolchain_find(&job->tools, job->tools.compiler)) status = 1;
        if (!status) status = compile(job, c, scratch);
    }
    wg_job_free(job);
    return status;
}
