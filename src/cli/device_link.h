/* Which files of libraries a program needs for their device code alone. */
#ifndef WG_CLI_DEVICE_LINK_H
#define WG_CLI_DEVICE_LINK_H
#include "cli/process.h"

/* The linker takes a file out of a library (.a) for what the host calls of it. Device code that was compiled with
 * -rdc=true may call what another file has, too, which the linker does not see. For each file of `words`' libraries that
 * has such a function or variable, a name that only this file has is added to `names`: who asks the linker for it gets
 * the file.
 *
 *     words  main.o -Llib -ldevice       main.o: .extern .func _Z7doubledi
 *     names  __fatbinwrap__nv_4bf23aa406577d07       of lib/libdevice.a(device.cu.o): .visible .func _Z7doubledi */
void wg_device_link_look(const struct wg_args *words, struct wg_args *names);
#endif
