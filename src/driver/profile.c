/* WARPGLASS_PROFILE=FILE: every launch is counted, and the process writes the result to FILE; with FOLDER/ each process
 * has a file of its own there (program.c).
 *
 * `warpglass profile` sets the variable and renders the file. It is written when the process ends, after a
 * fault and at Ctrl-C, and now and then before (count/result.h); a process that was forked off after its first call leaves none.
 *
 * Which launches are counted, the program says by cudaProfilerStop and cudaProfilerStart, WARPGLASS_NVTX by ranges
 * (nvtx.h), and WARPGLASS_PROFILE_LAUNCHES=A:B by their numbers; WARPGLASS_PROFILE_FROM_START=0 waits for the first start.
 * The file has a note when some were not, but for their numbers. With WARPGLASS_PROFILE_KILL=1 the program ends when all
 * of A to B have been counted.
 */
#include "driver/abrupt_end.h"
#include "driver/driver.h"
#include "driver/host_access.h"
#include "driver/nvtx.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct wg_result *result;
static pid_t owner;
static atomic_bool finished;

/* ---- Which launches ---- */

static bool by_ranges, kills;
static uint64_t first, last = UINT64_MAX; /* numbers of launches */
static atomic_bool stopped;
static atomic_ulong launches, outside, while_stopped, elsewhere, ended;

void wg_profile_counts(bool on) { atomic_store(&stopped, !on); }

/* Asked on the thread that launches. */
static bool is_counted(uint64_t index) {
    if (index < first || index > last) {
        atomic_fetch_add(&elsewhere, 1);
        return false;
    }
    atomic_fetch_add(&launches, 1);
    if (atomic_load(&stopped)) {
        atomic_fetch_add(&while_stopped, 1);
        return false;
    }
    if (!by_ranges || wg_nvtx_is_within()) return true;
    atomic_fetch_add(&outside, 1);
    return false;
}

/* What the program has printed and the library still holds is its last output, where nobody is printing now. */
static void one_ended(void) {
    if (!kills || atomic_fetch_add(&ended, 1) != last - first) return;
    if (ftrylockfile(stdout) == 0) {
        fflush(stdout);
        funlockfile(stdout);
    }
    wg_abrupt_end(0);
}

static void choose_numbers(void) {
    const char *numbers = secure_getenv("WARPGLASS_PROFILE_LAUNCHES");
    uint64_t a, b;
    if (!numbers || sscanf(numbers, "%" SCNu64 ":%" SCNu64, &a, &b) != 2 || b < a) return;
    first = a, last = b;
    const char *kill = secure_getenv("WARPGLASS_PROFILE_KILL");
    kills = kill && !strcmp(kill, "1");
}

static void put_reason(struct wg_strbuf *b) {
    unsigned long out = atomic_load(&outside), off = atomic_load(&while_stopped);
    if (off)
        wg_strbuf_printf(b, " %lu %s made while the profiler was stopped (cudaProfilerStop%s).", off,
                         off == 1 ? "was" : "were",
                         getenv("WARPGLASS_PROFILE_FROM_START") ? ", --profile-from-start off" : "");
    if (!out) return;
    wg_strbuf_printf(b, " %lu %s made outside the selected NVTX ranges (", out, out == 1 ? "was" : "were");
    wg_nvtx_put_chosen(b);
    struct wg_strbuf seen = {0};
    wg_nvtx_put_seen(&seen);
    wg_strbuf_printf(b, "). %s%s.", seen.n ? "The program marked " : "The program marked no ranges",
                     seen.n ? seen.s : "");
    wg_strbuf_free(&seen);
}

static void write_note(void) {
    unsigned long all = atomic_load(&launches);
    unsigned long left_out = atomic_load(&outside) + atomic_load(&while_stopped);
    unsigned long others = atomic_load(&elsewhere);
    struct wg_strbuf b = {0};
    bool none_in_range = !all && others;
    if (!left_out && !none_in_range) return;
    if (none_in_range)
        wg_strbuf_printf(&b, "No launch has these numbers: the program made %lu, the last of which is %lu.",
                         others, others - 1);
    else if (left_out == all)
        wg_strbuf_printf(&b, "None of %lu launches was counted.", all);
    else
        wg_strbuf_printf(&b, "%lu of %lu launches %s counted.", all - left_out, all,
                         all - left_out == 1 ? "was" : "were");
    put_reason(&b);
    wg_result_note(result, b.s);
    wg_strbuf_free(&b);
}

bool wg_library_is_counted(void) {
    return result && !atomic_load(&stopped) && (!by_ranges || wg_nvtx_is_within());
}

void wg_profile_copied(struct wg_device *dev, const struct wg_copy *c) {
    struct wg_device *from, *to;
    if (!wg_library_is_counted() || wg_device_count() < 2) return;
    enum wg_mem_kind source = wg_mem_query_owner(dev, c->src, &from).kind;
    enum wg_mem_kind target = wg_mem_query_owner(dev, c->dst, &to).kind;
    bool counts = (source == WG_MEM_DEVICE || source == WG_MEM_MODULE) &&
                  (target == WG_MEM_DEVICE || target == WG_MEM_MODULE);
    if (!counts || wg_device_ordinal(from) == wg_device_ordinal(to)) return;
    struct wg_result_copy what = {.from = wg_device_ordinal(from),
                                  .to = wg_device_ordinal(to),
                                  .peer_access = wg_device_reaches(from, to) || wg_device_reaches(to, from),
                                  .bytes = (uint64_t)c->width * c->height * c->depth};
    wg_result_copy(result, &what);
}

void wg_library_counted(const struct wg_result_library *what) { wg_result_library(result, what); }

/* ---- The file ---- */

void wg_profile_listen(struct wg_options *options) {
    char *path = wg_program_file("WARPGLASS_PROFILE");
    if (!path) return;
    result = wg_result_new(path);
    free(path);
    owner = getpid();
    struct wg_program p = wg_program_read();
    wg_result_program(result, p.argc, p.argv);
    wg_program_free(&p);
    char *device = wg_device_as_json(wg_chip_of(0));
    wg_result_device(result, device);
    free(device);
    char *devices = wg_devices_as_json();
    if (devices) wg_result_devices(result, devices);
    free(devices);
    const char *from_start = secure_getenv("WARPGLASS_PROFILE_FROM_START");
    if (from_start && !strcmp(from_start, "0")) wg_profile_counts(false);
    by_ranges = wg_nvtx_choose();
    choose_numbers();
    options->result = result;
    options->is_counted = is_counted;
    options->counted_ended = one_ended;
    wg_result_write(result, "running", 0);
}

struct wg_result *wg_profile_result(void) { return result; }

void wg_profile_finish(bool fault, int signal) {
    if (!result || getpid() != owner || atomic_exchange(&finished, true)) return;
    write_note();
    if (!wg_result_write(result, signal ? "signal" : fault ? "fault" : "exit", signal))
        wg_say("cannot write the profile: %s", strerror(errno));
}
