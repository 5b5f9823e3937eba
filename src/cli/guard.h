/* The folder for temporary files goes with the command, however it ends: also by kill -9.
 *
 * A process of its own waits for the end of a pipe that only this command holds, and then removes the folder.
 * It is in a session of its own, so that what ends the command's whole group does not end it. Signals that
 * ask for an end are handled at any moment by closing the pipe and waiting for it.
 */
#ifndef WG_CLI_GUARD_H
#define WG_CLI_GUARD_H
#include <signal.h>

/* From now on `folder` goes with this process. */
void wg_guard_begin(const char *folder);
/* In a child, before it becomes another program: signals mean again what they meant. */
void wg_guard_forget(void);
/* Holds signals back that ask for an end, and lets them come again. */
sigset_t wg_guard_hold(void);
void wg_guard_release(const sigset_t *before);

#endif
