/* What is not there yet: the call does nothing, says so once, and returns CUBLAS_STATUS_NOT_SUPPORTED. */
#include "blas/call.h"

#define MISSING(NAME)                                                                                        \
    WG_BLAS_EXPORT cublasStatus_t NAME(void);                                                                \
    WG_BLAS_EXPORT cublasStatus_t NAME(void) { return wg_blas_missing(#NAME); }
#include "blas/missing.def"
