/* What an executable says about itself before it runs. */
#ifndef WG_CLI_EXECUTABLE_H
#define WG_CLI_EXECUTABLE_H
#include <stdbool.h>

/* Does it carry CUDA code, and no CUDA library that the loader would bring? Then nvcc linked the static
 * runtime into it, which does not speak with Warpglass. False also for what is no executable of this
 * machine's. */
bool wg_executable_has_static_runtime(const char *path);
/* Calls fn for each library that the loader would bring for the program itself: "libcufft.so.12". */
void wg_executable_libraries(const char *path, void (*fn)(void *user, const char *library), void *user);
/* Is it an object of a compilation with -rdc=true? */
bool wg_object_has_linkable_device_code(const char *path);
/* Does the file end before what it says is in it, as after a copy that was broken off? The loader takes such
 * a program, and it dies by a signal. */
bool wg_executable_is_cut_short(const char *path);
#endif
