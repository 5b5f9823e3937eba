/* One run of a compiler over one source, or of the linker: its words, what it said, and which files it read. */
#ifndef WG_CLI_PASS_H
#define WG_CLI_PASS_H
#include "cli/job.h"

/* One compilation: words, those first that concern the language, and where its by-products go. */
struct wg_pass {
    struct wg_args a;
    struct wg_strbuf messages, dependencies; /* files */
    const char *name, *source;               /* for -time; no source: the linker's */
    bool user_only;                          /* the system's headers are no dependencies */
};

/* `name`: of the pass, with the source's number, so that no list of dependencies is overwritten. */
struct wg_pass wg_pass_begin(const struct wg_job *job, const struct wg_source *s, const char *scratch,
                             const char *name);
void wg_pass_end(struct wg_pass *p);
/* Has the compiler list the files that it reads. */
void wg_pass_dependency_words(struct wg_pass *p);
/* Starts a pass and waits for it. */
int wg_pass_start(struct wg_pass *p, struct wg_process *process);
/* Shows what a pass said and how it ended; `said` holds what earlier passes over the same file said. */
int wg_pass_report(struct wg_pass *p, const struct wg_process *process, int status, struct wg_strbuf *said,
                   struct wg_strbuf *dependencies);
/* Both. */
int wg_pass_run(struct wg_pass *p, struct wg_strbuf *said, struct wg_strbuf *dependencies);
/* The pass's last words are the source and where its product goes; what it says goes to the terminal. Ends it. */
int wg_pass_source(struct wg_pass *p, const struct wg_source *s, struct wg_strbuf *dependencies);
#endif
