// PTX's texture and surface instructions beside the functions that the headers have for them: the same bits for every
// geometry, kind of texel, way to address and to filter, at and beyond all edges, and so that what is beyond is
// written nowhere.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(CALL)                                                                                          \
    do {                                                                                                     \
        cudaError_t e = (CALL);                                                                              \
        if (e != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorName(e));                        \
    } while (0)

enum { WIDTH = 8, HEIGHT = 4, DEPTH = 3 };
__managed__ int differ, sum;

// ---- Textures -------------------------------------------------------------------------------------------

__device__ void same(float4 a, float4 b, int at) {
    int4 x = make_int4(__float_as_int(a.x), __float_as_int(a.y), __float_as_int(a.z), __float_as_int(a.w));
    int4 y = make_int4(__float_as_int(b.x), __float_as_int(b.y), __float_as_int(b.z), __float_as_int(b.w));
    if (x.x != y.x || x.y != y.y || x.z != y.z || x.w != y.w) atomicAdd(&differ, 1);
    atomicAdd(&sum, (x.x ^ x.y * 3 ^ x.z * 5 ^ x.w * 7) % 1009 * (at + 1));
}
__device__ void same(uint4 a, uint4 b, int at) {
    if (a.x != b.x || a.y != b.y || a.z != b.z || a.w != b.w) atomicAdd(&differ, 1);
    atomicAdd(&sum, (int)(a.x ^ a.y * 3 ^ a.z * 5 ^ a.w * 7) % 1009 * (at + 1));
}

#define FLOATS(V) "=f"(V.x), "=f"(V.y), "=f"(V.z), "=f"(V.w)
#define WHOLES(V) "=r"(V.x), "=r"(V.y), "=r"(V.z), "=r"(V.w)
#define TO        " {%0, %1, %2, %3}, [%4, "
#define SAME(VECTOR, OUT, TYPE, AT, EXPECTED, WORDS, COORDINATES, ...)                                       \
    do {                                                                                                     \
        VECTOR v;                                                                                            \
        asm volatile(WORDS "." TYPE COORDINATES : OUT(v) : "l"(t), __VA_ARGS__);                             \
        same(v, EXPECTED, AT);                                                                               \
    } while (0)

// x and y for a place among the edges, from -1 texel to beyond the end, and where no texel ever is
__device__ float edge(int i, int extent, bool unit) {
    const float odd[6] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, -0.0f};
    float x = i < 6 ? odd[i] : (i - 14) * 0.37f;
    return unit ? x / extent : x;
}
enum { EDGES = 64 };

template <typename V> struct read_as;
template <> struct read_as<float4> {
    static __device__ void line(cudaTextureObject_t t, int i, float x, int whole) {
        SAME(float4, FLOATS, "f32.s32", i, tex1Dfetch<float4>(t, whole), "tex.1d.v4", TO "{%5}];",
             "r"(whole));
        SAME(float4, FLOATS, "f32.f32", i, tex1D<float4>(t, x), "tex.1d.v4", TO "{%5}];", "f"(x));
    }
    static __device__ void plane(cudaTextureObject_t t, int i, float x, float y) {
        SAME(float4, FLOATS, "f32.f32", i, tex2D<float4>(t, x, y), "tex.base.2d.v4", TO "{%5, %6}];", "f"(x),
             "f"(y));
        SAME(float4, FLOATS, "f32.f32", i, tex2D<float4>(t, x, y), "tex.grad.2d.v4",
             TO "{%5, %6}], {%7, %7}, {%7, %7};", "f"(x), "f"(y), "f"(0.25f));
        SAME(float4, FLOATS, "f32.f32", i, tex2Dgather<float4>(t, x, y, 0), "tld4.r.2d.v4", TO "{%5, %6}];",
             "f"(x), "f"(y));
    }
    static __device__ void space(cudaTextureObject_t t, int i, float x, float y, float z) {
        SAME(float4, FLOATS, "f32.f32", i, tex3D<float4>(t, x, y, z), "tex.3d.v4", TO "{%5, %6, %7, %7}];",
             "f"(x), "f"(y), "f"(z));
    }
    static __device__ void lines(cudaTextureObject_t t, int i, float x, int layer) {
        SAME(float4, FLOATS, "f32.f32", i, tex1DLayered<float4>(t, x, layer), "tex.level.a1d.v4",
             TO "{%5, %6}], %6;", "r"(layer), "f"(x));
    }
    static __device__ void planes(cudaTextureObject_t t, int i, float x, float y, int layer) {
        SAME(float4, FLOATS, "f32.f32", i, tex2DLayered<float4>(t, x, y, layer), "tex.a2d.v4",
             TO "{%5, %6, %7, %7}];", "r"(layer), "f"(x), "f"(y));
    }
};
template <> struct read_as<uint4> {
    static __device__ void line(cudaTextureObject_t t, int i, float x, int whole) {
        SAME(uint4, WHOLES, "u32.s32", i, tex1Dfetch<uint4>(t, whole), "tex.1d.v4", TO "{%5}];", "r"(whole));
        SAME(uint4, WHOLES, "s32.f32", i, tex1D<uint4>(t, x), "tex.1d.v4", TO "{%5}];", "f"(x));
    }
    static __device__ void plane(cudaTextureObject_t t, int i, float x, float y) {
        SAME(uint4, WHOLES, "u32.f32", i, tex2D<uint4>(t, x, y), "tex.2d.v4", TO "{%5, %6}];", "f"(x),
             "f"(y));
        SAME(uint4, WHOLES, "s32.f32", i, tex2Dgather<uint4>(t, x, y, 2), "tld4.b.2d.v4", TO "{%5, %6}];",
             "f"(x), "f"(y));
        SAME(uint4, WHOLES, "u32.f32", i, tex2Dgather<uint4>(t, x, y, 3), "tld4.a.2d.v4", TO "{%5, %6}];",
             "f"(x), "f"(y));
    }
    static __device__ void space(cudaTextureObject_t t, int i, float x, float y, float z) {
        SAME(uint4, WHOLES, "s32.f32", i, tex3D<uint4>(t, x, y, z), "tex.3d.v4", TO "{%5, %6, %7, %7}];",
             "f"(x), "f"(y), "f"(z));
    }
    static __device__ void lines(cudaTextureObject_t t, int i, float x, int layer) {
        SAME(uint4, WHOLES, "u32.f32", i, tex1DLayered<uint4>(t, x, layer), "tex.a1d.v4", TO "{%5, %6}];",
             "r"(layer), "f"(x));
    }
    static __device__ void planes(cudaTextureObject_t t, int i, float x, float y, int layer) {
        SAME(uint4, WHOLES, "s32.f32", i, tex2DLayered<uint4>(t, x, y, layer), "tex.a2d.v4",
             TO "{%5, %6, %7, %7}];", "r"(layer), "f"(x), "f"(y));
    }
};

enum shape { LINE, PLANE, SPACE, LINES, PLANES, SHAPES };
template <typename V, int SHAPE> __global__ void sample(cudaTextureObject_t t, bool unit) {
    int i = threadIdx.x, j = blockIdx.x, at = j * EDGES + i;
    float x = edge(i, WIDTH, unit), y = edge(j + 2, HEIGHT, unit), z = edge((i + j) % EDGES, DEPTH, unit);
    if (SHAPE == LINE) read_as<V>::line(t, at, x, i - 3);
    if (SHAPE == PLANE) read_as<V>::plane(t, at, x, y);
    if (SHAPE == SPACE) read_as<V>::space(t, at, x, y, z);
    if (SHAPE == LINES) read_as<V>::lines(t, at, x, j - 2);
    if (SHAPE == PLANES) read_as<V>::planes(t, at, x, y, j - 2);
}

static cudaArray_t make_array(cudaChannelFormatDesc c, int shape, unsigned flags) {
    cudaArray_t a;
    int texel = (c.x + c.y + c.z + c.w) / 8;
    bool layered = shape == LINES || shape == PLANES, flat = shape == LINE || shape == LINES;
    int high = flat ? 1 : HEIGHT, deep = shape == SPACE || layered ? DEPTH : 1;
    if (layered) flags |= cudaArrayLayered;
    CHECK(cudaMalloc3DArray(&a, &c, make_cudaExtent(WIDTH, flat ? 0 : HEIGHT, deep == 1 ? 0 : DEPTH), flags));
    std::vector<unsigned char> bytes(WIDTH * high * deep * texel);
    for (size_t i = 0; i < bytes.size(); i++) bytes[i] = (unsigned char)(i * 37 + i / 7);
    if (c.f == cudaChannelFormatKindFloat)
        for (size_t i = 3; i < bytes.size(); i += 4) bytes[i] = 0x3f, bytes[i - 2 + (c.x == 32)] &= 0x7f;
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(bytes.data(), WIDTH * texel, WIDTH, high);
    p.dstArray = a;
    p.extent = make_cudaExtent(WIDTH, high, deep);
    p.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&p));
    return a;
}
static cudaResourceDesc of_array(cudaArray_t a) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    return r;
}

template <typename V> static void sample_all(cudaTextureObject_t t, int shape, bool unit) {
    switch (shape) {
    case LINE: sample<V, LINE><<<1, EDGES>>>(t, unit); break;
    case PLANE: sample<V, PLANE><<<12, EDGES>>>(t, unit); break;
    case SPACE: sample<V, SPACE><<<12, EDGES>>>(t, unit); break;
    case LINES: sample<V, LINES><<<DEPTH + 4, EDGES>>>(t, unit); break;
    default: sample<V, PLANES><<<DEPTH + 4, EDGES>>>(t, unit); break;
    }
    CHECK(cudaDeviceSynchronize());
}

static void textures(const char *name, cudaChannelFormatDesc c, bool fractions) {
    bool whole = c.f != cudaChannelFormatKindFloat && !fractions;
    sum = differ = 0;
    for (int shape = 0; shape < SHAPES; shape++) {
        cudaArray_t a = make_array(c, shape, shape == PLANE ? cudaArrayTextureGather : 0);
        cudaResourceDesc r = of_array(a);
        for (int mode = 0; mode < 4; mode++)
            for (int linear = 0; linear < (whole ? 1 : 2); linear++)
                for (int unit = 0; unit < 2; unit++) {
                    cudaTextureDesc d = {};
                    cudaTextureObject_t t;
                    d.addressMode[0] = d.addressMode[2] = (cudaTextureAddressMode)mode;
                    d.addressMode[1] = (cudaTextureAddressMode)(linear ? mode : 3 - mode);
                    d.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
                    d.readMode = fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
                    d.normalizedCoords = unit;
                    if (!whole) d.borderColor[0] = 0.75f, d.borderColor[2] = 0.5f;
                    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
                    if (whole)
                        sample_all<uint4>(t, shape, unit);
                    else
                        sample_all<float4>(t, shape, unit);
                    CHECK(cudaDestroyTextureObject(t));
                }
        CHECK(cudaFreeArray(a));
    }
    printf("%s: %d differ, %s\n", name, differ, sum ? "values" : "no values");
}

// ---- Surfaces -------------------------------------------------------------------------------------------

template <int SHAPE, typename T>
__device__ T header_read(cudaSurfaceObject_t s, int x, int y, int z, bool clamp) {
    cudaSurfaceBoundaryMode m = clamp ? cudaBoundaryModeClamp : cudaBoundaryModeZero;
    if (SHAPE == LINE) return surf1Dread<T>(s, x, m);
    if (SHAPE == PLANE) return surf2Dread<T>(s, x, y, m);
    if (SHAPE == SPACE) return surf3Dread<T>(s, x, y, z, m);
    if (SHAPE == LINES) return surf1DLayeredread<T>(s, x, z, m);
    return surf2DLayeredread<T>(s, x, y, z, m);
}
template <int SHAPE, typename T>
__device__ void header_write(T v, cudaSurfaceObject_t s, int x, int y, int z, bool clamp) {
    cudaSurfaceBoundaryMode m = clamp ? cudaBoundaryModeClamp : cudaBoundaryModeZero;
    if (SHAPE == LINE) surf1Dwrite(v, s, x, m);
    if (SHAPE == PLANE) surf2Dwrite(v, s, x, y, m);
    if (SHAPE == SPACE) surf3Dwrite(v, s, x, y, z, m);
    if (SHAPE == LINES) surf1DLayeredwrite(v, s, x, z, m);
    if (SHAPE == PLANES) surf2DLayeredwrite(v, s, x, y, z, m);
}

#define EACH_SHAPE(CASE, X, Y, Z)                                                                            \
    CASE(LINE, "1d", "{%" X "}")                                                                             \
    CASE(PLANE, "2d", "{%" X ", %" Y "}")                                                                    \
    CASE(SPACE, "3d", "{%" X ", %" Y ", %" Z ", %" Z "}")                                                    \
    CASE(LINES, "a1d", "{%" Z ", %" X "}")                                                                   \
    CASE(PLANES, "a2d", "{%" Z ", %" X ", %" Y ", %" Y "}")
#define PLACE "l"(s), "r"(x), "r"(y), "r"(z)

// The values are operands 0 to N - 1, the surface and its coordinates those behind them.
#define LOAD(KIND, GEOMETRY, AT)                                                                             \
    if (SHAPE == KIND && clamp)                                                                              \
        asm volatile("suld.b." GEOMETRY WORDS ".clamp {" VALUES "}, [" OBJECT ", " AT "];" : OUT : PLACE);   \
    else if (SHAPE == KIND)                                                                                  \
        asm volatile("suld.b." GEOMETRY WORDS ".zero {" VALUES "}, [" OBJECT ", " AT "];" : OUT : PLACE);
#define STORE(KIND, GEOMETRY, AT)                                                                            \
    if (SHAPE == KIND && clamp)                                                                              \
        asm volatile("sust.b." GEOMETRY WORDS ".clamp [" OBJECT ", " AT "], {" VALUES "};" ::IN, PLACE);     \
    else if (SHAPE == KIND)                                                                                  \
        asm volatile("sust.b." GEOMETRY WORDS ".zero [" OBJECT ", " AT "], {" VALUES "};" ::IN, PLACE);
#define INSTRUCTIONS(T, CHANNEL, REGISTER, N, X, Y, Z)                                                       \
    template <int SHAPE> __device__ T load(T, cudaSurfaceObject_t s, int x, int y, int z, bool clamp) {      \
        REGISTER p[N];                                                                                       \
        EACH_SHAPE(LOAD, X, Y, Z)                                                                            \
        T v;                                                                                                 \
        for (int i = 0; i < N; i++) ((CHANNEL *)&v)[i] = (CHANNEL)p[i];                                      \
        return v;                                                                                            \
    }                                                                                                        \
    template <int SHAPE>                                                                                     \
    __device__ void store(T v, cudaSurfaceObject_t s, int x, int y, int z, bool clamp) {                     \
        REGISTER p[N];                                                                                       \
        for (int i = 0; i < N; i++) p[i] = ((CHANNEL *)&v)[i];                                               \
        EACH_SHAPE(STORE, X, Y, Z)                                                                           \
    }
#define VALUES "%0"
#define OBJECT "%1"
#define WORDS  ".b8"
#define OUT    "=h"(p[0])
#define IN     "h"(p[0])
INSTRUCTIONS(uchar1, unsigned char, unsigned short, 1, "2", "3", "4")
#undef WORDS
#define WORDS ".b16"
INSTRUCTIONS(ushort1, unsigned short, unsigned short, 1, "2", "3", "4")
#undef WORDS
#undef OUT
#undef IN
#define WORDS ".b32"
#define OUT   "=r"(p[0])
#define IN    "r"(p[0])
INSTRUCTIONS(uint1, unsigned, unsigned, 1, "2", "3", "4")
#undef WORDS
#undef OUT
#undef IN
#define WORDS ".b64"
#define OUT   "=l"(p[0])
#define IN    "l"(p[0])
INSTRUCTIONS(ulonglong1, unsigned long long, unsigned long long, 1, "2", "3", "4")
#undef VALUES
#undef OBJECT
#undef WORDS
#undef OUT
#undef IN
#define VALUES "%0, %1"
#define OBJECT "%2"
#define WORDS  ".v2.b8"
#define OUT    "=h"(p[0]), "=h"(p[1])
#define IN     "h"(p[0]), "h"(p[1])
INSTRUCTIONS(uchar2, unsigned char, unsigned short, 2, "3", "4", "5")
#undef WORDS
#define WORDS ".v2.b16"
INSTRUCTIONS(ushort2, unsigned short, unsigned short, 2, "3", "4", "5")
#undef WORDS
#undef OUT
#undef IN
#define WORDS ".v2.b32"
#define OUT   "=r"(p[0]), "=r"(p[1])
#define IN    "r"(p[0]), "r"(p[1])
INSTRUCTIONS(uint2, unsigned, unsigned, 2, "3", "4", "5")
#undef WORDS
#undef OUT
#undef IN
#define WORDS ".v2.b64"
#define OUT   "=l"(p[0]), "=l"(p[1])
#define IN    "l"(p[0]), "l"(p[1])
INSTRUCTIONS(ulonglong2, unsigned long long, unsigned long long, 2, "3", "4", "5")
#undef VALUES
#undef OBJECT
#undef WORDS
#undef OUT
#undef IN
#define VALUES "%0, %1, %2, %3"
#define OBJECT "%4"
#define WORDS  ".v4.b8"
#define OUT    "=h"(p[0]), "=h"(p[1]), "=h"(p[2]), "=h"(p[3])
#define IN     "h"(p[0]), "h"(p[1]), "h"(p[2]), "h"(p[3])
INSTRUCTIONS(uchar4, unsigned char, unsigned short, 4, "5", "6", "7")
#undef WORDS
#define WORDS ".v4.b16"
INSTRUCTIONS(ushort4, unsigned short, unsigned short, 4, "5", "6", "7")
#undef WORDS
#undef OUT
#undef IN
#define WORDS ".v4.b32"
#define OUT   "=r"(p[0]), "=r"(p[1]), "=r"(p[2]), "=r"(p[3])
#define IN    "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3])
INSTRUCTIONS(uint4, unsigned, unsigned, 4, "5", "6", "7")

// Threads are at all elements and at those next to them; `x` is in bytes.
template <typename T, int SHAPE>
__global__ void copy(cudaSurfaceObject_t mine, cudaSurfaceObject_t theirs, bool clamp, bool stores) {
    int x = ((int)threadIdx.x - 2) * (int)sizeof(T), y = (int)threadIdx.y - 1, z = (int)blockIdx.x - 1;
    T a = load<SHAPE>(T(), mine, x, y, z, clamp), b = header_read<SHAPE, T>(theirs, x, y, z, clamp);
    unsigned char *p = (unsigned char *)&a, *q = (unsigned char *)&b;
    for (int i = 0; i < (int)sizeof(T); i++) {
        if (!stores && p[i] != q[i]) atomicAdd(&differ, 1);
        if (!stores) atomicAdd(&sum, p[i]);
        p[i] = q[i] = (unsigned char)(p[i] + 3 + i);
    }
    // clamped, several threads would write one element: only those in range write
    bool one = x >= 0 && y >= 0 && z >= 0 && threadIdx.y < blockDim.y - 1 && blockIdx.x < gridDim.x - 1;
    if (stores && (!clamp || (one && threadIdx.x < blockDim.x - 2))) {
        store<SHAPE>(a, mine, x, y, z, clamp);
        header_write<SHAPE, T>(b, theirs, x, y, z, clamp);
    }
}

static std::vector<unsigned char> content(cudaArray_t a, int texel, int high, int deep) {
    std::vector<unsigned char> bytes(WIDTH * texel * high * deep);
    cudaMemcpy3DParms p = {};
    p.srcArray = a;
    p.dstPtr = make_cudaPitchedPtr(bytes.data(), WIDTH * texel, WIDTH, high);
    p.extent = make_cudaExtent(WIDTH, high, deep);
    p.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&p));
    return bytes;
}

template <typename T, int SHAPE> static void surface(cudaChannelFormatDesc c) {
    int texel = (c.x + c.y + c.z + c.w) / 8, elements = WIDTH * texel / (int)sizeof(T);
    bool flat = SHAPE == LINE || SHAPE == LINES, deep = SHAPE != LINE && SHAPE != PLANE;
    cudaArray_t a = make_array(c, SHAPE, cudaArraySurfaceLoadStore),
                b = make_array(c, SHAPE, cudaArraySurfaceLoadStore);
    cudaResourceDesc ra = of_array(a), rb = of_array(b);
    cudaSurfaceObject_t s, t;
    CHECK(cudaCreateSurfaceObject(&s, &ra));
    CHECK(cudaCreateSurfaceObject(&t, &rb));
    for (int clamp = 0; clamp < 2; clamp++) {
        dim3 threads(elements + 4, flat ? 1 : HEIGHT + 2);
        copy<T, SHAPE><<<deep ? DEPTH + 2 : 1, threads>>>(s, t, clamp, false),
            copy<T, SHAPE><<<deep ? DEPTH + 2 : 1, threads>>>(s, t, clamp, true);
        CHECK(cudaDeviceSynchronize());
        if (content(a, texel, flat ? 1 : HEIGHT, deep ? DEPTH : 1) !=
            content(b, texel, flat ? 1 : HEIGHT, deep ? DEPTH : 1))
            differ++;
    }
    CHECK(cudaDestroySurfaceObject(s));
    CHECK(cudaDestroySurfaceObject(t));
    CHECK(cudaFreeArray(a));
    CHECK(cudaFreeArray(b));
}
template <typename T, bool EVERYWHERE = false>
static void surfaces(const char *name, cudaChannelFormatDesc c) {
    sum = differ = 0;
    surface<T, PLANE>(c);
    if constexpr (EVERYWHERE) {
        surface<T, LINE>(c);
        surface<T, SPACE>(c);
        surface<T, LINES>(c);
        surface<T, PLANES>(c);
    }
    printf("%s: %d differ, %s\n", name, differ, sum ? "values" : "no values");
}

// ---- Cube maps ------------------------------------------------------------------------------------------

// The direction to a place on a face, from -1 to 1
__device__ float3 direction(int face, float u, float v) {
    switch (face) {
    case 0: return make_float3(1, -v, -u);
    case 1: return make_float3(-1, -v, u);
    case 2: return make_float3(u, 1, v);
    case 3: return make_float3(u, -1, -v);
    case 4: return make_float3(u, -v, 1);
    default: return make_float3(-u, -v, -1);
    }
}
__global__ void cube(cudaTextureObject_t t, int layer) {
    int i = threadIdx.x, face = blockIdx.x, x = i % HEIGHT, y = i / HEIGHT % HEIGHT;
    float u = (x + 0.5f) / HEIGHT * 2 - 1, v = (y + 0.5f) / HEIGHT * 2 - 1;
    float3 d = direction(face, u * 3, v * 3);
    if (i < HEIGHT * HEIGHT) {
        float4 w;
        d = direction(face, u, v);
        if (layer < 0)
            asm volatile("tex.cube.v4.f32.f32" TO "{%5, %6, %7, %7}];"
                         : FLOATS(w)
                         : "l"(t), "f"(d.x), "f"(d.y), "f"(d.z));
        else
            asm volatile("tex.acube.v4.f32.f32" TO "{%5, %6, %7, %8}];"
                         : FLOATS(w)
                         : "l"(t), "r"(layer), "f"(d.x), "f"(d.y), "f"(d.z));
        if (w.x != ((max(layer, 0) * 6 + face) * HEIGHT + y) * HEIGHT + x) atomicAdd(&differ, 1);
    }
    if (layer < 0)
        SAME(float4, FLOATS, "f32.f32", i, texCubemap<float4>(t, d.x, d.y, d.z), "tex.cube.v4",
             TO "{%5, %6, %7, %7}];", "f"(d.x), "f"(d.y), "f"(d.z));
    else
        SAME(float4, FLOATS, "f32.f32", i, texCubemapLayered<float4>(t, d.x, d.y, d.z, layer), "tex.acube.v4",
             TO "{%5, %6, %7, %8}];", "r"(layer), "f"(d.x), "f"(d.y), "f"(d.z));
}
__global__ void through_surface(cudaSurfaceObject_t s) {
    int x = threadIdx.x * 4, y = threadIdx.y, face = blockIdx.x;
    surfCubemapwrite(surfCubemapread<float>(s, x, y, face) + 1, s, x, y, face);
}
static void cubes(bool layered) {
    int faces = layered ? 12 : 6;
    cudaArray_t a;
    cudaChannelFormatDesc c = cudaCreateChannelDesc<float>();
    cudaExtent size = make_cudaExtent(HEIGHT, HEIGHT, faces);
    CHECK(cudaMalloc3DArray(&a, &c, size,
                            cudaArrayCubemap | cudaArraySurfaceLoadStore | (layered ? cudaArrayLayered : 0)));
    std::vector<float> values(HEIGHT * HEIGHT * faces);
    for (size_t i = 0; i < values.size(); i++) values[i] = (float)i - !layered;
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(values.data(), HEIGHT * 4, HEIGHT, HEIGHT);
    p.dstArray = a;
    p.extent = size;
    p.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&p));
    cudaResourceDesc r = of_array(a);
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    cudaSurfaceObject_t s;
    d.normalizedCoords = 1;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    CHECK(cudaCreateSurfaceObject(&s, &r));
    sum = differ = 0;
    if (!layered) through_surface<<<6, dim3(HEIGHT, HEIGHT)>>>(s);
    for (int layer = layered ? 0 : -1; layer < faces / 6 - !layered; layer++)
        cube<<<6, 2 * HEIGHT * HEIGHT>>>(t, layer);
    CHECK(cudaDeviceSynchronize());
    printf("%s: %d differ, %s\n", layered ? "cubes" : "cube", differ, sum ? "values" : "no values");
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaDestroySurfaceObject(s));
    CHECK(cudaFreeArray(a));
}

__global__ void ask(cudaTextureObject_t t, cudaSurfaceObject_t s) {
    unsigned a, b, c, d, e;
    asm volatile("txq.width.b32 %0, [%1];" : "=r"(a) : "l"(t));
    asm volatile("txq.height.b32 %0, [%1];" : "=r"(b) : "l"(t));
    asm volatile("txq.normalized_coords.b32 %0, [%1];" : "=r"(c) : "l"(t));
    asm volatile("suq.width.b32 %0, [%1];" : "=r"(d) : "l"(s));
    asm volatile("suq.height.b32 %0, [%1];" : "=r"(e) : "l"(s));
    printf("%u x %u, unit %u; %u x %u\n", a, b, c, d, e);
}
static void asked() {
    cudaArray_t a = make_array(cudaCreateChannelDesc<float>(), PLANE, cudaArraySurfaceLoadStore);
    cudaResourceDesc r = of_array(a);
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    cudaSurfaceObject_t s;
    d.normalizedCoords = 1;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    CHECK(cudaCreateSurfaceObject(&s, &r));
    ask<<<1, 1>>>(t, s);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaDestroySurfaceObject(s));
    CHECK(cudaFreeArray(a));
}

int main() {
    textures("float", cudaCreateChannelDesc<float>(), false);
    textures("float4", cudaCreateChannelDesc<float4>(), false);
    textures("half2", cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat), false);
    textures("uchar4 as fractions", cudaCreateChannelDesc<uchar4>(), true);
    textures("short as fractions", cudaCreateChannelDesc<short1>(), true);
    textures("char2", cudaCreateChannelDesc<char2>(), false);
    textures("ushort4", cudaCreateChannelDesc<ushort4>(), false);
    textures("int", cudaCreateChannelDesc<int>(), false);
    surfaces<uchar1, true>("b8", cudaCreateChannelDesc<uchar4>());
    surfaces<uchar2>("v2.b8", cudaCreateChannelDesc<uchar4>());
    surfaces<uchar4>("v4.b8", cudaCreateChannelDesc<uchar4>());
    surfaces<ushort1>("b16", cudaCreateChannelDesc<short2>());
    surfaces<ushort2>("v2.b16", cudaCreateChannelDesc<short2>());
    surfaces<ushort4>("v4.b16", cudaCreateChannelDesc<short4>());
    surfaces<uint1>("b32", cudaCreateChannelDesc<float>());
    surfaces<uint2, true>("v2.b32", cudaCreateChannelDesc<float2>());
    surfaces<uint4>("v4.b32", cudaCreateChannelDesc<float4>());
    surfaces<ulonglong1>("b64", cudaCreateChannelDesc<float2>());
    surfaces<ulonglong2>("v2.b64", cudaCreateChannelDesc<float4>());
    cubes(false);
    cubes(true);
    asked();
    return 0;
}
