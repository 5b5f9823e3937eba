/* Every atomic in every type and scope. */
// PTX: atom\.global\.add\.u32|red\.global\.add
// PTX: atom\.shared\.add|red\.shared\.add
// PTX: atom\.cta
// PTX: atom\.sys
// PTX: atom.*cas\.b32
// PTX: atom.*cas\.b64
// PTX: atom.*add\.f64
// PTX: atom.*inc\.u32
// PTX: cas\.b16
template <class T> __device__ void integers(T *p, T v) {
    atomicAdd(p, v), atomicExch(p, v), atomicMin(p, v), atomicMax(p, v), atomicAnd(p, v), atomicOr(p, v),
        atomicXor(p, v);
    atomicAdd_block(p, v), atomicExch_block(p, v), atomicMin_block(p, v), atomicMax_block(p, v),
        atomicAnd_block(p, v);
    atomicAdd_system(p, v), atomicOr_system(p, v), atomicXor_system(p, v), atomicCAS_system(p, v, v);
    *p = atomicCAS(p, v, (T)(v + 1)) + atomicCAS_block(p, v, (T)(v + 2));
}
__global__ void all(int *i, unsigned *u, unsigned long long *ull, long long *ll, float *f, double *d,
                    unsigned short *s) {
    __shared__ int bins[64];
    integers(i, 1), integers(u, 2u), integers(ull, 3ull);
    i[1] = atomicSub(i, 2) + atomicSub_block(i, 2),
    u[1] = atomicSub(u, 2u) + atomicInc(u, 9u) + atomicDec_system(u, 9u);
    ll[1] = atomicMin(ll, 5ll) + atomicMax(ll, 6ll);
    f[1] = atomicAdd(f, 1.5f) + atomicExch(f, 2.5f) + atomicAdd_block(f, 1.f) + atomicAdd_system(f, 1.f);
    d[1] = atomicAdd(d, 1.5) + atomicAdd_block(d, 1.0) + atomicAdd_system(d, 2.0);
    s[1] = atomicCAS(s, (unsigned short)1, (unsigned short)2);
    atomicAdd(&bins[threadIdx.x], 1);
    __syncthreads();
    i[threadIdx.x] = bins[threadIdx.x];
}
/* A lock that lanes of one warp fight for. */
__device__ int lock;
__global__ void locked(int *total) {
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            *total += 1;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
}
int main() { all<<<1, 64>>>(0, 0, 0, 0, 0, 0, 0), locked<<<2, 64>>>(0); }
