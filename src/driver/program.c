/* What the files of a profiled or checked process say about the process: its command line, its device. */
#include "driver/driver.h"
#include "base/proc.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct wg_program wg_program_read(void) {
    struct wg_program p = {0};
    if (wg_file_read("/proc/self/cmdline", &p.text))
        for (size_t at = 0; at < p.text.n && p.argc < WG_PROGRAM_WORDS; at += strlen(p.text.s + at) + 1)
            p.argv[p.argc++] = p.text.s + at;
    return p;
}

void wg_program_free(struct wg_program *p) { wg_strbuf_free(&p->text); }

/* A folder, "out/", has a file for each process, whose names sort as the processes began: BEGAN-PID-N.json, N: how many
 * programs the process was before this one (exec). */
char *wg_program_file(const char *variable) {
    enum { MOST = 10000 };
    const char *path = secure_getenv(variable);
    if (!path || !*path) return NULL;
    if (path[strlen(path) - 1] != '/') return wg_xstrdup(path);
    struct wg_strbuf name = {0};
    struct wg_proc self = {0};
    wg_proc_read(getpid(), &self);
    for (unsigned n = 0; n < MOST; n++) {
        wg_strbuf_free(&name);
        wg_strbuf_printf(&name, "%s%016" PRIx64 "-%010d-%04u.json", path, self.began, (int)getpid(), n);
        int fd = open(name.s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd >= 0) close(fd);
        if (fd >= 0 || errno != EEXIST) break;
    }
    return name.s;
}

char *wg_devices_as_json(void) {
    struct wg_strbuf b = {0};
    for (unsigned i = 0; i < wg_device_count() && wg_device_count() > 1; i++) {
        char *one = wg_device_as_json(wg_chip_of((CUdevice)i));
        wg_strbuf_printf(&b, "%s%s", i ? ",\n  " : "[", one);
        free(one);
    }
    if (b.n) wg_strbuf_puts(&b, "]");
    return b.s;
}

char *wg_device_as_json(const struct wg_chip *chip) {
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
    return b.s;
}
