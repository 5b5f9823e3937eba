/* The values that kernels set for the conditional nodes of graphs (cudaGraphSetConditional), by handle. A handle is never
 * used again.
 */
#include "machine/conditions.h"
#include <stdlib.h>

/* A handle has its device's number, so that another device's is none. */
enum { DEVICE_AT = 48 };

struct wg_condition {
    uint64_t handle, graph;
    uint32_t value;
    struct wg_condition *next;
};

static struct wg_condition **find(struct wg_device *dev, uint64_t handle) {
    struct wg_condition **at = &dev->conditions;
    while (*at && (*at)->handle != handle) at = &(*at)->next;
    return at;
}

uint64_t wg_condition_new(struct wg_device *dev) {
    struct wg_condition *c = wg_xcalloc(1, sizeof *c);
    pthread_mutex_lock(dev->lock);
    c->handle = (uint64_t)(dev->ordinal + 1) << DEVICE_AT | ++dev->next_condition;
    c->next = dev->conditions;
    dev->conditions = c;
    pthread_mutex_unlock(dev->lock);
    return c->handle;
}

void wg_condition_free(struct wg_device *dev, uint64_t handle) {
    pthread_mutex_lock(dev->lock);
    struct wg_condition **at = find(dev, handle), *c = *at;
    if (c) *at = c->next;
    pthread_mutex_unlock(dev->lock);
    free(c);
}

void wg_condition_give(struct wg_device *dev, uint64_t handle, uint64_t graph) {
    pthread_mutex_lock(dev->lock);
    struct wg_condition *c = *find(dev, handle);
    if (c) c->graph = graph;
    pthread_mutex_unlock(dev->lock);
}

static bool set(struct wg_device *dev, uint64_t handle, uint32_t value, uint64_t graph, bool any) {
    pthread_mutex_lock(dev->lock);
    struct wg_condition *c = *find(dev, handle);
    bool may = c && (any || (graph && c->graph == graph));
    if (may) c->value = value;
    pthread_mutex_unlock(dev->lock);
    return may;
}
bool wg_condition_set_by(struct wg_device *dev, uint64_t handle, uint32_t value, uint64_t graph) {
    return set(dev, handle, value, graph, false);
}
void wg_condition_set(struct wg_device *dev, uint64_t handle, uint32_t value) {
    set(dev, handle, value, 0, true);
}

uint32_t wg_condition(struct wg_device *dev, uint64_t handle) {
    pthread_mutex_lock(dev->lock);
    struct wg_condition *c = *find(dev, handle);
    uint32_t value = c ? c->value : 0;
    pthread_mutex_unlock(dev->lock);
    return value;
}

void wg_conditions_close(struct wg_device *dev) {
    while (dev->conditions) {
        struct wg_condition *c = dev->conditions;
        dev->conditions = c->next;
        free(c);
    }
}
