/* Shared events: events that several processes record and wait for (cudaEventInterprocess).
 *
 * A page in a file in memory, which every process maps, counts records and says which of them have ended:
 *
 *     record    takes the next number; when the stream gets there, that number has ended
 *     wait      for the number that is the latest when the wait is asked for
 *
 * A process that records holds a lock on the file, which the kernel releases when the process ends, however it
 * does. Nobody waits for a process that is gone.
 */
#ifndef WG_MACHINE_SHARED_EVENT_H
#define WG_MACHINE_SHARED_EVENT_H
#include <stdbool.h>
#include <stdint.h>

struct wg_work;
struct wg_shared_event;

/* With one reference. NULL, with errno: the host refused it, or `file` is not one of an event. Opening takes
 * the file if it succeeds. */
struct wg_shared_event *wg_shared_event_new(void);
struct wg_shared_event *wg_shared_event_open(int file);
struct wg_shared_event *wg_shared_event_hold(struct wg_shared_event *e);
void wg_shared_event_drop(struct wg_shared_event *e);
int wg_shared_event_file(const struct wg_shared_event *e);

uint32_t wg_shared_event_record(struct wg_shared_event *e); /* a new record's number */
void wg_shared_event_ends(struct wg_shared_event *e, uint32_t number);
uint32_t wg_shared_event_latest(const struct wg_shared_event *e);
/* It, or a later one; also when no process is left that could end it. */
bool wg_shared_event_ended(struct wg_shared_event *e, uint32_t number);
/* Waits for that, at most some tens of milliseconds. */
bool wg_shared_event_wait(struct wg_shared_event *e, uint32_t number);

/* shared_wait.c: the beginnings of the two kinds of work that are about such an event: a record has been
 * reached; a stream waits, on a thread of its own. */
bool wg_shared_event_begin_record(struct wg_work *w, bool failed);
bool wg_shared_event_begin_wait(struct wg_work *w, bool failed);
#endif
