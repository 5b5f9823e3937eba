// What PTX's texture and surface instructions do, as functions: each is a call of one of the headers' own functions
// (include/warpglass/textures/), so that a program compiled by nvcc gets what one compiled with the headers gets.
//
//     tex.2d.v4.f32.f32 {a, b, c, d}, [object, {x, y}];      -> __wg_tex_2d_f32_4(object, x, y)
//
// Compiled when Warpglass is built. ir/texture.c puts a copy of the function at each instruction. A name is made of the
// instruction's words and of how many values are asked for; parameters are in the instruction's order.

template <typename T, int N> struct parts;
template <typename T> struct parts<T, 1> {
    T a;
    template <typename V> static __device__ parts of(V v) { return {(T)v.x}; }
    template <typename V> __device__ V as() const {
        V v;
        v.x = a;
        return v;
    }
};
template <typename T> struct parts<T, 2> {
    T a, b;
    template <typename V> static __device__ parts of(V v) { return {(T)v.x, (T)v.y}; }
    template <typename V> __device__ V as() const {
        V v;
        v.x = a, v.y = b;
        return v;
    }
};
template <typename T> struct parts<T, 4> {
    T a, b, c, d;
    template <typename V> static __device__ parts of(V v) { return {(T)v.x, (T)v.y, (T)v.z, (T)v.w}; }
    template <typename V> __device__ V as() const {
        V v;
        v.x = a, v.y = b, v.z = c, v.w = d;
        return v;
    }
};
// The first three of four.
template <typename T> struct parts<T, 3> {
    T a, b, c;
    template <typename V> static __device__ parts of(V v) { return {(T)v.x, (T)v.y, (T)v.z}; }
};
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"
#define FUNCTION(NAME, RESULT) extern "C" __device__ RESULT NAME

// ---- Textures -------------------------------------------------------------------------------------------

#define SAMPLES(TYPE, T, N, V)                                                                               \
    typedef parts<T, N> TYPE##_##N;                                                                          \
    FUNCTION(__wg_fetch_1d_##TYPE##_##N, TYPE##_##N)(cudaTextureObject_t t, int x) {                         \
        return TYPE##_##N::of(tex1Dfetch<V>(t, x));                                                          \
    }                                                                                                        \
    FUNCTION(__wg_tex_1d_##TYPE##_##N, TYPE##_##N)(cudaTextureObject_t t, float x) {                         \
        return TYPE##_##N::of(tex1D<V>(t, x));                                                               \
    }                                                                                                        \
    FUNCTION(__wg_tex_2d_##TYPE##_##N, TYPE##_##N)(cudaTextureObject_t t, float x, float y) {                \
        return TYPE##_##N::of(tex2D<V>(t, x, y));                                                            \
    }                                                                                                        \
    FUNCTION(__wg_tex_3d_##TYPE##_##N, TYPE##_##N)(cudaTextureObject_t t, float x, float y, float z) {       \
        return TYPE##_##N::of(tex3D<V>(t, x, y, z));                                                         \
    }                                                                                                        \
    FUNCTION(__wg_tex_a1d_##TYPE##_##N, TYPE##_##N)(cudaTextureObject_t t, int layer, float x) {             \
        return TYPE##_##N::of(tex1DLayered<V>(t, x, layer));                                                 \
    }                                                                                                        \
    FUNCTION(__wg_tex_a2d_##TYPE##_##N, TYPE##_##N)(cudaTextureObject_t t, int layer, float x, float y) {    \
        return TYPE##_##N::of(tex2DLayered<V>(t, x, y, layer));                                              \
    }                                                                                                        \
    FUNCTION(__wg_tex_cube_##TYPE##_##N, TYPE##_##N)(cudaTextureObject_t t, float x, float y, float z) {     \
        return TYPE##_##N::of(texCubemap<V>(t, x, y, z));                                                    \
    }                                                                                                        \
    FUNCTION(__wg_tex_acube_##TYPE##_##N, TYPE##_##N)                                                        \
    (cudaTextureObject_t t, int layer, float x, float y, float z) {                                          \
        return TYPE##_##N::of(texCubemapLayered<V>(t, x, y, z, layer));                                      \
    }
SAMPLES(f32, float, 1, float1)
SAMPLES(f32, float, 2, float2)
SAMPLES(f32, float, 3, float4)
SAMPLES(f32, float, 4, float4)
SAMPLES(b32, unsigned int, 1, uint1)
SAMPLES(b32, unsigned int, 2, uint2)
SAMPLES(b32, unsigned int, 3, uint4)
SAMPLES(b32, unsigned int, 4, uint4)

#define GATHERS(NAME, CHANNEL)                                                                               \
    FUNCTION(__wg_tld4_##NAME##_f32_4, f32_4)(cudaTextureObject_t t, float x, float y) {                     \
        return f32_4::of(tex2Dgather<float4>(t, x, y, CHANNEL));                                             \
    }                                                                                                        \
    FUNCTION(__wg_tld4_##NAME##_b32_4, b32_4)(cudaTextureObject_t t, float x, float y) {                     \
        return b32_4::of(tex2Dgather<uint4>(t, x, y, CHANNEL));                                              \
    }
GATHERS(r, 0)
GATHERS(g, 1)
GATHERS(b, 2)
GATHERS(a, 3)

// ---- Surfaces -------------------------------------------------------------------------------------------

#define WITH ,
#define ACCESSES(GEOMETRY, FUNCTION_OF, PLACE, AT, TYPE, R, V, N, WORD, MODE)                                \
    FUNCTION(__wg_suld_##GEOMETRY##_##TYPE##_##WORD##_##N, parts<R WITH N>)                                  \
    (cudaSurfaceObject_t s, PLACE) { return parts<R, N>::of(FUNCTION_OF##read<V##N>(s, AT, MODE)); }         \
    FUNCTION(__wg_sust_##GEOMETRY##_##TYPE##_##WORD##_##N, void)                                             \
    (cudaSurfaceObject_t s, PLACE, parts<R, N> value) { FUNCTION_OF##write(value.as<V##N>(), s, AT, MODE); }
#define EVERYWHERE(TYPE, R, V, N, WORD, MODE)                                                                \
    ACCESSES(1d, surf1D, int x, x, TYPE, R, V, N, WORD, MODE)                                                \
    ACCESSES(2d, surf2D, int x WITH int y, x WITH y, TYPE, R, V, N, WORD, MODE)                              \
    ACCESSES(3d, surf3D, int x WITH int y WITH int z, x WITH y WITH z, TYPE, R, V, N, WORD, MODE)            \
    ACCESSES(a1d, surf1DLayered, int layer WITH int x, x WITH layer, TYPE, R, V, N, WORD, MODE)              \
    ACCESSES(a2d, surf2DLayered, int layer WITH int x WITH int y, x WITH y WITH layer, TYPE, R, V, N, WORD,  \
             MODE)
#define BEYOND(TYPE, R, V, N)                                                                                \
    EVERYWHERE(TYPE, R, V, N, trap, cudaBoundaryModeTrap)                                                    \
    EVERYWHERE(TYPE, R, V, N, clamp, cudaBoundaryModeClamp)                                                  \
    EVERYWHERE(TYPE, R, V, N, zero, cudaBoundaryModeZero)
BEYOND(b8, unsigned char, uchar, 1)
BEYOND(b8, unsigned char, uchar, 2)
BEYOND(b8, unsigned char, uchar, 4)
BEYOND(b16, unsigned short, ushort, 1)
BEYOND(b16, unsigned short, ushort, 2)
BEYOND(b16, unsigned short, ushort, 4)
BEYOND(b32, unsigned int, uint, 1)
BEYOND(b32, unsigned int, uint, 2)
BEYOND(b32, unsigned int, uint, 4)
BEYOND(b64, unsigned long long, ulonglong, 1)
BEYOND(b64, unsigned long long, ulonglong, 2)

// ---- Queries --------------------------------------------------------------------------------------------

#define QUERY(NAME, VALUE)                                                                                   \
    FUNCTION(__wg_query_##NAME##_b32_1, b32_1)(cudaTextureObject_t o) {                                      \
        __wg_texture_t t = __wg_texture(o);                                                                  \
        return {(unsigned)(VALUE)};                                                                          \
    }
QUERY(width, t->__extent[0])
QUERY(height, t->__extent[1])
QUERY(depth, t->__extent[2])
QUERY(array_size, t->__layers)
QUERY(normalized_coords, t->__unit)
