/* Headers of the C++ library in one file with kernels; lambdas and constexpr in device code. */
#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <vector>
__host__ __device__ constexpr int square(int x) { return x * x; }
template <class F> __global__ void apply(F f, int n, int *out) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = f(i) + square(i);
}
struct Twice {
    __device__ int operator()(int i) const { return 2 * i; }
};
__noinline__ __device__ int not_inlined(int x) { return x + 1; }
__forceinline__ __device__ int inlined(int x) { return not_inlined(x) + 1; }
int main() {
    std::vector<int> v(100);
    std::iota(v.begin(), v.end(), 0);
    auto shared = std::make_shared<std::string>("x");
    std::map<std::string, int> names = {{"a", 1}};
    apply<<<1, 32>>>(Twice(), 100, nullptr);
    apply<<<1, 32>>>([] __device__(int i) { return inlined(i); }, 100, nullptr);
    std::cout << v.size() + names["a"] << *shared << "\n";
}
