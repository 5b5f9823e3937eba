/* libwarpglass-stub-cuda.so: the names of libcuda.so.1 for a linker, as runtime/stub.c has those of the runtime. */
#define CU(SYMBOL, NAME, VERSION, STREAM)                                                                    \
    void SYMBOL(void);                                                                                       \
    void SYMBOL(void) {}
#define CU_MISSING(SYMBOL, NAME, VERSION, STREAM) CU(SYMBOL, NAME, VERSION, STREAM)
#pragma GCC visibility push(default)
#include "driver/entries.def"
