/* libwarpglass-stub-cublas.so: the names of libcublas.so.13 for a linker, as runtime/stub.c has those of the runtime. */
#define WG_NAME(NAME)                                                                                        \
    void NAME(void);                                                                                         \
    void NAME(void) {}
#define END_64(NAME)                            END_64_(NAME)
#define END_64_(NAME)                           NAME##_64
#define WG_BLAS_ROW(V, NAME, OP, LIST, E, T, R) WG_NAMES(V(cublas##NAME))
#define WG_NAMES(NAME)                          WG_NAME(NAME) WG_NAME(END_64(NAME))
#define MISSING(NAME)                           WG_NAME(NAME)
#pragma GCC visibility push(default)
#include "warpglass/cublas_functions.h"
#include "warpglass/cublas_legacy.h"
#define WG_LEGACY_ROW(RESULT, NAME, ...) WG_NAME(cublas##NAME)
#define WG_BLAS_ROW                      WG_LEGACY_OF
#include "warpglass/cublas_functions.h"
#include "blas/missing.def"
#define NAME(X) WG_NAME(X)
#include "blas/others.def"
