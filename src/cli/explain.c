/* `warpglass explain`: what the words of reports mean. */
#include "report/explain.h"
#include "cli/commands.h"
#include "cli/say.h"
#include "cli/terminal.h"

int wg_command_explain(const struct wg_cmdline *c) {
    struct wg_strbuf text = {0};
    struct wg_arena arena = {0};
    struct wg_paint p = wg_terminal_paint(&text);
    bool good = true, any = false;
    for (uint32_t i = 0; i < c->items.n; i++) {
        const char *name = c->items.v[i].value;
        if (c->items.v[i].option != WG_CLI_FILE) continue;
        if (any) wg_paint(&p, WG_INK_PLAIN, "\n");
        any = true;
        if (wg_explain(&p, &arena, name)) continue;
        const char *near = wg_explain_near(&arena, name);
        wg_say("explain: unknown name '%s'%s%s%s", name,
               near ? ": did you mean '" : "; \"warpglass explain\" lists all", near ? near : "",
               near ? "'?" : "");
        good = false;
    }
    if (!any) wg_explain_list(&p);
    good &= wg_terminal_print(&text);
    wg_strbuf_free(&text);
    wg_arena_free(&arena);
    return good ? 0 : 2;
}
