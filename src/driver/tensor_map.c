/* Tensor maps: what cp.async.bulk.tensor copies, in the layout of warp/tensor_map.h. Tiled ones without interleaving.
 * */
#include "driver/driver.h"
#include "ptx/types.h"
#include "warp/tensor_map.h"

#include <string.h>

_Static_assert(sizeof(CUtensorMap) == sizeof(struct wg_tensor_map), "a map is a map");

/* WG_T_NONE: not there. */
static enum wg_type type_of(CUtensorMapDataType t) {
    switch (t) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8: return WG_T_U8;
    case CU_TENSOR_MAP_DATA_TYPE_UINT16: return WG_T_U16;
    case CU_TENSOR_MAP_DATA_TYPE_UINT32: return WG_T_U32;
    case CU_TENSOR_MAP_DATA_TYPE_INT32: return WG_T_S32;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64: return WG_T_U64;
    case CU_TENSOR_MAP_DATA_TYPE_INT64: return WG_T_S64;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16: return WG_T_F16;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ:
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ: return WG_T_F32;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64: return WG_T_F64;
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16: return WG_T_BF16;
    default: return WG_T_NONE;
    }
}

static uint8_t floats_of(CUtensorMapDataType t, CUtensorMapFloatOOBfill fill) {
    uint8_t floats = fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE ? 0 : WG_TENSOR_NANS;
    if (t == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 || t == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ)
        floats |= WG_TENSOR_TF32;
    if (t == CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ || t == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ)
        floats |= WG_TENSOR_FTZ;
    return floats;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *base,
                                const cuuint64_t *dims, const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *steps, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill) {
    (void)promotion;
    struct wg_tensor_map m = {
        .magic = WG_TENSOR_MAP_MAGIC, .rank = (uint8_t)rank, .base = (uint64_t)(uintptr_t)base};
    if (!map || !base || !dims || !box || !steps || rank < 1 || rank > WG_TENSOR_DIMS ||
        (rank > 1 && !strides))
        return CUDA_ERROR_INVALID_VALUE;
    enum wg_type t = type_of(type);
    if (!t || interleave != CU_TENSOR_MAP_INTERLEAVE_NONE || swizzle > CU_TENSOR_MAP_SWIZZLE_128B)
        return wg_not_supported("cuTensorMapEncodeTiled (of this element type, interleaving or swizzling)");
    if (fill > CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA || (fill && wg_type_kind(t) != WG_K_F))
        return CUDA_ERROR_INVALID_VALUE;
    uint32_t bytes = wg_type_bits(t) / 8;
    if (m.base % 16 || (uintptr_t)map % 64) return CUDA_ERROR_INVALID_VALUE;
    for (uint32_t d = 0; d < rank; d++) {
        bool wrong = dims[d] < 1 || dims[d] > UINT64_C(1) << 32 || box[d] < 1 || box[d] > 256 ||
                     steps[d] < 1 || steps[d] > 8;
        if (d) wrong |= strides[d - 1] % 16 || strides[d - 1] >= UINT64_C(1) << 40;
        if (wrong) return CUDA_ERROR_INVALID_VALUE;
        m.last[d] = (uint32_t)(dims[d] - 1);
        m.box[d] = (uint16_t)box[d];
        m.step[d] = (uint8_t)(d ? steps[d] : 1); /* the hardware ignores the innermost one */
        if (d) m.stride[d - 1] = strides[d - 1];
    }
    uint32_t row = box[0] * bytes;
    if (row % 16 || (swizzle && row > 16u << swizzle)) return CUDA_ERROR_INVALID_VALUE;
    m.type = (uint8_t)t;
    m.floats = floats_of(type, fill);
    m.swizzle = (uint8_t)swizzle;
    memcpy(map, &m, sizeof m);
    return CUDA_SUCCESS;
}

CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *base) {
    struct wg_tensor_map m;
    if (!map || !base || (uintptr_t)map % 64 || (uintptr_t)base % 16) return CUDA_ERROR_INVALID_VALUE;
    memcpy(&m, map, sizeof m);
    if (m.magic != WG_TENSOR_MAP_MAGIC) return CUDA_ERROR_INVALID_VALUE;
    m.base = (uint64_t)(uintptr_t)base;
    memcpy(map, &m, sizeof m);
    return CUDA_SUCCESS;
}
