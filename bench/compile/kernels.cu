/* kernels.cu: kernels of about 500 PTX instructions each, of many kinds, to time the compiler with: `run`
 * starts this program once for each of them, because only the first compile of a process pays for everything.
 * What they compute is ordinary; sizes of loops and steps are such that clang makes 450 to 560 instructions
 * of each.
 */
#include <cstdint>
#include <cstdio>
#include <cstring>

/* Arithmetic in a row: a polynomial for each of several elements. */
__global__ void polynomials(int n, const float *c, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i], w = v * 0.5f, sum = 0, product = 1;
#pragma unroll
    for (int k = 0; k < 76; k++) {
        sum = sum * v + c[k];
        product = product * w - sum;
        w = w + product * 0.25f;
    }
    y[i] = sum + product;
}

/* Integers in a row: steps of MD5. */
__global__ void digest(int n, const uint32_t *message, uint32_t *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint32_t a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    uint32_t m[16];
#pragma unroll
    for (int k = 0; k < 16; k++) m[k] = message[i * 16 + k];
#pragma unroll
    for (int k = 0; k < 64; k++) {
        uint32_t f = k < 16   ? (b & c) | (~b & d)
                     : k < 32 ? (d & b) | (~d & c)
                     : k < 48 ? b ^ c ^ d
                              : c ^ (b | ~d);
        int g = k < 16 ? k : k < 32 ? (5 * k + 1) % 16 : k < 48 ? (3 * k + 5) % 16 : 7 * k % 16;
        int turn = (k & 1) * 5 + 7 + k / 16;
        f += a + 0x9e3779b9u * (k + 1) + m[g];
        a = d, d = c, c = b;
        b += (f << turn) | (f >> (32 - turn));
    }
    out[4 * i] = a, out[4 * i + 1] = b, out[4 * i + 2] = c, out[4 * i + 3] = d;
}

/* Loops in loops: small systems of equations, one a thread, in global memory, by elimination with pivots. */
__global__ void eliminate(int n, int order, float *a, float *b, int *pivots) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float *m = a + (size_t)i * order * order, *r = b + (size_t)i * order;
    for (int k = 0; k < order; k++) {
        int best = k;
        for (int j = k + 1; j < order; j++)
            if (fabsf(m[j * order + k]) > fabsf(m[best * order + k])) best = j;
        pivots[i * order + k] = best;
        if (best != k) {
            for (int j = 0; j < order; j++) {
                float t = m[k * order + j];
                m[k * order + j] = m[best * order + j];
                m[best * order + j] = t;
            }
            float t = r[k];
            r[k] = r[best], r[best] = t;
        }
        if (m[k * order + k] == 0) return;
        for (int j = k + 1; j < order; j++) {
            float f = m[j * order + k] / m[k * order + k];
            for (int l = k; l < order; l++) m[j * order + l] -= f * m[k * order + l];
            r[j] -= f * r[k];
        }
    }
    for (int k = order - 1; k >= 0; k--) {
        float s = r[k];
        for (int j = k + 1; j < order; j++) s -= m[k * order + j] * r[j];
        r[k] = s / m[k * order + k];
    }
}

/* Functions of float. */
__global__ void functions(int n, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    y[i] = sinf(v) * expf(-v) + logf(v) * powf(v, 1.5f) + atan2f(v, 2) + erff(v) / sqrtf(v) + tanhf(v) +
           cbrtf(v);
}

/* Functions of double: a price by Black and Scholes, twice. */
__device__ double normal(double d) { return 0.5 * erfc(-d * 0.70710678118654752); }
__global__ void prices(int n, const double *spot, const double *strike, const double *years, double *call,
                       double *put) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double root = sqrt(years[i]), d1 = (log(spot[i] / strike[i]) + (0.02 + 0.045) * years[i]) / (0.3 * root);
    double d2 = d1 - 0.3 * root, discount = exp(-0.02 * years[i]);
    call[i] = spot[i] * normal(d1) - strike[i] * discount * normal(d2);
    put[i] = strike[i] * discount * normal(-d2) - spot[i] * normal(-d1);
}

/* Shared memory with barriers in a row: a bitonic sort of a block's values, all steps unrolled. */
__global__ void bitonic(const int *in, int *out) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
#pragma unroll
    for (int size = 2; size <= 256; size *= 2)
#pragma unroll
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            int other = t ^ step;
            if (other > t) {
                int a = s[t], b = s[other];
                if ((a > b) == ((t & size) == 0)) s[t] = b, s[other] = a;
            }
        }
    __syncthreads();
    out[blockIdx.x * 256 + t] = s[t];
}

/* Shared memory and registers: a product of matrices, 4 x 4 values a thread, the tile's loop unrolled. */
__global__ void product(int n, const float *a, const float *b, float *c) {
    __shared__ float sa[16][64], sb[16][64];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    float sum[4][4] = {};
    for (int k = 0; k < n; k += 16) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int e = t + j * 256;
            sa[e % 16][e / 16] = a[(blockIdx.y * 64 + e / 16) * n + k + e % 16];
            sb[e / 64][e % 64] = b[(k + e / 64) * n + blockIdx.x * 64 + e % 64];
        }
        __syncthreads();
#pragma unroll
        for (int l = 0; l < 13; l++)
#pragma unroll
            for (int y = 0; y < 4; y++)
#pragma unroll
                for (int x = 0; x < 4; x++) sum[y][x] += sa[l][ty * 4 + y] * sb[l][tx * 4 + x];
        __syncthreads();
    }
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++)
            c[(blockIdx.y * 64 + ty * 4 + y) * n + blockIdx.x * 64 + tx * 4 + x] = sum[y][x];
}

/* A cosine transform of 8 x 8 pixels, rows and then columns, a thread for each. */
__device__ void cosine(float *v) {
    float a = v[0] + v[7], b = v[1] + v[6], c = v[2] + v[5], d = v[3] + v[4];
    float e = v[3] - v[4], f = v[2] - v[5], g = v[1] - v[6], h = v[0] - v[7];
    v[0] = 0.35355339f * (a + b + c + d), v[4] = 0.35355339f * (a - b - c + d);
    v[2] = 0.46193977f * (a - d) + 0.19134172f * (b - c),
    v[6] = 0.19134172f * (a - d) - 0.46193977f * (b - c);
    v[1] = 0.49039264f * h + 0.41573481f * g + 0.27778512f * f + 0.09754516f * e;
    v[3] = 0.41573481f * h - 0.09754516f * g - 0.49039264f * f - 0.27778512f * e;
    v[5] = 0.27778512f * h - 0.49039264f * g + 0.09754516f * f + 0.41573481f * e;
    v[7] = 0.09754516f * h - 0.27778512f * g + 0.41573481f * f - 0.49039264f * e;
}
__global__ void transform(int width, const float *in, const float *weights, float *out) {
    __shared__ float s[8][8 * 32 + 1];
    int x = threadIdx.x, tile = x / 8 * 8, base = blockIdx.y * 8 * width + blockIdx.x * 256;
    float v[8];
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = in[base + k * width + x] - 128;
    cosine(v);
#pragma unroll
    for (int k = 0; k < 8; k++) s[k][x] = v[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = s[x % 8][tile + k];
    cosine(v);
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = rintf(v[k] / weights[x % 8 * 8 + k]) * weights[x % 8 * 8 + k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) s[x % 8][tile + k] = v[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) out[base + k * width + x] = s[k][x];
}

/* Shuffles and votes: each warp sorts, sums and ranks its values. */
__global__ void warps(const int *in, int *out) {
    int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
#pragma unroll
    for (int size = 2; size <= 32; size *= 2)
#pragma unroll
        for (int step = size / 2; step > 0; step /= 2) {
            int other = __shfl_xor_sync(~0u, v, step);
            bool low = (lane & step) == 0, up = (lane & size) == 0;
            v = low == up ? min(v, other) : max(v, other);
        }
    int sum = v;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        int other = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += other;
    }
    unsigned rank = 0;
#pragma unroll
    for (int bit = 0; bit < 28; bit++) {
        unsigned vote = __ballot_sync(~0u, (v >> bit) & 1);
        rank += __popc(vote & ((1u << lane) - 1)) ^ (__shfl_sync(~0u, sum, bit) & 3);
    }
    out[i] = sum + rank;
}

/* Bytes: edges of an image in three colours. */
__global__ void edges(int width, int height, const uchar4 *in, uchar4 *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    int gx[3] = {}, gy[3] = {}, mean[3] = {};
#pragma unroll
    for (int dy = -1; dy <= 1; dy++)
#pragma unroll
        for (int dx = -1; dx <= 1; dx++) {
            uchar4 p = in[(y + dy) * width + x + dx];
            int v[3] = {p.x, p.y, p.z}, wx = dx * (2 - dy * dy), wy = dy * (2 - dx * dx);
#pragma unroll
            for (int c = 0; c < 3; c++)
                gx[c] += wx * v[c], gy[c] += wy * v[c], mean[c] += v[c] * v[c] >> (dx + dy + 2);
        }
    uchar4 r = {0, 0, 0, 255};
    unsigned char *bytes = &r.x;
#pragma unroll
    for (int c = 0; c < 3; c++) {
        float size = sqrtf((float)(gx[c] * gx[c] + gy[c] * gy[c])),
              angle = gx[c] ? (float)gy[c] / gx[c] : 99.0f;
        int shade = (int)(size * (angle > 1 || angle < -1 ? 0.5f : 1.0f)) + mean[c] / 9 % 7;
        bytes[c] = shade > 255 ? 255 : shade;
    }
    out[y * width + x] = r;
}

/* A program with many ways: rays through spheres, with a loop, reflections and early ends. */
struct Sphere {
    float3 centre;
    float radius, mirror, shade;
};
__constant__ Sphere spheres[16];
__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ float3 along(float3 a, float t, float3 b) {
    return make_float3(a.x + t * b.x, a.y + t * b.y, a.z + t * b.z);
}
__device__ float3 unit(float3 a) {
    float s = rsqrtf(dot(a, a));
    return make_float3(a.x * s, a.y * s, a.z * s);
}
__device__ int nearest(int count, float3 from, float3 to, float &t) {
    int hit = -1;
    t = 1e30f;
    for (int k = 0; k < count; k++) {
        float3 oc = along(from, -1, spheres[k].centre);
        float b = dot(oc, to), c = dot(oc, oc) - spheres[k].radius * spheres[k].radius, d = b * b - c;
        if (d < 0) continue;
        float root = sqrtf(d), at = -b - root;
        if (at < 1e-3f) at = -b + root;
        if (at > 1e-3f && at < t) t = at, hit = k;
    }
    return hit;
}
__global__ void rays(int width, int height, int count, float3 light, float *image) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float3 from = {0, 0, -5}, to = unit(make_float3(2.0f * x / width - 1, 2.0f * y / height - 1, 1.5f));
    float weight = 1, sum = 0, t, s;
    for (int bounce = 0; bounce < 4 && weight > 0.01f; bounce++) {
        int k = nearest(count, from, to, t);
        if (k < 0) {
            sum += weight * (0.5f + 0.5f * to.y);
            break;
        }
        float3 at = along(from, t, to), normal = unit(along(at, -1, spheres[k].centre)),
               lit = unit(along(light, -1, at));
        if (nearest(count, at, lit, s) < 0)
            sum += weight * (1 - spheres[k].mirror) * spheres[k].shade * fmaxf(dot(normal, lit), 0);
        from = at, to = along(to, -2 * dot(to, normal), normal), weight *= spheres[k].mirror;
    }
    image[y * width + x] = sum;
}

/* A transform by Fourier of 64 values, 8 a thread, with shared memory between. */
__device__ float2 times(float2 a, float2 b) {
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__device__ void butterfly(float2 &a, float2 &b) {
    float2 t = a;
    a = make_float2(t.x + b.x, t.y + b.y), b = make_float2(t.x - b.x, t.y - b.y);
}
__device__ void eight(float2 *v) {
    const float r = 0.70710678f;
#pragma unroll
    for (int k = 0; k < 4; k++) butterfly(v[k], v[k + 4]);
    v[5] = times(v[5], make_float2(r, -r)), v[6] = make_float2(v[6].y, -v[6].x),
    v[7] = times(v[7], make_float2(-r, -r));
#pragma unroll
    for (int k = 0; k < 8; k += 4) {
        butterfly(v[k], v[k + 2]), butterfly(v[k + 1], v[k + 3]);
        v[k + 3] = make_float2(v[k + 3].y, -v[k + 3].x);
        butterfly(v[k], v[k + 1]), butterfly(v[k + 2], v[k + 3]);
    }
}
__global__ void fourier(const float2 *in, float2 *out) {
    __shared__ float2 s[32][64];
    int row = threadIdx.y, t = threadIdx.x, base = (blockIdx.x * 32 + row) * 64;
    float2 v[8];
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = in[base + t + 8 * k];
    eight(v);
#pragma unroll
    for (int k = 1; k < 8; k++) {
        float si, co;
        __sincosf(-0.0981747704f * t * k, &si, &co);
        v[k] = times(v[k], make_float2(co, si));
    }
#pragma unroll
    for (int k = 0; k < 8; k++) s[row][t * 8 + k] = v[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = s[row][k * 8 + t];
    eight(v);
#pragma unroll
    for (int k = 0; k < 8; k++) out[base + t + 8 * k] = v[k];
}

/* Integers of 64 bits: powers modulo a number, random numbers. */
__global__ void powers(int n, const uint64_t *base, const uint64_t *exponent, uint64_t modulus,
                       uint64_t *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint64_t x = base[i] % modulus, e = exponent[i], r = 1;
    while (e) {
        if (e & 1) r = __umul64hi(r, x) % modulus ^ r * x % modulus;
        x = x * x % modulus, e >>= 1;
    }
    uint64_t a = x ^ 0x9e3779b97f4a7c15u, b = r;
#pragma unroll
    for (int k = 0; k < 44; k++) {
        uint64_t s = a + b;
        b ^= a;
        a = (a << 24 | a >> 40) ^ b ^ b << 16, b = b << 37 | b >> 27;
        r += s * 5;
    }
    out[i] = r;
}

/* Atomics in shared and global memory, a block's sums by steps. */
__global__ void counts(int n, const uint32_t *in, unsigned *bins, unsigned *most, float *sum) {
    __shared__ unsigned s[256];
    __shared__ float part[256];
    int t = threadIdx.x;
    s[t] = 0;
    float mine = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) {
        uint32_t v = in[i];
#pragma unroll
        for (int k = 0; k < 16; k++) {
            v ^= v >> 15, v *= 0x2c1b3c6du, v ^= v >> 12;
            atomicAdd(&s[v >> 24], (v & 3) + 1);
            mine += __uint2float_rn(v) * (1.0f / (k + 1));
        }
        if (v % 17 == 0) atomicMax(&most[v % 64], v);
    }
    part[t] = mine;
    __syncthreads();
#pragma unroll
    for (int step = 128; step > 0; step /= 2) {
        if (t < step) part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0) atomicAdd(sum, part[0]);
    atomicAdd(&bins[t], s[t]);
}

/* Local memory: each thread places queens with a stack of its own. */
__global__ void queens(int n, const int *start, int *solutions) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int row[16], at = 2, count = 0;
    row[0] = start[i] % 12, row[1] = start[i] / 12 % 12, row[2] = -1;
    if (row[0] == row[1] || abs(row[0] - row[1]) == 1) return;
    while (at >= 2) {
        bool fits = false;
        while (!fits && ++row[at] < 12) {
            fits = true;
            for (int k = 0; k < at; k++)
                if (row[k] == row[at] || abs(row[k] - row[at]) == at - k) fits = false;
        }
        if (!fits) {
            at--;
        } else if (at == 11) {
            count++;
        } else {
            row[++at] = -1;
        }
    }
    solutions[i] = count;
}

/* Structures, gathers and forces: bodies in a grid of cells, five neighbours unrolled. */
__global__ void bodies(int n, const float4 *p, const int *neighbours, float4 *force) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 me = p[i];
    float fx = 0, fy = 0, fz = 0, energy = 0;
#pragma unroll
    for (int k = 0; k < 16; k++) {
        int j = neighbours[i * 16 + k];
        if (j < 0) continue;
        float4 it = p[j];
        float dx = it.x - me.x, dy = it.y - me.y, dz = it.z - me.z, r2 = dx * dx + dy * dy + dz * dz + 1e-4f;
        float r = rsqrtf(r2), f = it.w * r * r * r;
        fx += dx * f, fy += dy * f, fz += dz * f, energy -= it.w * r;
    }
    force[i] = make_float4(fx, fy, fz, energy);
}

template <typename... Types, typename... Arguments>
static int launch(dim3 block, void (*kernel)(Types...), Arguments... arguments) {
    kernel<<<1, block>>>(arguments...);
    cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess) printf("%s\n", cudaGetErrorString(status));
    return status != cudaSuccess;
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    const size_t size = 1 << 20;
    char *m[4];
    for (char *&p : m) {
        cudaMalloc(&p, size);
        cudaMemset(p, 0, size);
    }
    float *f = (float *)m[0], *g = (float *)m[1], *h = (float *)m[2];
    int *ints = (int *)m[1], *more = (int *)m[2];
    double *d = (double *)m[0], *e = (double *)m[1];
    if (!strcmp(name, "polynomials")) return launch(256, polynomials, 256, f, g, h);
    if (!strcmp(name, "digest")) return launch(256, digest, 256, (uint32_t *)f, (uint32_t *)g);
    if (!strcmp(name, "eliminate")) return launch(128, eliminate, 128, 8, f, g, more);
    if (!strcmp(name, "functions")) return launch(256, functions, 256, f, g);
    if (!strcmp(name, "prices")) return launch(256, prices, 256, d, d, d, e, e + 256);
    if (!strcmp(name, "bitonic")) return launch(256, bitonic, ints, more);
    if (!strcmp(name, "product")) return launch(dim3(16, 16), product, 64, f, g, h);
    if (!strcmp(name, "transform")) return launch(256, transform, 256, f, g, h);
    if (!strcmp(name, "warps")) return launch(256, warps, ints, more);
    if (!strcmp(name, "edges")) return launch(dim3(16, 16), edges, 16, 16, (uchar4 *)f, (uchar4 *)g);
    if (!strcmp(name, "rays")) return launch(dim3(16, 16), rays, 16, 16, 16, make_float3(1, 2, 3), f);
    if (!strcmp(name, "fourier")) return launch(dim3(8, 32), fourier, (float2 *)f, (float2 *)g);
    if (!strcmp(name, "powers"))
        return launch(256, powers, 256, (uint64_t *)f, (uint64_t *)g, (uint64_t)1000003, (uint64_t *)h);
    if (!strcmp(name, "counts"))
        return launch(256, counts, 256, (uint32_t *)f, (unsigned *)g, (unsigned *)h, (float *)m[3]);
    if (!strcmp(name, "queens")) return launch(128, queens, 128, ints, more);
    if (!strcmp(name, "bodies")) return launch(256, bodies, 256, (float4 *)f, ints, (float4 *)h);
    printf("polynomials digest eliminate functions prices bitonic product transform warps edges rays fourier "
           "powers counts "
           "queens bodies\n");
    return argc > 1;
}
