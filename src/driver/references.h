/* Texture and surface references of modules: variables of PTX's types .texref and .surfref, which the program finds by
 * their names and binds. What it says of one is written into the variable before the module's next launch.
 */
#ifndef WG_DRIVER_REFERENCES_H
#define WG_DRIVER_REFERENCES_H
#include "driver/driver.h"

/* Before a launch of one of the module's kernels. On failure wg_launch_detail says which reference cannot be read. */
CUresult wg_references_write(struct CUmod_st *module);
bool wg_is_reference(struct CUmod_st *module, const char *name);
void wg_references_free(struct CUmod_st *module);
#endif
