/* See conditions.c. The functions that driver/ calls are in machine.h. */
#ifndef WG_MACHINE_CONDITIONS_H
#define WG_MACHINE_CONDITIONS_H
#include "machine/device.h"

/* For a launch of `graph`; false: it may not. */
bool wg_condition_set_by(struct wg_device *dev, uint64_t handle, uint32_t value, uint64_t graph);
void wg_conditions_close(struct wg_device *dev);
#endif
