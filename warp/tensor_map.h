/* What a tensor map's 128 bytes hold, which programs take for opaque: driver/ writes them for
 * cuTensorMapEncodeTiled, generated code and the reference read them. */
#ifndef WG_WARP_TENSOR_MAP_H
#define WG_WARP_TENSOR_MAP_H
#include <stdint.h>

enum { WG_TENSOR_MAP_MAGIC = 0x544d5057, WG_TENSOR_DIMS = 5 };

struct wg_tensor_map {
    uint32_t magic;
    uint8_t rank;
    uint8_t type;    /* enum wg_type of an element */
    uint8_t swizzle; /* shared address bits 4.. that are exchanged with bits 7..: 0 to 3 of them */
    uint8_t unused;
    uint64_t base;                 /* address of element (0, 0, ...) */
    uint32_t last[WG_TENSOR_DIMS]; /* elements of each dimension, less one; dimension 0 is the innermost */
    uint16_t box[WG_TENSOR_DIMS];  /* elements of a box */
    uint8_t step[WG_TENSOR_DIMS];  /* of which every so many-th is copied; 1 in dimension 0 */
    uint8_t unused2;
    uint64_t stride[WG_TENSOR_DIMS - 1]; /* bytes from one to the next in dimensions 1.. */
    uint8_t unused3[40];
};
_Static_assert(sizeof(struct wg_tensor_map) == 128, "as large as CUDA's");

/* Where 16 bytes of a box lie that would be at `offset` of shared memory without swizzling. */
static inline uint64_t wg_tensor_swizzled(const struct wg_tensor_map *map, uint64_t offset) {
    uint64_t mask = ((UINT64_C(1) << map->swizzle) - 1) << 4;
    return offset ^ (offset >> 3 & mask);
}
#endif
