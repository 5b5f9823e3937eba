/* See side.h. */
#include "cli/side.h"
#include "cli/obtain.h"
#include "cli/say.h"
#include "report/names.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_csv(const char *file) {
    size_t n = strlen(file);
    return n > 4 && !strcmp(file + n - 4, ".csv");
}

/* ---- Which sides there are --------------------------------------------------------------------------------
 */

static void add(struct wg_sides *s, const char *file, const struct wg_item *options) {
    struct wg_side side = {.file = file};
    if (options) side.options = options->value, side.spelling = options->spelling;
    *WG_PUSH(&s->all) = side;
}

static const struct wg_item *last(const struct wg_cmdline *c, enum wg_option option) {
    const struct wg_item *found = NULL;
    for (uint32_t i = 0; i < c->items.n; i++)
        if (c->items.v[i].option == option) found = &c->items.v[i];
    return found;
}

static uint32_t count(const struct wg_cmdline *c, enum wg_option option) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->items.n; i++) n += c->items.v[i].option == option;
    return n;
}

/* One program by each --variant; beside a single one it stands as it is. */
static void add_variants(const struct wg_cmdline *c, struct wg_sides *s, const char *file) {
    if (count(c, WG_CLI_VARIANT) == 1) add(s, file, NULL);
    for (uint32_t i = 0; i < c->items.n; i++)
        if (c->items.v[i].option == WG_CLI_VARIANT) add(s, file, &c->items.v[i]);
}

static bool read_options(struct wg_side *side) {
    struct wg_strbuf why = {0};
    if (!side->options) return true;
    if (is_csv(side->file) || wg_obtain_is_report(side->file)) {
        wg_say("%s: options are for programs that are run, and %s is a measurement", side->spelling,
               side->file);
        return false;
    }
    wg_args_add(&side->words, "warpglass");
    wg_args_add(&side->words, "run");
    wg_args_add_words(&side->words, side->options, " \t\r\n");
    bool good = wg_cmdline_parse(&side->own, side->words.v, &why);
    for (uint32_t i = 0; good && i < side->own.items.n; i++)
        if (side->own.items.v[i].option == WG_CLI_FILE) {
            wg_strbuf_printf(&why, "'%s' is not an option", side->own.items.v[i].value);
            good = false;
        }
    if (!good) wg_say("%s \"%s\": %s", side->spelling, side->options, why.s);
    wg_strbuf_free(&why);
    return good;
}

static bool read_all_options(struct wg_sides *s) {
    for (uint32_t i = 0; i < s->all.n; i++)
        if (!read_options(&s->all.v[i])) return false;
    return true;
}

bool wg_sides_of(const struct wg_cmdline *c, struct wg_sides *s) {
    const struct wg_item *before = last(c, WG_CLI_BEFORE_OPTS), *after = last(c, WG_CLI_AFTER_OPTS);
    const char *file[2] = {NULL, NULL};
    uint32_t files = 0, variants = count(c, WG_CLI_VARIANT);
    for (uint32_t i = 0; i < c->items.n; i++)
        if (c->items.v[i].option == WG_CLI_FILE && files++ < 2) file[files - 1] = c->items.v[i].value;
    bool pair = before || after;
    if (variants && (pair || files != 1)) {
        wg_say("--variant: it takes one program, without --before-opts and --after-opts");
        return false;
    }
    if (pair && files != 1 && files != 2) {
        wg_say("%s: it takes one program, or two", before ? "--before-opts" : "--after-opts");
        return false;
    }
    if (variants) {
        add_variants(c, s, file[0]);
    } else if (pair) {
        add(s, file[0], before);
        add(s, file[files - 1], after);
    } else {
        for (uint32_t i = 0; i < c->items.n; i++)
            if (c->items.v[i].option == WG_CLI_FILE) add(s, c->items.v[i].value, NULL);
    }
    return read_all_options(s);
}

/* ---- Running one ------------------------------------------------------------------------------------------
 */

/* Options reach a program through the environment too (run.c), and are not for the next one. */
static char **environment_now(void) {
    size_t n = 0;
    while (environ[n]) n++;
    char **kept = wg_xcalloc(n + 1, sizeof *kept);
    for (size_t i = 0; i < n; i++) kept[i] = strdup(environ[i]);
    return kept;
}

static void environment_back(char **kept) {
    clearenv();
    for (size_t i = 0; kept[i]; i++) {
        char *equals = strchr(kept[i], '=');
        if (equals) *equals = 0, setenv(kept[i], equals + 1, 1);
        free(kept[i]);
    }
    free(kept);
}

/* Its options stand behind the others, where they count. */
static struct wg_profile *obtain(const struct wg_cmdline *c, struct wg_arena *arena,
                                 const struct wg_side *side, int *status) {
    const struct wg_cmdline *own = &side->own;
    struct wg_cmdline all = {.command = c->command, .program_args = c->program_args};
    for (uint32_t i = 0; i < c->items.n; i++) *WG_PUSH(&all.items) = c->items.v[i];
    for (uint32_t i = 0; i < own->items.n; i++) *WG_PUSH(&all.items) = own->items.v[i];
    if (own->program_args && *own->program_args) all.program_args = own->program_args;
    char **environment = environment_now();
    struct wg_processes several;
    struct wg_profile *r = wg_obtain(arena, &all, side->file, status, &several);
    if (several.n > 1)
        wg_say("%s: %u of its processes used a device, and one can be compared: leave their reports with "
               "\"warpglass profile "
               "--results DIR\"",
               side->file, several.n);
    environment_back(environment);
    free(all.items.v);
    return r;
}

int wg_side_measure(const struct wg_cmdline *c, struct wg_arena *arena, const struct wg_choice *choice,
                    struct wg_side *side) {
    const char *name =
        side->options ? wg_arena_printf(arena, "%s %s", side->file, side->options) : side->file;
    struct wg_strbuf why = {0};
    struct wg_summaries s = {0};
    int status = 0;
    bool good;
    if (is_csv(side->file)) {
        good = wg_measured_read_csv(arena, side->file, choice, &side->measured, &why);
    } else {
        struct wg_profile *r = obtain(c, arena, side, &status);
        if (!r || status) return status ? status : 1;
        good = wg_summarise(arena, r, choice, &s, &why);
        /* A kernel that is new, or gone, is missing in some of a trend's reports. */
        bool gap = c->command == WG_CMD_TREND && r->kernel_count;
        if (good && !s.n && !gap) {
            wg_strbuf_printf(&why, "%s: %s", name,
                             r->kernel_count ? "--kernel and --launches select no launch"
                                             : "it launched no kernel");
            good = false;
        }
        if (good) {
            wg_sources_init(&side->sources, arena, r);
            wg_name_memory(arena, r, &side->sources);
            wg_measured_of(arena, &s, name, &side->measured);
        }
    }
    if (!good) wg_say("%s", why.s);
    wg_strbuf_free(&why);
    return good ? 0 : 1;
}

void wg_sides_free(struct wg_sides *s) {
    for (uint32_t i = 0; i < s->all.n; i++) {
        wg_measured_free(&s->all.v[i].measured);
        wg_cmdline_free(&s->all.v[i].own);
        wg_args_free(&s->all.v[i].words);
    }
    free(s->all.v);
}
