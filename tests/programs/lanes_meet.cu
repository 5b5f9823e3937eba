/* lanes_meet: lanes part and meet again as early as can be: behind switches in loops, behind nested branches
 * of which some return, behind loops that some leave for the kernel's end, at shuffles of those that are
 * left, and behind loops that go round by atomics. What each kernel stores at its end is one request a warp
 * (../count/lanes.sh).
 */
#include <cstdio>
#include <vector>

static __host__ __device__ unsigned mixed(unsigned x) {
    x ^= x >> 16, x *= 0x7feb352du;
    x ^= x >> 15, x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/* A switch in a loop, of which one way leaves the loop. */
static __host__ __device__ unsigned switched(unsigned x) {
    unsigned a = x;
    for (int i = 0; i < 12; i++) {
        switch (mixed(a + i) % 7) {
        case 0: a += 13; break;
        case 1: a ^= a >> 3; continue;
        case 2: a = a * 5 + 1; break;
        case 3: a -= i; break;
        case 4: return a ^ 0x55u;
        default: a = (a << 7 | a >> 25) + x;
        }
        a += i;
    }
    return a;
}
__global__ void switches(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, a = switched(i);
    a += __shfl_xor_sync(~0u, a, 3);
    out[i] = a;
}

/* Nested branches; one way returns, before a shuffle of the others. */
static __host__ __device__ bool nested(unsigned x, unsigned &a) {
    unsigned r = mixed(x);
    a = r;
    if (r & 1) {
        a += 3;
        if (r & 2) {
            a *= 7;
            if (r & 4) return false;
            a ^= x;
        } else {
            a -= x;
        }
    } else if (r & 8) {
        if ((r & 0x70) == 0x70) return false;
        a += r >> 5;
    }
    return true;
}
__global__ void returns(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, a;
    if (!nested(i, a)) return;
    unsigned there = __activemask();
    out[i] = a + __popc(there);
}

/* Some lanes leave a loop for the kernel's end. */
__global__ void leaves(unsigned *out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, a = i;
    for (unsigned k = 0; k < 20; k++) {
        a = mixed(a + k);
        if (a % 61 == 0) return;
        if (a % 5 == 0) {
            a += k;
            if (a % 3 == 0) a ^= n;
        }
    }
    a += __reduce_add_sync(__activemask(), 1);
    out[i] = a;
}
static bool left(unsigned i, unsigned n, unsigned &a) {
    a = i;
    for (unsigned k = 0; k < 20; k++) {
        a = mixed(a + k);
        if (a % 61 == 0) return true;
        if (a % 5 == 0) {
            a += k;
            if (a % 3 == 0) a ^= n;
        }
    }
    return false;
}

/* Keys go into a table: each lane probes as long as others have its place. */
enum { PLACES = 1024 };
__global__ void probes(unsigned *keys, unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, key = mixed(i) | 1, at = key % PLACES, steps = 1;
    for (;; steps++) {
        unsigned old = atomicCAS(&keys[at], 0u, key);
        if (old == 0 || old == key) break;
        at = (at + 1) % PLACES;
    }
    out[i] = steps;
}

/* A maximum by compare and swap, more lanes than words. */
__global__ void maxima(unsigned *words, unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = mixed(i), old = words[i % 5], seen;
    do {
        seen = old;
        if (seen >= x) break;
        old = atomicCAS(&words[i % 5], seen, x);
    } while (old != seen);
    out[i] = x;
}

/* Counted turns with atomics in them: nobody waits for anybody. */
__global__ void counted(unsigned *words, unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (unsigned k = 0; k < i % 32 * 3; k++) sum += atomicAdd(&words[5 + k % 3], 1) != ~0u;
    out[i] = sum;
}

static void compare(const char *what, const unsigned *out, const std::vector<unsigned> &right) {
    size_t wrong = 0;
    cudaError_t status = cudaDeviceSynchronize();
    for (size_t i = 0; i < right.size(); i++) wrong += out[i] != right[i];
    printf("%s: %s, %zu wrong\n", what, cudaGetErrorName(status), wrong);
}

int main() {
    const unsigned n = 256;
    unsigned *out, *words;
    std::vector<unsigned> right(n), alone(n);
    cudaMallocManaged(&out, n * sizeof *out);
    cudaMallocManaged(&words, PLACES * sizeof *words);
    switches<<<n / 64, 64>>>(out);
    for (unsigned i = 0; i < n; i++) right[i] = switched(i) + switched(i ^ 3);
    compare("switches", out, right);

    cudaMemset(out, 0, n * sizeof *out);
    returns<<<n / 64, 64>>>(out);
    for (unsigned i = 0; i < n; i++) {
        unsigned there = 0, other;
        for (unsigned k = i & ~31u; k < (i | 31) + 1; k++) there += nested(k, other);
        right[i] = nested(i, other) ? other + there : 0;
    }
    compare("returns", out, right);

    cudaMemset(out, 0, n * sizeof *out);
    leaves<<<n / 64, 64>>>(out, n);
    for (unsigned i = 0; i < n; i++) {
        unsigned there = 0, other;
        for (unsigned k = i & ~31u; k < (i | 31) + 1; k++) there += !left(k, n, other);
        right[i] = left(i, n, other) ? 0 : other + there;
    }
    compare("leaves", out, right);

    unsigned found = 0;
    cudaMemset(words, 0, PLACES * sizeof *words);
    probes<<<n / 64, 64>>>(words, out);
    cudaDeviceSynchronize();
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < PLACES; k++) found += words[k] == (mixed(i) | 1);
    printf("probes: %u of %u found\n", found, n);

    cudaMemset(words, 0, PLACES * sizeof *words);
    maxima<<<n / 64, 64>>>(words, out);
    for (unsigned i = 0; i < n; i++) right[i] = mixed(i);
    compare("maxima", out, right);
    unsigned most[5] = {0}, wrong = 0;
    for (unsigned i = 0; i < n; i++) most[i % 5] = mixed(i) > most[i % 5] ? mixed(i) : most[i % 5];
    for (unsigned k = 0; k < 5; k++) wrong += most[k] != words[k];
    printf("maxima: %u wrong\n", wrong);

    counted<<<n / 64, 64>>>(words, out);
    for (unsigned i = 0; i < n; i++) right[i] = i % 32 * 3;
    compare("counted", out, right);
    return 0;
}
