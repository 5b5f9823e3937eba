// Thrust: vectors, algorithms on arrays and on iterators that make up values, functors and lambdas, streams.
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

struct square {
    __host__ __device__ double operator()(float x) const { return (double)x * x; }
};

struct product {
    template <class T> __host__ __device__ float operator()(T pair) const {
        return thrust::get<0>(pair) * thrust::get<1>(pair);
    }
};

static void sort_pairs() {
    const int n = 10000;
    thrust::host_vector<int> shuffled(n);
    for (int i = 0; i < n; i++) shuffled[i] = (int)((long long)i * 7919 % n);
    thrust::device_vector<int> keys = shuffled, places(n);
    thrust::sequence(places.begin(), places.end());
    thrust::sort_by_key(keys.begin(), keys.end(), places.begin());
    thrust::host_vector<int> k = keys, p = places;
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += k[i] != i || shuffled[p[i]] != i;
    printf("sort_by_key: %d wrong\n", wrong);
    thrust::device_vector<int> halves(n);
    thrust::transform(keys.begin(), keys.end(), halves.begin(),
                      [] __host__ __device__(int x) { return x / 3; });
    auto end = thrust::unique_copy(halves.begin(), halves.end(), places.begin());
    printf("unique_copy: %d\n", (int)(end - places.begin()));
}

static void sums() {
    thrust::device_vector<float> a(1000, 2.0f), b(1000, 3.0f);
    double squares = thrust::transform_reduce(a.begin(), a.end(), square(), 0.0, thrust::plus<double>());
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
    float dot = thrust::transform_reduce(pairs, pairs + 1000, product(), 0.0f, thrust::plus<float>());
    long long gauss =
        thrust::reduce(thrust::make_counting_iterator(1ll), thrust::make_counting_iterator(100001ll));
    printf("sums: %g %g %lld\n", squares, dot, gauss);
}

static void in_a_stream() {
    const int n = 5000;
    int *x;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&x, n * sizeof *x);
    thrust::sequence(thrust::cuda::par.on(stream), thrust::device_pointer_cast(x),
                     thrust::device_pointer_cast(x + n));
    thrust::inclusive_scan(thrust::cuda::par.on(stream), thrust::device_pointer_cast(x),
                           thrust::device_pointer_cast(x + n), thrust::device_pointer_cast(x));
    int last = 0;
    cudaMemcpyAsync(&last, x + n - 1, sizeof last, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    printf("inclusive_scan: %d\n", last);
    cudaFree(x);
    cudaStreamDestroy(stream);
}

int main() {
    sort_pairs();
    sums();
    in_a_stream();
    return 0;
}
