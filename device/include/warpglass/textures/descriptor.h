/* descriptor.h: what a texture or surface object is: the address of one of these, in device memory. For C17
 * and C++.
 *
 * driver/texture.c writes it, and never changes it; textures/sampling.h and textures/surfaces.h read it in
 * kernels.
 */
#ifndef WARPGLASS_TEXTURES_DESCRIPTOR_H
#define WARPGLASS_TEXTURES_DESCRIPTOR_H

enum wg_texel_kind { WG_TEXEL_SIGNED = 0, WG_TEXEL_UNSIGNED = 1, WG_TEXEL_FLOAT = 2 };

struct wg_texture {
    unsigned char *__texels;
    unsigned long long __slice; /* bytes from slice to slice, or layer to layer */
    unsigned int __pitch;       /* bytes from row to row */
    unsigned int __extent[3];   /* texels; a dimension that is not there has 1 */
    unsigned int __layers;      /* 1 where there are none */
    unsigned char __channels;   /* 1, 2 or 4 */
    unsigned char __bytes;      /* of a channel: 1, 2 or 4 */
    unsigned char __kind;       /* enum wg_texel_kind */
    unsigned char __normalized; /* whole numbers are read as fractions of their greatest */
    unsigned char __linear;     /* neighbours are mixed */
    unsigned char __unit;       /* coordinates go from 0 to 1 */
    unsigned char __mode[3];    /* cudaAddressMode... of each dimension */
    unsigned char __by_index;   /* memory without a shape: only tex1Dfetch reads it */
    unsigned char __unused[2];
    float __border[4];
};
#endif
