// Where lanes that parted meet again: behind conditions of several parts, breaks, continues and returns. One block of 32
// threads each; apart_test.c launches them as they were launched on an H200. nvcc made apart.ptx of this file:
//     nvcc -arch=sm_90 -O3 -ptx apart.cu

// The else part is reached from two tests
extern "C" __global__ void either_fails(const int *d, const int *e, int *out) {
    int i = threadIdx.x;
    if (d[i] > 7 && e[i] > 15)
        out[i] = e[i + 64];
    else {
        out[i + 32] = d[i + 96];
        out[i + 128] = d[i + 160];
    }
}

// The then part is reached from two tests
extern "C" __global__ void either_holds(const int *d, const int *e, int *out) {
    int i = threadIdx.x;
    if (d[i] > 23 || e[i] > 15) {
        out[i] = e[i + 64];
        out[i + 128] = d[i + 160];
    } else
        out[i + 32] = d[i + 96];
}

// A loop left by break at different turns, then code that all lanes run
extern "C" __global__ void breaks(const int *d, int *out, int n) {
    int i = threadIdx.x, k = 0;
    for (; k < n; k++)
        if (d[i + k * 32] > 40) break;
    out[i] = d[k + 1000];
}

// Two ways out of a loop, one of which passes by the code behind it
extern "C" __global__ void two_ways_out(const int *d, int *out, int n) {
    int i = threadIdx.x, k = 0;
    for (; k < n; k++) {
        int x = d[i + k * 32];
        if (x > 60) {
            out[i] = 1;
            return;
        }
        if (x % 3 == 2) break;
    }
    out[i + 64] = d[k + 1000] + d[k + 2000];
}

// The same, and all meet in a store at the end
extern "C" __global__ void one_passes_by(const int *d, int *out, int n) {
    int i = threadIdx.x, k = 0, r = 0;
#pragma unroll 1
    for (; k < n; k++) {
        int x = d[i + k * 32];
        if (x > 60) {
            r = 1;
            goto end;
        }
        if (x % 3 == 2) break;
    }
    r = d[k + 1000] + d[k + 2000];
end:
    out[i] = r;
}

// Continue from two places, within a loop
extern "C" __global__ void continues(const int *d, const int *e, int *out, int n) {
    int i = threadIdx.x, s = 0;
#pragma unroll 1
    for (int k = 0; k < n; k++) {
        int x = d[i + k * 32];
        if (x % 2 == 0) continue;
        int y = e[x];
        if (y % 3 == 0) continue;
        s += d[y + 500];
        out[i + k * 32 + 64] = s;
    }
    out[i] = s;
}

// A search by halves with a way out of the middle, as in merging
extern "C" __global__ void halves(const int *a, const int *b, int *out, int m, int n) {
    int k = threadIdx.x * 3, low = k - n > 0 ? k - n : 0, high = k < m ? k : m;
    while (low < high) {
        int i = (low + high) / 2, j = k - i;
        if (i > 0 && j < n && a[i - 1] > b[j])
            high = i;
        else if (j > 0 && i < m && b[j - 1] > a[i])
            low = i + 1;
        else {
            low = i;
            break;
        }
    }
    out[threadIdx.x] = low;
}

// Three steps, each left early to the next by some lanes and to the end by others
__device__ __forceinline__ bool step(const int *d, int x, int t) {
    if (x % 5 == t) return false;
    int y = d[x + 64 * t];
    if (y % 3 == t % 3) return true;
    for (int k = 1; k < 4; k++) {
        y = d[y + k];
        if (y % 7 == 1) return false;
        if (y % 4 == 2) return true;
    }
    return y % 2;
}
extern "C" __global__ void steps(const int *d, int *out) {
    int i = threadIdx.x, r = 0;
    if (step(d, i, 0) && step(d, i, 1) && step(d, i, 2)) r = 1;
    out[i] = r;
}

// A switch whose cases fall through
extern "C" __global__ void falls(const int *d, int *out) {
    int i = threadIdx.x, s = 0;
    switch (d[i] & 3) {
    case 0: s += d[i + 32];
    case 1: s += d[s + i + 64];
    case 2: s += d[s + i + 96];
    }
    out[i] = s;
}

// Rows of several lengths, left early
extern "C" __global__ void rows(const int *at, const int *d, int *out) {
    int i = threadIdx.x, s = 0;
    for (int k = at[i]; k < at[i + 1]; k++) {
        if (d[k] < 0) break;
        s += d[d[k] + 100];
    }
    out[i] = s;
}
