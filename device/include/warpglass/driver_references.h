/* driver_references.h: what the driver API has of CUDA 2 to 4, for C17 and C++: texture and surface references of modules, and
 * launches whose arguments are set one by one. Part of cuda.h; CUDA 13 has all of it still. */
#ifndef WARPGLASS_DRIVER_REFERENCES_H
#define WARPGLASS_DRIVER_REFERENCES_H

typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;

#define CU_TRSA_OVERRIDE_FORMAT 0x01
#define CU_PARAM_TR_DEFAULT     -1

#define cuTexRefSetAddress   cuTexRefSetAddress_v2
#define cuTexRefGetAddress   cuTexRefGetAddress_v2
#define cuTexRefSetAddress2D cuTexRefSetAddress2D_v3

#if defined(__cplusplus)
extern "C" {
#endif
CUresult cuModuleGetTexRef(CUtexref *__reference, CUmodule __module, const char *__name);
CUresult cuModuleGetSurfRef(CUsurfref *__reference, CUmodule __module, const char *__name);
CUresult cuTexRefCreate(CUtexref *__reference);
CUresult cuTexRefDestroy(CUtexref __reference);
CUresult cuTexRefSetArray(CUtexref __reference, CUarray __array, unsigned int __flags);
CUresult cuTexRefSetMipmappedArray(CUtexref __reference, CUmipmappedArray __array, unsigned int __flags);
CUresult cuTexRefSetAddress(size_t *__offset, CUtexref __reference, CUdeviceptr __pointer, size_t __bytes);
CUresult cuTexRefSetAddress2D(CUtexref __reference, const CUDA_ARRAY_DESCRIPTOR *__description,
                              CUdeviceptr __pointer, size_t __pitch);
CUresult cuTexRefSetFormat(CUtexref __reference, CUarray_format __format, int __channels);
CUresult cuTexRefSetAddressMode(CUtexref __reference, int __dimension, CUaddress_mode __mode);
CUresult cuTexRefSetFilterMode(CUtexref __reference, CUfilter_mode __mode);
CUresult cuTexRefSetMipmapFilterMode(CUtexref __reference, CUfilter_mode __mode);
CUresult cuTexRefSetMipmapLevelBias(CUtexref __reference, float __bias);
CUresult cuTexRefSetMipmapLevelClamp(CUtexref __reference, float __least, float __most);
CUresult cuTexRefSetMaxAnisotropy(CUtexref __reference, unsigned int __most);
CUresult cuTexRefSetBorderColor(CUtexref __reference, float *__color);
CUresult cuTexRefSetFlags(CUtexref __reference, unsigned int __flags);
CUresult cuTexRefGetAddress(CUdeviceptr *__pointer, CUtexref __reference);
CUresult cuTexRefGetArray(CUarray *__array, CUtexref __reference);
CUresult cuTexRefGetMipmappedArray(CUmipmappedArray *__array, CUtexref __reference);
CUresult cuTexRefGetAddressMode(CUaddress_mode *__mode, CUtexref __reference, int __dimension);
CUresult cuTexRefGetFilterMode(CUfilter_mode *__mode, CUtexref __reference);
CUresult cuTexRefGetFormat(CUarray_format *__format, int *__channels, CUtexref __reference);
CUresult cuTexRefGetMipmapFilterMode(CUfilter_mode *__mode, CUtexref __reference);
CUresult cuTexRefGetMipmapLevelBias(float *__bias, CUtexref __reference);
CUresult cuTexRefGetMipmapLevelClamp(float *__least, float *__most, CUtexref __reference);
CUresult cuTexRefGetMaxAnisotropy(int *__most, CUtexref __reference);
CUresult cuTexRefGetBorderColor(float *__color, CUtexref __reference);
CUresult cuTexRefGetFlags(unsigned int *__flags, CUtexref __reference);
CUresult cuSurfRefSetArray(CUsurfref __reference, CUarray __array, unsigned int __flags);
CUresult cuSurfRefGetArray(CUarray *__array, CUsurfref __reference);

CUresult cuFuncSetBlockShape(CUfunction __function, int __x, int __y, int __z);
CUresult cuFuncSetSharedSize(CUfunction __function, unsigned int __bytes);
CUresult cuParamSetSize(CUfunction __function, unsigned int __bytes);
CUresult cuParamSeti(CUfunction __function, int __offset, unsigned int __value);
CUresult cuParamSetf(CUfunction __function, int __offset, float __value);
CUresult cuParamSetv(CUfunction __function, int __offset, void *__value, unsigned int __bytes);
CUresult cuParamSetTexRef(CUfunction __function, int __unit, CUtexref __reference);
CUresult cuLaunch(CUfunction __function);
CUresult cuLaunchGrid(CUfunction __function, int __width, int __height);
CUresult cuLaunchGridAsync(CUfunction __function, int __width, int __height, CUstream __stream);
CUresult cuCtxAttach(CUcontext *__context, unsigned int __flags);
CUresult cuCtxDetach(CUcontext __context);
#if defined(__cplusplus)
}
#endif
#endif
