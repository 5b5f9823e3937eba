/* A program of NVRTC, from its source to its PTX.
 *
 *     nvrtcCreateProgram --> source, headers      nvrtcAddNameExpression --> names
 *     nvrtcCompileProgram: rtc_compile.c writes them to a folder, starts "warpglass nvcc -ptx", and reads
 *                          --> ptx, cubin, log; rtc_names.c finds the names' mangled forms in the PTX
 */
#ifndef WG_RTC_PROGRAM_H
#define WG_RTC_PROGRAM_H
#include "base/arena.h"
#include "base/strbuf.h"
#include <nvrtc.h>

struct wg_rtc_name {
    char *expression; /* as the program gave it */
    char *mangled;    /* NULL: not compiled */
};
struct wg_rtc_header {
    char *name, *text;
};
struct _nvrtcProgram {
    char *source, *name;
    WG_VEC(struct wg_rtc_header) headers;
    WG_VEC(struct wg_rtc_name) names;
    bool tried; /* has been compiled, well or not: no name may be added any more */
    bool good;  /* well */
    struct wg_strbuf ptx, cubin, log;
    int (*callback)(void *, void *);
    void *payload;
};

/* Compiles it. What is wrong is in its log. */
nvrtcResult wg_rtc_compile(nvrtcProgram p, int option_count, const char *const *options);

/* Adds to the source, for each name, a variable that holds its address; and takes them out of the PTX again, each of which says
 * the name's mangled form. False where one is not found. */
void wg_rtc_names_ask(const struct _nvrtcProgram *p, struct wg_strbuf *source);
bool wg_rtc_names_read(nvrtcProgram p);
#endif
