/* local_arrays: arrays of a thread's own: those that compilers turn into registers by unrolling, long ones,
 * and those whose index is known to nobody: attention with a row in each thread, a cosine transform,
 * elimination, a hash's schedule, insertion sort, small histograms. Host and device run the same code; whole
 * numbers, so that both have the same bits, or a bound.
 */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#define BOTH __host__ __device__
constexpr int N = 333;

struct Attention {
    static constexpr int D = 24, ROWS = 40;
    static constexpr const char *name = "attention";
    BOTH static float in(int i) { return (i * 37 % 64 - 32) / 64.0f; }
    BOTH static float run(int t) {
        float q[D], o[D] = {}, most = -1e30f, sum = 0;
        for (int k = 0; k < D; k++) q[k] = in(t * D + k);
        for (int j = 0; j < ROWS; j++) {
            float s = 0;
            for (int k = 0; k < D; k++) s += q[k] * in(j * D + k + 5);
            float m = s > most ? s : most, c = expf(most - m), p = expf(s - m);
            sum = sum * c + p;
            for (int k = 0; k < D; k++) o[k] = o[k] * c + p * in(j * D + k + 11);
            most = m;
        }
        float total = 0;
        for (int k = 0; k < D; k++) total += o[k] / sum * (k + 1);
        return total;
    }
};

struct Cosines {
    static constexpr const char *name = "cosines";
    BOTH static float run(int t) {
        float b[64], c[64], total = 0;
        for (int i = 0; i < 64; i++) b[i] = (t + i * 7) % 16;
        for (int r = 0; r < 8; r++)
            for (int u = 0; u < 8; u++) {
                float s = 0;
                for (int k = 0; k < 8; k++) s += b[r * 8 + k] * cosf((2 * k + 1) * u * 0.19634954f);
                c[r * 8 + u] = s;
            }
        for (int i = 0; i < 64; i++) total += c[i] * (i % 5);
        return total;
    }
};

struct Elimination {
    static constexpr const char *name = "elimination";
    BOTH static float run(int t) {
        float a[6][6], det = 1;
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) a[i][j] = (i * 5 + j * 3 + t) % 7 + (i == j) * 20;
        for (int k = 0; k < 6; k++) {
            det *= a[k][k] / 16;
            for (int i = k + 1; i < 6; i++) {
                float f = a[i][k] / a[k][k];
                for (int j = k; j < 6; j++) a[i][j] -= f * a[k][j];
            }
        }
        return det;
    }
};

struct Schedule {
    static constexpr const char *name = "schedule";
    BOTH static uint32_t turn(uint32_t x, int n) { return x >> n | x << (32 - n); }
    BOTH static float run(int t) {
        uint32_t w[64], a = 1, b = 2, c = 3, e = t;
        for (int i = 0; i < 16; i++) w[i] = t * 2654435761u + i;
        for (int i = 16; i < 64; i++)
            w[i] = w[i - 16] + (turn(w[i - 15], 7) ^ w[i - 15] >> 3) + w[i - 7] +
                   (turn(w[i - 2], 17) ^ w[i - 2] >> 10);
        for (int i = 0; i < 64; i++) {
            uint32_t x = c + (turn(e, 6) ^ turn(e, 11)) + (e & b ^ a) + w[i];
            c = b, b = a, a = e, e = x + turn(a, 2);
        }
        return (a ^ b ^ c ^ e) >> 8;
    }
};

struct Insertion {
    static constexpr const char *name = "insertion";
    BOTH static float run(int t) {
        int a[16];
        float total = 0;
        for (int i = 0; i < 16; i++) a[i] = (t * 31 + i * i * 17) % 101;
        for (int i = 1; i < 16; i++) {
            int v = a[i], j = i - 1;
            for (; j >= 0 && a[j] > v; j--) a[j + 1] = a[j];
            a[j + 1] = v;
        }
        for (int i = 0; i < 16; i++) total += a[i] * (i + 1);
        return total;
    }
};

struct Counts {
    static constexpr const char *name = "counts";
    BOTH static float run(int t) {
        unsigned short c[12] = {};
        float total = 0;
        for (int i = 0; i < 50 + t % 9; i++) c[(t * i + i / 3) % 12]++;
        for (int i = 0; i < 12; i++) total += c[i] * (i * i + 1);
        return total;
    }
};

template <typename T> __global__ void kernel(float *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n) out[t] = T::run(t);
}

template <typename T> static void test() {
    float *out;
    int wrong = 0;
    cudaMallocManaged(&out, N * sizeof(float));
    kernel<T><<<(N + 95) / 96, 96>>>(out, N);
    cudaDeviceSynchronize();
    for (int t = 0; t < N; t++) {
        float expected = T::run(t);
        wrong += !(fabsf(out[t] - expected) <= 2e-4f * fabsf(expected) + 1e-3f);
    }
    printf("%s: %d wrong\n", T::name, wrong);
    cudaFree(out);
}

int main() {
    test<Attention>();
    test<Cosines>();
    test<Elimination>();
    test<Schedule>();
    test<Insertion>();
    test<Counts>();
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    return 0;
}
