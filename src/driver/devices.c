/* The devices of the process: how many there are, which chips, and which of them the program sees.
 *
 *     WARPGLASS_DEVICES=4               four of the chip that WARPGLASS_ARCH names
 *     WARPGLASS_DEVICES=H200,A100       two, of different kinds
 *     CUDA_VISIBLE_DEVICES=2,0          what were the third and the first are devices 0 and 1
 */
#include "driver/devices.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct wg_known_device devices[WG_CHIP_MOST_DEVICES];
static unsigned ndevices;

unsigned wg_device_count(void) { return ndevices; }
struct wg_known_device *wg_known_device(CUdevice device) { return &devices[device]; }
const struct wg_chip *wg_chip_of(CUdevice device) { return devices[device].chip; }

unsigned wg_least_capability(void) {
    unsigned least = devices[0].chip->limits->cc;
    for (unsigned i = 1; i < ndevices; i++)
        if (devices[i].chip->limits->cc < least) least = devices[i].chip->limits->cc;
    return least;
}

void wg_uuid_of(CUdevice device, CUuuid *out) {
    memset(out, 0, sizeof *out);
    memcpy(out->bytes, "warpglas", 8);
    strncpy(out->bytes + 8, devices[device].chip->arch, 7);
    out->bytes[15] = (char)devices[device].number;
}

/* ---- which are seen ---- */

/* "GPU-", and of the UUID in its usual form as much as tells it from others. */
static bool has_uuid(const char *name, size_t length, CUdevice device) {
    CUuuid u;
    char text[48] = "GPU-";
    wg_uuid_of(device, &u);
    for (int i = 0, at = 4; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text[at++] = '-';
        at += snprintf(text + at, sizeof text - (size_t)at, "%02x", (unsigned char)u.bytes[i]);
    }
    return length > 4 && length <= strlen(text) && strncmp(name, text, length) == 0;
}

/* Which one an entry of the list names; -1: none. */
static int named(const char *name, size_t length, unsigned n) {
    char *end;
    if (length >= 4 && strncmp(name, "GPU-", 4) == 0) {
        for (unsigned i = 0; i < n; i++)
            if (has_uuid(name, length, (CUdevice)i)) return (int)i;
        return n == 1 ? 0 : -1; /* there is but one that it can mean */
    }
    long number = strtol(name, &end, 10);
    return end == name + length && length && number >= 0 && (unsigned long)number < n ? (int)number : -1;
}

/* CUDA's rule: what stands behind the first entry that names no device is not seen, either. */
static void choose(const char *list) {
    struct wg_known_device all[WG_CHIP_MOST_DEVICES];
    int chosen[WG_CHIP_MOST_DEVICES];
    unsigned n = 0;
    memcpy(all, devices, sizeof all);
    for (const char *s = list;; s++) {
        s += strspn(s, " ");
        size_t length = strcspn(s, ", ");
        int which = named(s, length, ndevices);
        for (unsigned i = 0; i < n; i++)
            if (which >= 0 && chosen[i] == which)
                n = 0, which = -1; /* one that is named twice: none is seen */
        if (which < 0) break;
        chosen[n++] = which;
        s += length;
        s += strspn(s, " ");
        if (*s != ',') break;
    }
    for (unsigned i = 0; i < n; i++) devices[i] = all[chosen[i]];
    ndevices = n;
}

bool wg_devices_find(const struct wg_options *options) {
    const struct wg_chip *chips[WG_CHIP_MOST_DEVICES] = {
        wg_chip_find(options->arch[0] ? options->arch : "sm_90")};
    if (!chips[0]) {
        wg_say("unknown arch '%s': 'warpglass info' lists those that can be modelled", options->arch);
        return false;
    }
    ndevices = options->devices[0] ? wg_chips_parse(options->devices, chips[0], chips) : 1;
    for (unsigned i = 0; i < ndevices; i++)
        devices[i] = (struct wg_known_device){.chip = chips[i], .number = i, .primary = {.primary = true}};
    const char *visible = secure_getenv("CUDA_VISIBLE_DEVICES");
    if (visible) choose(visible);
    for (unsigned i = 0; i < ndevices; i++) devices[i].primary.device = (CUdevice)i;
    if (!ndevices)
        wg_say_verbose(1, "CUDA_VISIBLE_DEVICES hides %s",
                       options->devices[0] ? "the devices" : "the device");
    return ndevices != 0;
}
