/* __nv_atomic_load_n() and its kin, which nvcc has built in: every operation, types of four and eight bytes,
 * orders and scopes. */
#include "program.h"
#include <type_traits>

template <class T> __global__ void changes(T *at) {
    int t = threadIdx.x;
    __nv_atomic_fetch_add(at, (T)t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_sub(at, (T)1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
    __nv_atomic_add(at, (T)3, __NV_ATOMIC_SEQ_CST);
    __nv_atomic_sub(at, (T)2, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_CLUSTER);
    if constexpr (std::is_integral_v<T>) {
        __nv_atomic_fetch_min(at + 1, (T)(100 - t), __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_SYSTEM);
        __nv_atomic_max(at + 2, (T)t, __NV_ATOMIC_CONSUME, __NV_THREAD_SCOPE_DEVICE);
        __nv_atomic_min(at + 3, (T)t - (T)40, __NV_ATOMIC_RELAXED);
        __nv_atomic_fetch_max(at + 3, (T)1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    }
}
template <class T> __global__ void bits(T *at) {
    int t = threadIdx.x;
    __nv_atomic_fetch_xor(at, (T)(t * 5), __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_or(at + 1, (T)((T)1 << t % 31), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    __nv_atomic_fetch_and(at + 2, (T) ~((T)1 << t % 5), __NV_ATOMIC_RELAXED);
}
/* One after another, by comparing and exchanging; what is exchanged is lost by nobody. */
template <class T> __global__ void turns(T *at) {
    T old = __nv_atomic_load_n(at, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    while (!__nv_atomic_compare_exchange_n(at, &old, (T)(old * 3 + 1), true, __NV_ATOMIC_ACQ_REL,
                                           __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE)) {
    }
    T mine = (T)threadIdx.x, was;
    __nv_atomic_exchange(at + 1, &mine, &was, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    __nv_atomic_fetch_add(at + 2, was, __NV_ATOMIC_RELAXED);
    __nv_atomic_fetch_add(at + 2, __nv_atomic_exchange_n(at + 3, (T)1, __NV_ATOMIC_ACQUIRE),
                          __NV_ATOMIC_RELEASE);
}
/* A message from each block to the next one. */
template <class T> __global__ void message(T *at, int *flag) {
    if (blockIdx.x) {
        while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) != (int)blockIdx.x) {
        }
    }
    T v;
    __nv_atomic_load(at, &v, __NV_ATOMIC_RELAXED);
    v = (T)(v * 3 + 1);
    __nv_atomic_store(at, &v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_thread_fence(__NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_store_n(flag, (int)blockIdx.x + 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}

template <class T> void numbers(const char *name) {
    Array<T> at(4), sent(1);
    Array<int> flag(1);
    at[1] = 77, at[3] = 50;
    changes<<<1, 64>>>(at.p);
    CALL(cudaDeviceSynchronize());
    for (int k = 0; k < 4; k++) printf("%s %d: %.9g\n", name, k, (double)at[k]);
    message<<<6, 1>>>(sent.p, flag.p);
    CALL(cudaDeviceSynchronize());
    printf("%s sent: %.9g\n", name, (double)sent[0]);
}
template <class T> void integers(const char *name) {
    Array<T> at(3), order(4);
    at[2] = (T)-1;
    bits<<<1, 64>>>(at.p);
    turns<<<1, 64>>>(order.p);
    CALL(cudaDeviceSynchronize());
    for (int k = 0; k < 3; k++) printf("%s bits %d: %llx\n", name, k, (unsigned long long)at[k]);
    printf("%s turns: %llx %lld\n", name, (unsigned long long)order[0],
           (long long)(order[1] + order[2] + order[3]));
    numbers<T>(name);
}

int main() {
    integers<int>("int");
    integers<unsigned>("unsigned");
    integers<unsigned long long>("unsigned long long");
    integers<unsigned long>("unsigned long");
    numbers<float>("float");
    numbers<double>("double");
    Array<unsigned char> bytes(2);
    Array<int> flag(1);
    message<<<4, 1>>>(bytes.p, flag.p);
    CALL(cudaDeviceSynchronize());
    printf("bytes: %d %d\n", bytes[0], bytes[1]);
    return 0;
}
