/* WARPGLASS_PROFILE=FILE: every launch is counted, and FILE is what the process leaves behind.
 *
 * `warpglass profile` sets the variable and renders the file. It is written when the process ends, after a
 * fault and at Ctrl-C, and now and then before (count/result.h); a process that was forked off leaves none.
 */
#include "driver/driver.h"
#include "count/result.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct wg_result *result;
static pid_t owner;
static atomic_bool finished;

/* The command line as the kernel has it. */
static void tell_program(void) {
    struct wg_strbuf text = {0};
    char *argv[256];
    int argc = 0;
    if (wg_file_read("/proc/self/cmdline", &text))
        for (size_t at = 0; at < text.n && argc < 256; at += strlen(text.s + at) + 1)
            argv[argc++] = text.s + at;
    wg_result_program(result, argc, argv);
    wg_strbuf_free(&text);
}

static void tell_device(const struct wg_chip *chip) {
    const struct wg_limits *l = chip->limits;
    struct wg_strbuf b = {0};
    wg_strbuf_printf(
        &b,
        "{\"arch\": \"%s\", \"name\": \"%s\", \"sms\": %u, \"compute_capability\": %u, "
        "\"clock_khz\": %u, \"memory_clock_khz\": %u, \"bus_bits\": %u, \"memory_bytes\": %" PRIu64
        ", \"l2_bytes\": %" PRIu64 ", \"warps_per_sm\": %u, \"blocks_per_sm\": %u, \"registers_per_sm\": %u, "
        "\"shared_per_sm\": %u}",
        chip->arch, chip->name, chip->sms, l->cc, chip->clock_khz, chip->memory_clock_khz, chip->bus_bits,
        chip->memory_bytes, chip->l2_bytes, l->warps_per_sm, l->blocks_per_sm, l->regs_per_sm,
        l->shared_per_sm);
    wg_result_device(result, b.s);
    wg_strbuf_free(&b);
}

void wg_profile_listen(struct wg_options *options, const struct wg_chip *chip) {
    const char *path = getenv("WARPGLASS_PROFILE");
    if (!path || !*path) return;
    result = wg_result_new(path);
    owner = getpid();
    tell_program();
    tell_device(chip);
    options->result = result;
}

struct wg_result *wg_profile_result(void) { return result; }

void wg_profile_finish(bool fault, int signal) {
    if (!result || getpid() != owner || atomic_exchange(&finished, true)) return;
    if (!wg_result_write(result, signal ? "signal" : fault ? "fault" : "exit", signal))
        wg_say("cannot write the profile: %s", strerror(errno));
}
