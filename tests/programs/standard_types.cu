/* <cuda/std/...>: types and functions of the C++ library, in kernels and on the host. */
#include "program.h"
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

__host__ __device__ void fill(float *out, int *n, int thread) {
    cuda::std::array<int, 3> a{1, 2, 3};
    a.fill(5);
    a[1] = 7;
    cuda::std::tuple<int, float, char> t{1, 2.5f, 'c'};
    cuda::std::get<0>(t) = 9;
    auto [x, y, z] = t;
    t = cuda::std::make_tuple(2, 3.f, 'd');
    int q;
    float r;
    char s;
    cuda::std::tie(q, r, s) = t;
    cuda::std::optional<int> o;
    o = 4;
    o.emplace(6);
    if (thread == 1) o.reset();
    cuda::std::complex<float> c{1, 2};
    c = c * c + cuda::std::complex<float>(0, 1);
    float m = cuda::std::abs(c);
    auto e = cuda::std::exp(c);
    auto sq = cuda::std::sqrt(c);
    (void)e;
    (void)sq;
    cuda::std::pair<int, int> p{1, 2};
    p = cuda::std::make_pair(3, 4);
    cuda::std::swap(p.first, p.second);
    int v[4] = {4, 2, 3, 1};
    cuda::std::span<int> sp(v);
    int sum = 0;
    for (int i : sp) sum += i;
    for (int i : sp.subspan(1, 2)) sum += 100 * i;
    out[0] = m;
    out[1] = cuda::std::sqrt(2.f);
    out[2] = cuda::std::fmax(1.f, 2.f);
    out[3] = c.real();
    n[0] = a[0] + a[1] + a[2];
    n[1] = x + (int)y + z;
    n[2] = o.value_or(-1);
    n[3] = p.first * 10 + p.second;
    n[4] = sum;
    n[5] = q * 100 + (int)r + s;
    n[6] = cuda::std::numeric_limits<int>::max();
    n[7] = cuda::std::max(3, 4);
    n[8] = cuda::std::get<0>(t);
    n[9] = cuda::std::popcount(0xffu);
    n[10] = cuda::std::countl_zero((cuda::std::uint32_t)1);
    n[11] = cuda::std::bit_cast<int>(1.f);
    n[12] = cuda::std::bit_ceil(100u);
    n[13] = cuda::std::rotl(0x80000001u, 1);
    n[14] = cuda::ceil_div(100, 32);
    n[15] = cuda::std::apply([](int i, float j, char k) { return i + (int)j + k; }, t);
    n[16] = cuda::std::is_same_v<cuda::std::remove_reference_t<int &>, int>;
    n[17] = cuda::std::plus<int>()(1, cuda::std::identity()(2));
    n[18] = cuda::std::exchange(n[0], 11);
    n[19] = t < cuda::std::make_tuple(2, 4.f, 'a');
    n[20] = p == cuda::std::make_pair(4, 3);
    cuda::std::byte b{3};
    n[21] = cuda::std::to_integer<int>(b);
    n[22] = cuda::std::has_single_bit(64u) + cuda::std::bit_width(64u) * 2;
    n[23] = cuda::std::isnan(out[0]);
    auto joined =
        cuda::std::tuple_cat(t, cuda::std::make_tuple(b), cuda::std::tuple<>(), cuda::std::make_tuple(q, 4L));
    static_assert(cuda::std::is_same_v<decltype(joined),
                                       cuda::std::tuple<int, float, char, cuda::std::byte, int, long>>);
    n[24] = cuda::std::get<2>(joined) + cuda::std::get<4>(joined) * 1000 + (int)cuda::std::get<5>(joined);
}
__global__ void k(float *out, int *n) { fill(out + 8 * threadIdx.x, n + 32 * threadIdx.x, threadIdx.x); }

int main() {
    Array<float> numbers(3 * 8);
    Array<int> results(3 * 32);
    k<<<1, 2>>>(numbers, results);
    CALL(cudaDeviceSynchronize());
    fill(numbers + 16, results + 64, 0);
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < 4; i++) printf("%.5f ", numbers[8 * t + i]);
        for (int i = 0; i < 25; i++) printf(" %d", results[32 * t + i]);
        printf("\n");
    }
    auto next = cuda::proclaim_return_type<int>([](int i) { return i + 1; });
    printf("%d\n", next(3));
    return 0;
}
