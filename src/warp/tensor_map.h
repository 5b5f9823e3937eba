/* The layout of a tensor map's 128 bytes: driver/ writes them for cuTensorMapEncodeTiled, generated code and
 * the reference read them. They are opaque to programs, except for what is publicly known of NVIDIA's:
 * CUTLASS and others clear bit 21 of the second word, a flag of small tensors, where the driver is 13.1 or
 * older. */
#ifndef WG_WARP_TENSOR_MAP_H
#define WG_WARP_TENSOR_MAP_H
#include "warp/warp.h"

enum { WG_TENSOR_MAP_MAGIC = 0x544d5057, WG_TENSOR_DIMS = 5 };

/* Floating-point modes, as on an H100. Stores copy the bits unchanged. */
enum wg_tensor_floats {
    WG_TENSOR_TF32 = 1, /* loads round f32 to tf32 */
    WG_TENSOR_FTZ = 2,  /* additions flush f32's subnormals, of operands and results */
    WG_TENSOR_NANS = 4  /* loads fill elements outside the tensor with NaNs, not with zeros */
};

struct wg_tensor_map {
    uint64_t base; /* address of element (0, 0, ...) */
    uint8_t rank;
    uint8_t type;    /* enum wg_type of an element */
    uint8_t flags;   /* used by NVIDIA's drivers: ignored here */
    uint8_t swizzle; /* shared address bits 4.. that are exchanged with bits 7..: 0 to 3 of them */
    uint32_t magic;
    uint32_t last[WG_TENSOR_DIMS]; /* elements of each dimension, less one; dimension 0 is the innermost */
    uint16_t box[WG_TENSOR_DIMS];  /* elements of a box */
    uint8_t step[WG_TENSOR_DIMS];  /* element stride within the box; 1 in dimension 0 */
    uint8_t floats;                /* enum wg_tensor_floats */
    uint8_t unused[4];
    uint64_t stride[WG_TENSOR_DIMS - 1]; /* byte strides of dimensions 1.. */
    uint8_t unused2[40];
};
_Static_assert(sizeof(struct wg_tensor_map) == 128, "as large as CUDA's");
_Static_assert(offsetof(struct wg_tensor_map, flags) == 8 + 21 / 8, "programs clear bit 21 of word 1");

/* The elements that there are: wg_type_bits, or 0. */
static inline uint32_t wg_tensor_element_bytes(enum wg_type t) {
    switch (t) {
    case WG_T_U8: return 1;
    case WG_T_U16:
    case WG_T_F16:
    case WG_T_BF16: return 2;
    case WG_T_U32:
    case WG_T_S32:
    case WG_T_F32: return 4;
    case WG_T_U64:
    case WG_T_S64:
    case WG_T_F64: return 8;
    default: return 0;
    }
}

/* A word of a load from a map with WG_TENSOR_TF32: rounded to nearest even tf32; there is one NaN. */
static inline uint32_t wg_tensor_tf32(uint32_t x) {
    if ((x & 0x7fffffff) > 0x7f800000) return 0x7fffe000;
    return (x + 0xfff + (x >> 13 & 1)) & 0xffffe000;
}

/* The fill value of a load: byte `k` of an element outside the tensor. */
static inline uint8_t wg_tensor_outside(const struct wg_tensor_map *m, uint64_t k) {
    if (!(m->floats & WG_TENSOR_NANS)) return 0;
    return k % 2 ? 0x7f : 0xf7; /* 0x7ff7 in each half of a word, whatever the type */
}

static inline bool wg_tensor_floats_are_sound(const struct wg_tensor_map *m) {
    bool f32 = m->type == WG_T_F32,
         any = f32 || m->type == WG_T_F16 || m->type == WG_T_BF16 || m->type == WG_T_F64;
    return m->floats < 8 && (f32 || !(m->floats & (WG_TENSOR_TF32 | WG_TENSOR_FTZ))) && (any || !m->floats);
}

/* Whether the map describes a valid copy in `rank` dimensions. Programs keep maps where kernels can write,
 * and change them: so each read of a map validates it. */
static inline bool wg_tensor_map_is_sound(const struct wg_tensor_map *m, uint32_t rank) {
    uint64_t all = wg_tensor_element_bytes((enum wg_type)m->type);
    uint32_t bytes = wg_tensor_element_bytes((enum wg_type)m->type), row = m->box[0] * bytes;
    bool good =
        m->magic == WG_TENSOR_MAP_MAGIC && m->rank == rank && rank >= 1 && rank <= WG_TENSOR_DIMS && bytes;
    good = good && wg_tensor_floats_are_sound(m) && m->swizzle <= 3 && m->base % 16 == 0 && row % 16 == 0 &&
           !(m->swizzle && row > 16u << m->swizzle);
    for (uint32_t d = 0; good && d < rank; d++) {
        good = m->box[d] >= 1 && m->box[d] <= 256 && m->step[d] >= 1 && m->step[d] <= 8;
        if (d) good = good && m->stride[d - 1] % 16 == 0 && m->stride[d - 1] >> 40 == 0;
        if (good) all *= (m->box[d] + m->step[d] - 1u) / m->step[d];
    }
    return good && m->step[0] == 1 && all <= WG_SHARED_MOST;
}

/* The swizzled offset of 16 bytes of a box that would be at `offset` of shared memory without swizzling. */
static inline uint64_t wg_tensor_swizzled(const struct wg_tensor_map *map, uint64_t offset) {
    uint64_t mask = ((UINT64_C(1) << map->swizzle) - 1) << 4;
    return offset ^ (offset >> 3 & mask);
}
#endif
