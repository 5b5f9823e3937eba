/* stores_apart: elements of 4 and 8 bytes stored where each lane has its own place, by lanes that a condition of data
 * leaves: none, some or all of them; to places that lanes share, where the last lane's value stays; in thread blocks of
 * less than a warp, of one, and of several; and read back the same way. Each is held against plain C.
 */
#include "program.h"

constexpr int N = 1 << 12, MOST = 160;

__host__ __device__ inline bool is_on(int value, int share) { return value % 100 < share; }

/* Where a thread stores: among all places of its warp, in steps of its own, or among the places of its block. */
__host__ __device__ inline int place(int how, int value, int t, int i) {
    if (how == 0) return value % (N / 8) * 8 + t / 32;
    if (how == 1) return i * 7 % N;
    return i - t + value % 3;
}

template <typename T> __global__ void stored(const int *data, const T *from, T *to, int share, int how) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, value = data[i];
    if (is_on(value, share)) to[place(how, value, t, i)] = from[i];
}

template <typename T> __global__ void loaded(const int *data, const T *from, T *to, int share, int how) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, value = data[i];
    T x = (T)7;
    if (is_on(value, share)) x = from[place(how, value, t, i)];
    to[i] = x + (T)1;
}

/* Neighbours' elements in their order, whose lanes are on by themselves. */
template <typename T> __global__ void in_order(const int *data, const T *from, T *to, int share) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (is_on(data[i], share)) to[i] = from[i];
}

template <typename T> static int wrong_of(Array<int> &data, Array<T> &from, Array<T> &to, int threads) {
    const int blocks = N / MOST;
    std::vector<T> right(N);
    int wrong = 0;
    for (int share : {0, 3, 20, 50, 97, 100})
        for (int how = 0; how < 4; how++) {
            /* One block after the other: they may store to the same places. */
            memset((void *)to.p, 0, N * sizeof(T));
            memset((void *)right.data(), 0, N * sizeof(T));
            for (int b = 0; b < (how == 0 ? 1 : blocks); b++)
                for (int t = 0; t < threads; t++) {
                    const int i = b * threads + t;
                    if (is_on(data[i], share)) right[how == 3 ? i : place(how, data[i], t, i)] = from[i];
                }
            if (how == 3)
                in_order<T><<<blocks, threads>>>(data, from, to, share);
            else
                stored<T><<<how == 0 ? 1 : blocks, threads>>>(data, from, to, share, how);
            CALL(cudaDeviceSynchronize());
            for (int k = 0; k < N; k++) wrong += memcmp(&to[k], &right[k], sizeof(T)) != 0;
            if (how == 3) continue;
            loaded<T><<<blocks, threads>>>(data, from, to, share, how);
            CALL(cudaDeviceSynchronize());
            for (int i = 0; i < blocks * threads; i++) {
                const T x = is_on(data[i], share) ? from[place(how, data[i], i % threads, i)] : (T)7;
                wrong += to[i] != (T)(x + (T)1);
            }
        }
    return wrong;
}

template <typename T> static void run(const char *name) {
    Array<int> data(N);
    Array<T> from(N), to(N);
    uint32_t state = 5;
    for (int i = 0; i < N; i++)
        data[i] = next_random(state) % 100000, from[i] = (T)(next_random(state) % 1000 + 1);
    for (int threads : {3, 8, 16, 21, 32, 96, MOST})
        printf("%s, blocks of %d: %d wrong\n", name, threads, wrong_of(data, from, to, threads));
}

int main() {
    run<unsigned char>("bytes"), run<short>("shorts"), run<int>("ints"), run<float>("floats"),
        run<double>("doubles");
    return 0;
}
