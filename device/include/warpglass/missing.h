/* missing.h: what is not there yet says so where a program uses it.
 *
 *     cudaFreeMipmappedArray(pyramid);
 *     error: 'cudaFreeMipmappedArray<...>' is unavailable: Warpglass has no mipmapped arrays yet
 *
 * In C, which has no templates, they are not declared.
 */
#ifndef WARPGLASS_MISSING_H
#define WARPGLASS_MISSING_H

#if __cplusplus >= 201103L
#define WG_NO_MIPMAPS __attribute__((__unavailable__("Warpglass has no mipmapped arrays yet")))
#define WG_NO_CALL(WHY, NAME)                                                                                \
    template <typename __T = float, typename... __A> WHY __host__ cudaError_t NAME(__A &&...);

WG_NO_CALL(WG_NO_MIPMAPS, cudaMallocMipmappedArray)
WG_NO_CALL(WG_NO_MIPMAPS, cudaGetMipmappedArrayLevel)
WG_NO_CALL(WG_NO_MIPMAPS, cudaFreeMipmappedArray)

#undef WG_NO_CALL
#undef WG_NO_MIPMAPS
#endif
#endif
