/* Votes, matches, shuffles and warp reductions, in every type. */
// PTX: shfl\.sync\.down
// PTX: shfl\.sync\.bfly
// PTX: shfl\.sync\.up
// PTX: shfl\.sync\.idx
// PTX: vote\.sync\.ballot
// PTX: match\.any\.sync\.b64
// PTX: match\.all\.sync\.b32
// PTX: redux\.sync\.add
// PTX: activemask
template <class T> __device__ T sum(T v) {
    for (int lanes = 16; lanes > 0; lanes /= 2) v += __shfl_down_sync(0xffffffff, v, lanes);
    for (int lanes = 16; lanes > 0; lanes /= 2) v += __shfl_xor_sync(0xffffffff, v, lanes, 32);
    v += __shfl_up_sync(0xffffffff, v, 1, 16);
    return __shfl_sync(0xffffffff, v, 0);
}
__global__ void all(int *i, unsigned *u, long *l, unsigned long *ul, long long *ll, unsigned long long *ull,
                    float *f, double *d) {
    int t = threadIdx.x, pred;
    i[t] = sum(i[t]), u[t] = sum(u[t]), l[t] = sum(l[t]), ul[t] = sum(ul[t]);
    ll[t] = sum(ll[t]), ull[t] = sum(ull[t]), f[t] = sum(f[t]), d[t] = sum(d[t]);
    u[t] ^= __ballot_sync(0xffffffff, i[t] > 0) ^ __activemask();
    if (__any_sync(~0u, t) && __all_sync(~0u, t > -1) && __uni_sync(~0u, 1))
        u[t] += __popc(__match_any_sync(~0u, ll[t]));
    u[t] += __match_all_sync(~0u, f[t], &pred) + pred;
    u[t] = __reduce_add_sync(~0u, u[t]) + __reduce_min_sync(~0u, u[t]) + __reduce_xor_sync(~0u, u[t]);
    i[t] = __reduce_max_sync(~0u, i[t]) + __reduce_add_sync(~0u, i[t]);
    __syncwarp();
    __syncwarp(0xffff);
}
int main() { all<<<1, 32>>>(0, 0, 0, 0, 0, 0, 0, 0); }
