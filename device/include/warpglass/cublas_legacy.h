/* cublas_legacy.h: the functions of cublas.h, made of the list in cublas_functions.h, which is included behind this with
 * WG_BLAS_ROW defined as WG_LEGACY_OF, and WG_LEGACY_ROW, which the includer undefines.
 *
 *     WG_LEGACY_ROW(RESULT, NAME, LIST, T, R)     as WG_BLAS_ROW; RESULT: the type that the function returns
 *
 * OP and E, which are short names that a program may have as macros, are not handed on.
 *
 * Functions of before CUDA 4 are those whose symbols end in _v2 today. Consumers: cublas.h, blas/legacy.c, blas/stub.c.
 */
#ifndef WARPGLASS_CUBLAS_LEGACY_H
#define WARPGLASS_CUBLAS_LEGACY_H
/* clang-format off */

/* The second of what A and B are when they are expanded: B itself, unless A becomes "~, X". */
#define WG_LEGACY_SECOND(...)           WG_LEGACY_SECOND_(__VA_ARGS__, ~)
#define WG_LEGACY_SECOND_(A, B, ...)    B
#define WG_LEGACY_RESULT(LIST, T, R)    WG_LEGACY_SECOND(WG_LEGACY_RESULT_OF_##LIST(T, R), void)
#define WG_LEGACY_RESULT_OF_WG_BLAS_AMAX(T, R) ~, int
#define WG_LEGACY_RESULT_OF_WG_BLAS_NORM(T, R) ~, R
#define WG_LEGACY_RESULT_OF_WG_BLAS_DOT(T, R)  ~, T
/* The product with a triangle takes the place of B. */
#define WG_LEGACY_LIST(LIST)                  WG_LEGACY_SECOND(WG_LEGACY_LIST_OF_##LIST, LIST)
#define WG_LEGACY_LIST_OF_WG_BLAS_TRMM        ~, WG_BLAS_TRSM

#define WG_LEGACY_OF(V, NAME, OP, LIST, E, T, R) V##_LEGACY(NAME, LIST, T, R)
#define WG_BLAS_V1_LEGACY(NAME, LIST, T, R)      /* newer than that */
#define WG_BLAS_V2_LEGACY(NAME, LIST, T, R)      WG_LEGACY_ROW(WG_LEGACY_RESULT(LIST, T, R), NAME, WG_LEGACY_LIST(LIST), T, R)

/* Parameters: each begins with a comma, which the first must not have. */
#define WG_LEGACY_PARAMETERS(...)           WG_LEGACY_TAIL(__VA_ARGS__)
#define WG_LEGACY_TAIL(NONE, ...)           __VA_ARGS__
#define WG_LEGACY_PARAMETER(TYPE, NAME)     WG_LEGACY_PARAMETER_##NAME(TYPE)
#define WG_LEGACY_PARAMETER_result(TYPE)    /* is returned */
#define WG_LEGACY_PARAMETER_uplo(TYPE)      , char __uplo
#define WG_LEGACY_PARAMETER_trans(TYPE)     , char __trans
#define WG_LEGACY_PARAMETER_transa(TYPE)    , char __transa
#define WG_LEGACY_PARAMETER_transb(TYPE)    , char __transb
#define WG_LEGACY_PARAMETER_diag(TYPE)      , char __diag
#define WG_LEGACY_PARAMETER_side(TYPE)      , char __side
#define WG_LEGACY_PARAMETER_alpha(TYPE)     , __typeof__(*(TYPE)0) __alpha
#define WG_LEGACY_PARAMETER_beta(TYPE)      , __typeof__(*(TYPE)0) __beta
#define WG_LEGACY_PARAMETER_c(TYPE)         , __typeof__(*(TYPE)0) __c
#define WG_LEGACY_PARAMETER_s(TYPE)         , __typeof__(*(TYPE)0) __s
#define WG_LEGACY_PARAMETER_n(TYPE)         , TYPE __n
#define WG_LEGACY_PARAMETER_m(TYPE)         , TYPE __m
#define WG_LEGACY_PARAMETER_k(TYPE)         , TYPE __k
#define WG_LEGACY_PARAMETER_kl(TYPE)        , TYPE __kl
#define WG_LEGACY_PARAMETER_ku(TYPE)        , TYPE __ku
#define WG_LEGACY_PARAMETER_x(TYPE)         , TYPE __x
#define WG_LEGACY_PARAMETER_incx(TYPE)      , TYPE __incx
#define WG_LEGACY_PARAMETER_y(TYPE)         , TYPE __y
#define WG_LEGACY_PARAMETER_incy(TYPE)      , TYPE __incy
#define WG_LEGACY_PARAMETER_param(TYPE)     , TYPE __param
#define WG_LEGACY_PARAMETER_A(TYPE)         , TYPE __A
#define WG_LEGACY_PARAMETER_lda(TYPE)       , TYPE __lda
#define WG_LEGACY_PARAMETER_AP(TYPE)        , TYPE __AP
#define WG_LEGACY_PARAMETER_B(TYPE)         , TYPE __B
#define WG_LEGACY_PARAMETER_ldb(TYPE)       , TYPE __ldb
#define WG_LEGACY_PARAMETER_C(TYPE)         , TYPE __C
#define WG_LEGACY_PARAMETER_ldc(TYPE)       , TYPE __ldc
#endif
