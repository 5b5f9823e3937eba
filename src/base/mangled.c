/* See mangled.h. */
#include "base/mangled.h"
#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The C++ library's, which a program in C has not loaded itself. */
typedef char *demangle_fn(const char *, char *, size_t *, int *);
static demangle_fn *demangle;
static void find_demangle(void) {
    void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (library) demangle = (demangle_fn *)dlsym(library, "__cxa_demangle");
}
/* To be freed; NULL: it is nothing mangled, or there is no such library. */
static char *demangled(const char *name) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int status = 0;
    pthread_once(&once, find_demangle);
    return demangle ? demangle(name, NULL, NULL, &status) : NULL;
}

/* What follows the last "::" of "f(ns::type, int)::part" that is in no parentheses or template arguments. */
static const char *demangled_variable(struct wg_arena *a, const char *mangled) {
    char *text = demangled(mangled);
    int depth = 0;
    if (!text) return NULL;
    const char *last = text;
    for (const char *at = text; *at; at++) {
        depth += (strchr("(<{[", *at) != NULL) - (strchr(")>}]", *at) != NULL);
        if (!depth && at[0] == ':' && at[1] == ':') last = at + 2;
    }
    const char *name = depth ? NULL : wg_arena_strdup(a, last);
    free(text);
    return name;
}

/* "part" of "_ZZ5tiledPKiE4part", where there is no C++ library: the last name that its length stands before. */
static const char *variable_name(struct wg_arena *a, const char *mangled) {
    size_t n = strlen(mangled), after = 0; /* the name before, which may end with a digit: _GLOBAL__N_1 */
    for (size_t i = 2; i < n; i++) {
        bool inside = isdigit((unsigned char)mangled[i - 1]) && i != after;
        bool again = mangled[i - 1] == 'S' && i != after; /* S0_: something that was named before */
        if (!isdigit((unsigned char)mangled[i]) || inside || again) continue;
        size_t digits = strspn(mangled + i, "0123456789"), length = strtoul(mangled + i, NULL, 10);
        size_t end = i + digits + length;
        if (!length || isdigit((unsigned char)mangled[i + digits]))
            continue; /* T0_: a parameter of a template */
        /* Statics of one name in several scopes have a suffix such as "_0". */
        bool nested = end + 1 == n && mangled[end] == 'E'; /* in a namespace or class */
        if (end == n || nested || (end < n && mangled[end] == '_'))
            return wg_arena_strndup(a, mangled + i + digits, length);
        if (end < n) after = end;
    }
    return NULL;
}

/* "a" of clang's "__const_$__Z1kPi_$_a", from where k's array gets its values. */
static const char *name_of_values(const char *name) {
    const char *last = NULL;
    if (strncmp(name, "__const_$_", 10) != 0) return NULL;
    for (const char *at = name + 7; (at = strstr(at, "_$_")); at += 3) last = at + 3;
    return last;
}

const char *wg_variable_name(struct wg_arena *a, const char *name) {
    const char *values = name_of_values(name);
    if (values) return values;
    if (strncmp(name, "_Z", 2) != 0) return name;
    const char *better = demangled_variable(a, name);
    if (!better) better = variable_name(a, name);
    return better ? better : name;
}

/* nvcc's namespace of what is static in a source: _INTERNAL_ae5eabdc_7_main_cu_0150f4f5::f(int) is f(int). */
static void drop_internal(char *text) {
    for (char *at = text; (at = strstr(at, "_INTERNAL_"));) {
        const char *end = strstr(at, "::");
        if (!end) break;
        memmove(at, end + 2, strlen(end + 2) + 1);
    }
}

char *wg_function_name(const char *name) {
    if (strncmp(name, "_Z", 2) != 0) return wg_xstrdup(name); /* "f" would be float */
    char *text = demangled(name);
    if (text) drop_internal(text);
    return text ? text : wg_xstrdup(name);
}
