/* Memory for the parameters of kernels that kernels launch, which the launching threads write: children.h. */
#ifndef WG_MACHINE_CHILD_MEMORY_H
#define WG_MACHINE_CHILD_MEMORY_H
#include <stdint.h>

struct wg_device;
uint64_t wg_child_memory_take(struct wg_device *dev, uint32_t bytes); /* 0: there is none left */
void wg_child_memory_give(struct wg_device *dev, uint64_t at, uint32_t bytes);
/* Where all of it lies; its bytes, 0 while there is none. */
uint64_t wg_child_memory_range(const struct wg_device *dev, uint64_t *base);
void wg_child_memory_close(struct wg_device *dev);
#endif
