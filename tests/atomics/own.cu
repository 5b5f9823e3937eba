/* own: atomics on shared memory, every operation of the usual widths, with and without the old value.
 *
 * A block's shared memory is its worker's own, so such atomics take no lock (jit/instr/lane_atomics.c). Each kernel
 * does one operation in three ways: on shared memory, on the same cells through a pointer that may point
 * anywhere, and on global memory, where nobody else is. One warp, so lanes come in order: all three leave the
 * same cells and give the same old values, and the host says which.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum { CELLS = 8, ROUNDS = 6 };
enum Op { ADD, EXCH, CAS, AND, OR, XOR, INC, DEC, MIN, MAX };

#define CALL(x)                                                                                              \
    do {                                                                                                     \
        cudaError_t status_ = (x);                                                                           \
        if (status_ != cudaSuccess)                                                                          \
            printf("line %d: %s is %s\n", __LINE__, #x, cudaGetErrorName(status_)), exit(2);                 \
    } while (0)

/* What lane `lane` does in round `k`: where, with what; some lanes do nothing. */
__host__ __device__ inline unsigned mixed(unsigned lane, unsigned k) {
    unsigned x = (lane + 1) * 2654435761u ^ (k + 1) * 2246822519u;
    return (x ^ x >> 15) * 2246822519u;
}
__host__ __device__ inline bool is_on(unsigned lane, unsigned k) { return k < 2 || mixed(lane, k) >> 8 & 1; }
__host__ __device__ inline unsigned cell(unsigned lane, unsigned k) {
    return k == 0 ? lane % CELLS : k == 1 ? 3 : mixed(lane, k) >> 20 & (CELLS - 1);
}
template <class T> __host__ __device__ T operand(unsigned lane, unsigned k) {
    T x = (T)mixed(lane, k);
    return sizeof(T) == 8 && (T)0.5 == (T)0 ? x << 29 ^ x : x;
}
template <> __host__ __device__ inline float operand<float>(unsigned lane, unsigned k) {
    if (k == 4 && lane == 9) return INFINITY;
    if (k == 5 && lane % 3 == 0) return -INFINITY; /* and so NaN somewhere */
    if (k < 2) return lane % 2 ? 1e-40f : 3e-41f;  /* subnormal: not flushed in shared memory */
    return (float)(int)(mixed(lane, k) >> 12) / 256.0f;
}
template <> __host__ __device__ inline double operand<double>(unsigned lane, unsigned k) {
    return (double)(int)mixed(lane, k) / 3;
}

template <Op op, class T> struct Do;
#define OPERATION(OP, on_device, on_host)                                                                    \
    template <class T> struct Do<OP, T> {                                                                    \
        static __device__ T device(T *p, T b) { return on_device; }                                          \
        static T host(T old, T b) { return on_host; }                                                        \
    };
OPERATION(ADD, atomicAdd(p, b), old + b)
OPERATION(EXCH, atomicExch(p, b), b)
OPERATION(CAS, atomicCAS(p, (T)(b & 4), b), old == (T)(b & 4) ? b : old)
OPERATION(AND, atomicAnd(p, b | b << 1), old &(b | b << 1))
OPERATION(OR, atomicOr(p, b &b << 1), old | (b & b << 1))
OPERATION(XOR, atomicXor(p, b), old ^ b)
OPERATION(INC, atomicInc(p, b & 7), old >= (b & 7) ? 0 : old + 1)
OPERATION(DEC, atomicDec(p, b & 7), old == 0 || old > (b & 7) ? b & 7 : old - 1)
OPERATION(MIN, atomicMin(p, b), old < b ? old : b)
OPERATION(MAX, atomicMax(p, b), old > b ? old : b)

template <Op op, class T, bool reads> __device__ void rounds(T *cells, T *olds) {
    unsigned lane = threadIdx.x;
    for (unsigned k = 0; k < ROUNDS; k++) {
        if (!is_on(lane, k)) continue;
        T old = Do<op, T>::device(&cells[cell(lane, k)], operand<T>(lane, k));
        if (reads) olds[k * 32 + lane] = old;
    }
}

template <Op op, class T, bool reads> __global__ void kernel(T *cells, T *olds, int which) {
    __shared__ T mine[CELLS];
    if (threadIdx.x < CELLS) mine[threadIdx.x] = 0;
    __syncthreads();
    if (which == 0) {
        rounds<op, T, reads>(mine, olds);
        __syncthreads();
        if (threadIdx.x < CELLS) cells[threadIdx.x] = mine[threadIdx.x];
    } else {
        T *somewhere = which == 1 ? mine : cells;
        rounds<op, T, reads>(somewhere, olds);
        __syncthreads();
        if (which == 1 && threadIdx.x < CELLS) cells[threadIdx.x] = mine[threadIdx.x];
    }
}

/* NaNs are alike; global additions of subnormal floats are zeros, so there only the rest is compared. */
template <class T> static bool alike(const T *a, const T *b, int n, bool flushes) {
    for (int i = 0; i < n; i++) {
        double x = (double)a[i], y = (double)b[i];
        if (memcmp(&a[i], &b[i], sizeof(T)) == 0 || (x != x && y != y)) continue;
        if (flushes && fabs(x - y) < 1e-37) continue;
        return false;
    }
    return true;
}

static int wrong;
template <Op op, class T, bool reads> static void compare(const char *name) {
    std::vector<T> cells(CELLS), olds(ROUNDS * 32), got(CELLS), gave(ROUNDS * 32);
    for (unsigned k = 0; k < ROUNDS; k++)
        for (unsigned lane = 0; lane < 32; lane++) {
            if (!is_on(lane, k)) continue;
            T *p = &cells[cell(lane, k)], old = *p;
            if (reads) olds[k * 32 + lane] = old;
            *p = Do<op, T>::host(old, operand<T>(lane, k));
        }
    T *device_cells, *device_olds;
    CALL(cudaMalloc(&device_cells, CELLS * sizeof(T)));
    CALL(cudaMalloc(&device_olds, ROUNDS * 32 * sizeof(T)));
    for (int which = 0; which < 3; which++) {
        CALL(cudaMemset(device_cells, 0, CELLS * sizeof(T)));
        CALL(cudaMemset(device_olds, 0, ROUNDS * 32 * sizeof(T)));
        kernel<op, T, reads><<<1, 32>>>(device_cells, device_olds, which);
        CALL(cudaMemcpy(got.data(), device_cells, CELLS * sizeof(T), cudaMemcpyDeviceToHost));
        CALL(cudaMemcpy(gave.data(), device_olds, ROUNDS * 32 * sizeof(T), cudaMemcpyDeviceToHost));
        bool flushes = which == 2 && sizeof(T) == 4 && (T)0.5 != (T)0;
        if (alike(got.data(), cells.data(), CELLS, flushes) &&
            alike(gave.data(), olds.data(), ROUNDS * 32, flushes))
            continue;
        static const char *const ways[] = {"shared", "generic to shared", "generic to global"};
        printf("wrong: %s, %zu bytes, %s, %s\n", name, sizeof(T), ways[which], reads ? "read" : "unread");
        wrong++;
    }
    CALL(cudaFree(device_cells));
    CALL(cudaFree(device_olds));
}

template <Op op, class T> static void both(const char *name) {
    compare<op, T, true>(name);
    compare<op, T, false>(name);
}
/* Where and what come from memory, in a loop of whole warps: lanes add in their order, which floats show. */
template <class T> __global__ void loaded(T *cells, const int *where, const T *what, int n) {
    __shared__ T mine[CELLS];
    for (int i = threadIdx.x; i < CELLS; i += 32) mine[i] = 0;
    __syncwarp();
    for (int i = threadIdx.x; i < n; i += 32) atomicAdd(&mine[where[i]], what[i]);
    for (int i = threadIdx.x; i < n; i += 32) atomicAdd(&mine[(where[i] * 5 + 2) % CELLS], what[i] / 3);
    for (int i = threadIdx.x; i < n; i += 32) atomicAdd(&mine[where[i]], (T)1.1);
    __syncwarp();
    for (int i = threadIdx.x; i < CELLS; i += 32) cells[i] = mine[i];
}

template <class T> static void in_loops(const char *name) {
    const int n = 32 * 9 + 13;
    std::vector<int> where(n);
    std::vector<T> what(n), cells(CELLS), got(CELLS);
    for (int i = 0; i < n; i++) {
        where[i] = (int)(mixed(i, 7) >> 16 & (CELLS - 1));
        what[i] = ldexp((T)(int)mixed(i, 8), (int)(mixed(i, 9) & 31) - 40);
    }
    what[40] = -INFINITY, what[77] = INFINITY, where[77] = where[40];
    for (int i = 0; i < n; i++) cells[where[i]] += what[i];
    for (int i = 0; i < n; i++) cells[(where[i] * 5 + 2) % CELLS] += what[i] / 3;
    for (int i = 0; i < n; i++) cells[where[i]] += (T)1.1;
    int *on_device;
    T *device_what, *device_cells;
    CALL(cudaMalloc(&on_device, n * sizeof(int)));
    CALL(cudaMalloc(&device_what, n * sizeof(T)));
    CALL(cudaMalloc(&device_cells, CELLS * sizeof(T)));
    CALL(cudaMemcpy(on_device, where.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(device_what, what.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    loaded<T><<<1, 32>>>(device_cells, on_device, device_what, n);
    CALL(cudaMemcpy(got.data(), device_cells, CELLS * sizeof(T), cudaMemcpyDeviceToHost));
    if (!alike(got.data(), cells.data(), CELLS, false)) printf("wrong: %s in loops\n", name), wrong++;
    CALL(cudaFree(on_device));
    CALL(cudaFree(device_what));
    CALL(cudaFree(device_cells));
}

template <class T> static void of_integers() {
    both<ADD, T>("add"), both<EXCH, T>("exch"), both<CAS, T>("cas"), both<AND, T>("and"), both<OR, T>("or");
    both<XOR, T>("xor"), both<MIN, T>("min"), both<MAX, T>("max");
}

int main() {
    of_integers<unsigned>();
    of_integers<unsigned long long>();
    both<MIN, int>("signed min"), both<MAX, int>("signed max");
    both<MIN, long long>("signed min"), both<MAX, long long>("signed max");
    both<INC, unsigned>("inc"), both<DEC, unsigned>("dec");
    both<ADD, float>("float add"), both<ADD, double>("double add");
    in_loops<float>("floats"), in_loops<double>("doubles");
    printf(wrong ? "%d wrong\n" : "all right\n", wrong);
    return wrong != 0;
}
