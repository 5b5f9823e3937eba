/* Builtins that an architecture lacks: see too_old.h. */
#include "cli/too_old.h"
#include "base/strbuf.h"
#include "cli/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char said[] = " needs target feature ";
static const char name[] = "(sm_";

/* Where the list of architectures begins in the line at `text`. One that begins with sm_90a is of no newer ones. */
static const char *find_list(const char *text) {
    const char *at = memmem(text, strcspn(text, "\n"), said, strlen(said));
    if (!at || strncmp(at + strlen(said), name, strlen(name)) != 0) return NULL;
    at += strlen(said);
    return strchr("|)", at[strlen(name) + strspn(at + strlen(name), "0123456789")]) ? at : NULL;
}

bool wg_too_old_is(const char *text) { return find_list(text) != NULL; }

void wg_too_old_print(struct wg_too_old *all, const char *text, size_t length) {
    const char *list = find_list(text);
    if (!list) { /* the lines before it: "In file included from" */
        if (!all->count) fprintf(stderr, "%.*s", (int)length, text);
        return;
    }
    unsigned long needs = strtoul(list + strlen(name), NULL, 10);
    if (needs > all->needs) all->needs = needs;
    if (!all->count++) fprintf(stderr, "%.*ssm_%lu\n", (int)(list - text), text, needs);
}

void wg_too_old_explain(const struct wg_too_old *all) {
    if (all->count == 0) return;
    struct wg_strbuf what = {0};
    if (all->count > 1)
        wg_strbuf_printf(&what, "this and %u more like it need", all->count - 1);
    else
        wg_strbuf_puts(&what, "this needs");
    wg_say("note: %s compute capability %lu.%lu or newer: compile with -arch=sm_%lu", what.s, all->needs / 10,
           all->needs % 10, all->needs);
    wg_strbuf_free(&what);
}
