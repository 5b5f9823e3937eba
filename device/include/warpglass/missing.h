/* missing.h: textures and surfaces are not there yet, and what uses them says so where it stands.
 *
 *     float v = tex2D<float>(image, x, y);
 *     error: 'tex2D<float, ...>' is unavailable: Warpglass has no textures and surfaces yet; load from memory
 *
 * In C, which has no templates, they are not declared.
 */
#ifndef WARPGLASS_MISSING_H
#define WARPGLASS_MISSING_H

#if __cplusplus >= 201103L
#define WG_NO_TEXTURES                                                                                       \
    __attribute__((unavailable(                                                                              \
        "Warpglass has no textures and surfaces yet; load from memory, with __ldg for example")))
#define WG_NO_GRAPHS      __attribute__((unavailable("Warpglass does not draw graphs")))
#define WG_NO_FETCH(NAME) template <typename T = float, typename... A> WG_NO_TEXTURES __device__ T NAME(A...);
#define WG_NO_CALL(WHY, NAME)                                                                                \
    template <typename T = float, typename... A> WHY __host__ cudaError_t NAME(A &&...);

WG_NO_FETCH(tex1D)
WG_NO_FETCH(tex1DLod)
WG_NO_FETCH(tex1DGrad)
WG_NO_FETCH(tex1Dfetch)
WG_NO_FETCH(tex1DLayered)
WG_NO_FETCH(tex2D)
WG_NO_FETCH(tex2DLod)
WG_NO_FETCH(tex2DGrad)
WG_NO_FETCH(tex2Dgather)
WG_NO_FETCH(tex2DLayered)
WG_NO_FETCH(tex3D)
WG_NO_FETCH(tex3DLod)
WG_NO_FETCH(tex3DGrad)
WG_NO_FETCH(texCubemap)
WG_NO_FETCH(surf1Dread)
WG_NO_FETCH(surf1Dwrite)
WG_NO_FETCH(surf2Dread)
WG_NO_FETCH(surf2Dwrite)
WG_NO_FETCH(surf3Dread)
WG_NO_FETCH(surf3Dwrite)

WG_NO_CALL(WG_NO_TEXTURES, cudaMallocArray)
WG_NO_CALL(WG_NO_TEXTURES, cudaMalloc3DArray)
WG_NO_CALL(WG_NO_TEXTURES, cudaCreateSurfaceObject)

WG_NO_CALL(WG_NO_GRAPHS, cudaGraphDebugDotPrint)

#undef WG_NO_CALL
#undef WG_NO_FETCH
#undef WG_NO_GRAPHS
#undef WG_NO_TEXTURES
#endif
#endif
