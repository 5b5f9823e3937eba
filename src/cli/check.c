/* `warpglass check`: runs a program with its kernels' accesses and barriers looked at, then shows what was
 * found: on standard output for a person, and in the files that --json, --sarif and --junit name. Lists and
 * patterns are read before the program runs, so that a mistyped one costs nothing. */
#include "base/suggestion.h"
#include "cli/commands.h"
#include "cli/job.h"
#include "cli/layout.h"
#include "cli/obtain.h"
#include "cli/process.h"
#include "cli/say.h"
#include "cli/schedules.h"
#include "cli/symbols.h"
#include "cli/terminal.h"
#include "report/annotation.h"
#include "report/findings_text.h"
#include "report/gcc_lines.h"
#include "report/source_root.h"
#include "report/write_findings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct checking {
    const struct wg_cmdline *c;
    struct wg_arena arena;
    struct wg_suppressions suppressions;
    struct wg_findings_choice choice;
    struct wg_findings_file *file;
    struct wg_processes several; /* that left findings */
    struct wg_sources sources;
    const char *root; /* where names in files start; NULL: as the compiler has them */
    uint32_t most, schedules;
    bool gcc; /* lines for an editor, in place of the text */
};

/* ---- The command line -------------------------------------------------------------------------------------
 */

/* A kind of finding belongs to a check; a mistyped word is near one. */
static void say_no_check(const char *word) {
    const char *names[WG_CHECKS + 1] = {0};
    for (int c = 0; c < WG_CHECKS; c++) names[c] = wg_check_name(c);
    for (int k = 0; k < WG_FINDING_KINDS; k++) {
        const struct wg_finding_info *i = wg_finding_info(k);
        if (!strcmp(word, i->name)) {
            if (i->check == WG_CHECK_kernel)
                wg_say("--only %s: that is a kind of finding, which is always reported", word);
            else
                wg_say("--only %s: that is a kind of finding; the check that finds it is '%s'", word,
                       wg_check_name(i->check));
            return;
        }
    }
    const char *meant = wg_suggestion(word, names);
    if (meant)
        wg_say("--only %s: unknown check: did you mean '%s'?", word, meant);
    else
        wg_say("--only %s: expected a comma-separated list of memory, race, init and barrier", word);
}

static bool check_only(struct checking *k, const char *list) {
    while (*list) {
        size_t n = strcspn(list, ",");
        const char *word = wg_arena_strndup(&k->arena, list, n);
        int c = 0;
        while (c < WG_CHECKS && strcmp(word, wg_check_name(c)) != 0) c++;
        if (c == WG_CHECKS) {
            say_no_check(word);
            return false;
        }
        list += n;
        if (*list == ',' && !*++list) {
            wg_say("--only: a check is missing after the last comma");
            return false;
        }
    }
    return true;
}

/* What an option asks for is one check's affair. */
static bool is_on(const char *only, enum wg_check_id check, const char *option, const char *what) {
    if (!only || strstr(only, wg_check_name(check))) return true;
    wg_say("%s: the check that finds %s is '%s', which --only %s leaves out", option, what,
           wg_check_name(check), only);
    return false;
}

static bool read_most(struct checking *k) {
    const char *text = wg_cmdline_value(k->c, WG_CLI_MAX_FINDINGS);
    k->most = UINT32_MAX;
    if (!text) return true;
    unsigned long n = strtoul(text, NULL, 10);
    if (strspn(text, "0123456789") != strlen(text) || n >= UINT32_MAX) {
        wg_say("--max-findings %s: expected a whole number", text);
        return false;
    }
    k->most = (uint32_t)n;
    return true;
}

static bool read_suppressions(struct checking *k) {
    struct wg_strbuf why = {0};
    bool good = true;
    for (uint32_t i = 0; good && i < k->c->items.n; i++)
        if (k->c->items.v[i].option == WG_CLI_SUPPRESS)
            good = wg_suppressions_read(&k->arena, &k->suppressions, k->c->items.v[i].value, &why);
    if (!good) wg_say("--suppress: %s", why.s);
    wg_strbuf_free(&why);
    return good;
}

/* Also tried on nothing, so that a wrong expression is known before the program runs. */
static bool choose(struct checking *k, struct wg_findings_file *file) {
    struct wg_strbuf why = {0};
    bool good = wg_findings_choose(file, &k->choice, &why);
    if (!good) wg_say("--kernel: %s", why.s);
    wg_strbuf_free(&why);
    return good;
}

static bool read_options(struct checking *k) {
    const char *only = wg_cmdline_value(k->c, WG_CLI_ONLY);
    struct wg_findings_file none = {.arena = &k->arena};
    k->choice.kernel = wg_cmdline_value(k->c, WG_CLI_KERNEL);
    k->choice.leaks = wg_cmdline_has(k->c, WG_CLI_LEAKS);
    if (only && !check_only(k, only)) return false;
    if (k->choice.leaks && !is_on(only, WG_CHECK_memory, "--leaks", "leaks")) return false;
    if (wg_cmdline_has(k->c, WG_CLI_STRICT_INIT) &&
        !is_on(only, WG_CHECK_init, "--strict-init", "reads of memory that was never written"))
        return false;
    return wg_schedules_read(k->c, &k->schedules) && read_most(k) && choose(k, &none) && read_suppressions(k);
}

/* ---- The program ------------------------------------------------------------------------------------------
 */

/* Whether a source asks for memory that host and device share: then its own accesses are looked at, too,
 * which costs it some speed. */
static bool shares_memory(struct checking *k, const char *file) {
    static const char *const words[] = {"Managed",   "__managed__",  "MallocHost",     "HostAlloc",
                                        "AllocHost", "HostRegister", "LaunchHostFunc", "AddCallback"};
    bool found = false;
    for (uint32_t i = 0; i < k->c->items.n && !found; i++) {
        const struct wg_item *item = &k->c->items.v[i];
        struct wg_strbuf text = {0};
        if (item->option != WG_CLI_FILE || (file && strcmp(item->value, file) != 0)) continue;
        if (wg_job_language(item->value) != WG_LANGUAGE_LINK && wg_file_read(item->value, &text) && text.s)
            for (size_t w = 0; w < sizeof words / sizeof *words; w++)
                found |= strstr(text.s, words[w]) != NULL;
        wg_strbuf_free(&text);
    }
    return found;
}

/* Lines of the host program; and a word that tells what is compiled for this apart from what is not, for the cache: device
 * code is made otherwise (jit/llvm/dialect.cc). */
#define CHECKED "-g1,-D__WARPGLASS_CHECK__"

static void read_file(struct checking *k, const char *path) {
    struct wg_strbuf why = {0};
    k->file = wg_findings_read(&k->arena, path, &why);
    if (!k->file) wg_say("%s", why.s);
    wg_strbuf_free(&why);
}

/* Of what the program left. Its status. */
static int look(struct checking *k, const char *file, const struct wg_item *first, int status) {
    status = wg_processes_look(&k->several, k->c, status);
    bool one = k->several.n == 1;
    if (one) read_file(k, k->several.file[0]);
    if (k->file && k->schedules && status != WG_STATUS_TIMEOUT)
        wg_schedules_try(k->c, file, first, k->schedules, k->file);
    if (!one && k->schedules)
        wg_say("--schedules: other orders were not tried, because not one process used a device");
    if (!k->several.n && !k->c->of_rank) wg_obtain_say_nothing(file, status, "nothing was checked");
    return !k->file && k->several.n < 2 && !status && !k->c->of_rank ? 1 : status;
}

/* Runs it. Its status; `file` stays NULL when it left nothing, which was said, or several processes left something. */
static int run(struct checking *k, const char *file) {
    /* Lines of the host program, too: where memory was made, and where a failed call stands. */
    static const struct wg_item lines = {WG_CLI_HOST_ARGS, "-Xcompiler", CHECKED};
    /* Of what is taken together into one load of more than 16 bytes nothing would be told. */
    static const struct wg_item and_accesses = {
        WG_CLI_HOST_ARGS, "-Xcompiler",
        CHECKED ",-fno-slp-vectorize,-fsanitize-coverage=func,-fsanitize-coverage=trace-loads,"
                "-fsanitize-coverage=trace-stores"};
    const char *only = wg_cmdline_value(k->c, WG_CLI_ONLY);
    if (k->c->left) {
        read_file(k, k->c->left);
        return k->file ? k->c->left_status : 1;
    }
    if (!wg_processes_begin(&k->arena, k->c, &k->several)) return 1;
    if (only) setenv("WARPGLASS_CHECK_ONLY", only, 1);
    if (k->choice.leaks) setenv("WARPGLASS_CHECK_LEAKS", "1", 1);
    if (wg_cmdline_has(k->c, WG_CLI_STRICT_INIT)) setenv("WARPGLASS_CHECK_STRICT_INIT", "1", 1);
    bool accesses = (!only || strstr(only, "race") || strstr(only, "init")) && shares_memory(k, file);
    const struct wg_item *first = accesses ? &and_accesses : &lines;
    if (k->schedules) wg_schedules_begin();
    setenv("WARPGLASS_AS_WRITTEN", "1", 1);
    int status = wg_obtain_result(k->c, file, first, "WARPGLASS_CHECK", k->several.folder);
    unsetenv("WARPGLASS_CHECK_ONLY");
    unsetenv("WARPGLASS_CHECK_LEAKS");
    unsetenv("WARPGLASS_CHECK_STRICT_INIT");
    return look(k, file, first, status);
}

/* ---- The report -------------------------------------------------------------------------------------------
 */

static bool write_files(struct checking *k, int status) {
    const char *json = wg_cmdline_value(k->c, WG_CLI_CHECK_JSON);
    const char *sarif = wg_cmdline_value(k->c, WG_CLI_CHECK_SARIF);
    const char *junit = wg_cmdline_value(k->c, WG_CLI_CHECK_JUNIT);
    struct wg_strbuf text = {0};
    bool good = true;
    wg_source_root_findings(k->root, k->file, &k->sources);
    if (json) {
        wg_findings_json(&text, k->file, &k->suppressions);
        good &= wg_obtain_write(json, &text);
    }
    if (sarif) {
        wg_findings_sarif(&text, k->file, k->root, status);
        good &= wg_obtain_write(sarif, &text);
    }
    if (junit) {
        wg_findings_junit(&text, k->file, &k->sources, status);
        good &= wg_obtain_write(junit, &text);
    }
    return good;
}

static bool show(struct checking *k, bool timed_out) {
    struct wg_strbuf text = {0};
    struct wg_findings_view v = {.width = wg_terminal_width(),
                                 .colour = wg_terminal_has_colour(),
                                 .plain = wg_terminal_is_plain(),
                                 .timed_out = timed_out,
                                 .most = k->most};
    if (k->gcc)
        wg_gcc_findings(&text, k->file);
    else
        wg_findings_text(&text, k->file, &k->suppressions, &k->sources, &v);
    bool good = wg_terminal_print(&text);
    wg_strbuf_free(&text);
    return good;
}

/* What was found wins over the program's status, which may well come of it; that time was up, or that a signal ended it,
 * has a status of its own. */
static int status_of(const struct checking *k, int status, bool shown) {
    bool differs = status == WG_STATUS_DIFFERS && wg_cmdline_has(k->c, WG_CLI_VERIFY);
    bool late = (status == WG_STATUS_TIMEOUT || status > WG_STATUS_SIGNAL) && wg_findings_late_alone(k->file);
    if (wg_findings_counting(k->file) && !differs && !late) return WG_STATUS_FOUND;
    return status ? status : !shown;
}

/* Where device code is not optimised as docs/check.md says, the report says how. */
static void name_level(struct checking *k) {
    const char *level = wg_cmdline_value(k->c, WG_CLI_OPTIMISE);
    struct wg_findings_file *f = k->file;
    if (!level) return;
    const char **notes = WG_NEW_N(&k->arena, const char *, f->note_count + 1);
    for (uint32_t i = 0; i < f->note_count; i++) notes[i] = f->notes[i];
    notes[f->note_count++] = wg_arena_printf(&k->arena, "device code was compiled with -O%s", level);
    f->notes = notes;
}

static int report(struct checking *k, const char *file, int status) {
    if (status != WG_STATUS_TIMEOUT) wg_findings_was_asked_to_end(k->file);
    if (!choose(k, k->file)) return 2;
    wg_findings_symbolise(k->file, wg_symbols_look, &k->arena);
    wg_suppressions_apply(&k->suppressions, k->file);
    wg_findings_by_cause(k->file);
    name_level(k);
    wg_sources_beside(&k->sources, &k->arena, file, k->file->program);
    k->sources.root = k->root;
    bool good = show(k, status == WG_STATUS_TIMEOUT);
    struct wg_strbuf annotations = {0};
    wg_annotate_findings(&annotations, k->root, k->file);
    wg_obtain_annotate(&annotations);
    good &= write_files(k, status);
    return status_of(k, status, good);
}

int wg_command_check(const struct wg_cmdline *c) {
    struct checking k = {.c = c};
    uint32_t files;
    const char *file = wg_obtain_single(c, &files);
    int status = 2;
    if (!files) {
        wg_say("which program? \"warpglass check FILE.cu\"");
    } else if (wg_obtain_check_files(c) && wg_obtain_root(c, &k.arena, &k.root) &&
               wg_obtain_format(c, &k.gcc) && read_options(&k)) {
        status = 1;
        if (wg_obtain_may_write(c)) status = run(&k, file);
        if (k.file) status = report(&k, file, status);
        if (k.several.n > 1) status = wg_processes_report(c, wg_command_check, &k.several, status);
    }
    wg_suppressions_free(&k.suppressions);
    wg_arena_free(&k.arena);
    return status;
}
