/* Which memory of the process can be read without a fault. */
#ifndef WG_DRIVER_READABLE_H
#define WG_DRIVER_READABLE_H
#include <stddef.h>

/* How many of the `n` bytes at `p` can be read, from the first on. */
size_t wg_readable(const void *p, size_t n);
/* The length of the text at `p`: up to a zero byte, or to where memory ends. */
size_t wg_readable_text(const void *p);
#endif
