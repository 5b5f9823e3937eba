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
static inline const char *wg_option(int __argc, const char **__argv, const char *__name) {
    size_t __n = strlen(__name);
    for (int __i = 1; __i < __argc; __i++) {
        const char *__word = __argv[__i] + strspn(__argv[__i], "-");
        if (__word != __argv[__i] && !strncasecmp(__word, __name, __n) &&
            (!__word[__n] || __word[__n] == '='))
            return __word + __n;
    }
    return NULL;
}
static inline bool checkCmdLineFlag(int __argc, const char **__argv, const char *__name) {
    return wg_option(__argc, __argv, __name) != NULL;
}
static inline int getCmdLineArgumentInt(int __argc, const char **__argv, const char *__name) {
    const char *__value = wg_option(__argc, __argv, __name);
    return __value && *__value ? atoi(__value + 1) : 0;
}
static inline float getCmdLineArgumentFloat(int __argc, const char **__argv, const char *__name) {
    const char *__value = wg_option(__argc, __argv, __name);
    return __value && *__value ? (float)atof(__value + 1) : 0;
}
static inline bool getCmdLineArgumentString(int __argc, const char **__argv, const char *__name,
                                            char **__text) {
    const char *__value = wg_option(__argc, __argv, __name);
    *__text = __value && *__value ? (char *)__value + 1 : NULL;
    return *__text != NULL;
}

#endif
