/* What a program writes, kept in a file of bounded size: the beginning and the end of it, however much it is.
 *
 *     if (wg_keep_begin(&k, path)) { ...; wg_keep_end(&k); }      standard output and error go there between the two
 */
#ifndef WG_CLI_KEEP_OUTPUT_H
#define WG_CLI_KEEP_OUTPUT_H
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct wg_keep {
    int from, to, saved[2]; /* the pipe's end, the file, and what standard output and error were */
    atomic_bool over;       /* the program has ended */
    int error;              /* errno, when the file could not be written; or 0 */
    uint64_t bytes;         /* that it wrote */
    char *end;              /* a ring of its last bytes */
    pthread_t thread;
};
/* False with errno set. */
bool wg_keep_begin(struct wg_keep *k, const char *path);
/* Gives back standard output and error. False with errno set when not all could be written. */
bool wg_keep_end(struct wg_keep *k);
#endif
