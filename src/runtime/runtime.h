/* What the files of runtime/ share.
 *
 * Where it stands: the user's program -> this library (libcudart.so.13) -> the driver API (libcuda.so.1) ->
 * machine/. The runtime adds to the driver: the primary context made on first use, a last error for each
 * thread, kernels and variables named by their host addresses, and the rules of cudaMemcpyKind.
 *
 * A runtime function, whole:
 *     cudaError_t cudaStreamQuery(cudaStream_t stream) {
 *         return wg_note(wg_start() ?: cuStreamQuery(stream));
 *     }
 *
 * cudaError and CUresult have the same numbers; where the runtime answers with another code than the driver,
 * the function says so.
 */
#ifndef WG_RUNTIME_RUNTIME_H
#define WG_RUNTIME_RUNTIME_H
#pragma GCC visibility push(default)
#include <cuda_runtime_api.h>
#include "runtime/abi.h"
#pragma GCC visibility pop
#include <stdbool.h>
#include "driver/entry.h"

/* 13000 or 12090: cuda13.c, cuda12.c. */
extern const int wg_runtime_version;

/* Makes the driver and a context ready: every function that needs one begins with it. */
CUresult wg_start(void);
/* Keeps a status as the calling thread's last error (not 600, "not ready") and gives it as the runtime's. */
cudaError_t wg_note(CUresult status);
/* Every runtime function computes its status inside the call of wg_note, so this sees it begin and end. */
#define wg_note(...)                                                                                         \
    ({                                                                                                       \
        struct wg_call call_ = WG_CALL_BEGIN();                                                              \
        CUresult status_ = (__VA_ARGS__);                                                                    \
        wg_call_end(&call_, __func__, status_);                                                              \
        (wg_note)(status_);                                                                                  \
    })

/* ---- Kernels and variables by host address (registry.c) ----------------------------------------- */

/* What cudaLaunchKernel and the like are given: a kernel's host stub, a cudaKernel_t or a cudaFunction_t. As
 * a driver function handle; cudaErrorInvalidDeviceFunction or InvalidResourceHandle when it is none of these.
 */
CUresult wg_kernel_of(const void *kernel, CUfunction *out);
/* The host stub of a function, NULL when it has none. */
const void *wg_stub_of(CUfunction function);
/* copy.c: copies as the driver describes them; a box of nothing is all zeros. */
CUresult wg_box_of(const struct cudaMemcpy3DParms *p, CUDA_MEMCPY3D *c);
void wg_box_from(const CUDA_MEMCPY3D *c, struct cudaMemcpy3DParms *p);
/* graph_nodes.c: cudaGraphAddNode of CUDA 13. */
CUresult wg_graph_add_node(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *before,
                           const cudaGraphEdgeData *edges, size_t n, struct cudaGraphNodeParams *p);
CUresult wg_line_of(void *to, const void *from, size_t n, enum cudaMemcpyKind kind, CUDA_MEMCPY3D *c);
/* texture.c: bytes of one of an array's texels. */
size_t wg_texel_bytes(const CUDA_ARRAY3D_DESCRIPTOR *d);
/* The name that messages call it by. */
const char *wg_kernel_name(const void *kernel);
/* A __device__, __constant__ or __managed__ variable by its host shadow; cudaErrorInvalidSymbol when it is
 * none. */
CUresult wg_symbol_of(const void *symbol, CUdeviceptr *address, size_t *bytes);
#endif
