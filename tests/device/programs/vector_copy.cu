/* Vectors copied whole are one access, in global and in shared memory, also inside a structure. */
// PTX: ld\.global\.v4\.f32
// PTX: st\.shared\.v4
// PTX: ld\.shared\.v4
// PTX: ld\.global\.v2\.f64
// NOT PTX: (ld|st)\.(global|shared)\.(u64|b64)
struct Pair {
    float4 a;
    int4 b;
};
__global__ void copy(const float4 *in, float4 *out, const double2 *d, double2 *e, const Pair *p, Pair *q) {
    __shared__ float4 tile[64];
    int i = threadIdx.x;
    tile[i] = in[i];
    __syncthreads();
    float4 v = tile[63 - i];
    v.x += 1;
    out[i] = v;
    e[i] = d[i];
    q[i] = p[i];
    reinterpret_cast<int4 *>(out)[i + 64] = reinterpret_cast<const int4 *>(in)[i + 64];
}
int main() {
    float4 a = {1, 2, 3, 4}, b[2] = {{1, 2, 3, 4}, make_float4(5, 6, 7, 8)};
    union {
        float4 v;
        float f[4];
    } both;
    both.v = a, b[1] = b[0];
    copy<<<1, 64>>>(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    return (int)(both.f[0] + b[1].y);
}
