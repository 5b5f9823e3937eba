/* Programs that end by _exit, as children of fork do, run no handler: what they left would be cut short. */
#ifndef WG_DRIVER_ABRUPT_END_H
#define WG_DRIVER_ABRUPT_END_H

/* From now on _exit and _Exit, called by what is loaded now, call `before` first. Once in a process. */
void wg_abrupt_end_listen(void (*before)(void));
/* Ends the process so. */
_Noreturn void wg_abrupt_end(int status);
#endif
