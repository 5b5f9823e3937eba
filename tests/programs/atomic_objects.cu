/* cuda::atomic and atomic_ref: every operation, order and scope, in types of all sizes, on the device and on
 * the host. */
#include "program.h"
#include <cuda/atomic>
#include <cuda/std/atomic>

__device__ cuda::std::atomic<unsigned> total{3};

template <class T, cuda::thread_scope Scope> __host__ __device__ void change(T *at, int thread) {
    cuda::atomic_ref<T, Scope> sum(at[0]), low(at[1]), high(at[2]), bits(at[3]), some(at[4]), all(at[5]);
    sum.fetch_add((T)thread, cuda::std::memory_order_relaxed);
    sum.fetch_sub((T)1, cuda::memory_order_release);
    ++sum;
    sum--;
    sum += (T)3;
    low.fetch_min((T)(100 - thread), cuda::memory_order_acquire);
    high.fetch_max((T)thread, cuda::memory_order_acq_rel);
    bits.fetch_xor((T)(thread * 5), cuda::memory_order_seq_cst);
    some |= (T)(1 << thread % 7);
    all.fetch_and((T) ~(1 << thread % 5), cuda::memory_order_consume);
    cuda::atomic_thread_fence(cuda::memory_order_acq_rel, Scope);
}
template <class T, cuda::thread_scope Scope> __global__ void changes(T *at) {
    change<T, Scope>(at, threadIdx.x);
}

/* One after another, by comparing and exchanging. */
template <class T> __host__ __device__ void power(T *at, int thread) {
    cuda::atomic_ref<T, cuda::thread_scope_device> a(*at);
    T old = a.load(cuda::memory_order_relaxed);
    while (!a.compare_exchange_weak(old, (T)(old * 3 + 1), cuda::memory_order_acq_rel,
                                    cuda::memory_order_relaxed)) {
    }
    T wrong = (T)(a.load() + 1 + thread * 0);
    if (a.compare_exchange_strong(wrong, (T)0) && thread < 0) *at = 0;
}
template <class T> __global__ void powers(T *at) { power(at, threadIdx.x); }

/* Every thread waits for the one before it. */
__global__ void turns(cuda::atomic<int, cuda::thread_scope_device> *turn, int *order) {
    int me = blockIdx.x * blockDim.x + threadIdx.x;
    for (int now; (now = turn->load(cuda::memory_order_acquire)) != me;)
        turn->wait(now, cuda::memory_order_relaxed);
    order[me] = me ? order[me - 1] * 3 + me : 1;
    turn->store(me + 1, cuda::memory_order_release);
    turn->notify_all();
}

__global__ void shared_and_numbers(float *f, double *d, unsigned *seen, int **cursor) {
    __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> mask;
    if (threadIdx.x == 0) mask.store(0);
    __syncthreads();
    mask.fetch_or(1u << threadIdx.x % 32, cuda::memory_order_relaxed);
    __syncthreads();
    seen[blockIdx.x] = mask.load(cuda::memory_order_relaxed);
    cuda::atomic_ref<float, cuda::thread_scope_device>(*f).fetch_add(0.5f);
    cuda::atomic_ref<double>(*d).fetch_add(0.25, cuda::memory_order_relaxed);
    cuda::atomic_ref<int *, cuda::thread_scope_device>(*cursor).fetch_add(2);
    total.fetch_add(1);
    cuda::std::atomic_flag flag{};
    if (flag.test_and_set() || !flag.test()) seen[blockIdx.x] = 0;
    flag.clear();
}

template <class T, cuda::thread_scope Scope> void run(const char *name) {
    Array<T> device(8), host(8);
    device[1] = host[1] = 120;
    device[5] = host[5] = (T)-1;
    changes<T, Scope><<<1, 96>>>(device);
    for (int i = 0; i < 96; i++) change<T, Scope>(host, i);
    show(name, device, 6);
    printf("    as on the host: %d\n", !memcmp(device.p, host.p, 8 * sizeof(T)));
}
template <class T> void run_powers(const char *name) {
    Array<T> a(4);
    for (int i = 0; i < 4; i++) a[i] = (T)(i + 1);
    powers<<<1, 40>>>(a.p + 1);
    show(name, a);
}

int main() {
    run<int, cuda::thread_scope_block>("int, block");
    run<unsigned, cuda::thread_scope_device>("unsigned, device");
    run<long long, cuda::thread_scope_system>("long long, system");
    run<unsigned long, cuda::thread_scope_device>("unsigned long, device");
    run<short, cuda::thread_scope_device>("short, device");
    run<unsigned char, cuda::thread_scope_block>("unsigned char, block");
    run_powers<int>("int");
    run_powers<unsigned short>("unsigned short");
    run_powers<signed char>("signed char");
    run_powers<unsigned long long>("unsigned long long");
    Array<cuda::atomic<int, cuda::thread_scope_device>> turn(1);
    Array<int> order(128);
    turns<<<2, 64>>>(turn, order);
    show("turns", order);
    Array<float> f(1);
    Array<double> d(1);
    Array<unsigned> seen(3);
    Array<int *> cursor(1);
    shared_and_numbers<<<3, 64>>>(f, d, seen, cursor);
    show("shared", seen);
    printf("%g %g %d\n", f[0], d[0], (int)((char *)cursor[0] - (char *)0));
    unsigned counted = 0;
    CALL(cudaMemcpyFromSymbol(&counted, total, sizeof counted));
    printf("%u\n", counted);
    return 0;
}
