/* The warp scheduler of the reference: runs a warp until it ends, waits, yields or faults. */
#ifndef WG_REF_RUN_H
#define WG_REF_RUN_H
#include "warp/warp.h"

enum wg_warp_status wg_ref_run(struct wg_warp *wg);
#endif
