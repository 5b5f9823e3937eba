/* driver_older_forms.h: functions of the driver as CUDA 12 and older programs call them, with fewer parameters. C++. Not part
 * of cuda.h, because a name with two forms has no type that newer programs could ask for: compiled before a program that
 * calls one of these (cli/refused.c). */
#ifndef WARPGLASS_DRIVER_OLDER_FORMS_H
#define WARPGLASS_DRIVER_OLDER_FORMS_H
#include "cuda.h"

static inline CUresult cuCtxCreate(CUcontext *__context, unsigned int __flags, CUdevice __device) {
    return cuCtxCreate(__context, (CUctxCreateParams *)0, __flags, __device);
}

static inline CUmemLocation __wg_location_of(CUdevice __device) {
    CUmemLocation __l = CUmemLocation();
    __l.type = __device == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
    __l.id = __device == CU_DEVICE_CPU ? 0 : __device;
    return __l;
}
static inline CUresult cuMemPrefetchAsync(CUdeviceptr __pointer, size_t __bytes, CUdevice __device,
                                          CUstream __stream) {
    return cuMemPrefetchAsync(__pointer, __bytes, __wg_location_of(__device), 0, __stream);
}
static inline CUresult cuMemAdvise(CUdeviceptr __pointer, size_t __bytes, CUmem_advise __advice,
                                   CUdevice __device) {
    return cuMemAdvise(__pointer, __bytes, __advice, __wg_location_of(__device));
}

static inline CUresult cuStreamGetCaptureInfo(CUstream __stream, CUstreamCaptureStatus *__status,
                                              cuuint64_t *__id) {
    return cuStreamGetCaptureInfo(__stream, __status, __id, 0, 0, 0, 0);
}
static inline CUresult cuStreamUpdateCaptureDependencies(CUstream __stream, CUgraphNode *__dependencies,
                                                         size_t __count, unsigned int __flags) {
    return cuStreamUpdateCaptureDependencies(__stream, __dependencies, 0, __count, __flags);
}
static inline CUresult cuGraphAddNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__dependencies,
                                      size_t __count, CUgraphNodeParams *__parameters) {
    return cuGraphAddNode(__node, __graph, __dependencies, 0, __count, __parameters);
}
static inline CUresult cuGraphAddDependencies(CUgraph __graph, const CUgraphNode *__from,
                                              const CUgraphNode *__to, size_t __count) {
    return cuGraphAddDependencies(__graph, __from, __to, 0, __count);
}
static inline CUresult cuGraphRemoveDependencies(CUgraph __graph, const CUgraphNode *__from,
                                                 const CUgraphNode *__to, size_t __count) {
    return cuGraphRemoveDependencies(__graph, __from, __to, 0, __count);
}
static inline CUresult cuGraphGetEdges(CUgraph __graph, CUgraphNode *__from, CUgraphNode *__to,
                                       size_t *__count) {
    return cuGraphGetEdges(__graph, __from, __to, 0, __count);
}
static inline CUresult cuGraphNodeGetDependencies(CUgraphNode __node, CUgraphNode *__nodes, size_t *__count) {
    return cuGraphNodeGetDependencies(__node, __nodes, 0, __count);
}
static inline CUresult cuGraphNodeGetDependentNodes(CUgraphNode __node, CUgraphNode *__nodes,
                                                    size_t *__count) {
    return cuGraphNodeGetDependentNodes(__node, __nodes, 0, __count);
}
static inline CUresult cuGraphInstantiate(CUgraphExec *__exec, CUgraph __graph, CUgraphNode *__error,
                                          char *__log, size_t __bytes) {
    if (__error) *__error = 0;
    if (__log && __bytes) *__log = 0;
    return cuGraphInstantiate(__exec, __graph, 0);
}
static inline CUresult cuGraphExecUpdate(CUgraphExec __exec, CUgraph __graph, CUgraphNode *__error,
                                         CUgraphExecUpdateResult *__result) {
    CUgraphExecUpdateResultInfo __info = CUgraphExecUpdateResultInfo();
    CUresult __r = cuGraphExecUpdate(__exec, __graph, &__info);
    if (__error) *__error = __info.errorNode;
    if (__result) *__result = __info.result;
    return __r;
}
#endif
