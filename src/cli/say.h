/* What the command says to a person, on standard error and in one form: "warpglass: FILE: what is wrong". */
#ifndef WG_CLI_SAY_H
#define WG_CLI_SAY_H
#include <stdbool.h>

void wg_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Said only with --verbose. */
void wg_say_verbose(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void wg_say_set_verbose(bool on);
bool wg_say_is_verbose(void);
#endif
