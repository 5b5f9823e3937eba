/* libwarpglass-stub-cublasLt.so: the names of libcublasLt.so.13 for a linker, as stub.c has those of libcublas. */
#define NAME(SYMBOL)                                                                                         \
    void SYMBOL(void);                                                                                       \
    void SYMBOL(void) {}
#define MISSING(SYMBOL) NAME(SYMBOL)
#pragma GCC visibility push(default)
#include "blas/lt_names.def"
