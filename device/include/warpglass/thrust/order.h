/* order.h: thrust's algorithms that put elements in order, search in order, or choose some of them. */
#ifndef WARPGLASS_THRUST_ORDER_H
#define WARPGLASS_THRUST_ORDER_H

#include "reductions.h"

namespace thrust {
namespace wg {

/* The pointer behind a contiguous iterator, as sorting needs it. */
template <class It> auto elements(It first, size_t n) {
    static_assert(is_contiguous<It>,
                  "thrust::sort: keys and values are sorted in vectors and arrays, not through other "
                  "iterators");
    return pointer_of(first, n);
}

/* Where keep(i) holds, put(i, how many were kept before); how many there are. */
template <class P, class Keep, class Put> size_t select_n(P p, size_t n, Keep keep, Put put) {
    if (n == 0) return 0;
    scratch<size_t, P> total(1);
    size_t *all = total.at();
    scan_n(
        p, n, [=] __host__ __device__(size_t i) -> size_t { return keep(i) ? 1 : 0; },
        [=] __host__ __device__(size_t i, size_t before, size_t with) {
            if (with > before) put(i, before);
            if (i == n - 1) *all = with;
        },
        (size_t)0, true, plus<size_t>());
    return total.read(0);
}

namespace algorithms {

template <class P, class It, class Less> void stable_sort(P p, It first, It last, Less less) {
    size_t n = (size_t)(last - first);
    sort_n(p, elements(first, n), nothing(), n, less);
}
template <class P, class It> void stable_sort(P p, It first, It last) {
    stable_sort(p, first, last, less<value_of<It>>());
}
template <class P, class It, class... Less> void sort(P p, It first, It last, Less... less) {
    stable_sort(p, first, last, less...);
}
template <class P, class Keys, class It, class Less>
void stable_sort_by_key(P p, Keys first, Keys last, It values, Less less) {
    size_t n = (size_t)(last - first);
    sort_n(p, elements(first, n), elements(values, n), n, less);
}
template <class P, class Keys, class It> void stable_sort_by_key(P p, Keys first, Keys last, It values) {
    stable_sort_by_key(p, first, last, values, less<value_of<Keys>>());
}
template <class P, class Keys, class It, class... Less>
void sort_by_key(P p, Keys first, Keys last, It values, Less... less) {
    stable_sort_by_key(p, first, last, values, less...);
}
template <class P, class It, class Less> bool is_sorted(P p, It first, It last, Less less) {
    auto in = raw(first);
    size_t n = (size_t)(last - first);
    return first_n(p, n, [=] __host__ __device__(size_t i) -> bool { return i && less(in[i], in[i - 1]); }) ==
           n;
}
template <class P, class It> bool is_sorted(P p, It first, It last) {
    return is_sorted(p, first, last, less<>());
}

/* ---- Searching in what is sorted: one value, or each of many ---- */

template <bool Upper> struct bound {
    template <class In, class T, class Less>
    WG_BOTH size_t operator()(In in, size_t n, const T &v, Less less) const {
        size_t low = 0, high = n;
        while (low < high) {
            size_t middle = (low + high) / 2;
            bool before = Upper ? !less(v, in[middle]) : (bool)less(in[middle], v);
            if (before)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }
};
template <bool Upper, class P, class It, class T, class Less>
It bound_of(P p, It first, It last, const T &v, Less less) {
    auto in = raw(first);
    size_t n = (size_t)(last - first);
    scratch<size_t, P> found(1);
    size_t *at = found.at();
    T value = v;
    for_n(p, 1, [=] __host__ __device__(size_t) { *at = bound<Upper>()(in, n, value, less); });
    finish(p);
    return first + found.read(0);
}
template <bool Upper, class P, class It, class Values, class Out, class Less>
Out bounds_of(P p, It first, It last, Values from, Values to, Out result, Less less) {
    auto in = raw(first);
    auto values = raw(from);
    auto out = raw(result);
    size_t n = (size_t)(last - first);
    for_n(p, (size_t)(to - from),
          [=] __host__ __device__(size_t i) { out[i] = bound<Upper>()(in, n, values[i], less); });
    finish(p);
    return result + (to - from);
}
#define WG_BOUND(NAME, UPPER)                                                                                \
    template <class P, class It, class T> It NAME(P p, It first, It last, const T &v) {                      \
        return bound_of<UPPER>(p, first, last, v, less<>());                                                 \
    }                                                                                                        \
    template <class P, class It, class T, class Less>                                                        \
    It NAME(P p, It first, It last, const T &v, Less less) {                                                 \
        return bound_of<UPPER>(p, first, last, v, less);                                                     \
    }                                                                                                        \
    template <class P, class It, class Values, class Out>                                                    \
    Out NAME(P p, It first, It last, Values from, Values to, Out result) {                                   \
        return bounds_of<UPPER>(p, first, last, from, to, result, less<>());                                 \
    }
WG_BOUND(lower_bound, false)
WG_BOUND(upper_bound, true)
#undef WG_BOUND
template <class P, class It, class T> bool binary_search(P p, It first, It last, const T &v) {
    return lower_bound(p, first, last, v) != upper_bound(p, first, last, v);
}
template <class P, class It, class Values, class Out>
Out binary_search(P p, It first, It last, Values from, Values to, Out result) {
    auto in = raw(first);
    auto values = raw(from);
    auto out = raw(result);
    size_t n = (size_t)(last - first);
    for_n(p, (size_t)(to - from), [=] __host__ __device__(size_t i) {
        size_t at = bound<false>()(in, n, values[i], less<>());
        out[i] = at < n && !(values[i] < in[at]);
    });
    finish(p);
    return result + (to - from);
}
template <class P, class It, class It2, class Out, class Less>
Out merge(P p, It first, It last, It2 first2, It2 last2, Out result, Less less) {
    auto a = raw(first);
    auto b = raw(first2);
    auto out = raw(result);
    size_t n = (size_t)(last - first), m = (size_t)(last2 - first2);
    for_n(p, n, [=] __host__ __device__(size_t i) { out[i + bound<false>()(b, m, a[i], less)] = a[i]; });
    for_n(p, m, [=] __host__ __device__(size_t i) { out[i + bound<true>()(a, n, b[i], less)] = b[i]; });
    finish(p);
    return result + (n + m);
}
template <class P, class It, class It2, class Out>
Out merge(P p, It first, It last, It2 first2, It2 last2, Out result) {
    return merge(p, first, last, first2, last2, result, less<>());
}

/* ---- Choosing ---- */

template <class P, class It, class Stencil, class Out, class Predicate>
Out copy_if(P p, It first, It last, Stencil stencil, Out result, Predicate predicate) {
    auto in = raw(first);
    auto mark = raw(stencil);
    auto out = raw(result);
    size_t n = select_n(
        p, (size_t)(last - first), [=] __host__ __device__(size_t i) -> bool { return predicate(mark[i]); },
        [=] __host__ __device__(size_t i, size_t to) { out[to] = in[i]; });
    return result + n;
}
template <class P, class It, class Out, class Predicate>
Out copy_if(P p, It first, It last, Out result, Predicate predicate) {
    return copy_if(p, first, last, first, result, predicate);
}
template <class P, class It, class Out, class Predicate>
Out remove_copy_if(P p, It first, It last, Out result, Predicate predicate) {
    return copy_if(p, first, last, first, result, not1(predicate));
}
/* What is kept goes through memory of its own, since threads move elements in no order. */
template <class P, class It, class Stencil, class Predicate>
It remove_if(P p, It first, It last, Stencil stencil, Predicate predicate) {
    scratch<value_of<It>, P> kept((size_t)(last - first));
    auto end = copy_if(p, first, last, stencil, kept.at(), not1(predicate));
    return transform(p, kept.at(), end, first, identity<>());
}
template <class P, class It, class Predicate> It remove_if(P p, It first, It last, Predicate predicate) {
    return remove_if(p, first, last, first, predicate);
}
template <class P, class It, class T> It remove(P p, It first, It last, const T &v) {
    T value = v;
    return remove_if(p, first, last, [=] __host__ __device__(const T &x) { return x == value; });
}
template <class P, class It, class Predicate>
It stable_partition(P p, It first, It last, Predicate predicate) {
    size_t n = (size_t)(last - first);
    scratch<value_of<It>, P> chosen(n), other(n);
    auto end = copy_if(p, first, last, first, chosen.at(), predicate);
    auto other_end = copy_if(p, first, last, first, other.at(), not1(predicate));
    It middle = transform(p, chosen.at(), end, first, identity<>());
    transform(p, other.at(), other_end, middle, identity<>());
    return middle;
}
template <class P, class It, class Predicate> It partition(P p, It first, It last, Predicate predicate) {
    return stable_partition(p, first, last, predicate);
}

/* ---- Runs of equal keys ---- */

template <class P, class It, class Out, class Equal>
Out unique_copy(P p, It first, It last, Out result, Equal equal) {
    auto in = raw(first);
    auto out = raw(result);
    size_t n = select_n(
        p, (size_t)(last - first),
        [=] __host__ __device__(size_t i) { return i == 0 || !equal(in[i - 1], in[i]); },
        [=] __host__ __device__(size_t i, size_t to) { out[to] = in[i]; });
    return result + n;
}
template <class P, class It, class Out> Out unique_copy(P p, It first, It last, Out result) {
    return unique_copy(p, first, last, result, equal_to<>());
}
template <class P, class It, class Equal> It unique(P p, It first, It last, Equal equal) {
    scratch<value_of<It>, P> kept((size_t)(last - first));
    auto end = unique_copy(p, first, last, kept.at(), equal);
    return transform(p, kept.at(), end, first, identity<>());
}
template <class P, class It> It unique(P p, It first, It last) {
    return unique(p, first, last, equal_to<>());
}
template <class P, class Keys, class It> pair<Keys, It> unique_by_key(P p, Keys first, Keys last, It values) {
    size_t n = (size_t)(last - first);
    scratch<value_of<Keys>, P> kept(n);
    scratch<value_of<It>, P> kept_values(n);
    auto in = raw(first);
    auto value = raw(values);
    auto *key_to = kept.at();
    auto *value_to = kept_values.at();
    size_t runs = select_n(
        p, n, [=] __host__ __device__(size_t i) { return i == 0 || !(in[i - 1] == in[i]); },
        [=] __host__ __device__(size_t i, size_t to) {
            key_to[to] = in[i];
            value_to[to] = value[i];
        });
    transform(p, key_to, key_to + runs, first, identity<>());
    transform(p, value_to, value_to + runs, values, identity<>());
    return {first + runs, values + runs};
}
template <class P, class Keys, class It, class KeysOut, class Out, class Equal, class Op>
pair<KeysOut, Out> reduce_by_key(P p, Keys first, Keys last, It values, KeysOut keys_result, Out result,
                                 Equal equal, Op op) {
    auto key = raw(first);
    auto in = raw(values);
    auto key_out = raw(keys_result);
    auto out = raw(result);
    size_t n = (size_t)(last - first);
    using T = value_of<It>;
    scratch<T, P> sums(n);
    T *sum = sums.at();
    inclusive_scan_by_key(p, first, last, values, sum, equal, op);
    size_t runs = select_n(
        p, n, [=] __host__ __device__(size_t i) { return i == n - 1 || !equal(key[i], key[i + 1]); },
        [=] __host__ __device__(size_t i, size_t to) {
            key_out[to] = key[i];
            out[to] = sum[i];
        });
    return {keys_result + runs, result + runs};
}
template <class P, class Keys, class It, class KeysOut, class Out, class Equal>
pair<KeysOut, Out> reduce_by_key(P p, Keys first, Keys last, It values, KeysOut keys_result, Out result,
                                 Equal equal) {
    return reduce_by_key(p, first, last, values, keys_result, result, equal, plus<value_of<It>>());
}
template <class P, class Keys, class It, class KeysOut, class Out>
pair<KeysOut, Out> reduce_by_key(P p, Keys first, Keys last, It values, KeysOut keys_result, Out result) {
    return reduce_by_key(p, first, last, values, keys_result, result, equal_to<>());
}

} // namespace algorithms
} // namespace wg

WG_ALGORITHM(sort)
WG_ALGORITHM(stable_sort)
WG_ALGORITHM(sort_by_key)
WG_ALGORITHM(stable_sort_by_key)
WG_ALGORITHM(is_sorted)
WG_ALGORITHM(lower_bound)
WG_ALGORITHM(upper_bound)
WG_ALGORITHM(binary_search)
WG_ALGORITHM(merge)
WG_ALGORITHM(copy_if)
WG_ALGORITHM(remove)
WG_ALGORITHM(remove_if)
WG_ALGORITHM(remove_copy_if)
WG_ALGORITHM(partition)
WG_ALGORITHM(stable_partition)
WG_ALGORITHM(unique)
WG_ALGORITHM(unique_copy)
WG_ALGORITHM(unique_by_key)
WG_ALGORITHM(reduce_by_key)
#undef WG_ALGORITHM

} // namespace thrust

#endif
