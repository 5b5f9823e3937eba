/* The functions of CUDA 12's runtime library alone that are not there yet: see missing.c. */
int wg_not_supported(const char *function); /* driver/message.c */
int wg_note(int status);                    /* error.c */

#define RT12(NAME)
#define RT12_OTHER(NAME)
#define RT12_MISSING(NAME)                                                                                   \
    __attribute__((visibility("default"))) int NAME(void);                                                   \
    int NAME(void) { return wg_note(wg_not_supported(#NAME)); }
#include "runtime/entries12.def"
