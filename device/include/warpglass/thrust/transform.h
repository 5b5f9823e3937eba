/* transform.h: thrust's algorithms that do something with each element by itself: transform, copy, fill,
 * sequence. */
#ifndef WARPGLASS_THRUST_TRANSFORM_H
#define WARPGLASS_THRUST_TRANSFORM_H

#include "functional.h"
#include "primitives.h"

#include <algorithm>
#include <vector>

namespace thrust {
namespace wg {

/* Each algorithm is a function of a policy and its arguments in wg::algorithms, and this makes thrust's two
 * forms of it: with a policy, and with the one that the iterators say. */
#define WG_ALGORITHM(NAME)                                                                                   \
    template <class First, class... Rest> auto NAME(First &&first, Rest &&...rest) {                         \
        if constexpr (wg::is_policy<std::decay_t<First>>)                                                    \
            return wg::algorithms::NAME(first, rest...);                                                     \
        else                                                                                                 \
            return wg::algorithms::NAME(wg::policy_for<First, Rest...>(), first, rest...);                   \
    }

namespace algorithms {

template <class P, class It, class F> It for_each_n(P p, It first, size_t n, F f) {
    auto in = raw(first);
    for_n(p, n, [=] __host__ __device__(size_t i) mutable { f(in[i]); });
    finish(p);
    return first + n;
}
template <class P, class It, class F> It for_each(P p, It first, It last, F f) {
    return for_each_n(p, first, (size_t)(last - first), f);
}
template <class P, class It, class Out, class F> Out transform(P p, It first, It last, Out result, F f) {
    auto in = raw(first);
    auto out = raw(result);
    size_t n = (size_t)(last - first);
    for_n(p, n, [=] __host__ __device__(size_t i) mutable { out[i] = f(in[i]); });
    finish(p);
    return result + n;
}
template <class P, class It, class It2, class Out, class F>
auto transform(P p, It first, It last, It2 second, Out result, F f) {
    auto in = raw(first);
    auto in2 = raw(second);
    auto out = raw(result);
    size_t n = (size_t)(last - first);
    for_n(p, n, [=] __host__ __device__(size_t i) mutable { out[i] = f(in[i], in2[i]); });
    finish(p);
    return result + n;
}
/* Where the predicate holds, of the elements or of a stencil beside them. */
template <class P, class It, class Out, class F, class Predicate>
auto transform_if(P p, It first, It last, Out result, F f, Predicate predicate) {
    auto in = raw(first);
    auto out = raw(result);
    size_t n = (size_t)(last - first);
    for_n(p, n, [=] __host__ __device__(size_t i) mutable {
        if (predicate(in[i])) out[i] = f(in[i]);
    });
    finish(p);
    return result + n;
}
template <class P, class It, class Stencil, class Out, class F, class Predicate>
auto transform_if(P p, It first, It last, Stencil stencil, Out result, F f, Predicate predicate) {
    auto in = raw(first);
    auto mark = raw(stencil);
    auto out = raw(result);
    size_t n = (size_t)(last - first);
    for_n(p, n, [=] __host__ __device__(size_t i) mutable {
        if (predicate(mark[i])) out[i] = f(in[i]);
    });
    finish(p);
    return result + n;
}

template <class P, class It, class T> void fill(P p, It first, It last, const T &v) {
    auto out = raw(first);
    T value = v;
    for_n(p, (size_t)(last - first), [=] __host__ __device__(size_t i) { out[i] = value; });
    finish(p);
}
template <class P, class It, class T> It fill_n(P p, It first, size_t n, const T &v) {
    fill(p, first, first + n, v);
    return first + n;
}
template <class P, class It, class T, class S> void sequence(P p, It first, It last, T start, S step) {
    auto out = raw(first);
    using Value = value_of<It>;
    for_n(p, (size_t)(last - first),
          [=] __host__ __device__(size_t i) { out[i] = (Value)(start + step * (Value)i); });
    finish(p);
}
template <class P, class It, class T> void sequence(P p, It first, It last, T start) {
    sequence(p, first, last, start, (value_of<It>)1);
}
template <class P, class It> void sequence(P p, It first, It last) {
    sequence(p, first, last, (value_of<It>)0, (value_of<It>)1);
}
template <class P, class It, class F> void tabulate(P p, It first, It last, F f) {
    auto out = raw(first);
    for_n(p, (size_t)(last - first), [=] __host__ __device__(size_t i) mutable { out[i] = f((ptrdiff_t)i); });
    finish(p);
}
template <class P, class It, class F> void generate(P p, It first, It last, F f) {
    auto out = raw(first);
    for_n(p, (size_t)(last - first), [=] __host__ __device__(size_t i) mutable { out[i] = f(); });
    finish(p);
}
template <class It, class F> void generate(host_policy, It first, It last, F f) {
    for (; first != last; ++first) *first = f();
}

template <class P, class Map, class It, class Out>
Out gather(P p, Map first, Map last, It source, Out result) {
    auto map = raw(first);
    auto in = raw(source);
    auto out = raw(result);
    for_n(p, (size_t)(last - first), [=] __host__ __device__(size_t i) { out[i] = in[map[i]]; });
    finish(p);
    return result + (last - first);
}
template <class P, class It, class Map, class Out> void scatter(P p, It first, It last, Map to, Out result) {
    auto in = raw(first);
    auto map = raw(to);
    auto out = raw(result);
    for_n(p, (size_t)(last - first), [=] __host__ __device__(size_t i) { out[map[i]] = in[i]; });
    finish(p);
}
template <class P, class It, class Predicate, class T>
void replace_if(P p, It first, It last, Predicate predicate, const T &v) {
    auto at = raw(first);
    T value = v;
    for_n(p, (size_t)(last - first), [=] __host__ __device__(size_t i) mutable {
        if (predicate(at[i])) at[i] = value;
    });
    finish(p);
}
template <class P, class It, class T> void replace(P p, It first, It last, const T &old, const T &v) {
    T searched = old;
    replace_if(p, first, last, [=] __host__ __device__(const T &x) { return x == searched; }, v);
}
template <class P, class It> void reverse(P p, It first, It last) {
    auto at = raw(first);
    size_t n = (size_t)(last - first);
    for_n(p, n / 2, [=] __host__ __device__(size_t i) {
        value_of<It> v = at[i];
        at[i] = at[n - 1 - i];
        at[n - 1 - i] = v;
    });
    finish(p);
}
template <class P, class It, class It2> It2 swap_ranges(P p, It first, It last, It2 second) {
    auto a = raw(first);
    auto b = raw(second);
    for_n(p, (size_t)(last - first), [=] __host__ __device__(size_t i) {
        value_of<It> v = a[i];
        a[i] = b[i];
        b[i] = v;
    });
    finish(p);
    return second + (last - first);
}
template <class P, class It, class Out, class F>
Out adjacent_difference(P p, It first, It last, Out result, F f) {
    auto in = raw(first);
    auto out = raw(result);
    for_n(p, (size_t)(last - first), [=] __host__ __device__(size_t i) mutable {
        value_of<It> v = in[i];
        out[i] = i ? f(v, in[i - 1]) : v;
    });
    finish(p);
    return result + (last - first);
}
template <class P, class It, class Out> Out adjacent_difference(P p, It first, It last, Out result) {
    return adjacent_difference(p, first, last, result, minus<>());
}

} // namespace algorithms

/* From one side to the other: whole if both are pointers to the same, otherwise by way of a copy that is. */
template <class It>
inline constexpr bool is_contiguous = std::is_pointer_v<decltype(raw(std::declval<It &>()))>;
template <class T>
inline constexpr bool is_contiguous<__gnu_cxx::__normal_iterator<T *, std::vector<std::remove_cv_t<T>>>> =
    true;
template <class T> auto pointer_of(const T &it, size_t n) {
    if constexpr (std::is_pointer_v<decltype(raw(it))>)
        return raw(it);
    else
        return n ? &*it : nullptr;
}
template <class It, class Out> void copy_across(It first, size_t n, Out result) {
    using Value = value_of<It>;
    constexpr bool from_device = place_of<It>::value != place::host;
    if constexpr (is_contiguous<It> && is_contiguous<Out> && std::is_same_v<Value, value_of<Out>>) {
        check(cudaMemcpy((void *)pointer_of(result, n), (const void *)pointer_of(first, n), n * sizeof(Value),
                         cudaMemcpyDefault));
    } else if constexpr (from_device) {
        scratch<Value, device_policy> whole(n);
        algorithms::transform(device_policy(), first, first + n, whole.at(), identity<>());
        std::vector<Value> here(n);
        check(cudaMemcpy((void *)here.data(), whole.at(), n * sizeof(Value), cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < n; i++, ++result) *result = here[i];
    } else {
        std::vector<Value> here(first, first + n);
        scratch<Value, device_policy> whole(n);
        check(cudaMemcpy((void *)whole.at(), here.data(), n * sizeof(Value), cudaMemcpyHostToDevice));
        algorithms::transform(device_policy(), whole.at(), whole.at() + n, result, identity<>());
    }
}
template <class It>
inline constexpr bool has_distances =
    std::is_base_of_v<std::random_access_iterator_tag, typename std::iterator_traits<It>::iterator_category>;
/* Lists and streams have no distances: their elements go through a vector. */
template <class It, class Out> Out copy_from(It first, It last, Out result) {
    using Value = typename std::iterator_traits<It>::value_type;
    if constexpr (!has_distances<It>) {
        std::vector<Value> whole(first, last);
        return copy_from(whole.begin(), whole.end(), result);
    } else if constexpr (!has_distances<Out>) {
        std::vector<Value> whole((size_t)(last - first));
        copy_from(first, last, whole.begin());
        return std::copy(whole.begin(), whole.end(), result);
    } else {
        constexpr place from = place_of<It>::value, to = place_of<Out>::value;
        size_t n = (size_t)(last - first);
        if constexpr (from == to || from == place::any || to == place::any)
            return algorithms::transform(policy_for<It, Out>(), first, last, result, identity<>());
        else
            copy_across(first, n, result);
        return result + (ptrdiff_t)n;
    }
}

namespace algorithms {
template <class P, class It, class Out> Out copy(P p, It first, It last, Out result) {
    constexpr place from = place_of<It>::value, to = place_of<Out>::value;
    if constexpr (from == place::device || to == place::device || std::is_same_v<P, host_policy>)
        return copy_from(first, last, result);
    else
        return transform(p, first, last, result, identity<>());
}
template <class P, class It, class Out> Out copy_n(P p, It first, size_t n, Out result) {
    return copy(p, first, first + n, result);
}
} // namespace algorithms
} // namespace wg

WG_ALGORITHM(for_each)
WG_ALGORITHM(for_each_n)
WG_ALGORITHM(transform)
WG_ALGORITHM(transform_if)
WG_ALGORITHM(fill)
WG_ALGORITHM(fill_n)
WG_ALGORITHM(sequence)
WG_ALGORITHM(tabulate)
WG_ALGORITHM(generate)
WG_ALGORITHM(gather)
WG_ALGORITHM(scatter)
WG_ALGORITHM(replace)
WG_ALGORITHM(replace_if)
WG_ALGORITHM(reverse)
WG_ALGORITHM(swap_ranges)
WG_ALGORITHM(adjacent_difference)
WG_ALGORITHM(copy)
WG_ALGORITHM(copy_n)

} // namespace thrust

#endif
