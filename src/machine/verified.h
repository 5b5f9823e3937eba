/* Results of the comparison of a process's launches with the reference: verify.h. */
#ifndef WG_MACHINE_VERIFIED_H
#define WG_MACHINE_VERIFIED_H
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { WG_VERIFY_TOLD = 16 }; /* differences that are reported */

/* options.verify: blocks of each launch that are compared; all of them. */
#define WG_VERIFY_ALL UINT32_MAX

struct wg_verified {
    void (*say)(const char *fmt, ...)
        __attribute__((format(printf, 1, 2))); /* to a person, from any thread */
    pthread_mutex_t lock;                      /* of all below */
    uint64_t launches, different;              /* compared; of these, not equal */
    uint64_t may_differ; /* not equal either, but what atomics return decides there, in any order */
    uint64_t bytes;      /* that the reference wrote and that were compared */
    uint64_t in_part;    /* the launches of which only some blocks were compared */
    uint64_t by_order;   /* words that differ only by the order of float atomics */
    const void *told[WG_VERIFY_TOLD]; /* of these, for each place in the text the first */
    uint32_t ntold;
    uint64_t left_out;   /* launches that were not compared */
    const char *why_not; /* the first of them; NULL: all were */
};
#endif
