/* WARPGLASS_CHECK=FILE: kernels are checked as they run, and FILE is what the process leaves behind.
 *
 * `warpglass check` sets the variable and renders the file (check/README.md).
 * WARPGLASS_CHECK_ONLY=memory,race names the checks that are wanted; without it all are. A process that was
 * forked off leaves no file.
 */
#include "check/finding.h"
#include "driver/driver.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct wg_findings *findings;
static pid_t owner;
static atomic_bool finished;

static uint32_t checks_named(const char *list) {
    uint32_t checks = 0;
    if (!list || !*list) return (1u << WG_CHECKS) - 1;
    for (const char *s = list; *s;) {
        size_t n = strcspn(s, ",");
        uint32_t bit = 0;
        for (int c = 0; c < WG_CHECKS; c++) {
            const char *name = wg_check_name((enum wg_check_id)c);
            if (strlen(name) == n && memcmp(name, s, n) == 0) bit = 1u << c;
        }
        if (!bit) wg_say("WARPGLASS_CHECK_ONLY: there is no check '%.*s'", (int)n, s);
        checks |= bit;
        s += n + (s[n] == ',');
    }
    return checks;
}

void wg_check_listen(struct wg_options *options, const struct wg_chip *chip) {
    const char *path = getenv("WARPGLASS_CHECK");
    if (!path || !*path) return;
    findings = wg_findings_new(path);
    owner = getpid();
    struct wg_program p = wg_program_read();
    wg_findings_program(findings, p.argc, p.argv);
    wg_program_free(&p);
    char *device = wg_device_as_json(chip);
    wg_findings_device(findings, device);
    free(device);
    options->findings = findings;
    options->checks = checks_named(getenv("WARPGLASS_CHECK_ONLY"));
    wg_findings_checks(findings, options->checks);
}

void wg_check_finish(bool fault, int signal) {
    if (!findings || getpid() != owner || atomic_exchange(&finished, true)) return;
    if (!wg_findings_write(findings, signal ? "signal" : fault ? "fault" : "exit", signal))
        wg_say("cannot write what was found: %s", strerror(errno));
}
