/* libwarpglass-stub-nvrtc.so: the names of libnvrtc.so.13 for a linker, as runtime/stub.c has those of the runtime. */
#define FUNCTION(NAME)                                                                                       \
    void NAME(void);                                                                                         \
    void NAME(void) {}
#pragma GCC visibility push(default)
#include "rtc/functions.def"
