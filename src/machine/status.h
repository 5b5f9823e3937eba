/* How a function of the machine fails: it returns a status, and keeps a sentence for wg_last_detail. */
#ifndef WG_MACHINE_STATUS_H
#define WG_MACHINE_STATUS_H
#include "machine/machine.h"

/* Keeps the sentence for the calling thread and gives back `s`. */
enum wg_status wg_fail(enum wg_status s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
#endif
