/* Warpglass's own threads, with deep stacks. */
#ifndef WG_BASE_THREAD_H
#define WG_BASE_THREAD_H
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* A thread that a compiler can work in: its stack is deep, whatever the program's threads have, and the
 * program's signals are not for it. False: it cannot be created. */
bool wg_start_thread(pthread_t *thread, void *(*run)(void *), void *user);
/* How many CPUs this process may use. */
uint32_t wg_cpus(void);

#endif
