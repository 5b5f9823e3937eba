/* __ldg and the loads and stores with a cache hint. */
// PTX: ld\.global\.nc\.v4\.f32
// PTX: ld\.global\.nc\.u8|ld\.global\.nc\.s8
// PTX: ld\.global\.cg
// PTX: ld\.global\.cs\.v2
// PTX: st\.global\.wt
// PTX: st\.global\.cs\.v4
__global__ void copy(const float4 *a, const int2 *b, const char *c, const double *d, float4 *e, int2 *f,
                     double *g, char *h) {
    int i = threadIdx.x;
    e[i] = __ldg(a + i), h[i] = __ldg(c + i), f[i] = __ldcs(b + i),
    g[i] = __ldcg(d + i) + __ldca(d) + __ldlu(d) + __ldcv(d);
    __stwt(g + i, 1.0), __stcs(e + i, a[i]), __stcg(f + i, b[i]), __stwb(h + i, c[i]);
}
int main() { copy<<<1, 32>>>(0, 0, 0, 0, 0, 0, 0, 0); }
