/* All vector types: made, loaded whole, and with their sizes and alignments. */
// PTX: ld\.global\.v4\.f32
// PTX: st\.global\.v2\.f64
#include <type_traits>
static_assert(sizeof(float4) == 16 && alignof(float4) == 16, "");
static_assert(sizeof(float3) == 12 && alignof(float3) == 4, "");
static_assert(sizeof(double4) == 32 && alignof(double4) == 16 && alignof(double4_32a) == 32, "");
static_assert(sizeof(uchar4) == 4 && alignof(uchar4) == 4 && alignof(short4) == 8 && alignof(longlong2) == 16,
              "");
static_assert(std::is_trivially_copyable<dim3>::value, "");
__global__ void move(const float4 *a, double2 *b, uchar4 *c, int3 *d) {
    float4 v = a[threadIdx.x];
    b[threadIdx.x] = make_double2(v.x + v.y, v.z + v.w);
    c[threadIdx.x] = make_uchar4(1, 2, 3, 4);
    d[threadIdx.x] = make_int3(1, 2, 3);
    uint3 here = threadIdx;
    dim3 size = blockDim;
    auto grid = gridDim;
    const uint3 &block = blockIdx;
    d[0].x = here.x + size.y + grid.z + block.x;
}
int main() {
    dim3 one, grid(2), block(8, 8, 4), from = make_uint3(1, 2, 3);
    constexpr dim3 fixed(4, 4);
    move<<<grid, block>>>(0, 0, 0, 0);
    return one.z + from.y + fixed.x + make_char2(1, 2).y + make_ulonglong4(1, 2, 3, 4).w;
}
