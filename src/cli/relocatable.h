/* Objects that clang compiled with -fgpu-rdc, made ready for the linker. */
#ifndef WG_CLI_RELOCATABLE_H
#define WG_CLI_RELOCATABLE_H
#include <stdbool.h>

/* Such an object registers itself by a function that a device linker would write, of a name of its own:
 *     __cudaRegisterLinkedBinary__nv_3f2a...  ->  __warpglass_register_file, which the runtime has.
 *
 * And it defines a name that the same path gives in another folder, too: it becomes weak. False: it is no
 * such object, or cannot be written. */
bool wg_relocatable_finish(const char *object);
#endif
