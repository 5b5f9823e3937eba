/* What cublasLt's descriptors hold, and the product that they describe: what the files lt_*.c hand to each other. */
#ifndef WG_BLAS_LT_H
#define WG_BLAS_LT_H
#include "blas/call.h"
#pragma GCC visibility push(default)
#include <cublasLt.h>
#pragma GCC visibility pop

struct wg_lt_layout {
    int32_t type, order, batch, batch_mode;
    uint64_t rows, columns;
    int64_t ld, stride, plane;
};
struct wg_lt_product {
    int32_t compute, scale, pointers, transa, transb, transc, fill, epilogue, bias_type, aux_type, sms;
    int8_t fast;
    const void *bias;
    int64_t bias_stride, aux_ld, aux_stride, alpha_stride;
    void *aux;
    const void *scales[8]; /* of operands of 8 bits, and where their greatest goes */
};
struct wg_lt_transform {
    int32_t scale, pointers, transa, transb;
};
struct wg_lt_preference {
    int32_t search;
    uint64_t workspace;
    uint32_t reductions, alignments[4];
    float waves;
    uint64_t ways;
};

/* Bits of cublasLtEpilogue_t. */
enum {
    EPILOGUE_RELU = 2,
    EPILOGUE_BIAS = 4,
    EPILOGUE_DRELU = 8,
    EPILOGUE_BGRAD = 16,
    EPILOGUE_GELU = 32,
    EPILOGUE_DGELU = 64,
    EPILOGUE_AUX = 128,
    EPILOGUE_BGRADA = 256,
    EPILOGUE_BGRADB = 512
};

/* What of the product there is: the call that does it, without its memory. */
cublasStatus_t wg_lt_plan(const struct wg_lt_product *p, const struct wg_lt_layout *a,
                          const struct wg_lt_layout *b, const struct wg_lt_layout *c,
                          const struct wg_lt_layout *d, struct wg_blas_call *out);
#endif
