/* Mathematics through namespace std, with floats, doubles and integers, in code for both sides. */
// NOT PTX: \.extern \.func
#include <algorithm>
#include <cmath>
#include <limits>
#include <complex>
template <class T> __host__ __device__ T blend(T a, T b) {
    return std::sqrt(std::abs(a)) + std::sin(b) * std::exp(-a) + std::pow(a, T(2)) + std::fma(a, b, a) +
           std::max(a, b) + std::min(a, b) + std::floor(a) + std::atan2(a, b) + std::hypot(a, b) +
           (std::isnan(a) ? T(1) : T(0));
}
__global__ void kernel(float *f, double *d, int n) {
    f[0] = blend(f[0], f[1]) + std::numeric_limits<float>::max();
    d[0] = blend(d[0], d[1]) + std::pow(d[0], 2) + std::sqrt(n) + sin(n) + pow(2, n) + max(n, 3) +
           min(2.0f, f[1]) + max(1u, 2u);
    f[2] = std::clamp(f[0], 0.f, 1.f) + fabs(f[1]) + abs(f[1]) + max(f[0], f[1]) + min(f[0], 2.f);
}
int main() {
    kernel<<<1, 1>>>(0, 0, 1);
    return (int)(blend(1.0, 2.0) + blend(1.f, 2.f) + std::max(1, 2) + min(3, 4) + max(2.0, 1.0));
}
