/* structures: arrays of structures as programs have them: particles, complex numbers, vertices, pixels,
 * records with padding, matrices; read in part, written in part, under odd masks, through two pointers, in
 * shared memory. Each is held against plain C. */
#include "program.h"

constexpr int N = 1003;

struct Particle {
    float x, y, z;
};
struct Complex {
    float re, im;
};
struct Pair {
    double a, b;
};
struct Wide {
    double x, y, z;
};
struct Triple {
    long long a, b, c;
};
struct Padded {
    char tag;
    float v;
    short s;
    int n;
};
struct Mixed {
    double d;
    int i;
    float f;
    double e;
};
struct Vertex {
    float4 at;
    float2 uv;
    unsigned colour, flags;
};
struct Big {
    int v[16];
};
struct Huge {
    double v[16];
};
struct Five {
    int a, b, c, d, e;
};
struct Seven {
    float v[7];
};

#define EACH                                                                                                 \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                     \
    if (i >= n) return;
#define BOTH __host__ __device__

/* One step of each program, for thread i: the kernel and plain C are made of the same text. */
BOTH void move_one(Particle *p, const Particle *v, int i) {
    p[i].x += 0.5f * v[i].x;
    p[i].y += 0.5f * v[i].y;
    p[i].z += 0.5f * v[i].z;
}
BOTH void cross_one(const Particle *__restrict__ a, const Particle *__restrict__ b, Particle *__restrict__ c,
                    int i) {
    Particle p = a[i], q = b[i];
    c[i] = {p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x};
}
BOTH void multiply_one(Complex *a, const Complex *b, int i) {
    Complex x = a[i], y = b[i];
    a[i].re = x.re * y.re - x.im * y.im;
    a[i].im = x.re * y.im + x.im * y.re;
}
BOTH void real_one(const Complex *a, float *out, int i) { out[i] = a[i].re; }
BOTH void imaginary_one(Complex *a, const float *in, int i) { a[i].im = in[i]; }
BOTH void swap_one(Pair *p, int i) {
    double t = p[i].a;
    p[i].a = p[i].b;
    p[i].b = t;
}
BOTH void length_one(const Wide *w, double *out, int i) {
    out[i] = w[i].x * w[i].x + w[i].y * w[i].y - w[i].z;
}
BOTH void wide_one(Wide *w, const double *in, int i) {
    w[i].x = in[i];
    w[i].y = -in[i];
    w[i].z = in[i] * 2;
}
BOTH void rotate_one(Triple *t, int i) {
    long long a = t[i].a;
    t[i].a = t[i].b;
    t[i].b = t[i].c;
    t[i].c = a + i;
}
BOTH void padded_one(Padded *p, int i) {
    p[i].v = p[i].n * 0.25f + p[i].tag;
    p[i].n += p[i].s;
}
BOTH void mixed_one(Mixed *m, int i) {
    m[i].d += m[i].i;
    m[i].f = (float)m[i].e - m[i].i;
    m[i].i = i;
}
BOTH void vertex_one(const Vertex *__restrict__ a, Vertex *__restrict__ b, int i) {
    Vertex v = a[i];
    b[i].at = {v.at.w, v.at.x, v.at.y + v.uv.x, v.at.z * v.uv.y};
    b[i].colour = v.colour ^ v.flags;
}
BOTH void four_one(const int4 *a, int4 *b, int i) {
    int4 v = a[i];
    b[i] = {v.w, v.z - i, v.y, v.x};
}
BOTH void two_one(const float2 *a, float2 *b, int i) { b[i] = {a[i].y, a[i].x}; }
BOTH void two_doubles_one(const double2 *a, double2 *b, int i) { b[i] = {a[i].y, a[i].x + 1}; }
BOTH void big_one(const Big *a, Big *b, int i) {
    for (int k = 0; k < 16; k++) b[i].v[15 - k] = a[i].v[k] + k;
}
BOTH void ends_one(Big *b, int i) {
    b[i].v[0] ^= b[i].v[15];
    b[i].v[15] = i;
}
BOTH void huge_one(Huge *h, int i) {
    h[i].v[3] = h[i].v[15] + h[i].v[4];
    h[i].v[9] = h[i].v[8] - i;
}
BOTH void five_one(const Five *__restrict__ a, Five *__restrict__ b, int i) {
    Five f = a[i];
    b[i] = {f.e, f.a, f.b, f.c, f.d};
}
BOTH void seven_one(Seven *s, int i) {
    float sum = 0;
    for (int k = 0; k < 7; k++) sum += s[i].v[k];
    for (int k = 0; k < 7; k++) s[i].v[k] = sum - s[i].v[k];
}
/* The same field again, and what another pointer sees of it. */
BOTH void twice_one(Five *p, const Five *q, int i) {
    p[i].a = 1 + p[i].c;
    p[i].b = q[i].a;
    p[i].a = p[i].b + q[i].c;
    p[i].d = q[i].b + p[i].a;
    p[i].c = q[i].d;
}
/* Fields of the next structure, which another thread does not touch. */
BOTH void next_one(const Five *p, int *out, int i) { out[i] = p[i].a - p[i + 1].a + p[i + 1].e + p[i].e; }
BOTH void odd_one(Particle *p, int i) {
    if (i % 3 == 1) {
        p[i].x = p[i].z;
        p[i].z = (float)i;
    } else if (i % 7 == 2) {
        p[i].y = -p[i].y;
    }
}
BOTH void backwards_one(Particle *p, int n, int i) {
    p[n - 1 - i] = {(float)i, p[n - 1 - i].x, p[n - 1 - i].y};
}
BOTH void loop_one(Particle *p, int n, int i) {
    Particle sum = {0, 0, 0};
    for (int k = i; k < n; k += 300) {
        sum.x += p[k].x;
        sum.y -= p[k].y;
        sum.z += p[k].z;
    }
    p[i] = sum;
}
BOTH void rgb_one(const unsigned char *rgb, unsigned char *r, unsigned char *g, unsigned char *b, int i) {
    r[i] = rgb[3 * i];
    g[i] = rgb[3 * i + 1];
    b[i] = rgb[3 * i + 2];
}
BOTH void planes_one(const unsigned char *r, const unsigned char *g, const unsigned char *b,
                     unsigned char *rgb, int i) {
    unsigned char x = r[i], y = g[i], z = b[i];
    rgb[3 * i] = x;
    rgb[3 * i + 1] = y;
    rgb[3 * i + 2] = z;
}
BOTH void rgba_one(uchar4 *p, int i) { p[i] = {p[i].z, p[i].y, p[i].x, (unsigned char)(p[i].w / 2)}; }
BOTH void four_shorts_one(short4 *p, int i) { p[i] = {p[i].w, p[i].x, p[i].y, p[i].z}; }
BOTH void three_shorts_one(short3 *p, int i) { p[i] = {p[i].y, p[i].z, (short)(p[i].x + i)}; }

/* A kernel KERNEL of STEP_one with these arguments. */
#define KERNEL(name, parameters, ...)                                                                        \
    __global__ void name parameters { EACH name##_one(__VA_ARGS__, i); }
KERNEL(move, (Particle * p, const Particle *v, int n), p, v)
KERNEL(cross, (const Particle *a, const Particle *b, Particle *c, int n), a, b, c)
KERNEL(multiply, (Complex * a, const Complex *b, int n), a, b)
KERNEL(real, (const Complex *a, float *out, int n), a, out)
KERNEL(imaginary, (Complex * a, const float *in, int n), a, in)
KERNEL(swap, (Pair * p, int n), p)
KERNEL(length, (const Wide *w, double *out, int n), w, out)
KERNEL(wide, (Wide * w, const double *in, int n), w, in)
KERNEL(rotate, (Triple * t, int n), t)
KERNEL(padded, (Padded * p, int n), p)
KERNEL(mixed, (Mixed * m, int n), m)
KERNEL(vertex, (const Vertex *a, Vertex *b, int n), a, b)
KERNEL(four, (const int4 *a, int4 *b, int n), a, b)
KERNEL(two, (const float2 *a, float2 *b, int n), a, b)
KERNEL(two_doubles, (const double2 *a, double2 *b, int n), a, b)
KERNEL(big, (const Big *a, Big *b, int n), a, b)
KERNEL(ends, (Big * b, int n), b)
KERNEL(huge, (Huge * h, int n), h)
KERNEL(five, (const Five *a, Five *b, int n), a, b)
KERNEL(seven, (Seven * s, int n), s)
KERNEL(twice, (Five * p, const Five *q, int n), p, q)
KERNEL(next, (const Five *p, int *out, int n), p, out)
KERNEL(odd, (Particle * p, int n), p)
KERNEL(backwards, (Particle * p, int n), p, n)
KERNEL(rgb, (const unsigned char *in, unsigned char *r, unsigned char *g, unsigned char *b, int n), in, r, g,
       b)
KERNEL(planes,
       (const unsigned char *r, const unsigned char *g, const unsigned char *b, unsigned char *out, int n), r,
       g, b, out)
KERNEL(rgba, (uchar4 * p, int n), p)
KERNEL(four_shorts, (short4 * p, int n), p)
KERNEL(three_shorts, (short3 * p, int n), p)

__global__ void loop(Particle *p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 300 && i < n) loop_one(p, n, i);
}

/* All lanes on: no test. */
__global__ void full(Five *p, float4 *q) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i].b += p[i].e;
    p[i].d = i;
    float4 v = q[i];
    q[i] = make_float4(v.y, v.z, v.w, v.x);
}

/* 16 threads a row, rows of structures `pitch` apart. */
__global__ void image(Particle *p, int width, int height, int pitch) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    Particle &q = p[y * pitch + x];
    float t = q.x;
    q.x = q.z + y;
    q.z = t - x;
}

/* Each thread its own row, of a length that only the launch knows: sums, and a step of a sort. */
template <typename T> __global__ void row_sums(const T *rows, T *sums, int length, int n) {
    EACH T sum = 0;
    for (int k = 0; k < length; k++) sum = rows[i * length + k] - sum;
    sums[i] = sum;
}
template <typename T> __global__ void row_steps(T *rows, int length, int n) {
    EACH T *row = rows + (size_t)i * length;
    for (int k = 0; k + 4 <= length; k += 4) {
        T a = row[k], b = row[k + 1], c = row[k + 2], d = row[k + 3];
        row[k] = c;
        row[k + 1] = b < c ? a : d;
        row[k + 3] = i % 5 ? b : a;
    }
}
template <typename T> __global__ void row_ends(T *rows, int length, int n) {
    EACH if (i % 2) rows[i * length] += rows[(i + 1) * length - 1];
}

/* Structures that an array of numbers names, some of them twice, some negative; moved to others. */
template <typename T, typename I>
__global__ void indexed(const T *from, T *to, const I *at, const I *back, int n) {
    EACH T t = from[at[i]];
    if (i % 11 != 4) to[back[i]] = t;
}

/* In shared memory: a tile of structures, written by one thread and read by others. */
__global__ void tile(const Five *in, Five *out, int n) {
    __shared__ Five part[128];
    const int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (i < n) part[t] = in[i];
    __syncthreads();
    const int other = min(127, n - 1 - (int)blockIdx.x * 128) - t;
    if (i < n) {
        Five f = part[other];
        out[i] = {f.a, f.b, part[t].c, f.d, part[t].e};
    }
}

/* Two threads write one structure; neither may touch the other's half. */
__global__ void halves(Seven *s, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, half = blockIdx.y;
    if (i >= n) return;
    if (half) {
        s[i].v[0] = i;
        s[i].v[2] = -i;
        s[i].v[6] = 2 * i;
    } else {
        s[i].v[1] = 3 * i;
        s[i].v[3] = 5 * i;
    }
}

/* ---- the host's side ---- */

static int wrong;

/* Two copies of the same: one for the device, one for plain C. */
template <typename T> struct Twin {
    Array<T> device;
    std::vector<T> host;
    Twin(int n, int seed) : device(n + 1), host(n + 1) {
        uint32_t state = seed;
        auto *bytes = (unsigned char *)device.p;
        for (size_t k = 0; k < sizeof(T) * (n + 1); k++) bytes[k] = next_random(state) % 251;
        plain(device.p, n + 1, state);
        memcpy((void *)host.data(), device.p, sizeof(T) * (n + 1));
    }
    /* Floating-point numbers that are numbers. */
    static void numbers(float *f, size_t count, uint32_t &state) {
        for (size_t k = 0; k < count; k++) f[k] = (int)(next_random(state) % 2000) * 0.25f - 200;
    }
    static void numbers(double *f, size_t count, uint32_t &state) {
        for (size_t k = 0; k < count; k++) f[k] = (int)(next_random(state) % 2000) * 0.25 - 200;
    }
    template <typename U> static void plain(U *, int, uint32_t &) {}
    static void plain(float *p, int n, uint32_t &s) { numbers(p, n, s); }
    static void plain(double *p, int n, uint32_t &s) { numbers(p, n, s); }
    static void plain(Particle *p, int n, uint32_t &s) { numbers(&p->x, 3 * n, s); }
    static void plain(Complex *p, int n, uint32_t &s) { numbers(&p->re, 2 * n, s); }
    static void plain(Seven *p, int n, uint32_t &s) { numbers(p->v, 7 * n, s); }
    static void plain(float2 *p, int n, uint32_t &s) { numbers(&p->x, 2 * n, s); }
    static void plain(float4 *p, int n, uint32_t &s) { numbers(&p->x, 4 * n, s); }
    static void plain(Pair *p, int n, uint32_t &s) { numbers(&p->a, 2 * n, s); }
    static void plain(double2 *p, int n, uint32_t &s) { numbers(&p->x, 2 * n, s); }
    static void plain(Wide *p, int n, uint32_t &s) { numbers(&p->x, 3 * n, s); }
    static void plain(Huge *p, int n, uint32_t &s) { numbers(p->v, 16 * n, s); }
    static void plain(Vertex *p, int n, uint32_t &s) {
        for (int k = 0; k < n; k++) numbers(&p[k].at.x, 4, s), numbers(&p[k].uv.x, 2, s);
    }
    static void plain(Mixed *p, int n, uint32_t &s) {
        for (int k = 0; k < n; k++) numbers(&p[k].d, 1, s), numbers(&p[k].e, 1, s), p[k].i %= 1000;
    }
    static void plain(Padded *p, int n, uint32_t &) {
        for (int k = 0; k < n; k++) p[k].n %= 4000;
    }
    void check(const char *name) {
        CALL(cudaDeviceSynchronize());
        if (!memcmp((const void *)host.data(), device.p, sizeof(T) * host.size())) return;
        wrong++;
        size_t k = 0;
        while (((char *)device.p)[k] == ((char *)host.data())[k]) k++;
        printf("%s: structure %zu, byte %zu differs\n", name, k / sizeof(T), k % sizeof(T));
    }
};

/* Launches NAME, does the same in plain C, compares `out`. At two sizes, from the array's start and from one
 * further; in blocks of 128 and of 100 threads. */
#define RUN(name, n, out, device_arguments, host_arguments)                                                  \
    do {                                                                                                     \
        name<<<((n) + threads - 1) / threads, threads>>> device_arguments;                                   \
        for (int i = 0; i < (n); i++) name##_one host_arguments;                                             \
        out.check(#name);                                                                                    \
    } while (0)
#define D(x) (x.device.p + from)
#define H(x) (x.host.data() + from)

static void all(int n, int threads, int from) {
    n -= from;
    int size = n + from;
    Twin<Particle> p(size, 1), v(size, 2), c(size, 3);
    RUN(move, n, p, (D(p), D(v), n), (H(p), H(v), i));
    RUN(cross, n, c, (D(p), D(v), D(c), n), (H(p), H(v), H(c), i));
    RUN(odd, n, p, (D(p), n), (H(p), i));
    RUN(backwards, n, v, (D(v), n), (H(v), n, i));
    Twin<Complex> a(size, 4), b(size, 5);
    Twin<float> f(size, 6);
    RUN(multiply, n, a, (D(a), D(b), n), (H(a), H(b), i));
    RUN(imaginary, n, b, (D(b), D(f), n), (H(b), H(f), i));
    RUN(real, n, f, (D(a), D(f), n), (H(a), H(f), i));
    Twin<Pair> pairs(size, 7);
    RUN(swap, n, pairs, (D(pairs), n), (H(pairs), i));
    Twin<Wide> w(size, 8);
    Twin<double> d(size, 9);
    RUN(length, n, d, (D(w), D(d), n), (H(w), H(d), i));
    RUN(wide, n, w, (D(w), D(d), n), (H(w), H(d), i));
    Twin<Triple> t(size, 10);
    RUN(rotate, n, t, (D(t), n), (H(t), i));
    Twin<Padded> padded_(size, 11);
    RUN(padded, n, padded_, (D(padded_), n), (H(padded_), i));
    Twin<Mixed> m(size, 12);
    RUN(mixed, n, m, (D(m), n), (H(m), i));
    Twin<Vertex> v1(size, 13), v2(size, 14);
    RUN(vertex, n, v2, (D(v1), D(v2), n), (H(v1), H(v2), i));
    Twin<int4> i1(size, 15), i2(size, 16);
    RUN(four, n, i2, (D(i1), D(i2), n), (H(i1), H(i2), i));
    Twin<float2> t1(size, 17), t2(size, 18);
    RUN(two, n, t2, (D(t1), D(t2), n), (H(t1), H(t2), i));
    Twin<double2> d1(size, 19), d2(size, 20);
    RUN(two_doubles, n, d2, (D(d1), D(d2), n), (H(d1), H(d2), i));
    Twin<Big> b1(size, 21), b2(size, 22);
    RUN(big, n, b2, (D(b1), D(b2), n), (H(b1), H(b2), i));
    RUN(ends, n, b1, (D(b1), n), (H(b1), i));
    Twin<Huge> h(size, 23);
    RUN(huge, n, h, (D(h), n), (H(h), i));
    Twin<Five> f1(size, 24), f2(size, 25);
    RUN(five, n, f2, (D(f1), D(f2), n), (H(f1), H(f2), i));
    RUN(twice, n, f1, (D(f1), D(f2), n), (H(f1), H(f2), i));
    RUN(twice, n, f1, (D(f1), D(f1), n), (H(f1), H(f1), i));
    Twin<int> ints(size, 26);
    RUN(next, n, ints, (D(f1), D(ints), n), (H(f1), H(ints), i));
    Twin<Seven> s(size, 27);
    RUN(seven, n, s, (D(s), n), (H(s), i));
    Twin<unsigned char> bytes(3 * size, 28), r(size, 29), g(size, 30), bl(size, 31);
    RUN(rgb, n, r, (D(bytes), D(r), D(g), D(bl), n), (H(bytes), H(r), H(g), H(bl), i));
    g.check("green"), bl.check("blue");
    RUN(planes, n, bytes, (D(g), D(bl), D(r), D(bytes), n), (H(g), H(bl), H(r), H(bytes), i));
    Twin<uchar4> u(size, 32);
    RUN(rgba, n, u, (D(u), n), (H(u), i));
    Twin<short4> s4(size, 33);
    RUN(four_shorts, n, s4, (D(s4), n), (H(s4), i));
    Twin<short3> s3(size, 34);
    RUN(three_shorts, n, s3, (D(s3), n), (H(s3), i));
    loop<<<3, 128>>>(D(p), n);
    for (int i = 0; i < 300 && i < n; i++) loop_one(H(p), n, i);
    p.check("loop");
}

template <typename T> static void rows(const char *name, int length, int n) {
    Twin<T> rows(length * n, 50 + length), sums(n, 51);
    row_sums<<<(n + 127) / 128, 128>>>(rows.device.p, sums.device.p, length, n);
    row_steps<<<(n + 127) / 128, 128>>>(rows.device.p, length, n);
    row_ends<<<(n + 127) / 128, 128>>>(rows.device.p, length, n);
    for (int i = 0; i < n; i++) {
        T *row = rows.host.data() + i * length, sum = 0;
        for (int k = 0; k < length; k++) sum = row[k] - sum;
        sums.host[i] = sum;
        for (int k = 0; k + 4 <= length; k += 4) {
            T a = row[k], b = row[k + 1], c = row[k + 2], d = row[k + 3];
            row[k] = c;
            row[k + 1] = b < c ? a : d;
            row[k + 3] = i % 5 ? b : a;
        }
        if (i % 2) row[0] += row[length - 1];
    }
    rows.check(name), sums.check(name);
}

template <typename T, typename I> static void moved(const char *name, int n) {
    Twin<T> from(n, 60), to(n, 61);
    Array<I> at(n), back(n);
    uint32_t state = 62;
    for (int i = 0; i < n; i++) at[i] = (I)(next_random(state) % n) - n / 2, back[i] = (I)(n - 1 - i);
    indexed<<<(n + 127) / 128, 128>>>(from.device.p + n / 2, to.device.p, at.p, back.p, n);
    for (int i = 0; i < n; i++)
        if (i % 11 != 4) to.host[back[i]] = from.host[at[i] + n / 2];
    to.check(name);
}

/* What has a shape of its own. */
static void others() {
    Twin<Five> f(1024, 40), tiled(1024, 41);
    Twin<float4> q(1024, 42);
    full<<<8, 128>>>(f.device, q.device);
    for (int i = 0; i < 1024; i++) {
        f.host[i].b += f.host[i].e;
        f.host[i].d = i;
        float4 v = q.host[i];
        q.host[i] = {v.y, v.z, v.w, v.x};
    }
    f.check("full"), q.check("full");
    tile<<<8, 128>>>(f.device, tiled.device, N);
    for (int i = 0; i < N; i++) {
        int first = i / 128 * 128, last = first + 127 < N - 1 ? first + 127 : N - 1;
        Five g = f.host[last - (i - first)];
        tiled.host[i] = {g.a, g.b, f.host[i].c, g.d, f.host[i].e};
    }
    tiled.check("tile");
    const int width = 45, height = 21, pitch = 53;
    Twin<Particle> p(pitch * height, 43);
    image<<<dim3(3, 3), dim3(16, 8)>>>(p.device, width, height, pitch);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            Particle &c = p.host[y * pitch + x];
            float t = c.x;
            c.x = c.z + y;
            c.z = t - x;
        }
    p.check("image");
    Twin<Seven> s(N, 44);
    halves<<<dim3(8, 2), 128>>>(s.device, N);
    for (int i = 0; i < N; i++) {
        float *v = s.host[i].v;
        v[0] = i, v[2] = -i, v[6] = 2 * i, v[1] = 3 * i, v[3] = 5 * i;
    }
    s.check("halves");
    for (int length : {1, 4, 7, 35, 64})
        rows<int>("rows of ints", length, 157), rows<double>("rows of doubles", length, 64);
    rows<long long>("rows of long longs", 12, 100);
    for (int n : {N, 64, 5}) {
        moved<float4, int>("float4 by int", n), moved<Particle, int>("particles by int", n);
        moved<Particle, long long>("particles by long long", n), moved<double2, int>("double2 by int", n);
        moved<Seven, int>("seven by int", n), moved<Pair, long long>("pairs by long long", n);
    }
    show("images", p.device);
    show("halves", s.device);
}

int main() {
    for (int threads : {128, 100, 32})
        for (int n : {N, 33, 31, 1}) all(n, threads, n > 1);
    others();
    printf("%s\n", wrong ? "wrong" : "all right");
    return wrong != 0;
}
