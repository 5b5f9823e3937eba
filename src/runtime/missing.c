/* The functions of the runtime library that are not there yet: each answers cudaErrorNotSupported and says so
 * once.
 *
 * This file does not see the API's headers: here a function is a symbol and nothing more.
 */
int wg_not_supported(const char *function); /* driver/message.c */
int wg_note(int status);                    /* error.c */

#define RT(NAME)
#define RT_MISSING(NAME)                                                                                     \
    __attribute__((visibility("default"))) int NAME(void);                                                   \
    int NAME(void) { return wg_note(wg_not_supported(#NAME)); }
#include "runtime/entries.def"
