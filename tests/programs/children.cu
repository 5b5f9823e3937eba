// Kernels that launch kernels: in the block's stream, in streams of their own, fired and forgotten, and last; by functions,
// templates and macros; what is wrong with a launch; limits.
// nvcc: -rdc=true
#include <cstdio>

struct mixed {
    char a;
    double b;
    short c[3];
};

namespace inner {
template <class T, int N> __global__ void add(T *p, T x) { atomicAdd(p, x * N); }
template <class T> struct constants {
    template <int N> struct of {
        static constexpr int value = N;
    };
};
template <class T> __global__ void set(T *p, T x) { *p = x; }
} // namespace inner

__global__ void shows(const int *p, char c, mixed m, char d) {
    printf("shows %d %d: %d %d %g %d %d\n", blockIdx.x, threadIdx.x, *p, c, m.b, m.c[2], d);
}
static __global__ void last(const int *p, int n) {
    for (int i = 0; i < n; i++) printf("%d%c", p[i], i + 1 < n ? ' ' : '\n');
}

#define LAUNCH(kernel, n, ...) kernel<<<n, 1>>>(__VA_ARGS__)

__global__ void one_of_two(int *p, unsigned x) { *p = x + 1; }
__global__ void one_of_two(float *p, int x) { *p = x + 2; }
// What the arguments of the launch have to say: which kernel, and which template's.
template <class T> __device__ void deduced(T *p) {
    inner::set<<<1, 1>>>(p, (T)20);
    one_of_two<<<1, 1>>>(p + 1, 30);
}

__host__ __device__ void on_either_side(int *p) { inner::set<int><<<1, 1>>>(p, 77); }

template <class T> __device__ void from_template(T *p) {
    inner::set<T><<<1, 1>>>(p, 10);
    inner::add<T, inner::constants<T>::template of<(3 > 2)>::value><<<dim3(2), dim3(2, 2)>>>(p, 12);
}

// In the block's stream each comes after the one before.
__global__ void in_order(int *p) {
    mixed m = {1, 2.5, {3, 4, 5}};
    inner::add<int, 2><<<2, 4>>>(p, 1);
    shows<<<1, 2>>>(p, 'a', m, 9);
    from_template(p + 1);
    LAUNCH(last, 1, p, 2);
    on_either_side(p + 2);
    auto launch = [=](int i) { inner::set<int><<<1, 1>>>(p + i, i); };
    launch(3);
    last<<<1, 1, 0, cudaStreamTailLaunch>>>(p, 5);
    inner::set<int><<<1, 1, 0, cudaStreamFireAndForget>>>(p + 4, 33);
}

// All descendants of a kernel have ended when what follows it begins.
__global__ void tree(int *count, int depth, int most) {
    atomicAdd(&count[depth], 1);
    if (depth < most && threadIdx.x < 2) tree<<<1, 2>>>(count, depth + 1, most);
}
__global__ void root(int *count) {
    tree<<<1, 2>>>(count, 0, 5);
    last<<<1, 1>>>(count, 6);
}

__global__ void streams(int *p) {
    cudaStream_t a, b;
    cudaEvent_t e;
    printf("%d", cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    printf(" %d", cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    printf(" %d", cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    inner::set<int><<<1, 1, 0, a>>>(p, 5);
    printf(" %d", cudaEventRecord(e, a));
    printf(" %d", cudaStreamWaitEvent(b, e, 0));
    printf(" %d", cudaMemcpyAsync(p + 1, p, sizeof *p, cudaMemcpyDeviceToDevice, b));
    printf(" %d", cudaMemsetAsync(p + 2, 1, sizeof *p, b));
    printf(" %d %d %d\n", cudaEventDestroy(e), cudaStreamDestroy(a), cudaStreamDestroy(b));
    last<<<1, 1, 0, cudaStreamTailLaunch>>>(p, 3);
}

__global__ void wrong(int *p) {
    inner::set<int><<<0, 1>>>(p, 1);
    printf("%s", cudaGetErrorName(cudaGetLastError()));
    inner::set<int><<<1, 1025>>>(p, 1);
    printf(" %s %s", cudaGetErrorName(cudaPeekAtLastError()), cudaGetErrorString(cudaGetLastError()));
    cudaStream_t s;
    printf(" %s", cudaGetErrorName(cudaStreamCreateWithFlags(&s, 8)));
    printf(" %s\n", cudaGetErrorName(cudaGetLastError()));
    inner::set<int><<<1, 1, 100000>>>(p, 1);
    printf("%d", cudaGetLastError());
    inner::set<int><<<1, 1, 0, (cudaStream_t)0x1234>>>(p, 1);
    printf(" %d %d", cudaGetLastError(), cudaStreamDestroy(0));
    printf(" %d", cudaMemcpyAsync(p, p + 1, sizeof *p, cudaMemcpyHostToDevice, 0));
    printf(" %d\n", cudaStreamCreateWithFlags(&s, cudaStreamDefault));
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}

__global__ void many(int *failed) {
    for (int i = 0; i < 40; i++) inner::add<int, 1><<<1, 1>>>(failed + 1, 1);
    if (cudaGetLastError() == cudaErrorLaunchPendingCountExceeded) atomicAdd(failed, 1);
}

__global__ void deep(int *reached, int level) {
    *reached = level;
    deep<<<1, 1>>>(reached, level + 1);
    if (cudaGetLastError() == cudaErrorLaunchPendingCountExceeded) reached[1] = level;
}

__global__ void deduces(int *p) {
    deduced(p);
    deduced((float *)(p + 2));
}

__global__ void asks(size_t *p) {
    int device = -1, devices = -1;
    size_t pending = 0;
    int *q = nullptr;
    cudaGetDevice(&device);
    cudaGetDeviceCount(&devices);
    cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount);
    cudaError_t made = cudaMalloc(&q, 4 * sizeof *q);
    if (made == cudaSuccess) q[3] = 7;
    printf("%d %d %d %d\n", device, (int)pending, made, q ? q[3] : -1);
    int sms = 0, none = 0;
    printf("%d", cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    printf(" %d %d\n", cudaDeviceGetAttribute(&none, (cudaDeviceAttr)9999, 0) != cudaSuccess, sms > 0);
    cudaFree(q);
}

int main() {
    int *p;
    cudaMallocManaged(&p, 64 * sizeof *p);
    for (int i = 0; i < 64; i++) p[i] = 0;
    in_order<<<1, 1>>>(p);
    printf("sync %d\n", cudaDeviceSynchronize());
    root<<<1, 1>>>(p + 8);
    last<<<1, 1>>>(p + 8, 6);
    printf("sync %d\n", cudaDeviceSynchronize());
    streams<<<1, 1>>>(p + 16);
    wrong<<<1, 1>>>(p + 24);
    asks<<<1, 1>>>((size_t *)(p + 32));
    printf("sync %d\n", cudaDeviceSynchronize());
    cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 32);
    many<<<3, 1>>>(p + 40);
    deep<<<1, 1>>>(p + 42, 1);
    on_either_side(p + 44);
    deduces<<<1, 1>>>(p + 48);
    printf("sync %d\n", cudaDeviceSynchronize());
    for (int i = 40; i < 45; i++) printf("%d ", p[i]);
    printf("\n%d %d %g %g\n", p[48], p[49], ((float *)p)[50], ((float *)p)[51]);
    return 0;
}
