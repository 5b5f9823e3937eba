/* links: what the link between two GPUs of one host does, and what a kernel may touch over it.
 *
 *     nvcc -O3 -arch=sm_90 bench/gpu/links.cu -o links && ./links
 *
 * A line a figure: copies between devices by size, with and without peer access and in both directions at once; loads,
 * stores and atomics of kernels in a peer's memory; then the error that each wrong use gives. Each of those runs in a
 * process of its own, because an illegal access ends the context.
 */
#include "measure.cuh"
#include <chrono>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

static const size_t BIG = size_t(1) << 30;
static const size_t TABLE = size_t(1) << 26;

static void figure(const char *what, double value, const char *unit) {
    printf("%s\t%.6g\t%s\n", what, value, unit);
    fflush(stdout);
}

static void *on(int device, size_t bytes) {
    void *p;
    CHECK(cudaSetDevice(device));
    CHECK(cudaMalloc(&p, bytes));
    CHECK(cudaMemset(p, 0, bytes));
    CHECK(cudaDeviceSynchronize());
    return p;
}

/* Microseconds a copy takes, of `count` one after the other in a stream of `device`. */
static double copy_time(void *to, int to_device, const void *from, int from_device, size_t bytes, int count) {
    CHECK(cudaSetDevice(from_device));
    const Times t = measure([&] {
        for (int i = 0; i < count; i++) CHECK(cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes));
    });
    return t.median * 1000 / count;
}

static void copies(const char *how, char *a, char *b) {
    for (size_t bytes = 4; bytes <= BIG; bytes *= 16) {
        const std::string label = std::string("copy, ") + how + ", " + std::to_string(bytes) + " bytes";
        figure(label.c_str(), copy_time(b, 1, a, 0, bytes, bytes < BIG / 64 ? 20 : 2), "us");
    }
}

static void both_ways(char *a, char *b) {
    cudaStream_t s[2];
    for (int d = 0; d < 2; d++) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaStreamCreate(&s[d]));
    }
    double best = 1e9;
    for (int i = 0; i < 6; i++) {
        const auto from = std::chrono::steady_clock::now();
        CHECK(cudaMemcpyPeerAsync(b, 1, a, 0, BIG / 2, s[0]));
        CHECK(cudaMemcpyPeerAsync(a + BIG / 2, 0, b + BIG / 2, 1, BIG / 2, s[1]));
        for (int d = 0; d < 2; d++) CHECK(cudaStreamSynchronize(s[d]));
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count());
    }
    figure("copies in both directions at once, 512 MiB each, both together", BIG / best * 1e-9, "GB/s");
}

static __global__ void load(const int4 *p, size_t n, int4 *out) {
    int4 sum = make_int4(0, 0, 0, 0);
    for (size_t i = each(); i < n; i += all()) {
        const int4 v = p[i];
        sum.x ^= v.x ^ v.y ^ v.z ^ v.w;
    }
    if (sum.x == 12345) *out = sum;
}
static __global__ void store(int4 *p, size_t n) {
    for (size_t i = each(); i < n; i += all()) p[i] = make_int4(1, 2, 3, 4);
}
static __global__ void gather(const int *p, size_t n, int *out) {
    int sum = 0;
    for (size_t i = each(); i < n; i += all()) sum ^= p[mix(uint32_t(i)) % n];
    if (sum == 12345) *out = sum;
}
static __global__ void add(int *p, size_t n, size_t distinct) {
    for (size_t i = each(); i < n; i += all()) atomicAdd(&p[(i * 32) % distinct], 1);
}
static __global__ void chase(const uint32_t *p, int steps, long long *cycles, uint32_t *last) {
    uint32_t at = 0;
    const long long from = clock64();
    for (int i = 0; i < steps; i++) at = p[at];
    *cycles = clock64() - from;
    *last = at;
}

/* Kernels on device 0; `p` is memory of the device that `where` names. */
static void kernels(const char *where, void *p) {
    CHECK(cudaSetDevice(0));
    void *out;
    CHECK(cudaMalloc(&out, 64));
    const std::string of = std::string(" in ") + where + " memory";
    const size_t n = BIG / 16;
    double t = measure([&] { load<<<132 * 16, 512>>>((int4 *)p, n, (int4 *)out); }).median;
    figure(("loads of 16 bytes" + of).c_str(), BIG / t * 1e-6, "GB/s");
    t = measure([&] { store<<<132 * 16, 512>>>((int4 *)p, n); }).median;
    figure(("stores of 16 bytes" + of).c_str(), BIG / t * 1e-6, "GB/s");
    t = measure([&] { gather<<<132 * 16, 512>>>((int *)p, BIG / 4, (int *)out); }).median;
    figure(("random loads of 4 bytes" + of).c_str(), BIG / 4 / t * 1e-6, "G/s");
    for (size_t distinct = 1; distinct <= TABLE; distinct *= 1024) {
        t = measure([&] { add<<<132 * 4, 512>>>((int *)p, 1 << 20, distinct * 32); }).median;
        figure(("additions to " + std::to_string(distinct) + " words" + of).c_str(), (1 << 20) / t * 1e-6,
               "G/s");
    }
    std::vector<uint32_t> next(TABLE / 4);
    for (size_t i = 0; i < next.size(); i++) next[i] = uint32_t((i + 1031 * 64) % next.size());
    CHECK(cudaMemcpy(p, next.data(), TABLE, cudaMemcpyDefault));
    long long cycles = 0;
    for (int i = 0; i < 2; i++) chase<<<1, 1>>>((uint32_t *)p, 2000, (long long *)out, (uint32_t *)out + 8);
    CHECK(cudaMemcpy(&cycles, out, sizeof cycles, cudaMemcpyDefault));
    figure(("a load that needs the last one's result" + of).c_str(), cycles / 2000.0, "cycles");
}

static void figures() {
    char *a = (char *)on(0, BIG), *b = (char *)on(1, BIG);
    int can = 0, attribute = 0;
    CHECK(cudaDeviceCanAccessPeer(&can, 0, 1));
    figure("cudaDeviceCanAccessPeer", can, "");
    for (int i = 1; i <= 4; i++) {
        CHECK(cudaDeviceGetP2PAttribute(&attribute, (cudaDeviceP2PAttr)i, 0, 1));
        figure(("cudaDeviceP2PAttr " + std::to_string(i)).c_str(), attribute, "");
    }
    copies("without peer access", a, b);
    for (int d = 0; d < 2; d++) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaDeviceEnablePeerAccess(1 - d, 0));
    }
    copies("with peer access", a, b);
    both_ways(a, b);
    kernels("its own", a);
    kernels("a peer's", b);
}

static __global__ void touch(int *p) { *p = 1; }
static __global__ void fetch(cudaTextureObject_t t, float *out) { *out = tex2D<float>(t, 0.5f, 0.5f); }

static cudaError_t ran() {
    const cudaError_t e = cudaGetLastError();
    return e ? e : cudaDeviceSynchronize();
}
static cudaTextureObject_t texture_on(int device) {
    cudaArray_t array;
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    CHECK(cudaSetDevice(device));
    CHECK(cudaMallocArray(&array, &f, 16, 16));
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    CHECK(cudaCreateTextureObject(&t, &r, &d, NULL));
    return t;
}

static const struct {
    const char *what;
    cudaError_t (*run)();
} uses[] = {
    {"a kernel stores to a device that is no peer",
     [] {
         int *b = (int *)on(1, 64);
         cudaSetDevice(0);
         touch<<<1, 1>>>(b);
         return ran();
     }},
    {"a kernel stores to a peer",
     [] {
         int *b = (int *)on(1, 64);
         cudaSetDevice(0);
         cudaDeviceEnablePeerAccess(1, 0);
         touch<<<1, 1>>>(b);
         return ran();
     }},
    {"a kernel stores to what was a peer",
     [] {
         int *b = (int *)on(1, 64);
         cudaSetDevice(0);
         cudaDeviceEnablePeerAccess(1, 0);
         cudaDeviceDisablePeerAccess(1);
         touch<<<1, 1>>>(b);
         return ran();
     }},
    {"peer access is enabled twice",
     [] {
         cudaSetDevice(0);
         cudaDeviceEnablePeerAccess(1, 0);
         return cudaDeviceEnablePeerAccess(1, 0);
     }},
    {"peer access to itself", [] { return cudaDeviceEnablePeerAccess(0, 0); }},
    {"peer access is disabled and was not enabled", [] { return cudaDeviceDisablePeerAccess(1); }},
    {"a texture of a peer's array",
     [] {
         const cudaTextureObject_t t = texture_on(1);
         float *out = (float *)on(0, 64);
         cudaDeviceEnablePeerAccess(1, 0);
         fetch<<<1, 1>>>(t, out);
         return ran();
     }},
    {"a texture that this device makes of a peer's array",
     [] {
         cudaArray_t array;
         const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
         cudaSetDevice(1);
         cudaMallocArray(&array, &f, 16, 16);
         float *out = (float *)on(0, 64);
         cudaDeviceEnablePeerAccess(1, 0);
         cudaResourceDesc r = {};
         cudaTextureDesc d = {};
         cudaTextureObject_t t = 0;
         r.resType = cudaResourceTypeArray;
         r.res.array.array = array;
         const cudaError_t e = cudaCreateTextureObject(&t, &r, &d, NULL);
         if (e) return e;
         fetch<<<1, 1>>>(t, out);
         return ran();
     }},
    {"a launch into a stream of another device",
     [] {
         cudaStream_t s;
         cudaSetDevice(1);
         cudaStreamCreate(&s);
         int *a = (int *)on(0, 64);
         touch<<<1, 1, 0, s>>>(a);
         return ran();
     }},
    {"an event of another device is recorded",
     [] {
         cudaEvent_t e;
         cudaSetDevice(1);
         cudaEventCreate(&e);
         cudaSetDevice(0);
         return cudaEventRecord(e, 0);
     }},
    {"a copy from array to array of another device",
     [] {
         cudaArray_t x, y;
         const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
         cudaSetDevice(0);
         cudaMallocArray(&x, &f, 16, 16);
         cudaSetDevice(1);
         cudaMallocArray(&y, &f, 16, 16);
         return cudaMemcpy2DArrayToArray(y, 0, 0, x, 0, 0, 64, 16, cudaMemcpyDeviceToDevice);
     }},
    {"cudaFree of another device's memory",
     [] {
         void *b = on(1, 64);
         cudaSetDevice(0);
         return cudaFree(b);
     }},
};

int main(int argc, char **argv) {
    int devices = 0;
    if (argc > 1) {
        const cudaError_t e = uses[atoi(argv[1])].run();
        printf("%s\t%d\t%s\n", uses[atoi(argv[1])].what, e, cudaGetErrorName(e));
        fflush(stdout);
        _exit(0);
    }
    if (cudaGetDeviceCount(&devices) || devices < 2) {
        fprintf(stderr, "links: this needs two GPUs\n");
        return 1;
    }
    figures();
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        fflush(stdout);
        if (system((std::string(argv[0]) + " " + std::to_string(i)).c_str())) return 1;
    }
    return 0;
}
