/* missing.h: what is not there yet says so where a program uses it.
 *
 *     float v = texCubemap<float>(sky, x, y, z);
 *     error: 'texCubemap<float, ...>' is unavailable: Warpglass has no cube maps yet
 *
 * In C, which has no templates, they are not declared.
 */
#ifndef WARPGLASS_MISSING_H
#define WARPGLASS_MISSING_H

#if __cplusplus >= 201103L
#define WG_NO_CUBES   __attribute__((__unavailable__("Warpglass has no cube maps yet")))
#define WG_NO_MIPMAPS __attribute__((__unavailable__("Warpglass has no mipmapped arrays yet")))
#define WG_NO_FETCH(WHY, NAME)                                                                               \
    template <typename __T = float, typename... __A> WHY __device__ __T NAME(__A...);
#define WG_NO_CALL(WHY, NAME)                                                                                \
    template <typename __T = float, typename... __A> WHY __host__ cudaError_t NAME(__A &&...);

WG_NO_FETCH(WG_NO_CUBES, texCubemap)
WG_NO_FETCH(WG_NO_CUBES, texCubemapLod)
WG_NO_FETCH(WG_NO_CUBES, texCubemapLayered)
WG_NO_FETCH(WG_NO_CUBES, surfCubemapread)
WG_NO_FETCH(WG_NO_CUBES, surfCubemapwrite)

WG_NO_CALL(WG_NO_MIPMAPS, cudaMallocMipmappedArray)
WG_NO_CALL(WG_NO_MIPMAPS, cudaGetMipmappedArrayLevel)
WG_NO_CALL(WG_NO_MIPMAPS, cudaFreeMipmappedArray)

#undef WG_NO_CALL
#undef WG_NO_FETCH
#undef WG_NO_MIPMAPS
#undef WG_NO_CUBES
#endif
#endif
