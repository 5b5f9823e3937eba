/* One run of a compiler: see pass.h. */
#include "cli/pass.h"
#include "base/clock.h"
#include "base/progress.h"
#include "cli/layout.h"
#include "cli/libraries.h"
#include "cli/phases.h"
#include "cli/refused.h"
#include "cli/say.h"
#include "cli/too_old.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct wg_pass wg_pass_begin(const struct wg_job *job, const struct wg_source *s, const char *scratch,
                             const char *name) {
    struct wg_pass p = {.user_only = job->rule.user_only, .name = name, .source = s->path};
    unsigned number = (unsigned)(s - job->sources.v);
    wg_args_add(&p.a, job->tools.path.s);
    wg_strbuf_printf(&p.messages, "%s/%s.messages", scratch, name);
    wg_strbuf_printf(&p.dependencies, "%s/%s%u.d", scratch, name, number);
    return p;
}

void wg_pass_dependency_words(struct wg_pass *p) {
    wg_args_add(&p->a, p->user_only ? "-MMD" : "-MD");
    wg_args_add(&p->a, "-MF");
    wg_args_add(&p->a, p->dependencies.s);
}

void wg_pass_end(struct wg_pass *p) {
    wg_args_free(&p->a);
    wg_strbuf_free(&p->messages);
    wg_strbuf_free(&p->dependencies);
}

static bool included(const char *line) { return !strncmp(line, "In file included", 16); }

/* Both passes over a file warn about what they both see. Prints those diagnostics of `text` that `said` has
 * not: a diagnostic is the lines from one with "warning: " or "error: " in it, or from "In file included", to
 * the next. */
static void print_new_messages(const char *text, const char *said) {
    bool printed = false;
    struct wg_too_old old = {0};
    while (*text) {
        const char *end = text;
        do {
            end += strcspn(end, "\n");
            if (*end) end++;
            size_t line = strcspn(end, "\n");
            if (memmem(end, line, "warning: ", 9) || memmem(end, line, "error: ", 7)) break;
            if (included(end) || memmem(end, line, " generated when compiling", 25)) break;
        } while (*end);
        struct wg_strbuf one = {0};
        wg_strbuf_add(&one, text, (size_t)(end - text));
        bool count = strstr(one.s, " generated when compiling") != NULL; /* "2 warnings generated ..." */
        if (count ? printed : !strstr(said, one.s)) {
            wg_progress_wipe();
            if (wg_too_old_is(text) || (included(text) && wg_too_old_is(end)))
                wg_too_old_print(&old, text, (size_t)(end - text));
            else
                fputs(one.s, stderr);
            printed = true;
        }
        wg_strbuf_free(&one);
        text = end;
    }
    wg_too_old_explain(&old);
}

int wg_pass_start(struct wg_pass *p, struct wg_process *process) {
    if (isatty(STDERR_FILENO) && !strstr(p->a.v[0], "nvcc")) wg_args_add(&p->a, "-fdiagnostics-color=always");
    *process = (struct wg_process){.argv = p->a.v, .stderr_path = p->messages.s};
    uint64_t begin = wg_now_ns();
    int status = wg_process_run(process);
    wg_phases_add(p->source, p->name ? p->name : "link", &p->a, begin);
    return status;
}

int wg_pass_report(struct wg_pass *p, const struct wg_process *process, int status, struct wg_strbuf *said,
                   struct wg_strbuf *dependencies) {
    struct wg_strbuf text = {0};
    int sig = wg_process_ending_signal();
    if (sig) return WG_STATUS_SIGNAL + sig; /* whatever it said then */
    if (wg_process_out_of_time()) return status;
    bool spoke = wg_file_read(p->messages.s, &text) && text.n;
    if (spoke) {
        print_new_messages(text.s, said->s ? said->s : "");
        if (status) wg_libraries_explain(text.s);
        if (status) wg_refused_explain(text.s, p->dependencies.s, &p->a);
        wg_strbuf_puts(said, text.s);
    }
    wg_strbuf_free(&text);
    if (process->start_error)
        wg_say("%s: %s", p->a.v[0], strerror(process->start_error));
    else if (process->signal)
        wg_say("%s was terminated by signal %d", p->a.v[0], process->signal);
    else if (status && !spoke)
        wg_say("%s ended with status %d and no message. Is there room in %s (TMPDIR)?", p->a.v[0], status,
               wg_layout_scratch());
    if (status == 0 && dependencies) {
        wg_strbuf_puts(dependencies, p->dependencies.s);
        wg_strbuf_add(dependencies, "", 1);
    }
    return status;
}

int wg_pass_run(struct wg_pass *p, struct wg_strbuf *said, struct wg_strbuf *dependencies) {
    struct wg_process process;
    int status = wg_pass_start(p, &process);
    return wg_pass_report(p, &process, status, said, dependencies);
}

int wg_pass_source(struct wg_pass *p, const struct wg_source *s, struct wg_strbuf *dependencies) {
    struct wg_strbuf said = {0};
    wg_args_add(&p->a, s->path);
    if (s->object) wg_args_add(&p->a, "-o"), wg_args_add(&p->a, s->object);
    int status = wg_pass_run(p, &said, dependencies);
    wg_pass_end(p);
    wg_strbuf_free(&said);
    return status;
}
