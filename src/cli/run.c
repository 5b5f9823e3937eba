/* `warpglass run`: source is compiled or taken from the cache (programs.h), then the program runs in a
 * process of its own, with Warpglass's libraries inside it. What --arch, --threads and the like say reaches
 * those libraries through the environment. */
#include "analysis/plan.h"
#include "base/cache_dir.h"
#include "cli/commands.h"
#include "cli/compile.h"
#include "cli/executable.h"
#include "cli/layout.h"
#include "cli/libraries.h"
#include "cli/programs.h"
#include "cli/ranks.h"
#include "cli/say.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Options of the machine ------------------------------------------------------------------------------
 */

static bool number(const char *text, double least, double most, double *out) {
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && *out >= least && *out <= most;
}

static bool check_dump(const char *list) {
    static const char *const names[] = {
#define DUMP(name, help) name,
#include "cli/options.def"
        NULL};
    while (*list) {
        size_t n = strcspn(list, ","), i = 0;
        while (names[i] && (strlen(names[i]) != n || strncmp(names[i], list, n) != 0)) i++;
        if (!names[i]) {
            wg_say("--dump %.*s: expected a comma-separated list of ptx, ir, plan, llvm and asm", (int)n,
                   list);
            return false;
        }
        list += n;
        if (*list == ',') list++;
    }
    return true;
}

static bool check_opt(const char *list) {
    uint32_t level;
    uint64_t off = 0;
    const char *expected = wg_forms_parse(list, &level, &off);
    if (expected) wg_say("--opt %s: expected %s", list, expected);
    return !expected;
}

static bool is_schedule(const char *order) {
    size_t n = strcspn(order, ",");
    if (order[n] && strcmp(order + n, ",lanes") != 0) return false;
    if (strncmp(order, "random:", 7) != 0) return n == 7 && !strncmp(order, "reverse", n);
    return n > 7 && n <= 7 + 20 && strspn(order + 7, "0123456789") == n - 7;
}

static bool set_verify(const struct wg_cmdline *c) {
    const char *blocks = wg_cmdline_value(c, WG_CLI_VERIFY);
    double n;
    if (blocks && (!number(blocks, 1, 1e6, &n) || strspn(blocks, "0123456789") != strlen(blocks))) {
        wg_say("--verify=%s: expected a number of blocks from 1 to 1000000, or nothing for all", blocks);
        return false;
    }
    if (wg_cmdline_has(c, WG_CLI_VERIFY)) setenv("WARPGLASS_VERIFY", blocks ? blocks : "all", 1);
    return true;
}

static bool set_devices(const struct wg_cmdline *c) {
    const char *devices = wg_cmdline_value(c, WG_CLI_DEVICES), *arch = wg_cmdline_value(c, WG_CLI_ARCH);
    if (!devices) return true;
    if (!wg_job_devices(devices, arch, NULL)) return false;
    setenv("WARPGLASS_DEVICES", devices, 1);
    return true;
}

/* Checks the options of the machine and puts them into the environment. 0 or an exit status. */
static int set_machine(const struct wg_cmdline *c, double *timeout) {
    const char *threads = wg_cmdline_value(c, WG_CLI_THREADS), *seconds = wg_cmdline_value(c, WG_CLI_TIMEOUT);
    const char *opt = wg_cmdline_value(c, WG_CLI_OPT), *schedule = wg_cmdline_value(c, WG_CLI_SCHEDULE);
    const char *dump = wg_cmdline_value(c, WG_CLI_DUMP), *arch = wg_cmdline_value(c, WG_CLI_ARCH);
    double n;
    if (threads && (!number(threads, 1, 4096, &n) || strspn(threads, "0123456789") != strlen(threads))) {
        wg_say("--threads %s: expected a whole number from 1 to 4096", threads);
        return 2;
    }
    if (seconds && !number(seconds, 0.001, 1e9, timeout)) {
        wg_say("--timeout %s: expected a number of seconds, such as 10 or 0.5", seconds);
        return 2;
    }
    if (dump && !check_dump(dump)) return 2;
    if (wg_cmdline_has(c, WG_CLI_STRICT)) setenv("WARPGLASS_STRICT", "1", 1);
    if (wg_cmdline_has(c, WG_CLI_DETERMINISTIC)) setenv("WARPGLASS_DETERMINISTIC", "1", 1);
    if (!set_verify(c)) return 2;
    if (schedule && !is_schedule(schedule)) {
        wg_say("--schedule %s: expected reverse or random:SEED, such as random:1, perhaps followed by ,lanes",
               schedule);
        return 2;
    }
    if (schedule) setenv("WARPGLASS_SCHEDULE", schedule, 1);
    if (opt && !check_opt(opt)) return 2;
    if (arch && !wg_job_chip(arch)) return 2;
    if (!set_devices(c)) return 2;
    if (threads) setenv("WARPGLASS_THREADS", threads, 1);
    if (dump) setenv("WARPGLASS_DUMP", dump, 1);
    if (opt) setenv("WARPGLASS_OPT", opt, 1);
    if (arch && !wg_job_any_chip(arch)) setenv("WARPGLASS_ARCH", arch, 1);
    if (wg_say_is_verbose()) setenv("WARPGLASS_VERBOSE", "1", 1);
    return 0;
}

/* Programs of nvcc's carry no path of the libraries. */
static void set_library_path(void) {
    const char *before = getenv("LD_LIBRARY_PATH");
    struct wg_strbuf path = {0};
    wg_strbuf_puts(&path, wg_layout_libraries());
    if (before && *before) wg_strbuf_printf(&path, ":%s", before);
    setenv("LD_LIBRARY_PATH", path.s, 1);
    wg_strbuf_free(&path);
}

/* A rank's program may ask MPI whether it takes pointers to device memory, and what it does in MPI may be looked at (mpi/). */
static void look_for_mpi(void *needs, const char *library) {
    if (!strncmp(library, "libmpi", 6)) *(bool *)needs = true; /* libmpi.so.40, libmpich.so.12 */
}

static void set_mpi(const char *path) {
    const char *before = getenv("LD_PRELOAD");
    struct wg_strbuf list = {0};
    bool needs = wg_ranks_of_process().launcher != NULL; /* that of a script, too */
    wg_executable_libraries(path, look_for_mpi, &needs);
    if (!needs) return;
    wg_strbuf_printf(&list, "%s/libwarpglass-mpi.so", wg_layout_libraries());
    if (access(list.s, R_OK) == 0) {
        if (getenv("WARPGLASS_MPI_EVENTS"))
            wg_strbuf_printf(&list, ":%s/libwarpglass-mpi-calls.so", wg_layout_libraries());
        if (before && *before) wg_strbuf_printf(&list, ":%s", before);
        setenv("LD_PRELOAD", list.s, 1);
    }
    wg_strbuf_free(&list);
}

/* ---- The program -----------------------------------------------------------------------------------------
 */

static void say_how_it_ended(const struct wg_process *p, const char *name) {
    if (p->timed_out)
        wg_say("%s: stopped after %g seconds (--timeout)", name, p->timeout);
    else if (p->start_error == EACCES)
        wg_say("%s: this file is not executable; use chmod +x", name);
    else if (p->start_error == ENOEXEC)
        wg_say("%s: this machine cannot run it", name);
    else if (p->start_error)
        wg_say("%s: %s", name, strerror(p->start_error));
    else if (p->signal && p->signal != SIGPIPE && !wg_process_ending_signal()) /* shells are silent, too */
        wg_say("%s: terminated by signal %d (%s)", name, p->signal, strsignal(p->signal));
}

/* What its processes left behind of how launches compared wins over its own status. */
static int with_verdict(int status, const char *path, const char *name) {
    struct wg_strbuf text = {0};
    bool told = wg_file_read(path, &text);
    if (!told && status < WG_STATUS_CANNOT_RUN)
        wg_say("%s made no CUDA call that reached Warpglass, so nothing was compared", name);
    if (told && text.s && strstr(text.s, "differs")) status = WG_STATUS_DIFFERS;
    wg_strbuf_free(&text);
    return status;
}

/* `path` is the file that runs, `name` what the program sees as its name. */
static int start(const struct wg_cmdline *c, const char *path, const char *name, double timeout) {
    struct wg_args a = {0};
    wg_args_add(&a, name);
    for (char **arg = c->program_args; *arg; arg++) wg_args_add(&a, *arg);
    struct wg_process p = {.argv = a.v, .path = path, .timeout = timeout, .is_users = true};
    set_library_path();
    set_mpi(path);
    if (wg_cache_is_refused()) setenv("WARPGLASS_CACHE_DIR", "none", 1); /* it was said why */
    const char *scratch = wg_cmdline_has(c, WG_CLI_VERIFY) ? wg_layout_scratch() : NULL;
    struct wg_strbuf verdict = {0};
    if (scratch) {
        wg_strbuf_printf(&verdict, "%s/verdict", scratch);
        unlink(verdict.s);
        setenv("WARPGLASS_VERIFY_FILE", verdict.s, 1);
    }
    int status = wg_process_run(&p);
    say_how_it_ended(&p, name);
    if (scratch) status = with_verdict(status, verdict.s, name);
    wg_strbuf_free(&verdict);
    wg_args_free(&a);
    return status;
}

/* What the program would be called beside its source: dir/saxpy.cu -> dir/saxpy. */
static char *program_name(const char *source) {
    const char *dot = strrchr(source, '.'), *slash = strrchr(source, '/');
    struct wg_strbuf name = {0};
    wg_strbuf_add(&name, source,
                  dot && dot > source && (!slash || dot > slash + 1) ? (size_t)(dot - source)
                                                                     : strlen(source));
    return name.s;
}

static int run_sources(const struct wg_cmdline *c, double timeout) {
    struct wg_job job = {0};
    struct wg_strbuf program = {0}, dependencies = {0};
    struct wg_program_key key;
    const char *scratch = wg_layout_scratch();
    if (!scratch) return 1;
    wg_process_limit(timeout); /* the program has as long again */
    int status = wg_job_plan(&job, c, scratch);
    if (!status && !wg_toolchain_find(&job.tools, job.tools.compiler)) status = 1;
    if (!status) {
        wg_programs_key(&job, scratch, &key);
        if (!wg_programs_look(&key, &program)) {
            wg_strbuf_printf(&program, "%s/program", scratch);
            status = wg_compile(&job, scratch, program.s, &dependencies);
            if (!status) wg_programs_keep(&key, &job, program.s, &dependencies);
        }
    }
    wg_process_limit(0);
    const char *first = job.sources.n ? job.sources.v[0].path : job.link.n ? job.link.v[0] : "";
    if (!status) {
        char *name = program_name(first);
        status = start(c, program.s, name, timeout);
        free(name);
    } else if (wg_process_out_of_time()) {
        wg_say("%s: stopped after %g seconds (--timeout), while it was being compiled", first, timeout);
        status = WG_STATUS_TIMEOUT;
    }
    wg_strbuf_free(&program);
    wg_strbuf_free(&dependencies);
    wg_job_free(&job);
    return status;
}

/* Begins like a program, or like a script that names its interpreter. Only the system knows whether it runs.
 */
static bool looks_like_program(const char *path) {
    char begin[4] = {0};
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(begin, 1, sizeof begin, f) : 0;
    if (f) fclose(f);
    return (n == 4 && !memcmp(begin,
                              "\x7f"
                              "ELF",
                              4)) ||
           (n >= 2 && !memcmp(begin, "#!", 2));
}

static void say_no_program(const char *path) {
    const char *end = strrchr(path, '.');
    if (end && !strcmp(end, ".py"))
        wg_say("%s: this is a Python script, so the program to run is its interpreter: warpglass run "
               "\"$(command -v python3)\" -- %s",
               path, path);
    else
        wg_say("%s: this is not a program. CUDA source has names that end in .cu; \"warpglass run -x cu "
               "%s\" compiles this file as CUDA source",
               path, path);
}

static int run_program(const struct wg_cmdline *c, const char *path, double timeout) {
    if (!wg_job_check_input(path)) return 1;
    if (!looks_like_program(path)) {
        say_no_program(path);
        return 126;
    }
    if (wg_executable_is_cut_short(path)) {
        wg_say("%s: the end of this executable is missing: perhaps copying or linking it was cut short",
               path);
        return 126;
    }
    /* A name without a folder would be looked for in PATH. */
    struct wg_strbuf here = {0};
    if (!strchr(path, '/')) wg_strbuf_puts(&here, "./");
    wg_strbuf_puts(&here, path);
    if (wg_executable_has_static_runtime(here.s))
        wg_say("note: %s is linked with NVIDIA's static CUDA runtime, which finds no device here. Build the "
               "program with nvcc -cudart shared, or with NVCC_APPEND_FLAGS=\"-cudart shared\" set",
               path);
    wg_executable_libraries(here.s, wg_libraries_needed, (void *)path);
    int status = start(c, here.s, path, timeout);
    wg_strbuf_free(&here);
    return status;
}

/* What the program was to be given rather than a source: no such file, and no name of one. */
static const char *misplaced_argument(const struct wg_cmdline *c, const char *first) {
    for (uint32_t i = 0; i < c->items.n; i++) {
        const char *file = c->items.v[i].value;
        if (c->items.v[i].option == WG_CLI_FILE && file != first && access(file, F_OK) != 0 &&
            wg_job_language(file) == WG_LANGUAGE_BY_NAME)
            return file;
    }
    return NULL;
}

int wg_command_run(const struct wg_cmdline *c) {
    const char *first = NULL, *argument;
    int files = 0;
    double timeout = 0;
    for (uint32_t i = 0; i < c->items.n; i++)
        if (c->items.v[i].option == WG_CLI_FILE && !files++) first = c->items.v[i].value;
    int status = set_machine(c, &timeout);
    if (status) return status;
    if (!first) {
        wg_say("which program? \"warpglass %s FILE.cu\"", wg_command_name(c->command));
        return 2;
    }
    size_t n = strlen(first);
    bool program = wg_job_language(first) == WG_LANGUAGE_BY_NAME && !wg_cmdline_has(c, WG_CLI_LANGUAGE) &&
                   !(n > 4 && !strcmp(first + n - 4, ".ptx"));
    if (!program && (argument = misplaced_argument(c, first))) {
        wg_say("%s: no such file. The program's arguments go after '--': \"warpglass %s %s -- %s\"", argument,
               wg_command_name(c->command), first, argument);
        return 1;
    }
    if (!program) return run_sources(c, timeout);
    if (files > 1) {
        wg_say("%s is a program, and its arguments go after '--': \"warpglass %s %s -- ...\"", first,
               wg_command_name(c->command), first);
        return 2;
    }
    return run_program(c, first, timeout);
}
