/* PTX's fundamental types, as an X-macro and an enum.
 *   X(id, spelled, bits, kind)   kind: P predicate, B untyped bits, U unsigned, S signed, F floating point */
#ifndef WG_PTX_TYPES_H
#define WG_PTX_TYPES_H
#include <stdint.h>

/* clang-format off */
#define WG_PTX_TYPES(X)                                                                                       \
    X(PRED, "pred", 1, P)                                                                                      \
    X(B8, "b8", 8, B)                                                                                          \
    X(B16, "b16", 16, B)                                                                                       \
    X(B32, "b32", 32, B)                                                                                       \
    X(B64, "b64", 64, B)                                                                                       \
    X(B128, "b128", 128, B)                                                                                    \
    X(U8, "u8", 8, U)                                                                                          \
    X(U16, "u16", 16, U)                                                                                       \
    X(U32, "u32", 32, U)                                                                                       \
    X(U64, "u64", 64, U)                                                                                       \
    X(S8, "s8", 8, S)                                                                                          \
    X(S16, "s16", 16, S)                                                                                       \
    X(S32, "s32", 32, S)                                                                                       \
    X(S64, "s64", 64, S)                                                                                       \
    X(F16, "f16", 16, F)                                                                                       \
    X(F16X2, "f16x2", 32, F)                                                                                   \
    X(BF16, "bf16", 16, F)                                                                                     \
    X(BF16X2, "bf16x2", 32, F)                                                                                 \
    X(TF32, "tf32", 32, F)                                                                                     \
    X(F32, "f32", 32, F)                                                                                       \
    X(F64, "f64", 64, F)                                                                                       \
    X(U16X2, "u16x2", 32, U)                                                                                   \
    X(S16X2, "s16x2", 32, S)                                                                                   \
    X(E4M3X2, "e4m3x2", 16, F)                                                                                 \
    X(E5M2X2, "e5m2x2", 16, F)
/* clang-format on */

enum wg_type {
    WG_T_NONE,
#define X(id, spelled, bits, kind) WG_T_##id,
    WG_PTX_TYPES(X)
#undef X
        WG_T_COUNT
};
enum wg_type_kind { WG_K_P, WG_K_B, WG_K_U, WG_K_S, WG_K_F };

struct wg_type_facts {
    const char *name;
    uint8_t bits, kind;
};
extern const struct wg_type_facts wg_types[WG_T_COUNT];

/* 1 for pred; 0 for WG_T_NONE */
static inline uint32_t wg_type_bits(enum wg_type t) { return wg_types[t].bits; }
static inline enum wg_type_kind wg_type_kind(enum wg_type t) { return (enum wg_type_kind)wg_types[t].kind; }
/* "u32" */
static inline const char *wg_type_name(enum wg_type t) { return wg_types[t].name; }
enum wg_type wg_type_find(const char *s, uint32_t len); /* WG_T_NONE if there is none */
#endif
