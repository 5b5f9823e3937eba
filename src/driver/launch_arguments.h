/* Arguments of launches: as a program gives them, and kept for a node of a graph; and why a launch is refused. */
#ifndef WG_DRIVER_LAUNCH_ARGUMENTS_H
#define WG_DRIVER_LAUNCH_ARGUMENTS_H
#include "driver/graph.h"

enum { WG_LAUNCH_PARAM_BYTES = 32768 };
struct wg_launch_arguments {
    void **pointers, **extra; /* one of them, or none */
};
/* Into the launch; `padded` has room for those that come as one buffer. */
CUresult wg_launch_give(struct wg_launch *l, const struct wg_launch_arguments *a,
                        const struct wg_func_info *info, uint8_t *padded, size_t padded_bytes);
CUresult wg_launch_refusal(enum wg_status status, const struct wg_launch *l, const struct wg_func_info *info);
/* A launch that is possible, as a node's work that has its arguments. */
CUresult wg_launch_keep(CUfunction f, const struct wg_launch *l, const struct wg_launch_arguments *a,
                        struct wg_node_work *w);
#endif
