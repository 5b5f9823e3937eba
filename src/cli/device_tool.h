/* The toolkit's tools for device code under NVIDIA's names, as build systems and scripts call them: the scripts bin/ptxas,
 * fatbinary, cuobjdump and nvlink of a toolkit (toolkit.h) start "warpglass tool NAME -- ARGUMENTS". Device code is PTX here,
 * which is translated when it runs, so each does what it can with PTX, and says what it cannot do.
 *
 * Their options are written --name VALUE, --name=VALUE, -brief VALUE, -brief=VALUE and, where `brief` is a letter, -bVALUE.
 */
#ifndef WG_CLI_DEVICE_TOOL_H
#define WG_CLI_DEVICE_TOOL_H
#include "base/arena.h"
#include "cli/process.h"

enum wg_tool_form {
    WG_TOOL_FLAG, /* or -name=true, -name=false */
    WG_TOOL_VALUE,
    WG_TOOL_REFUSED, /* a flag that asks for machine code */
    WG_TOOL_REFUSED_VALUE
};
struct wg_tool_option {
    const char *name, *brief, *value; /* value: what it is called in help */
    enum wg_tool_form form;
    const char *help; /* NULL: it steers what NVIDIA's does to machine code, and changes nothing here */
};

struct wg_tool_item {
    const struct wg_tool_option *option;
    const char *value; /* "true" of a flag */
};
struct wg_tool_words {
    const char *tool;
    const struct wg_tool_option *options; /* ends with a NULL name */
    WG_VEC(struct wg_tool_item) items;
    struct wg_args files;
    WG_VEC(struct wg_args) kept; /* the words of options files, to which values point */
};
/* The last value of the option of this name, "true" for a flag; NULL: it was not given, or as false. */
const char *wg_tool_value(const struct wg_tool_words *w, const char *name);

/* Each does its work and gives an exit status. */
int wg_tool_ptxas(const struct wg_tool_words *w);
int wg_tool_fatbinary(const struct wg_tool_words *w);
int wg_tool_cuobjdump(const struct wg_tool_words *w);
extern const struct wg_tool_option wg_ptxas_options[], wg_fatbinary_options[], wg_cuobjdump_options[];
#endif
