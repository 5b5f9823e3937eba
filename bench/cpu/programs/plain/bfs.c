/* bfs.c: one queue of vertices for each level; who reaches a vertex first puts it into the next. */
#include "plain.h"

#include <string.h>

enum { KEPT = 256 };

static void append(int *queue, int *count, const int *mine, int number) {
    const int at = __atomic_fetch_add(count, number, __ATOMIC_RELAXED);
    memcpy(queue + at, mine, number * sizeof *queue);
}

void plain_bfs(struct program *p) {
    const int n = p->n[0], *first = p->in[0], *leads = p->in[1];
    int *level = p->out, *queue = p->work, *next = queue + n, count = 1;
    memset(level, 0xff, n * sizeof *level);
    level[0] = queue[0] = 0;
    for (int now = 1; count; now++) {
        int found = 0;
#pragma omp parallel
        {
            int mine[KEPT], number = 0;
#pragma omp for schedule(dynamic, 256) nowait
            for (int i = 0; i < count; i++)
                for (int e = first[queue[i]]; e < first[queue[i] + 1]; e++) {
                    int unseen = -1, *to = &level[leads[e]];
                    if (__atomic_load_n(to, __ATOMIC_RELAXED) >= 0 ||
                        !__atomic_compare_exchange_n(to, &unseen, now, false, __ATOMIC_RELAXED,
                                                     __ATOMIC_RELAXED))
                        continue;
                    if (number == KEPT) append(next, &found, mine, number), number = 0;
                    mine[number++] = leads[e];
                }
            append(next, &found, mine, number);
        }
        int *const last = queue;
        queue = next;
        next = last;
        count = found;
    }
}
