/* See suggestion.h. */
#include "base/suggestion.h"
#include <stddef.h>
#include <string.h>

/* Letters to add, drop or change to come from one word to the other. */
static size_t distance(const char *from, const char *to) {
    enum { LONGEST = 63 };
    size_t n = strlen(to), row[LONGEST + 1];
    if (n > LONGEST || strlen(from) > LONGEST) return LONGEST;
    for (size_t j = 0; j <= n; j++) row[j] = j;
    for (size_t i = 1; from[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t change = diagonal + (from[i - 1] != to[j - 1]);
            diagonal = row[j];
            size_t shift = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
            row[j] = change < shift ? change : shift;
        }
    }
    return row[n];
}

static size_t same_start(const char *a, const char *b) {
    size_t n = 0;
    while (a[n] && a[n] == b[n]) n++;
    return n;
}

const char *wg_suggestion(const char *word, const char *const *candidates) {
    const char *best = NULL;
    size_t least = strlen(word) / 3 + 1; /* further away it is another word */
    for (; *candidates; candidates++) {
        size_t d = distance(word, *candidates);
        if (d > least || d >= strlen(*candidates)) continue;
        /* Of words equally far away, the one that begins alike. */
        if (d < least || !best || same_start(word, *candidates) > same_start(word, best)) best = *candidates;
        least = d;
    }
    return best;
}
