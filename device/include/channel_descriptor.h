/* channel_descriptor.h: cudaCreateChannelDesc<T>(), the channels of a texel of type T. C++. */
#ifndef WARPGLASS_CHANNEL_DESCRIPTOR_H
#define WARPGLASS_CHANNEL_DESCRIPTOR_H
#define __CHANNEL_DESCRIPTOR_H__ /* as in host_defines.h */
#include "cuda_runtime_api.h"
#include "vector_types.h"

#if defined(__cplusplus)
#define WG_CHANNELS static inline __host__ struct cudaChannelFormatDesc

template <typename __T> WG_CHANNELS cudaCreateChannelDesc() {
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define WG_CHANNELS_1(T, BITS, KIND)                                                                         \
    template <> inline __host__ struct cudaChannelFormatDesc cudaCreateChannelDesc<T>() {                    \
        return cudaCreateChannelDesc(BITS, 0, 0, 0, KIND);                                                   \
    }
#define WG_CHANNELS_4(T, BITS, KIND)                                                                         \
    WG_CHANNELS_1(T##1, BITS, KIND)                                                                          \
    template <> inline __host__ struct cudaChannelFormatDesc cudaCreateChannelDesc<T##2>() {                 \
        return cudaCreateChannelDesc(BITS, BITS, 0, 0, KIND);                                                \
    } template <> inline __host__ struct cudaChannelFormatDesc cudaCreateChannelDesc<T##4>() {               \
        return cudaCreateChannelDesc(BITS, BITS, BITS, BITS, KIND);                                          \
    }
WG_CHANNELS_1(char, 8, (char)-1 < 0 ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned)
WG_CHANNELS_1(signed char, 8, cudaChannelFormatKindSigned)
WG_CHANNELS_1(unsigned char, 8, cudaChannelFormatKindUnsigned)
WG_CHANNELS_1(short, 16, cudaChannelFormatKindSigned)
WG_CHANNELS_1(unsigned short, 16, cudaChannelFormatKindUnsigned)
WG_CHANNELS_1(int, 32, cudaChannelFormatKindSigned)
WG_CHANNELS_1(unsigned int, 32, cudaChannelFormatKindUnsigned)
WG_CHANNELS_1(float, 32, cudaChannelFormatKindFloat)
WG_CHANNELS_4(char, 8, cudaChannelFormatKindSigned)
WG_CHANNELS_4(uchar, 8, cudaChannelFormatKindUnsigned)
WG_CHANNELS_4(short, 16, cudaChannelFormatKindSigned)
WG_CHANNELS_4(ushort, 16, cudaChannelFormatKindUnsigned)
WG_CHANNELS_4(int, 32, cudaChannelFormatKindSigned)
WG_CHANNELS_4(uint, 32, cudaChannelFormatKindUnsigned)
WG_CHANNELS_4(float, 32, cudaChannelFormatKindFloat)
WG_CHANNELS cudaCreateChannelDescHalf() {
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
WG_CHANNELS cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
WG_CHANNELS cudaCreateChannelDescHalf2() {
    return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
WG_CHANNELS cudaCreateChannelDescHalf4() {
    return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
#undef WG_CHANNELS_1
#undef WG_CHANNELS_4
#undef WG_CHANNELS
#endif
#endif
