/* Other programs: started without a shell, waited for, and never left running.
 *
 *     struct wg_args a = {0};
 *     wg_args_add(&a, "clang++-19"), wg_args_addf(&a, "-I%s", dir);
 *     struct wg_process p = {.argv = a.v, .stderr_path = "messages"};
 *     int status = wg_process_run(&p);     0..255 as a shell has it, 128 + N for signal N
 */
#ifndef WG_CLI_PROCESS_H
#define WG_CLI_PROCESS_H
#include "base/arena.h"
#include "base/strbuf.h"

/* A vector of words that ends with NULL whenever somebody looks. The words are its own. */
struct wg_args {
    char **v;
    size_t n, cap;
};
void wg_args_add(struct wg_args *a, const char *word);
void wg_args_addf(struct wg_args *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void wg_args_append(struct wg_args *a, const struct wg_args *more);
/* The parts of "a,b,c". */
void wg_args_add_list(struct wg_args *a, const char *list);
/* The parts of `text` between characters of `separators`; quotes and backslashes guard, as in a shell. */
void wg_args_add_words(struct wg_args *a, const char *text, const char *separators);
void wg_args_free(struct wg_args *a);

struct wg_process {
    char **argv;
    const char *path;        /* the program's file; NULL: argv[0], looked for in PATH unless it has a slash */
    const char *stdout_path; /* where output goes; NULL: where this command's own goes */
    const char *stderr_path;
    double timeout; /* seconds; 0: none */
    bool
        is_users; /* gets SIGQUIT as it is; clang would tell of a fault of its own, for seconds, and gets SIGTERM */
    /* Set by wg_process_run. */
    bool timed_out;
    int signal;      /* that ended it, or 0 */
    int start_error; /* errno when it could not be started, with status 126 or 127 */
};
enum {
    WG_STATUS_FOUND = 3,   /* check */
    WG_STATUS_DIFFERS = 4, /* --verify */
    WG_STATUS_TIMEOUT = 124,
    WG_STATUS_CANNOT_RUN = 126,
    WG_STATUS_NOT_FOUND = 127,
    WG_STATUS_SIGNAL = 128
};

/* How a command is shown that runs with --verbose: "warpglass: run clang ..." unless this is called, "#$ clang ..." after
 * wg_process_show_as("#$"). */
void wg_process_show_as(const char *beginning);
/* Adds the word in quotes, for a shell. */
void wg_process_add_quoted(struct wg_strbuf *out, const char *word);
/* Adds the words as a shell reads them, each with a blank before it. */
void wg_process_add_words(struct wg_strbuf *line, char **words);

/* -dryrun: from now on every command is shown, and not run; each counts as a success that wrote nothing. */
void wg_process_only_show(void);
bool wg_process_is_only_shown(void);
/* Then also shows what this command would do by itself between two others, as a shell's line; otherwise nothing. */
void wg_process_show_step(char **words, const char *redirection);

/* Runs it to its end. Ctrl-C is the child's to act on; SIGTERM and SIGHUP are handed on to it. At the timeout
 * the child is interrupted, so that it can say where it was, and killed when that does not end it soon. */
int wg_process_run(struct wg_process *p);
/* All that is run from now on, together, unless it has a timeout of its own; 0: without limit again. */
void wg_process_limit(double seconds);
/* Whether something was ended for that. */
bool wg_process_out_of_time(void);
/* The last signal that asked this command to end (SIGINT after Ctrl-C), or 0: look here between two steps. */
int wg_process_ending_signal(void);
/* From another thread: sends a signal to what runs now, if something does, and to what that has started. */
void wg_process_end_child(int sig);
#endif
