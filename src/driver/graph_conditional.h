/* Conditional nodes: a value that kernels set says which of the node's graphs is launched, and whether again.
 *
 *     graph_conditional.c   handles of values, and nodes
 *     graph_choice.c        what may be launched, and a launch: the host does not know the value then. Such a node is work
 *                           that is put together when the stream comes to it (wg_stream_steps), from copies of its graphs
 *                           as they are at the launch
 */
#ifndef WG_DRIVER_GRAPH_CONDITIONAL_H
#define WG_DRIVER_GRAPH_CONDITIONAL_H
#include "driver/graph.h"

/* A value. It lives as long as a graph, or an executable one, has it. */
struct wg_graph_condition {
    _Atomic uint32_t refs;
    struct CUctx_st *ctx;
    unsigned generation; /* of the context */
    CUgraphConditionalHandle handle;
    unsigned value;             /* at the beginning of each launch, if `assigned` */
    bool assigned, used, taken; /* used: by a node; taken: by an executable graph */
};
struct wg_graph_condition *wg_condition_keep(struct wg_graph_condition *c);

/* What a node has. */
struct wg_conditional {
    struct wg_graph_condition *condition;
    CUgraphConditionalNodeType type;
    unsigned n;
    CUgraph graphs[];
};
#endif
