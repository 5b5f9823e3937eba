/* `warpglass merge`: the JSON reports of a job's ranks as one, of which the first is that of rank 0; or what the ranks of a job
 * have left that was killed. */
#include "cli/commands.h"
#include "cli/layout.h"
#include "cli/obtain.h"
#include "cli/rank_folder.h"
#include "cli/say.h"

#include <stdlib.h>
#include <sys/stat.h>

static int show(const struct wg_cmdline *c, const struct wg_merge *m) {
    if (m->missing < m->n) return wg_merge_show(c, m, NULL);
    for (uint32_t i = 0; i < m->n; i++) wg_say("rank %u: %s", i, m->ranks[i].missing);
    return 1;
}

static int of_files(const struct wg_cmdline *c, uint32_t files) {
    struct wg_merge m;
    uint32_t rank = 0;
    wg_merge_begin(&m, files);
    for (uint32_t i = 0; i < c->items.n; i++)
        if (c->items.v[i].option == WG_CLI_FILE) wg_merge_add(&m, rank++, c->items.v[i].value);
    wg_merge_match(&m);
    int status = show(c, &m);
    wg_merge_free(&m);
    return status;
}

/* The ranks' reports are made with the options that the ranks were given. */
static int of_folder(const struct wg_cmdline *c, const char *folder) {
    struct wg_arena a = {0};
    struct wg_args words = {0};
    struct wg_strbuf why = {0};
    struct wg_rank_folder f;
    struct wg_cmdline ranks = {0};
    struct wg_merge m;
    int status = 1;
    bool good = wg_rank_folder_open(&a, folder, &f, &words, &why) && wg_cmdline_parse(&ranks, words.v, &why);
    if (!good) {
        wg_say("%s", why.s);
    } else if (ranks.command != WG_CMD_PROFILE && ranks.command != WG_CMD_CHECK) {
        wg_say("%s/command: what the ranks ran is neither profile nor check", f.path);
    } else if ((f.scratch = wg_layout_scratch())) {
        f.c = &ranks;
        f.command = ranks.command == WG_CMD_PROFILE ? wg_command_profile : wg_command_check;
        wg_rank_folder_merge(&f, &m, WG_NEW_N(&a, const char *, f.size));
        status = show(c, &m);
        wg_merge_free(&m);
    }
    wg_cmdline_free(&ranks);
    wg_strbuf_free(&why);
    wg_args_free(&words);
    wg_arena_free(&a);
    return status;
}

int wg_command_merge(const struct wg_cmdline *c) {
    uint32_t files = 0;
    const char *one = wg_obtain_single(c, &files);
    struct stat st;
    if (!files) {
        wg_say("which reports? \"warpglass merge rank0.json rank1.json\"");
        return 2;
    }
    if (!wg_obtain_check_files(c)) return 2;
    if (!wg_obtain_may_write(c)) return 1;
    return one && stat(one, &st) == 0 && S_ISDIR(st.st_mode) ? of_folder(c, one) : of_files(c, files);
}
