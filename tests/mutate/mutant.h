/* What each condition of a form asks in the copy that tests/mutate/run makes: see schemata.py. */
#ifndef WG_MUTANT_H
#define WG_MUTANT_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WG_MUTANTS = 8192 };

/* Condition n is what refuses. WG_MUTANT=n: it is gone. WG_MUTANT_LOG: the file that is told which test
 * (WG_MUTANT_TEST) had it refuse. */
static inline int wg_mutant(int n) {
    static int gone = -1;
    static FILE *log;
    static char test[64];
    static unsigned char seen[WG_MUTANTS];
    if (gone < 0) {
        const char *number = getenv("WG_MUTANT"), *path = getenv("WG_MUTANT_LOG");
        gone = number ? atoi(number) : 0;
        log = path ? fopen(path, "ae") : NULL;
    }
    if (log) {
        const char *now = getenv("WG_MUTANT_TEST");
        if (strncmp(test, now, sizeof test - 1)) {
            strncpy(test, now, sizeof test - 1);
            memset(seen, 0, sizeof seen);
        }
        if (!seen[n]) {
            seen[n] = 1;
            fprintf(log, "%s %d\n", now, n);
            fflush(log);
        }
    }
    return gone == n;
}

/* From here on the test at hand is this one. */
static inline void wg_mutant_test(const char *kind, const char *name, unsigned long long seed) {
    char said[64];
    const char *file = name && strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
    if (file && seed)
        snprintf(said, sizeof said, "%s:%s:%llu", kind, file, seed);
    else if (file)
        snprintf(said, sizeof said, "%s:%s", kind, file);
    else
        snprintf(said, sizeof said, "%s:%llu", kind, seed);
    setenv("WG_MUTANT_TEST", said, 1);
}
#endif
