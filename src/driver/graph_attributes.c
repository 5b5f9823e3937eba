/* Attributes of a graph's kernel nodes: some change the launch, the others are hints to a GPU, and are only given back. */
#include "driver/graph.h"
#include <string.h>

static bool is_kernel(CUgraphNode node) {
    return wg_handle_is(node, WG_H_GRAPH_NODE) && node->work.type == CU_GRAPH_NODE_TYPE_KERNEL;
}

/* Where a hint is kept, and how large it is; NULL: the node has no such attribute. */
static void *hint_of(struct wg_kernel_hints *h, CUlaunchAttributeID id, size_t *bytes) {
    switch (id) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW: *bytes = sizeof h->window; return &h->window;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        *bytes = sizeof h->policy;
        return &h->policy;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY: *bytes = sizeof h->priority; return &h->priority;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP: *bytes = sizeof h->domains; return &h->domains;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN: *bytes = sizeof h->domain; return &h->domain;
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *bytes = sizeof h->carveout;
        return &h->carveout;
    default: return NULL;
    }
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUlaunchAttributeID id,
                                       CUlaunchAttributeValue *value) {
    size_t bytes;
    if (!value || !is_kernel(node)) return CUDA_ERROR_INVALID_VALUE;
    const struct wg_launch *l = &node->work.kernel.launch;
    const void *hint = hint_of(&node->work.kernel.hints, id, &bytes);
    if (hint)
        memcpy(value, hint, bytes);
    else if (id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
        value->cooperative = l->cooperative;
    else if (id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
        memcpy(&value->clusterDim, l->cluster, sizeof l->cluster);
    else
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

/* Clusters have to fill the grid. */
static CUresult set_cluster(struct wg_launch *l, const unsigned int *cluster) {
    for (int i = 0; i < 3; i++)
        if (!cluster[i] || l->grid[i] % cluster[i]) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    memcpy(l->cluster, cluster, sizeof l->cluster);
    return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUlaunchAttributeID id,
                                       const CUlaunchAttributeValue *value) {
    size_t bytes;
    if (!value || !is_kernel(node)) return CUDA_ERROR_INVALID_VALUE;
    struct wg_launch *l = &node->work.kernel.launch;
    void *hint = hint_of(&node->work.kernel.hints, id, &bytes);
    if (hint)
        memcpy(hint, value, bytes);
    else if (id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
        l->cooperative = value->cooperative != 0;
    else if (id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
        return set_cluster(l, &value->clusterDim.x);
    else
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

void wg_attributes_keep(const struct wg_node_work *from, struct wg_node_work *to) {
    if (to->type != CU_GRAPH_NODE_TYPE_KERNEL) return;
    to->kernel.launch.cooperative = from->kernel.launch.cooperative;
    memcpy(to->kernel.launch.cluster, from->kernel.launch.cluster, sizeof to->kernel.launch.cluster);
    to->kernel.hints = from->kernel.hints;
}
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
    if (!is_kernel(to) || !is_kernel(from)) return CUDA_ERROR_INVALID_VALUE;
    wg_attributes_keep(&from->work, &to->work);
    return CUDA_SUCCESS;
}
