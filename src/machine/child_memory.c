/* Memory for the parameters of kernels that kernels launch, which the launching threads write: children.h. */
#include "machine/child_memory.h"
#include "machine/device.h"
#include "machine/memory/shadow.h"
#include <stdlib.h>

/* Blocks of powers of two in one allocation, which stays. */
enum { LEAST_BITS = 6, CLASSES = 10 };
#define MEMORY_BYTES (UINT64_C(64) << 20)
_Static_assert(1 << (LEAST_BITS + CLASSES - 1) >= WG_PARAM_BYTES,
               "a kernel's parameters fit the largest class");
struct wg_child_memory {
    uint64_t base, used;
    WG_VEC(uint64_t) free[CLASSES];
};

static uint32_t class_of(uint32_t bytes) {
    uint32_t c = 0;
    while (UINT32_C(1) << (LEAST_BITS + c) < bytes) c++;
    return c;
}

static struct wg_child_memory *open_memory(struct wg_device *dev) {
    void *p;
    if (wg_memory_alloc(&dev->memory, WG_MEM_SCRATCH, MEMORY_BYTES, 0, &p) != WG_OK) return NULL;
    struct wg_child_memory *m = wg_xcalloc(1, sizeof *m);
    m->base = (uint64_t)p;
    wg_shadow_define(&dev->memory, m->base, MEMORY_BYTES);
    return m;
}

uint64_t wg_child_memory_take(struct wg_device *dev, uint32_t bytes) {
    uint32_t c = class_of(bytes);
    uint64_t size = UINT64_C(1) << (LEAST_BITS + c), at = 0;
    pthread_mutex_lock(&dev->heap_lock);
    if (!dev->child_memory) dev->child_memory = open_memory(dev);
    struct wg_child_memory *m = dev->child_memory;
    if (m && m->free[c].n) {
        at = m->free[c].v[--m->free[c].n];
    } else if (m && m->used + size <= MEMORY_BYTES) {
        at = m->base + m->used;
        m->used += size;
    }
    pthread_mutex_unlock(&dev->heap_lock);
    return at;
}

void wg_child_memory_give(struct wg_device *dev, uint64_t at, uint32_t bytes) {
    struct wg_child_memory *m = dev->child_memory;
    pthread_mutex_lock(&dev->heap_lock);
    *WG_PUSH(&m->free[class_of(bytes)]) = at;
    pthread_mutex_unlock(&dev->heap_lock);
}

uint64_t wg_child_memory_range(const struct wg_device *dev, uint64_t *base) {
    const struct wg_child_memory *m = dev->child_memory;
    *base = m ? m->base : 0;
    return m ? MEMORY_BYTES : 0;
}

void wg_child_memory_close(struct wg_device *dev) {
    if (!dev->child_memory) return;
    for (uint32_t c = 0; c < CLASSES; c++) free(dev->child_memory->free[c].v);
    free(dev->child_memory);
}
