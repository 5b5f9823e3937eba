/* Thrust: vectors on both sides, every algorithm of which Warpglass has headers, iterators that compute,
 * policies. */
#include <iostream>
#include <list>
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <thrust/universal_vector.h>
#include <vector>
#include <cstdio>

struct saxpy {
    float a;
    __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};

struct square {
    __host__ __device__ long long operator()(int x) const { return (long long)x * x; }
};

struct is_even {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

struct arbitrary {
    template <typename Tuple> __host__ __device__ void operator()(Tuple t) {
        thrust::get<2>(t) = thrust::get<0>(t) + 2 * thrust::get<1>(t);
    }
};

struct device_only {
    __device__ int operator()(int x) const { return x + (int)threadIdx.x * 0; }
};

template <class V> void show(const char *name, const V &v) {
    thrust::host_vector<typename V::value_type> h = v;
    unsigned long long hash = 1;
    for (size_t i = 0; i < h.size(); i++) hash = hash * 1000003 + (unsigned long long)(long long)(h[i] * 16);
    printf("%s: %zu %016llx", name, h.size(), hash);
    for (size_t i = 0; i < 6 && i < h.size(); i++) std::cout << ' ' << h[i] << std::flush;
    printf("\n");
    fflush(stdout);
}

template <template <class> class Vector> void all(const char *name, int n) {
    printf("%s %d\n", name, n);
    fflush(stdout);
    Vector<int> a(n), b(n), c(n);
    Vector<float> x(n), y(n, 2.f), z(n);
    thrust::host_vector<int> h(n);
    unsigned s = 1;
    for (auto &v : h) {
        s = s * 1664525 + 1013904223;
        v = (int)(s >> 8) % 1000;
    }
    a = h;
    show("copied", a);
    thrust::sequence(b.begin(), b.end());
    thrust::sequence(x.begin(), x.end(), 1.f, 0.5f);
    show("x", x);
    thrust::transform(x.begin(), x.end(), y.begin(), z.begin(), saxpy{3});
    show("saxpy", z);
    using namespace thrust::placeholders;
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), 2.f * _1 + _2);
    show("placeholders", y);
    printf("sum %d squares %lld product %d\n", thrust::reduce(a.begin(), a.end()),
           thrust::transform_reduce(a.begin(), a.end(), square(), 0ll, thrust::plus<long long>()),
           (int)thrust::inner_product(a.begin(), a.end(), b.begin(), 0));
    printf("max %d min %d at %d %d\n", (int)*thrust::max_element(a.begin(), a.end()),
           (int)*thrust::min_element(a.begin(), a.end()),
           (int)(thrust::max_element(a.begin(), a.end()) - a.begin()),
           (int)(thrust::min_element(a.begin(), a.end()) - a.begin()));
    printf("even %d sevens %d first %d\n", (int)thrust::count_if(a.begin(), a.end(), is_even()),
           (int)thrust::count(a.begin(), a.end(), 7),
           (int)(thrust::find_if(a.begin(), a.end(), is_even()) - a.begin()));
    thrust::inclusive_scan(a.begin(), a.end(), c.begin());
    show("inclusive", c);
    thrust::exclusive_scan(a.begin(), a.end(), c.begin(), 10);
    show("exclusive", c);
    thrust::inclusive_scan(a.begin(), a.end(), c.begin(), thrust::maximum<int>());
    show("running maximum", c);
    Vector<int> k = a, v = b;
    thrust::sort_by_key(k.begin(), k.end(), v.begin());
    show("keys", k);
    k = a;
    v = b;
    thrust::stable_sort_by_key(k.begin(), k.end(), v.begin(), thrust::greater<int>());
    show("keys down", k);
    show("values", v);
    thrust::sort(c.begin(), c.end());
    thrust::sort(x.begin(), x.end(), thrust::greater<float>());
    show("floats", x);
    thrust::sort(k.begin(), k.end());
    auto end = thrust::unique(k.begin(), k.end());
    k.resize(end - k.begin());
    show("unique", k);
    Vector<int> ks = a;
    thrust::transform(ks.begin(), ks.end(), ks.begin(), _1 % 10);
    thrust::sort(ks.begin(), ks.end());
    Vector<int> ko(n), vo(n);
    auto ends = thrust::reduce_by_key(ks.begin(), ks.end(), thrust::make_constant_iterator(1), ko.begin(),
                                      vo.begin());
    ko.resize(ends.first - ko.begin());
    vo.resize(ends.second - vo.begin());
    show("digits", ko);
    show("how many", vo);
    Vector<int> chosen(n);
    chosen.resize(thrust::copy_if(a.begin(), a.end(), chosen.begin(), is_even()) - chosen.begin());
    show("even", chosen);
    Vector<int> r = a;
    r.erase(thrust::remove_if(r.begin(), r.end(), is_even()), r.end());
    show("odd", r);
    r = a;
    printf("even ones %d\n", (int)(thrust::stable_partition(r.begin(), r.end(), is_even()) - r.begin()));
    show("partition", r);
    thrust::reverse(r.begin(), r.end());
    show("reverse", r);
    thrust::gather(b.begin(), b.end(), a.begin(), c.begin());
    printf("equal %d\n", (int)thrust::equal(a.begin(), a.end(), c.begin()));
    thrust::reverse(b.begin(), b.end());
    thrust::scatter(a.begin(), a.end(), b.begin(), c.begin());
    show("scattered", c);
    thrust::replace(c.begin(), c.end(), 7, 70);
    show("replaced", c);
    thrust::adjacent_difference(a.begin(), a.end(), c.begin());
    show("differences", c);
    thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin(), c.begin())),
                     thrust::make_zip_iterator(thrust::make_tuple(a.end(), b.end(), c.end())), arbitrary());
    show("zip", c);
    auto squares = thrust::make_transform_iterator(a.begin(), square());
    printf("squares %lld\n", (long long)thrust::reduce(squares, squares + n));
    auto permuted = thrust::make_permutation_iterator(a.begin(), b.begin());
    printf("first of permuted %d sum %d\n", (int)permuted[0],
           (int)thrust::reduce(permuted, permuted + n / 2));
    Vector<int> sorted = a;
    thrust::sort(sorted.begin(), sorted.end());
    Vector<int> where(5), asked(5);
    thrust::sequence(asked.begin(), asked.end(), 0, 200);
    thrust::lower_bound(sorted.begin(), sorted.end(), asked.begin(), asked.end(), where.begin());
    show("bounds", where);
    printf("upper %d has %d\n",
           (int)(thrust::upper_bound(sorted.begin(), sorted.end(), 500) - sorted.begin()),
           (int)thrust::binary_search(sorted.begin(), sorted.end(), 501));
    Vector<int> merged(2 * n);
    thrust::merge(sorted.begin(), sorted.end(), sorted.begin(), sorted.end(), merged.begin());
    show("merged", merged);
    printf("any %d all %d sorted %d %d\n", (int)thrust::any_of(a.begin(), a.end(), _1 > 998),
           (int)thrust::all_of(a.begin(), a.end(), _1 < 1000), (int)thrust::is_sorted(a.begin(), a.end()),
           (int)thrust::is_sorted(sorted.begin(), sorted.end()));
    Vector<int> bykey(n);
    thrust::inclusive_scan_by_key(ks.begin(), ks.end(), a.begin(), bykey.begin());
    show("by key", bykey);
}

template <class T> using DV = thrust::device_vector<T>;
template <class T> using HV = thrust::host_vector<T>;

int main() {
    all<DV>("device", 1000);
    all<HV>("host", 1000);
    all<DV>("device", 1);
    all<DV>("device", 5001);
    thrust::device_vector<int> d(4, 1);
    d[0] = 5;
    d[1] += 3;
    d.push_back(9);
    d.insert(d.begin() + 1, 77);
    std::cout << d[0] << ' ' << d[1] << ' ' << d[2] << ' ' << d.back() << ' ' << d.size() << '\n';
    std::list<int> l = {3, 1, 2};
    thrust::device_vector<int> from(l.begin(), l.end());
    std::vector<int> w = {1, 2, 3};
    thrust::device_vector<int> from2 = w;
    std::cout << from[0] << from[2] << from2[1] << '\n';
    int *raw;
    cudaMalloc(&raw, 40);
    thrust::device_ptr<int> p(raw);
    thrust::fill(p, p + 10, 3);
    thrust::sequence(thrust::device, raw, raw + 5);
    std::cout << thrust::reduce(p, p + 10) << ' ' << thrust::reduce(thrust::device, raw, raw + 10) << '\n';
    int *q = thrust::raw_pointer_cast(d.data());
    thrust::transform(thrust::device, q, q + 4, q, device_only());
    thrust::transform(d.begin(), d.end(), d.begin(), [] __device__(int v) { return v * 2; });
    std::cout << d[1] << '\n';
    std::cout << thrust::reduce(thrust::make_counting_iterator(1), thrust::make_counting_iterator(101))
              << '\n';
    thrust::host_vector<int> hv = d;
    std::vector<int> sv(d.size());
    thrust::copy(d.begin(), d.end(), sv.begin());
    std::cout << hv[1] << ' ' << sv[1] << '\n';
    cudaStream_t s;
    cudaStreamCreate(&s);
    thrust::sort(thrust::cuda::par.on(s), d.begin(), d.end());
    std::cout << d[0] << ' ' << d.back() << '\n';
    thrust::copy(d.begin(), d.end(), std::ostream_iterator<int>(std::cout, ","));
    std::cout << '\n';
    thrust::pair<int, int> pr = thrust::make_pair(1, 2);
    std::cout << pr.first << '\n';
    thrust::generate(hv.begin(), hv.end(), [] {
        static int i = 0;
        return i++;
    });
    std::cout << hv[3] << '\n';
    thrust::universal_vector<int> u(10, 4);
    u[3] = 1;
    std::cout << thrust::reduce(u.begin(), u.end()) << '\n';
    try {
        thrust::device_vector<int> huge((size_t)1 << 50);
    } catch (const std::bad_alloc &) {
        std::cout << "bad_alloc\n";
    }
}
