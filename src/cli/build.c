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
#include <sys/stat.h>
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

static int run(const char *program, const struct wg_cmdline *c) {
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

/* -dryrun: makes the folder for what is written on the way, and that of each member of a library. Nothing removes them, as
 * nvcc's files stay: build systems look for the command that links in the last line. */
static void show_folders(const struct wg_job *job, const char *scratch) {
    struct wg_args a = {0};
    wg_args_add_list(&a, "mkdir,-p");
    wg_args_add(&a, scratch);
    for (uint32_t i = 0; job->product == WG_PRODUCT_LIBRARY && i < job->sources.n; i++) {
        const char *object = job->sources.v[i].object;
        wg_args_addf(&a, "%.*s", (int)(strrchr(object, '/') - object), object);
    }
    wg_process_show_step(a.v, NULL);
    wg_args_free(&a);
}

static int compile(struct wg_job *job, const struct wg_cmdline *c, const char *scratch) {
    const char *times = wg_cmdline_value(c, WG_CLI_TIMES);
    if (times) wg_phases_begin();
    show_folders(job, scratch);
    int status = wg_compile(job, scratch, wg_job_program_name(job), NULL);
    if (times && !wg_process_is_only_shown() && !wg_phases_write(times) && !status) status = 1;
    bool runs = job->product == WG_PRODUCT_PROGRAM && !job->shared && wg_cmdline_has(c, WG_CLI_RUN_IT);
    return status || !runs ? status : run(wg_job_program_name(job), c);
}

/* nvcc's -run with a program in place of sources, as Meson calls it, quotes and all: nvcc hands its words to a shell. */
static bool names_program(const struct wg_cmdline *c, struct wg_strbuf *program) {
    struct stat st;
    unsigned files = 0;
    for (uint32_t i = 0; i < c->items.n; i++) {
        const char *word = c->items.v[i].value;
        if (c->items.v[i].option != WG_CLI_FILE || files++) continue;
        size_t n = strlen(word);
        bool quoted = n > 2 && *word == '"' && word[n - 1] == '"';
        wg_strbuf_add(program, word + quoted, quoted ? n - 2 : n);
    }
    return wg_cmdline_has(c, WG_CLI_RUN_IT) && files == 1 &&
           wg_job_language(program->s) == WG_LANGUAGE_BY_NAME && stat(program->s, &st) == 0 &&
           S_ISREG(st.st_mode) && access(program->s, X_OK) == 0;
}

static int build(struct wg_job *job, const struct wg_cmdline *c, const char *scratch,
                 void (*settings)(const struct wg_job *)) {
    bool dry = wg_process_is_only_shown();
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

int wg_build(struct wg_job *job, const struct wg_cmdline *c, void (*settings)(const struct wg_job *)) {
    struct wg_strbuf program = {0}, folder = {0};
    const char *scratch = wg_layout_scratch();
    if (!scratch) return 1;
    wg_strbuf_puts(&folder, scratch);
    if (wg_cmdline_has(c, WG_CLI_DRY_RUN)) {
        wg_process_only_show();
        /* Another one, which is not removed behind this command while somebody runs what it shows. */
        wg_strbuf_puts(&folder, ".dryrun");
    }
    int status = names_program(c, &program) ? run(program.s, c) : build(job, c, folder.s, settings);
    wg_strbuf_free(&program);
    wg_strbuf_free(&folder);
    return status;
}
