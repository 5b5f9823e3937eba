/* See make_rule.h. */
#include "cli/make_rule.h"
#include "cli/layout.h"
#include "cli/say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void wg_make_rule_quote(struct wg_strbuf *out, const char *name) {
    for (; *name; name++) {
        if (*name == ' ' || *name == '#') wg_strbuf_puts(out, "\\");
        if (*name == '$') wg_strbuf_puts(out, "$");
        wg_strbuf_add(out, name, 1);
    }
}

bool wg_make_rule_check(const struct wg_job *job) {
    bool wanted = job->rule.wanted;
    if (!wanted && (job->rule.file || job->rule.targets.n || job->rule.phony)) {
        wg_say("-MF, -MT, -MQ and -MP need -MD or -MMD, and neither is given");
        return false;
    }
    if (wanted && job->rule.file && job->sources.n > 1) {
        wg_say("-MF names one file, but there are %u sources", job->sources.n);
        return false;
    }
    return true;
}

/* Headers that were parsed before are no system's headers to clang. */
static bool is_wanted(const struct wg_job *job, const char *file, const struct wg_args *files) {
    struct wg_strbuf own = {0};
    wg_strbuf_printf(&own, "%s/include/", wg_layout_libraries());
    bool wanted = !job->rule.user_only || strncmp(file, own.s, own.n) != 0;
    wg_strbuf_free(&own);
    for (size_t i = 0; i < files->n && wanted; i++) wanted = strcmp(files->v[i], file) != 0;
    return wanted;
}

void wg_make_rule_read(char *text, struct wg_args *files) {
    char *at = strstr(text, ": ");
    if (!at) return;
    for (at++; *at;) {
        while (*at == ' ' || *at == '\t' || *at == '\n' || (*at == '\\' && at[1] == '\n')) at++;
        char *end = at;
        while (*end && *end != ' ' && *end != '\t' && *end != '\n')
            end += end[0] == '\\' && end[1] && end[1] != '\n' ? 2 : 1;
        if (end == at) break;
        bool more = *end != 0;
        *end = 0;
        wg_args_add(files, at);
        at = end + more;
    }
}

/* The files of a rule that the user's rule has, too. */
static void add_wanted(const struct wg_job *job, char *text, struct wg_args *files) {
    struct wg_args all = {0};
    wg_make_rule_read(text, &all);
    for (size_t i = 0; i < all.n; i++)
        if (is_wanted(job, all.v[i], files)) wg_args_add(files, all.v[i]);
    wg_args_free(&all);
}

/* Something of its own from each source: rules are for that, and not for the program. */
static bool makes_of_each(const struct wg_job *job) {
    return job->product == WG_PRODUCT_OBJECTS || job->product == WG_PRODUCT_PTX ||
           job->product == WG_PRODUCT_FAT_BINARY;
}

/* What is made if -o does not say it. To be freed. */
static char *product_name(const struct wg_job *job, const struct wg_source *s) {
    switch (job->product) {
    case WG_PRODUCT_PROGRAM:
    case WG_PRODUCT_LIBRARY: return wg_xstrdup(wg_job_program_name(job));
    case WG_PRODUCT_OBJECTS:
    case WG_PRODUCT_FAT_BINARY:
    case WG_PRODUCT_PTX: return wg_xstrdup(s->object);
    default: return wg_job_object_name(s->path, ".o");
    }
}

/* FOLDER/NAME.d beside the object; where there is none to keep, NAME.d here. */
static void name_rule(const struct wg_job *job, const struct wg_source *s, struct wg_strbuf *name) {
    bool beside = makes_of_each(job);
    const char *of = beside ? s->object : s->path, *slash = strrchr(of, '/');
    if (!beside && slash) of = slash + 1;
    slash = strrchr(of, '/');
    const char *dot = strrchr(slash ? slash : of, '.');
    wg_strbuf_add(name, of, dot ? (size_t)(dot - of) : strlen(of));
    wg_strbuf_puts(name, ".d");
}

static void print_rule(const struct wg_job *job, const struct wg_source *s, const struct wg_args *files,
                       struct wg_strbuf *out) {
    for (size_t i = 0; i < job->rule.targets.n; i++)
        wg_strbuf_printf(out, "%s%s", i ? " " : "", job->rule.targets.v[i]);
    char *name = product_name(job, s);
    if (!job->rule.targets.n) wg_make_rule_quote(out, name);
    free(name);
    wg_strbuf_puts(out, ": ");
    wg_make_rule_quote(out, s->path);
    struct wg_strbuf source = {0};
    wg_make_rule_quote(&source, s->path);
    for (size_t i = 0; i < files->n; i++)
        if (strcmp(files->v[i], source.s) != 0) wg_strbuf_printf(out, " \\\n  %s", files->v[i]);
    wg_strbuf_puts(out, "\n");
    for (size_t i = 0; i < files->n && job->rule.phony; i++)
        if (strcmp(files->v[i], source.s) != 0) wg_strbuf_printf(out, "\n%s:\n", files->v[i]);
    wg_strbuf_free(&source);
}

int wg_make_rule_write(const struct wg_job *job, const struct wg_source *s, const struct wg_strbuf *lists) {
    struct wg_args files = {0};
    for (const char *list = lists->s; list && *list; list += strlen(list) + 1) {
        struct wg_strbuf text = {0};
        if (wg_file_read(list, &text) && text.s) add_wanted(job, text.s, &files);
        wg_strbuf_free(&text);
    }
    struct wg_strbuf name = {0}, rule = {0};
    bool alone = job->product == WG_PRODUCT_RULE;
    if (job->rule.file)
        wg_strbuf_puts(&name, job->rule.file);
    else if (!alone)
        name_rule(job, s, &name);
    else if (job->output)
        wg_strbuf_puts(&name, job->output);
    print_rule(job, s, &files, &rule);
    bool good =
        name.s ? wg_file_write(name.s, rule.s, rule.n) : fputs(rule.s, stdout) >= 0 && !fflush(stdout);
    if (!good) wg_say("cannot write %s: %s", name.s ? name.s : "the rule", strerror(errno));
    wg_args_free(&files);
    wg_strbuf_free(&name);
    wg_strbuf_free(&rule);
    return good ? 0 : 1;
}
