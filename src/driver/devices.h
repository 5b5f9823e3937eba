/* What state.c and device.c know of each device. */
#ifndef WG_DRIVER_DEVICES_H
#define WG_DRIVER_DEVICES_H
#include "driver/driver.h"

struct wg_known_device {
    const struct wg_chip *chip;
    unsigned number; /* among all, also those that CUDA_VISIBLE_DEVICES hides: its bus, its UUID */
    struct CUctx_st primary;
    atomic_bool held; /* the runtime library keeps the primary context until it is reset */
};
/* At cuInit. False: there is none, and it was said why. */
bool wg_devices_find(const struct wg_options *options);
/* Of a device that there is (wg_check_device). */
struct wg_known_device *wg_known_device(CUdevice device);
void wg_uuid_of(CUdevice device, CUuuid *out);
#endif
