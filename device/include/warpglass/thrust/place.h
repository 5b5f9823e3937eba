/* place.h: where thrust's algorithms run: policies, what iterators say of it, and the one loop that all else
 * is made of.
 *
 * An algorithm runs on the device if it is told so, or if any of its iterators is the device's, or if none is
 * the host's. On the device a loop is a kernel with a thread for each element; on the host it is a loop.
 */
#ifndef WARPGLASS_THRUST_PLACE_H
#define WARPGLASS_THRUST_PLACE_H

#include "../standard/tuple.h"

#include <iterator>
#include <new>
#include <stdexcept>
#include <string>

namespace thrust {

using ::cuda::std::get;
using ::cuda::std::make_pair;
using ::cuda::std::make_tuple;
using ::cuda::std::pair;
using ::cuda::std::tie;
using ::cuda::std::tuple;
using ::cuda::std::tuple_element;
using ::cuda::std::tuple_size;

/* What an algorithm throws when a call of CUDA's has failed. */
class system_error : public std::runtime_error {
  public:
    explicit system_error(cudaError_t code)
        : std::runtime_error(std::string(cudaGetErrorName(code)) + ": " + cudaGetErrorString(code)) {}
};

namespace wg {

enum class place { none, any, host, device };

inline void check(cudaError_t code) {
    if (code != cudaSuccess) throw system_error(code);
}

struct device_policy {
    static constexpr place where = place::device;
    cudaStream_t stream = 0;
    device_policy on(cudaStream_t s) const { return {s}; }
    template <class Allocator> device_policy operator()(const Allocator &) const { return *this; }
};
struct host_policy {
    static constexpr place where = place::host;
};
template <class T> inline constexpr bool is_policy = false;
template <> inline constexpr bool is_policy<device_policy> = true;
template <> inline constexpr bool is_policy<host_policy> = true;

/* Where what an iterator stands for lies: `none` if it is no iterator, `any` if it lies nowhere. */
template <class T, class = void> struct place_of {
    static constexpr place value = place::none;
};
template <class T> struct place_of<T, std::void_t<typename std::iterator_traits<T>::iterator_category>> {
    static constexpr place value = place::host;
};
constexpr place together(place a, place b) { return a > b ? a : b; }
template <class... T> constexpr place place_of_all() {
    place p = place::none;
    ((p = together(p, place_of<std::decay_t<T>>::value)), ...);
    return p;
}
template <class... T> auto policy_for() {
    if constexpr (place_of_all<T...>() == place::host)
        return host_policy();
    else
        return device_policy();
}

/* An iterator as loops use it: what points to the device is a plain pointer there. */
template <class It, class = void> inline constexpr bool has_raw = false;
template <class It>
inline constexpr bool has_raw<It, std::void_t<decltype(std::declval<const It &>().wg_raw())>> = true;
template <class It> WG_BOTH auto raw(const It &it) {
    if constexpr (has_raw<It>)
        return it.wg_raw();
    else
        return it;
}

/* What an iterator's elements are, without references. */
template <class T> struct plain {
    using type = std::remove_cv_t<std::remove_reference_t<T>>;
};
template <class... T> struct plain<tuple<T...>> {
    using type = tuple<typename plain<T>::type...>;
};
template <class It> using value_of = typename plain<std::decay_t<decltype(*raw(std::declval<It &>()))>>::type;

template <class F> __global__ void each(size_t n, F f) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        f(i);
}
template <class F> void for_n(device_policy p, size_t n, F f) {
    if (n == 0) return;
    size_t blocks = (n + 255) / 256;
    each<<<(unsigned)(blocks < 65536 ? blocks : 65536), 256, 0, p.stream>>>(n, f);
    check(cudaGetLastError());
}
template <class F> void for_n(host_policy, size_t n, F f) {
    for (size_t i = 0; i < n; i++) f(i);
}
inline void finish(device_policy p) { check(cudaStreamSynchronize(p.stream)); }
inline void finish(host_policy) {}

/* Memory for what comes between. */
template <class T, class Policy> class scratch {
  public:
    explicit scratch(size_t n) {
        if constexpr (Policy::where == place::device)
            check(cudaMalloc((void **)&at_, (n ? n : 1) * sizeof(T)));
        else
            at_ = (T *)::operator new((n ? n : 1) * sizeof(T));
    }
    scratch(const scratch &) = delete;
    scratch &operator=(const scratch &) = delete;
    ~scratch() {
        if constexpr (Policy::where == place::device)
            cudaFree(at_);
        else
            ::operator delete((void *)at_);
    }
    T *at() const { return at_; }
    /* One element, to the host. */
    T read(size_t i) const {
        alignas(T) char bytes[sizeof(T)];
        if constexpr (Policy::where == place::device)
            check(cudaMemcpy(bytes, (const void *)(at_ + i), sizeof(T), cudaMemcpyDeviceToHost));
        else
            memcpy(bytes, (const void *)(at_ + i), sizeof(T));
        return *(T *)bytes;
    }

  private:
    T *at_;
};

} // namespace wg

inline constexpr wg::device_policy device{};
inline constexpr wg::host_policy host{}, seq{};
namespace cuda {
inline constexpr wg::device_policy par{}, par_nosync{};
}

} // namespace thrust

#endif
