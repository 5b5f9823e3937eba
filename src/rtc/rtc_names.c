/* Name expressions: see rtc_program.h.
 *
 *     k<int>  -->  extern "C" { __device__ const void *__wg_name_0 = (const void *)(k<int>); }
 *             -->  .visible .global .align 8 .u64 __wg_name_0 = _Z1kIiEvPT_;
 *
 * A variable's address may stand there as generic(c).
 */
#include "rtc/rtc_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE "__wg_name_"

void wg_rtc_names_ask(const struct _nvrtcProgram *p, struct wg_strbuf *source) {
    wg_strbuf_puts(source, "\n#line 1 \"name expressions\"\n");
    for (uint32_t i = 0; i < p->names.n; i++)
        wg_strbuf_printf(source,
                         "extern \"C\" { __device__ const void *" VARIABLE "%u = (const void *)(%s); }\n", i,
                         p->names.v[i].expression);
}

static bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/* The address that a variable's line gives. */
static char *read_address(const char *at, const char *end) {
    static const char generic[] = "generic(";
    at = memchr(at, '=', (size_t)(end - at));
    if (!at) return NULL;
    for (at++; at < end && *at == ' '; at++) continue;
    if ((size_t)(end - at) > sizeof generic && !memcmp(at, generic, sizeof generic - 1))
        at += sizeof generic - 1;
    const char *from = at;
    while (at < end && is_name_character(*at)) at++;
    return at > from ? strndup(from, (size_t)(at - from)) : NULL;
}

/* Takes the line in which `at` lies out of the text, which ends with a zero byte. */
static void cut_line(struct wg_strbuf *text, const char *at) {
    char *from = (char *)at;
    while (from > text->s && from[-1] != '\n') from--;
    size_t n = strcspn(from, "\n");
    n += from[n] == '\n';
    memmove(from, from + n, strlen(from + n) + 1);
    text->n -= n;
}

bool wg_rtc_names_read(nvrtcProgram p) {
    for (uint32_t i = 0; i < p->names.n; i++) {
        char variable[sizeof VARIABLE + 12];
        snprintf(variable, sizeof variable, VARIABLE "%u =", i);
        const char *at = p->ptx.s ? strstr(p->ptx.s, variable) : NULL;
        free(p->names.v[i].mangled);
        p->names.v[i].mangled = at ? read_address(at, at + strcspn(at, "\n;")) : NULL;
        if (!p->names.v[i].mangled) return false;
        cut_line(&p->ptx, at);
    }
    return true;
}
