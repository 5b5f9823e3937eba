/* Waiting for a word to change: spin briefly, then block on a futex. For latencies of a few microseconds,
 * which condition variables do not reach.
 *
 *     while ((v = atomic_load(&word)) == old) wg_park(&word, v, timeout_ns);      waiter
 *     atomic_store(&word, new); wg_unpark(&word, INT_MAX);                        waker
 */
#ifndef WG_MACHINE_PARK_H
#define WG_MACHINE_PARK_H
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef _Atomic uint32_t wg_word;

/* Sleeps while *word == seen, at most `ns` nanoseconds (0: without end). May wake for no reason. */
static inline void wg_park(wg_word *word, uint32_t seen, uint64_t ns) {
    struct timespec t = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, ns ? &t : NULL, NULL, 0);
}
static inline void wg_unpark(wg_word *word, int count) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

/* Of a lock that is held for some hundred instructions: whoever waits for it looks again for a while before it
 * sleeps, since a sleep and a wake take a hundred times as long. */
static inline void wg_brief_lock_init(pthread_mutex_t *lock) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(lock, &attr);
    pthread_mutexattr_destroy(&attr);
}

static inline void wg_relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}
#endif
