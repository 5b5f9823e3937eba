/* WARPGLASS_VERIFY=all or a number of blocks: each launch is compared with the reference (machine/verify/verify.h), and when
 * the process ends, one line on standard error sums up the result. WARPGLASS_VERIFY_FILE=FILE: `warpglass run
 * --verify` learns from that file whether all was equal. */
#include "driver/driver.h"
#include "machine/verified.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct wg_verified verified = {.say = wg_say, .lock = PTHREAD_MUTEX_INITIALIZER};
static bool listens;
static pid_t owner;
static atomic_bool finished;

void wg_verify_listen(struct wg_options *options) {
    if (!options->verify) return;
    listens = true;
    owner = getpid();
    options->verified = &verified;
}

static void put_launches(struct wg_strbuf *b, uint64_t n) {
    wg_strbuf_printf(b, "%" PRIu64 " launch%s", n, n == 1 ? "" : "es");
}

static void put_result(struct wg_strbuf *b, const struct wg_verified *v) {
    wg_strbuf_puts(b, "verify: ");
    put_launches(b, v->launches);
    wg_strbuf_puts(b, " compared with the reference");
    if (v->in_part) wg_strbuf_printf(b, " (%" PRIu64 " of them in part)", v->in_part);
    wg_strbuf_printf(b, ", %" PRIu64 " bytes: ", v->bytes);
    if (v->different)
        wg_strbuf_printf(b, "%" PRIu64 " differ%s", v->different, v->different == 1 ? "s" : "");
    else
        wg_strbuf_puts(b, !v->launches    ? "nothing to compare"
                          : v->may_differ ? "the others are equal"
                                          : "equal");
    if (v->may_differ)
        wg_strbuf_printf(b, "; %" PRIu64 " may differ: they depend on what atomics return", v->may_differ);
    if (v->by_order)
        wg_strbuf_printf(b, "; %" PRIu64 " words differ only by the order of float atomics", v->by_order);
    if (!v->left_out) return;
    wg_strbuf_puts(b, "; ");
    put_launches(b, v->left_out);
    wg_strbuf_printf(b, " not compared: %s", v->why_not);
}

static void leave_word(bool equal) {
    const char *path = secure_getenv("WARPGLASS_VERIFY_FILE");
    if (!path || !*path) return;
    FILE *f = fopen(path, "ae"); /* a line for each process */
    bool good = f && fputs(equal ? "equal\n" : "differs\n", f) >= 0;
    if (f) good &= fclose(f) == 0;
    if (!good) wg_say("cannot write %s", path);
}

void wg_verify_finish(void) {
    struct wg_strbuf b = {0};
    if (!listens || getpid() != owner || atomic_exchange(&finished, true)) return;
    pthread_mutex_lock(&verified.lock);
    put_result(&b, &verified);
    leave_word(!verified.different);
    pthread_mutex_unlock(&verified.lock);
    wg_say("%s", b.s);
    wg_strbuf_free(&b);
}
