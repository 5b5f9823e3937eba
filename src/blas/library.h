/* The library of the host's that does BLAS' work on matrices: OpenBLAS, or another that $WARPGLASS_BLAS names. It is loaded when a
 * program first makes a handle, and its names stay its own: what a program itself brings of BLAS does not mix with it.
 *
 * All is called as Fortran does, by pointers, which is alike for all types of elements.
 */
#ifndef WG_BLAS_LIBRARY_H
#define WG_BLAS_LIBRARY_H
#include <stdbool.h>

enum { WG_BLAS_ARGUMENTS = 20 };
typedef void wg_blas_fn(void);
/* One function for float, double and the two complex types; NULL: BLAS has none. */
struct wg_blas_library {
#define FN(NAME, S, D, C, Z) wg_blas_fn *NAME[4];
#include "blas/library.def"
};
/* NULL: there is none; says so, once. */
const struct wg_blas_library *wg_blas_library(void);
/* What BLAS does not use of the arguments it does not see. */
void wg_blas_fortran(wg_blas_fn *fn, const void *const a[WG_BLAS_ARGUMENTS]);
#define WG_FORTRAN(FN, ...) wg_blas_fortran(FN, (const void *[WG_BLAS_ARGUMENTS]){__VA_ARGS__})
#endif
