/* WARPGLASS_PROFILE=FILE: every launch is counted, and FILE is what the process leaves behind.
 *
 * `warpglass profile` sets the variable and renders the file. It is written when the process ends, after a
 * fault and at Ctrl-C, and now and then before (count/result.h); a process that was forked off leaves none.
 */
#include "driver/driver.h"
#include "count/result.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct wg_result *result;
static pid_t owner;
static atomic_bool finished;

void wg_profile_listen(struct wg_options *options, const struct wg_chip *chip) {
    const char *path = secure_getenv("WARPGLASS_PROFILE");
    if (!path || !*path) return;
    result = wg_result_new(path);
    owner = getpid();
    struct wg_program p = wg_program_read();
    wg_result_program(result, p.argc, p.argv);
    wg_program_free(&p);
    char *device = wg_device_as_json(chip);
    wg_result_device(result, device);
    free(device);
    options->result = result;
    wg_result_write(result, "running", 0);
}

struct wg_result *wg_profile_result(void) { return result; }

void wg_profile_finish(bool fault, int signal) {
    if (!result || getpid() != owner || atomic_exchange(&finished, true)) return;
    if (!wg_result_write(result, signal ? "signal" : fault ? "fault" : "exit", signal))
        wg_say("cannot write the profile: %s", strerror(errno));
}
