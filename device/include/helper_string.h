/* helper_string.h: options of the command line as NVIDIA's samples read them: -name=value, with one dash or
 * two. */
#ifndef WARPGLASS_HELPER_STRING_H
#define WARPGLASS_HELPER_STRING_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

/* What stands behind "name", or NULL: "" for a flag, "=value" with one. */
static inline const char *wg_option(int argc, const char **argv, const char *name) {
    size_t n = strlen(name);
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i] + strspn(argv[i], "-");
        if (word != argv[i] && !strncasecmp(word, name, n) && (!word[n] || word[n] == '=')) return word + n;
    }
    return NULL;
}
static inline bool checkCmdLineFlag(int argc, const char **argv, const char *name) {
    return wg_option(argc, argv, name) != NULL;
}
static inline int getCmdLineArgumentInt(int argc, const char **argv, const char *name) {
    const char *value = wg_option(argc, argv, name);
    return value && *value ? atoi(value + 1) : 0;
}
static inline float getCmdLineArgumentFloat(int argc, const char **argv, const char *name) {
    const char *value = wg_option(argc, argv, name);
    return value && *value ? (float)atof(value + 1) : 0;
}
static inline bool getCmdLineArgumentString(int argc, const char **argv, const char *name, char **text) {
    const char *value = wg_option(argc, argv, name);
    *text = value && *value ? (char *)value + 1 : NULL;
    return *text != NULL;
}

#endif
