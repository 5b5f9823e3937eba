/* Rate limit for rewriting a file while a program runs: a process that is killed leaves what was known so
 * far, and none is slowed down by the writing.
 *
 *     struct wg_pace pace; wg_pace_begin(&pace);
 *     if (wg_pace_allows(&pace)) { uint64_t began = wg_now_ns(); ...; wg_pace_wrote(&pace, began); }
 */
#ifndef WG_BASE_PACE_H
#define WG_BASE_PACE_H
#include <stdbool.h>
#include <stdint.h>

struct wg_pace {
    uint64_t began, spent; /* ns: when the program began, and what writing has taken of its time */
    uint64_t ended, took;  /* ns: when the last writing ended, and its time */
    uint64_t free;         /* ns: of writing */
    bool saves;
};

/* So many milliseconds of writing are free: short programs have all of it written at once. Writing takes a twentieth of the
 * time at most after that; of the time since the program began, if it saves what it did not use, else since it last wrote. */
void wg_pace_begin(struct wg_pace *p, uint32_t free_ms, bool saves);
bool wg_pace_allows(const struct wg_pace *p);
void wg_pace_wrote(struct wg_pace *p, uint64_t began);
#endif
