/* The functions of libcublas that compute, made of the table of device/include/warpglass/cublas_functions.h. */
#include "blas/call.h"

/* What is known of the types before the arguments are looked at. */
#define TYPES_S  .type = CUDA_R_32F
#define TYPES_D  .type = CUDA_R_64F
#define TYPES_C  .type = CUDA_C_32F
#define TYPES_Z  .type = CUDA_C_64F
#define TYPES_H  .type = CUDA_R_16F
#define TYPES_X  .type = WG_TYPE_TOLD, .scalar = WG_TYPE_TOLD
#define TYPES_SX .type = WG_TYPE_TOLD, .scalar = CUDA_R_32F, .compute = CUBLAS_COMPUTE_32F
#define TYPES_CX .type = WG_TYPE_TOLD, .scalar = CUDA_C_32F, .compute = CUBLAS_COMPUTE_32F
#define TYPES_HSH                                                                                            \
    .type = WG_TYPE_TOLD, .compute = CUBLAS_COMPUTE_32F, .Atype = CUDA_R_16F, .xtype = CUDA_R_16F,           \
    .ytype = CUDA_R_16F
#define TYPES_HSS                                                                                            \
    .type = WG_TYPE_TOLD, .compute = CUBLAS_COMPUTE_32F, .Atype = CUDA_R_16F, .xtype = CUDA_R_16F,           \
    .ytype = CUDA_R_32F
#define TYPES_TST                                                                                            \
    .type = WG_TYPE_TOLD, .compute = CUBLAS_COMPUTE_32F, .Atype = CUDA_R_16BF, .xtype = CUDA_R_16BF,         \
    .ytype = CUDA_R_16BF
#define TYPES_TSS                                                                                            \
    .type = WG_TYPE_TOLD, .compute = CUBLAS_COMPUTE_32F, .Atype = CUDA_R_16BF, .xtype = CUDA_R_16BF,         \
    .ytype = CUDA_R_32F

#define FIELD(TYPE, NAME) , .NAME = __##NAME
#define DEFINE(SYMBOL, NAME, OP, LIST, E, I, T, R)                                                           \
    WG_BLAS_EXPORT cublasStatus_t SYMBOL(cublasHandle_t __handle LIST(WG_BLAS_PARAMETER, I, T, R)) {         \
        struct wg_blas_call call = {                                                                         \
            .function = NAME,                                                                                \
            .from = (uint64_t)__builtin_return_address(0),                                                   \
            .op = WG_BLAS_##OP,                                                                              \
            .batchCount = 1,                                                                                 \
            TYPES_##E LIST(FIELD, I, T, R)                                                                   \
        };                                                                                                   \
        call.wide = sizeof(I) > sizeof(int);                                                                 \
        return wg_blas_do(__handle, &call);                                                                  \
    }
#define END_64(NAME)  END_64_(NAME)
#define END_64_(NAME) NAME##_64
#define WG_BLAS_ROW(V, NAME, OP, LIST, E, T, R)                                                              \
    DEFINE(V(cublas##NAME), "cublas" #NAME, OP, LIST, E, int, T, R)                                          \
    DEFINE(END_64(V(cublas##NAME)), "cublas" #NAME "_64", OP, LIST, E, int64_t, T, R)
/* The number in a batch stands once more in each batched row. */
#pragma GCC diagnostic ignored "-Woverride-init"
#pragma GCC diagnostic ignored "-Wincompatible-pointer-types"
#include "warpglass/cublas_functions.h"
