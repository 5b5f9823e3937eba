// Textures and surfaces: every kind of memory behind them, every way to address and to filter, copies to and
// from arrays. Values and coordinates are such that hardware's eight-bit weights give exact results.
#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(CALL)                                                                                          \
    do {                                                                                                     \
        cudaError_t e = (CALL);                                                                              \
        if (e != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorName(e));                        \
    } while (0)

static double sum_of(const float *v, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += (double)v[i] * (i % 17 + 1);
    return s;
}

template <typename T> __global__ void line(cudaTextureObject_t t, float *out, float first, float step) {
    int i = threadIdx.x;
    out[i] = tex1D<T>(t, first + step * i);
}
template <typename T> __global__ void fetch(cudaTextureObject_t t, T *out, int first) {
    out[threadIdx.x] = tex1Dfetch<T>(t, first + (int)threadIdx.x);
}
__global__ void plane(cudaTextureObject_t t, float *out, float x, float y, float dx, float dy) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = tex2D<float>(t, x + dx * threadIdx.x, y + dy * blockIdx.x);
}
__global__ void colours(cudaTextureObject_t t, float4 *out, float dx) {
    float4 c;
    tex2D(&c, t, 0.5f + dx * threadIdx.x, 1.5f);
    out[threadIdx.x] = c;
}
__global__ void gathered(cudaTextureObject_t t, float4 *out) {
    out[threadIdx.x] = tex2Dgather<float4>(t, 0.25f * threadIdx.x, 2.0f, 0);
}
__global__ void space(cudaTextureObject_t t, float *out, float d) {
    int i = threadIdx.x;
    out[i] = tex3D<float>(t, 0.5f + d * (i % 4), 0.5f + d * (i / 4 % 4), 0.5f + d * (i / 16));
}
__global__ void layers(cudaTextureObject_t t, float *out) {
    out[threadIdx.x] = tex2DLayered<float>(t, 1.5f, 0.5f + threadIdx.x % 4, (int)threadIdx.x / 4 - 1);
}
__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    uchar4 c;
    surf2Dread(&c, from, x * 4, y);
    surf2Dwrite(make_uchar4(c.w, c.z, c.y, c.x), to, y * 4, w - 1 - x);
}
__global__ void beyond(cudaSurfaceObject_t s, int *out) {
    int x = (int)threadIdx.x - 2;
    out[threadIdx.x] = surf2Dread<int>(s, x * 4, 1, cudaBoundaryModeZero);
    out[8 + threadIdx.x] = surf2Dread<int>(s, x * 4, 1, cudaBoundaryModeClamp);
    surf2Dwrite(100 + (int)threadIdx.x, s, x * 4, 0, cudaBoundaryModeZero);
}

static cudaTextureObject_t texture_of(cudaResourceDesc r, cudaTextureAddressMode mode, bool linear, bool unit,
                                      cudaTextureReadMode read = cudaReadModeElementType) {
    cudaTextureDesc d = {};
    d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = mode;
    d.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    d.readMode = read;
    d.normalizedCoords = unit;
    d.borderColor[0] = 1000;
    cudaTextureObject_t t = 0;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}
static cudaResourceDesc of_array(cudaArray_t a) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    return r;
}

static void lines_and_planes(float *out) {
    const int w = 32, h = 16;
    std::vector<float> texels(w * h);
    for (int i = 0; i < w * h; i++) texels[i] = (float)(i * 37 % 101);
    cudaArray_t one, two;
    cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&one, &floats, w));
    CHECK(cudaMallocArray(&two, &floats, w, h, cudaArrayTextureGather));
    CHECK(cudaMemcpyToArray(one, 0, 0, texels.data(), w * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2DToArray(two, 0, 0, texels.data(), w * 4, w * 4, h, cudaMemcpyHostToDevice));
    for (int mode = 0; mode < 4; mode++)
        for (int linear = 0; linear < 2; linear++)
            for (int unit = 0; unit < 2; unit++) {
                cudaTextureObject_t a = texture_of(of_array(one), (cudaTextureAddressMode)mode, linear, unit);
                cudaTextureObject_t b = texture_of(of_array(two), (cudaTextureAddressMode)mode, linear, unit);
                float scale = unit ? 1.0f / 32 : 1, high = unit ? 1.0f / 16 : 1;
                line<float><<<1, 256>>>(a, out, -20.25f * scale, 0.3125f * scale);
                CHECK(cudaDeviceSynchronize());
                double s = sum_of(out, 256);
                plane<<<64, 128>>>(b, out, -16.0f * scale, -8.25f * high, 0.5f * scale, 0.5f * high);
                CHECK(cudaDeviceSynchronize());
                printf("mode %d linear %d unit %d: %.6f %.6f\n", mode, linear, unit, s, sum_of(out, 8192));
                CHECK(cudaDestroyTextureObject(a));
                CHECK(cudaDestroyTextureObject(b));
            }
    cudaTextureObject_t g = texture_of(of_array(two), cudaAddressModeClamp, true, false);
    gathered<<<1, 64>>>(g, (float4 *)out);
    CHECK(cudaDeviceSynchronize());
    printf("gathered %.1f\n", sum_of(out, 256));
    cudaTextureDesc d;
    cudaResourceDesc r;
    CHECK(cudaGetTextureObjectTextureDesc(&d, g));
    CHECK(cudaGetTextureObjectResourceDesc(&r, g));
    printf("told: %d %d %d %d\n", d.addressMode[0], d.filterMode, r.resType, r.res.array.array == two);
    CHECK(cudaDestroyTextureObject(g));
    CHECK(cudaFreeArray(one));
    CHECK(cudaFreeArray(two));
}

static void memory_as_texture(float *out) {
    int *line_of, counts[64];
    CHECK(cudaMalloc(&line_of, sizeof counts));
    for (int i = 0; i < 64; i++) counts[i] = i * i;
    CHECK(cudaMemcpy(line_of, counts, sizeof counts, cudaMemcpyHostToDevice));
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = line_of;
    r.res.linear.desc = cudaCreateChannelDesc<int>();
    r.res.linear.sizeInBytes = sizeof counts;
    cudaTextureObject_t t = texture_of(r, cudaAddressModeClamp, false, false);
    fetch<int><<<1, 80>>>(t, (int *)out, -8);
    CHECK(cudaDeviceSynchronize());
    long long s = 0;
    for (int i = 0; i < 80; i++) s += ((int *)out)[i] * (i + 1ll);
    printf("fetched %lld\n", s);
    CHECK(cudaDestroyTextureObject(t));
    r.res.linear.desc = cudaCreateChannelDesc<short2>();
    t = texture_of(r, cudaAddressModeClamp, false, false, cudaReadModeNormalizedFloat);
    fetch<float2><<<1, 64>>>(t, (float2 *)out, 0);
    CHECK(cudaDeviceSynchronize());
    printf("fractions %.9g %.9g %.9g\n", out[0], out[20], out[126]);
    CHECK(cudaDestroyTextureObject(t));
    /* Memory without a shape is only fetched from: samples of it are 0. */
    r.res.linear.desc = cudaCreateChannelDesc<float>();
    t = texture_of(r, cudaAddressModeClamp, true, true);
    float first = 7;
    CHECK(cudaMemcpy(line_of, &first, sizeof first, cudaMemcpyHostToDevice));
    line<float><<<1, 20>>>(t, out, 0, 0.05f);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 20; i++)
        if (out[i] != 0) printf("coordinate %d of 20: %.9g\n", i, out[i]);
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFree(line_of));

    uchar4 *rows;
    size_t pitch;
    uchar4 bytes[4][8];
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 8; x++) bytes[y][x] = make_uchar4(x * 17, y * 51, 255 - x, x + y);
    CHECK(cudaMallocPitch(&rows, &pitch, 8 * 4, 4));
    CHECK(cudaMemcpy2D(rows, pitch, bytes, 8 * 4, 8 * 4, 4, cudaMemcpyHostToDevice));
    r = {};
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = rows;
    r.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
    r.res.pitch2D.width = 8;
    r.res.pitch2D.height = 4;
    r.res.pitch2D.pitchInBytes = pitch;
    t = texture_of(r, cudaAddressModeClamp, false, false, cudaReadModeNormalizedFloat);
    colours<<<1, 10>>>(t, (float4 *)out, 1);
    CHECK(cudaDeviceSynchronize());
    printf("colours %.7f\n", sum_of(out, 40));
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFree(rows));
}

static void space_and_layers(float *out) {
    float texels[4 * 4 * 4];
    for (int i = 0; i < 64; i++) texels[i] = (float)(i * 29 % 64);
    for (int layered = 0; layered < 2; layered++) {
        cudaArray_t a;
        cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
        CHECK(cudaMalloc3DArray(&a, &floats, make_cudaExtent(4, 4, 4), layered ? cudaArrayLayered : 0));
        cudaMemcpy3DParms p = {};
        p.srcPtr = make_cudaPitchedPtr(texels, 16, 4, 4);
        p.dstArray = a;
        p.extent = make_cudaExtent(4, 4, 4);
        p.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&p));
        cudaTextureObject_t t = texture_of(of_array(a), cudaAddressModeClamp, true, false);
        if (layered)
            layers<<<1, 24>>>(t, out);
        else
            space<<<1, 64>>>(t, out, 0.5f);
        CHECK(cudaDeviceSynchronize());
        printf("%s %.6f\n", layered ? "layers" : "space", sum_of(out, layered ? 24 : 64));
        float back[64] = {};
        cudaMemcpy3DParms q = {};
        q.srcArray = a;
        q.srcPos = make_cudaPos(1, 1, 2);
        q.dstPtr = make_cudaPitchedPtr(back, 8, 2, 2);
        q.extent = make_cudaExtent(2, 2, 2);
        q.kind = cudaMemcpyDeviceToHost;
        CHECK(cudaMemcpy3D(&q));
        printf("back %.1f, the first %.1f\n", sum_of(back, 64), back[0]);
        CHECK(cudaDestroyTextureObject(t));
        CHECK(cudaFreeArray(a));
    }
}

static void surfaces(float *out) {
    const int w = 40, h = 24;
    std::vector<uchar4> picture(w * h), turned(w * h);
    for (int i = 0; i < w * h; i++) picture[i] = make_uchar4(i, i / 3, i * 5, i / 7);
    cudaChannelFormatDesc c = cudaCreateChannelDesc<uchar4>(), n = cudaCreateChannelDesc<int>();
    cudaArray_t from, to, numbers;
    CHECK(cudaMallocArray(&from, &c, w, h, cudaArraySurfaceLoadStore));
    CHECK(cudaMallocArray(&to, &c, h, w, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArray(from, 0, 0, picture.data(), w * 4, w * 4, h, cudaMemcpyHostToDevice));
    cudaResourceDesc rf = of_array(from), rt = of_array(to);
    cudaSurfaceObject_t sf, st;
    CHECK(cudaCreateSurfaceObject(&sf, &rf));
    CHECK(cudaCreateSurfaceObject(&st, &rt));
    turn<<<dim3(3, 2), dim3(16, 16)>>>(sf, st, w, h);
    CHECK(cudaMemcpy2DFromArray(turned.data(), h * 4, to, 0, 0, h * 4, w, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            uchar4 a = picture[y * w + x], b = turned[(w - 1 - x) * h + y];
            wrong += a.x != b.w || a.y != b.z || a.z != b.y || a.w != b.x;
        }
    printf("%d wrong\n", wrong);
    CHECK(cudaDestroySurfaceObject(sf));
    CHECK(cudaDestroySurfaceObject(st));

    int two_rows[8] = {1, 2, 3, 4, 11, 12, 13, 14};
    CHECK(cudaMallocArray(&numbers, &n, 4, 2, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpyToArray(numbers, 0, 0, two_rows, sizeof two_rows, cudaMemcpyHostToDevice));
    cudaResourceDesc rn = of_array(numbers);
    CHECK(cudaCreateSurfaceObject(&st, &rn));
    beyond<<<1, 8>>>(st, (int *)out);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 16; i++) printf("%d%c", ((int *)out)[i], i == 15 ? '\n' : ' ');
    CHECK(cudaMemcpyFromArray(two_rows, numbers, 0, 0, sizeof two_rows, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 8; i++) printf("%d%c", two_rows[i], i == 7 ? '\n' : ' ');
    CHECK(cudaDestroySurfaceObject(st));
    CHECK(cudaFreeArray(numbers));
    CHECK(cudaFreeArray(from));
    CHECK(cudaFreeArray(to));
}

static void refused() {
    cudaArray_t a;
    cudaTextureObject_t t;
    cudaTextureDesc d = {};
    cudaChannelFormatDesc three = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
    cudaChannelFormatDesc whole = cudaCreateChannelDesc<int>();
    printf("%s\n", cudaGetErrorName(cudaMallocArray(&a, &three, 8, 8)));
    CHECK(cudaMallocArray(&a, &whole, 8, 8));
    cudaResourceDesc r = of_array(a);
    d.filterMode = cudaFilterModeLinear;
    printf("%s\n", cudaGetErrorName(cudaCreateTextureObject(&t, &r, &d, nullptr)));
    d.filterMode = cudaFilterModePoint;
    d.readMode = cudaReadModeNormalizedFloat;
    printf("%s\n", cudaGetErrorName(cudaCreateTextureObject(&t, &r, &d, nullptr)));
    CHECK(cudaFreeArray(a));
    printf("%s\n", cudaGetErrorName(cudaFreeArray(nullptr)));
}

int main() {
    float *out;
    CHECK(cudaMallocManaged(&out, 8192 * sizeof(float)));
    lines_and_planes(out);
    memory_as_texture(out);
    space_and_layers(out);
    surfaces(out);
    refused();
    CHECK(cudaFree(out));
    return 0;
}
