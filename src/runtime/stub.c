/* libwarpglass-stub-cudart.so: the names of libcudart.so.13 for a linker, without code. The folder that "warpglass
 * toolkit" makes has it as lib64/libcudart.so, with the place of the real library as its name (soname), so that
 * programs find that one by themselves. */
#define RT(NAME)                                                                                             \
    void NAME(void);                                                                                         \
    void NAME(void) {}
#define RT_MISSING(NAME) RT(NAME)
#pragma GCC visibility push(default)
#include "runtime/entries.def"
