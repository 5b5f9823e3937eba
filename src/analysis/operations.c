/* See operations.h. */
#include "analysis/operations.h"
#include "ptx/types.h"

enum width { HALF, SINGLE, DOUBLE };
enum arithmetic { ADD, MULTIPLY, FUSED };
enum { BY_TYPE = UINT8_MAX }; /* op_fp16, op_fp32, op_fp64 or, of comparisons, op_integer */

/* What is in no list accesses memory, or is op_misc: moves, for the most part, which the assembler does without. */
static const uint8_t classes[WG_OP_ALL] = {
    [WG_OP_AND] = WG_C_op_bit,
    [WG_OP_OR] = WG_C_op_bit,
    [WG_OP_XOR] = WG_C_op_bit,
    [WG_OP_NOT] = WG_C_op_bit,
    [WG_OP_CNOT] = WG_C_op_bit,
    [WG_OP_LOP3] = WG_C_op_bit,
    [WG_OP_LOP3_P] = WG_C_op_bit,
    [WG_OP_SHF] = WG_C_op_bit,
    [WG_OP_SHL] = WG_C_op_bit,
    [WG_OP_SHR] = WG_C_op_bit,
    [WG_OP_PRMT] = WG_C_op_bit,
    [WG_OP_POPC] = WG_C_op_bit,
    [WG_OP_CLZ] = WG_C_op_bit,
    [WG_OP_BFIND] = WG_C_op_bit,
    [WG_OP_FNS] = WG_C_op_bit,
    [WG_OP_BREV] = WG_C_op_bit,
    [WG_OP_BFE] = WG_C_op_bit,
    [WG_OP_BFI] = WG_C_op_bit,
    [WG_OP_BMSK] = WG_C_op_bit,
    [WG_OP_SZEXT] = WG_C_op_bit,

    [WG_OP_RCP] = WG_C_op_special,
    [WG_OP_RCP_A] = WG_C_op_special,
    [WG_OP_SQRT] = WG_C_op_special,
    [WG_OP_SQRT_A] = WG_C_op_special,
    [WG_OP_RSQRT_A] = WG_C_op_special,
    [WG_OP_SIN_A] = WG_C_op_special,
    [WG_OP_COS_A] = WG_C_op_special,
    [WG_OP_LG2_A] = WG_C_op_special,
    [WG_OP_EX2_A] = WG_C_op_special,
    [WG_OP_TANH_A] = WG_C_op_special,

    [WG_OP_CVT] = WG_C_op_conversion,
    [WG_OP_CVT_PACK_F] = WG_C_op_conversion,
    [WG_OP_CVT_PACK_8] = WG_C_op_conversion,
    [WG_OP_CVT_NARROW_8] = WG_C_op_conversion,
    [WG_OP_CVT_WIDEN_8] = WG_C_op_conversion,
    [WG_OP_CVT_PACK_I] = WG_C_op_conversion,
    [WG_OP_CVT_PACK_B] = WG_C_op_conversion,

    [WG_OP_SHFL] = WG_C_op_warp,
    [WG_OP_VOTE] = WG_C_op_warp,
    [WG_OP_VOTE_BALLOT] = WG_C_op_warp,
    [WG_OP_MATCH] = WG_C_op_warp,
    [WG_OP_REDUX] = WG_C_op_warp,
    [WG_OP_ACTIVEMASK] = WG_C_op_warp,
    [WG_OP_ELECT] = WG_C_op_warp,
    [WG_OP_MOVMATRIX] = WG_C_op_warp,

    [WG_OP_MMA] = WG_C_op_tensor,
    [WG_OP_WMMA] = WG_C_op_tensor,
    [WG_OP_WMMA_F16] = WG_C_op_tensor,
    [WG_OP_WGMMA] = WG_C_op_tensor,

    [WG_OP_ADD_I] = WG_C_op_integer,
    [WG_OP_SUB_I] = WG_C_op_integer,
    [WG_OP_ADD_CC] = WG_C_op_integer,
    [WG_OP_ADDC] = WG_C_op_integer,
    [WG_OP_SUB_CC] = WG_C_op_integer,
    [WG_OP_SUBC] = WG_C_op_integer,
    [WG_OP_MUL_I] = WG_C_op_integer,
    [WG_OP_MAD_I] = WG_C_op_integer,
    [WG_OP_MAD_CC] = WG_C_op_integer,
    [WG_OP_MADC] = WG_C_op_integer,
    [WG_OP_MUL24] = WG_C_op_integer,
    [WG_OP_MAD24] = WG_C_op_integer,
    [WG_OP_SAD] = WG_C_op_integer,
    [WG_OP_DIV_I] = WG_C_op_integer,
    [WG_OP_REM_I] = WG_C_op_integer,
    [WG_OP_ABS_I] = WG_C_op_integer,
    [WG_OP_NEG_I] = WG_C_op_integer,
    [WG_OP_MIN_I] = WG_C_op_integer,
    [WG_OP_MAX_I] = WG_C_op_integer,
    [WG_OP_MIN_RELU] = WG_C_op_integer,
    [WG_OP_MAX_RELU] = WG_C_op_integer,
    [WG_OP_DP4A] = WG_C_op_integer,
    [WG_OP_DP2A] = WG_C_op_integer,
    [WG_OP_VABSDIFF2] = WG_C_op_integer,
    [WG_OP_VABSDIFF2_ADD] = WG_C_op_integer,
    [WG_OP_VABSDIFF4] = WG_C_op_integer,
    [WG_OP_VABSDIFF4_ADD] = WG_C_op_integer,
    [WG_OP_SELP] = WG_C_op_integer,
    [WG_OP_SLCT] = WG_C_op_integer,

    [WG_OP_BAR_WARP] = WG_C_op_control,
    [WG_OP_BAR_SYNC] = WG_C_op_control,
    [WG_OP_BAR_ARRIVE] = WG_C_op_control,
    [WG_OP_BAR_RED] = WG_C_op_control,
    [WG_OP_BARRIER_SYNC] = WG_C_op_control,
    [WG_OP_BARRIER_ARRIVE] = WG_C_op_control,
    [WG_OP_BARRIER_RED] = WG_C_op_control,
    [WG_OP_BAR_CL_ARRIVE] = WG_C_op_control,
    [WG_OP_BAR_CL_WAIT] = WG_C_op_control,
    [WG_OP_CALL] = WG_C_op_control,
    [WG_OP_TRAP] = WG_C_op_control,
    [WG_OP_BRKPT] = WG_C_op_control,
    [WG_OP_NANOSLEEP] = WG_C_op_control,

    [WG_OP_DIV_F] = BY_TYPE,
    [WG_OP_DIV_A] = BY_TYPE,
    [WG_OP_NEG_F] = BY_TYPE,
    [WG_OP_ABS_F] = BY_TYPE,
    [WG_OP_MIN_F] = BY_TYPE,
    [WG_OP_MAX_F] = BY_TYPE,
    [WG_OP_TESTP] = BY_TYPE,
    [WG_OP_COPYSIGN] = BY_TYPE,
    [WG_OP_SETP] = BY_TYPE,
    [WG_OP_SETP_B] = BY_TYPE,
    [WG_OP_SETP_X2] = BY_TYPE,
    [WG_OP_SETP_X2_B] = BY_TYPE,
    [WG_OP_SET] = BY_TYPE,
    [WG_OP_SET_B] = BY_TYPE,
    [WG_OP_SET_X2] = BY_TYPE,
    [WG_OP_SET_X2_B] = BY_TYPE,
};

static bool is_pair(enum wg_type t) { return t == WG_T_F16X2 || t == WG_T_BF16X2; }

static enum width width_of(enum wg_type t) {
    return wg_type_bits(t) == 64 ? DOUBLE : wg_type_bits(t) == 16 || is_pair(t) ? HALF : SINGLE;
}

static struct wg_operation of_float(enum wg_type t) {
    static const uint8_t classes[] = {WG_C_op_fp16, WG_C_op_fp32, WG_C_op_fp64};
    return (struct wg_operation){.class = classes[width_of(t)]};
}

static struct wg_operation of_arithmetic(enum wg_type t, enum arithmetic a) {
    static const uint8_t operations[3][3] = {{WG_C_hadd, WG_C_hmul, WG_C_hfma},
                                             {WG_C_fadd, WG_C_fmul, WG_C_ffma},
                                             {WG_C_dadd, WG_C_dmul, WG_C_dfma}};
    struct wg_operation o = of_float(t);
    o.operation = operations[width_of(t)][a];
    o.each = is_pair(t) ? 2 : 1;
    return o;
}

struct wg_operation wg_operation_of(const struct wg_ir_instr *in) {
    enum wg_type t = (enum wg_type)in->type;
    switch (in->op) {
    case WG_OP_ADD_F:
    case WG_OP_SUB_F: return of_arithmetic(t, ADD);
    case WG_OP_MUL_F: return of_arithmetic(t, MULTIPLY);
    case WG_OP_FMA:
    case WG_OP_MAD_F: return of_arithmetic(t, FUSED);
    default: break;
    }
    uint8_t class = classes[in->op];
    if (class == BY_TYPE)
        return wg_type_kind(t) == WG_K_F ? of_float(t) : (struct wg_operation){.class = WG_C_op_integer};
    if (class) return (struct wg_operation){.class = class};
    bool memory = (wg_op_flags(in->op) & (WG_F_MEM | WG_F_BULK)) && in->space != WG_S_PARAM;
    return (struct wg_operation){.class = memory ? WG_C_op_memory : WG_C_op_misc};
}

struct wg_operation wg_operation_of_branch(void) { return (struct wg_operation){.class = WG_C_op_control}; }
