/* Graphs: work that is written down once and put into a stream again and again.
 *
 *     nodes     what to do, and which nodes come before: added one by one (graph.c), or recorded while a
 *               program puts work into a stream that is being captured (capture.c)
 *     launch    the nodes of an executable graph, in an order that keeps to the edges, go into the stream one
 *               after the other (graph_exec.c), by the same calls that a program makes. Nodes without an edge
 *               between them may run at the same time, and need not; where races are looked for they go into
 *               several streams (graph_branches.c)
 */
#ifndef WG_DRIVER_GRAPH_H
#define WG_DRIVER_GRAPH_H
#include "driver/driver.h"

/* Values of conditional nodes, held (graph_conditional.c). */
struct wg_conditions {
    struct wg_graph_condition **v;
    uint32_t n, cap;
};

/* References to user objects (user_object.c). */
struct wg_object_held {
    CUuserObject object;
    uint64_t count;
};
struct wg_objects {
    struct wg_object_held *v;
    uint32_t n, cap;
};

/* Attributes of a kernel node that ask for nothing here (graph_attributes.c). */
struct wg_kernel_hints {
    CUaccessPolicyWindow window;
    CUclusterSchedulingPolicy policy;
    CUlaunchMemSyncDomainMap domains;
    CUlaunchMemSyncDomain domain;
    int priority;
    unsigned int carveout;
};

struct wg_node_work {
    CUgraphNodeType type;
    union {
        struct {
            CUfunction function;
            struct wg_launch launch; /* its parameters: one buffer, which is the node's */
            struct wg_kernel_hints hints;
        } kernel;
        CUDA_MEMCPY3D copy;
        CUDA_MEMSET_NODE_PARAMS fill;
        CUDA_HOST_NODE_PARAMS host;
        CUgraph child; /* the node's own */
        CUevent event;
        struct wg_graph_memory *memory; /* which the node allocates: see graph_memory.c */
        CUdeviceptr freed;
        struct wg_conditional *conditional; /* the node's own */
    };
};
struct CUgraphNode_st {
    CUgraph graph;
    struct wg_node_work work;
    WG_VEC(CUgraphNode) before;
    CUgraphNode made_of; /* in a copy of a graph: the node that it is a copy of */
    bool off;            /* in an executable graph: left out */
    bool seen;           /* while a graph is walked */
    uint32_t place;      /* the same: which of its graph's nodes it is */
    void **arguments;    /* a kernel's: pointers to them, as the program was last told */
};
struct CUgraph_st {
    WG_VEC(CUgraphNode) nodes;       /* as they were added */
    bool owned;                      /* a child node's, or an executable graph's: no handle to destroy */
    bool captured;                   /* streams go on from its nodes: nothing may be taken out */
    bool spoiled;                    /* by a capture into it that failed: it cannot be launched */
    bool body;                       /* a conditional node's */
    CUgraph within;                  /* ...in this one */
    struct wg_conditions conditions; /* whose handles were created for it */
    struct wg_objects objects;       /* which are not destroyed before it */
};

/* graph.c */
CUresult wg_graph_add(CUgraph g, const CUgraphNode *before, size_t n, const struct wg_node_work *w,
                      CUgraphNode *out);
/* One that the program adds itself; what could not be added is not kept. */
CUresult wg_graph_add_own(CUgraph g, const CUgraphNode *before, size_t n, struct wg_node_work *w,
                          CUgraphNode *out);
/* `r`: whether there is such work. It replaces what a node of the type has. */
CUresult wg_node_set(CUgraphNode node, CUgraphNodeType type, CUresult r, struct wg_node_work *w);
/* Are all of them the graph's? */
CUresult wg_nodes_of(CUgraph g, const CUgraphNode *nodes, size_t n);
CUgraph wg_graph_new(bool owned);
/* A copy of a graph. `owned`: as in struct CUgraph_st. */
CUgraph wg_graph_copy(const struct CUgraph_st *g, bool owned);
void wg_graph_free(CUgraph g);
/* Takes over what `from` has; what `to` had is freed. */
void wg_node_replace(struct wg_node_work *to, struct wg_node_work *from);
CUresult wg_node_copy(const struct wg_node_work *from, struct wg_node_work *to);
/* What a node is to do, out of what the API is given. */
CUresult wg_kernel_work(const CUDA_KERNEL_NODE_PARAMS *p, struct wg_node_work *w);
CUresult wg_copy_work(const CUDA_MEMCPY3D *p, struct wg_node_work *w);
/* copy.c: what such a node does. The program's own memory is read when the stream comes to it. */
CUresult wg_copy_run(const CUDA_MEMCPY3D *copy, CUstream stream);
CUresult wg_fill_work(const CUDA_MEMSET_NODE_PARAMS *p, struct wg_node_work *w);
CUresult wg_fill_again(const CUDA_MEMSET_NODE_PARAMS *f, CUstream stream); /* copy.c */
CUresult wg_host_work(const CUDA_HOST_NODE_PARAMS *p, struct wg_node_work *w);

/* graph_exec.c: one node's work, or all of a graph, into a stream. */
CUresult wg_node_run(const struct wg_node_work *w, CUstream stream);
CUresult wg_graph_run(CUgraph g, CUstream stream);
/* As wg_node_set, for the node that the executable graph made of this one. */
CUresult wg_exec_set(CUgraphExec exec, CUgraphNode of, CUresult r, struct wg_node_work *w);

/* graph_conditional.c, graph_choice.c. What such a node is to do; its graphs, and what it is called. */
CUresult wg_conditional_work(CUgraph g, CUDA_CONDITIONAL_NODE_PARAMS *p, struct wg_node_work *w);
struct wg_conditional *wg_conditional_copy(const struct wg_conditional *of);
void wg_conditional_free(struct wg_conditional *x);
unsigned wg_conditional_graphs(const struct wg_conditional *x, CUgraph const **graphs);
const char *wg_conditional_name(const struct wg_conditional *x);
bool wg_conditionals_alike(const struct wg_conditional *a, const struct wg_conditional *b);
CUresult wg_conditional_run(const struct wg_conditional *x, CUstream stream);
bool wg_graph_has_conditional(const struct CUgraph_st *g);
/* Of a graph that is to be launched: whether it may be. `all` gets its values, which begin a launch, and which only one
 * executable graph has. */
CUresult wg_conditions_take(const struct CUgraph_st *g, uint64_t exec, struct wg_conditions *all);
void wg_conditions_leave(struct wg_conditions *all);
bool wg_conditions_used(const struct CUgraph_st *g);
/* Which executable graph's launches its kernels are of. */
void wg_graph_mark(const struct CUgraph_st *g, uint64_t exec);
void wg_node_mark(struct wg_node_work *w, uint64_t exec);
CUresult wg_conditions_begin(const struct wg_conditions *all, CUstream stream);
void wg_conditions_free(struct wg_conditions *all);

/* graph_attributes.c: a kernel node's new work has the attributes of the old one, as on hardware. */
void wg_attributes_keep(const struct wg_node_work *from, struct wg_node_work *to);

/* user_object.c: a reference to each; all are given back; a launch has references until it has ended. */
void wg_objects_copy(struct wg_objects *to, const struct wg_objects *from);
void wg_objects_drop(struct wg_objects *objects);
CUresult wg_objects_launched(const struct CUgraph_st *g, struct CUctx_st *ctx, struct wg_stream *s);

/* graph_branches.c: a launch of all of it. What it needs again is kept, for one graph. */
struct wg_branches;
CUresult wg_branches_run(struct wg_branches **kept, CUgraph g, CUstream stream);
void wg_branches_free(struct wg_branches *b);

/* graph_memory.c: nodes that allocate and free. */
CUresult wg_alloc_work(CUDA_MEM_ALLOC_NODE_PARAMS *p, struct wg_node_work *w);
CUresult wg_free_work(CUdeviceptr p, struct wg_node_work *w);
void wg_graph_memory_keep(struct wg_graph_memory *m);
void wg_graph_memory_drop(struct wg_graph_memory *m);
CUresult wg_graph_memory_run(const struct wg_node_work *w);
CUresult wg_graph_memory_ready(CUgraph g, bool frees);
bool wg_graph_has_memory(const struct CUgraph_st *g);
bool wg_graph_frees(const struct CUgraph_st *g, CUdeviceptr p);
/* The program frees what a node allocated. False: it is no such memory. */
bool wg_graph_memory_free(CUdeviceptr p, CUresult *result);
CUresult wg_capture_alloc(struct CUctx_st *ctx, CUdeviceptr *p, size_t bytes, CUstream stream);
CUresult wg_capture_free(CUdeviceptr p, CUstream stream);

/* launch.c: a node's launch. */
CUresult wg_launch_again(CUfunction f, const struct wg_launch *l, CUstream stream);

/* capture.c. Is the stream being captured? Then what was to be put into it is taken down instead. */
bool wg_captured(CUstream stream);
CUresult wg_capture_add(CUstream stream, struct wg_node_work *w);
CUresult wg_capture_record(CUstream stream, CUevent event);
CUresult wg_capture_wait(CUstream stream, CUevent event);
/* A call that may not be made while streams are captured ends the capture. CUDA_SUCCESS: there is none. */
CUresult wg_capture_forbids(CUstream stream);
CUresult wg_capture_forbids_all(CUresult why);
/* A call that failed, in a stream that is captured, and a question after a captured event: they end it too.
 */
void wg_capture_fails(CUstream stream);
CUresult wg_capture_asked(CUevent event);
void wg_capture_forget_event(CUevent event);
void wg_capture_forget_stream(CUstream stream);
#endif
