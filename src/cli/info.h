/* Parts of what `warpglass info` prints. */
#ifndef WG_CLI_INFO_H
#define WG_CLI_INFO_H

void wg_info_mpi(void);
#endif
