/* Virtual memory management: addresses that the program reserves, and memory that it maps to them
 * (memory/reserved.h, memory/physical.h). Any device of the fleet may be named where a call is about an address:
 * the address says in whose space it is. */
#ifndef WG_MACHINE_MAPPING_H
#define WG_MACHINE_MAPPING_H
#include "machine/machine.h"
#include "machine/memory/reserved.h"

/* The device in whose space the address is; `dev`: in none's. */
struct wg_device *wg_map_owner(struct wg_device *dev, uint64_t a);
/* What holds the address, if it is in a reservation. */
bool wg_map_find(struct wg_device *dev, uint64_t a, struct wg_reserved_at *out);
enum wg_status wg_map_reserve(struct wg_device *dev, size_t size, size_t align, uint64_t hint, uint64_t *out);
enum wg_status wg_map_unreserve(struct wg_device *dev, uint64_t at, size_t size);
enum wg_status wg_map_new(struct wg_device *dev, size_t bytes, bool exportable, struct wg_physical **out);
enum wg_status wg_map_put(struct wg_device *dev, uint64_t at, size_t size, struct wg_physical *p);
/* Waits for all work of all devices. */
enum wg_status wg_map_remove(struct wg_device *dev, uint64_t at, size_t size, uint64_t freed_at);
enum wg_status wg_map_allow(struct wg_device *dev, uint64_t at, size_t size, uint32_t whose,
                            struct wg_access access);
/* What is mapped around the address, with a reference; NULL: nothing. */
struct wg_physical *wg_map_get(struct wg_device *dev, uint64_t a, struct wg_access *access);
#endif
