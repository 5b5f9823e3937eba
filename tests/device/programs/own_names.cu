/* Names that CUDA leaves to programs: ours must not be in their way. */
static __device__ __forceinline__ unsigned __lane_id() { return threadIdx.x % warpSize; }
static __device__ __forceinline__ unsigned __lanemask_lt() { return (1u << __lane_id()) - 1; }
static __device__ unsigned long long __globaltimer() { return clock64(); }
__device__ int mulhi(int a, int b) { return a * b; }
__device__ unsigned umulhi(unsigned a, unsigned b) { return a * b; }
template <class T> __device__ T clamp(T v, T low, T high) { return max(low, min(v, high)); }
__device__ float lerp(float a, float b, float t) { return a + t * (b - a); }
inline __host__ __device__ float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
inline __host__ __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
enum { WARP_SIZE = 32, FULL_MASK = 0xffffffff };
struct complex {
    float re, im;
};
__global__ void kernel(float *out, float3 v) {
    out[__lane_id()] =
        mulhi(2, 3) + umulhi(2u, 3u) + __popc(__lanemask_lt()) + __globaltimer() + clamp(3, 1, 2);
    out[32] = lerp(0, 1, 0.5f) + dot(v, v + v);
}
int main() { kernel<<<1, 32>>>(nullptr, make_float3(1, 2, 3)); }
