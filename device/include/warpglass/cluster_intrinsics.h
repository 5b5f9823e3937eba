/* cluster_intrinsics.h: where a block is in its cluster, the cluster's barrier, other blocks' shared memory.
 *
 * Device code only, from compute capability 9.0 on. Each is a special register or an instruction:
 * %cluster_ctarank, barrier.cluster, mapa, getctarank. In a launch without cluster dimensions each block is a
 * cluster of its own.
 */
#ifndef WARPGLASS_CLUSTER_INTRINSICS_H
#define WARPGLASS_CLUSTER_INTRINSICS_H

#include "../host_defines.h"
#include "../vector_types.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

#define WG_DEVICE static __device__ __forceinline__

WG_DEVICE dim3 __clusterDim() {
    return dim3(__nvvm_read_ptx_sreg_cluster_nctaid_x(), __nvvm_read_ptx_sreg_cluster_nctaid_y(),
                __nvvm_read_ptx_sreg_cluster_nctaid_z());
}
WG_DEVICE dim3 __clusterRelativeBlockIdx() {
    return dim3(__nvvm_read_ptx_sreg_cluster_ctaid_x(), __nvvm_read_ptx_sreg_cluster_ctaid_y(),
                __nvvm_read_ptx_sreg_cluster_ctaid_z());
}
WG_DEVICE dim3 __clusterGridDimInClusters() {
    return dim3(__nvvm_read_ptx_sreg_nclusterid_x(), __nvvm_read_ptx_sreg_nclusterid_y(),
                __nvvm_read_ptx_sreg_nclusterid_z());
}
WG_DEVICE dim3 __clusterIdx() {
    return dim3(__nvvm_read_ptx_sreg_clusterid_x(), __nvvm_read_ptx_sreg_clusterid_y(),
                __nvvm_read_ptx_sreg_clusterid_z());
}
WG_DEVICE unsigned int __clusterRelativeBlockRank() { return __nvvm_read_ptx_sreg_cluster_ctarank(); }
WG_DEVICE unsigned int __clusterSizeInBlocks() { return __nvvm_read_ptx_sreg_cluster_nctarank(); }
WG_DEVICE unsigned int __clusterDimIsSpecified() { return __nvvm_is_explicit_cluster(); }
WG_DEVICE void __cluster_barrier_arrive() { __nvvm_barrier_cluster_arrive(); }
WG_DEVICE void __cluster_barrier_arrive_relaxed() { __nvvm_barrier_cluster_arrive_relaxed(); }
WG_DEVICE void __cluster_barrier_wait() { __nvvm_barrier_cluster_wait(); }
WG_DEVICE void *__cluster_map_shared_rank(const void *__p, unsigned int __rank) {
    return __nvvm_mapa((void *)__p, __rank);
}
WG_DEVICE unsigned int __cluster_query_shared_rank(const void *__p) { return __nvvm_getctarank((void *)__p); }
WG_DEVICE unsigned int __isClusterShared(const void *__p) { return __nvvm_isspacep_shared_cluster(__p); }

#undef WG_DEVICE

#endif

#endif
