/* reductions.h: thrust's algorithms that make one value, or a few, of many: reduce, count, extrema, find; and
 * scans. */
#ifndef WARPGLASS_THRUST_REDUCTIONS_H
#define WARPGLASS_THRUST_REDUCTIONS_H

#include "transform.h"

namespace thrust {
namespace wg {
namespace algorithms {

template <class P, class It, class F, class T, class Op>
T transform_reduce(P p, It first, It last, F f, T start, Op op) {
    auto in = raw(first);
    return reduce_n(
        p, (size_t)(last - first), [=] __host__ __device__(size_t i) -> T { return f(in[i]); }, start, op);
}
template <class P, class It, class T, class Op> T reduce(P p, It first, It last, T start, Op op) {
    auto in = raw(first);
    return reduce_n(
        p, (size_t)(last - first), [=] __host__ __device__(size_t i) -> T { return in[i]; }, start, op);
}
template <class P, class It, class T> T reduce(P p, It first, It last, T start) {
    return reduce(p, first, last, start, plus<T>());
}
template <class P, class It> auto reduce(P p, It first, It last) {
    return reduce(p, first, last, value_of<It>(), plus<value_of<It>>());
}
template <class P, class It, class It2, class T, class Op, class F>
T inner_product(P p, It first, It last, It2 second, T start, Op op, F f) {
    auto a = raw(first);
    auto b = raw(second);
    return reduce_n(
        p, (size_t)(last - first), [=] __host__ __device__(size_t i) -> T { return f(a[i], b[i]); }, start,
        op);
}
template <class P, class It, class It2, class T>
T inner_product(P p, It first, It last, It2 second, T start) {
    return inner_product(p, first, last, second, start, plus<T>(), multiplies<>());
}

template <class P, class It, class Predicate>
ptrdiff_t count_if(P p, It first, It last, Predicate predicate) {
    auto in = raw(first);
    return reduce_n(
        p, (size_t)(last - first),
        [=] __host__ __device__(size_t i) -> ptrdiff_t { return predicate(in[i]) ? 1 : 0; }, (ptrdiff_t)0,
        plus<ptrdiff_t>());
}
template <class P, class It, class T> ptrdiff_t count(P p, It first, It last, const T &v) {
    T value = v;
    return count_if(p, first, last, [=] __host__ __device__(const T &x) { return x == value; });
}

/* The first place that none beats; `beats(a, b)`: the element at a is to be taken before that at b. */
template <class P, class Beats> size_t best_n(P p, size_t n, Beats beats) {
    if (n == 0) return 0;
    return reduce_n(
        p, n, [=] __host__ __device__(size_t i) { return i; }, (size_t)0,
        [=] __host__ __device__(size_t a, size_t b) {
            if (beats(a, b)) return a;
            if (beats(b, a)) return b;
            return a < b ? a : b;
        });
}
template <class P, class It, class Less> It min_element(P p, It first, It last, Less less) {
    auto in = raw(first);
    return first + best_n(p, (size_t)(last - first),
                          [=] __host__ __device__(size_t a, size_t b) -> bool { return less(in[a], in[b]); });
}
template <class P, class It, class Less> It max_element(P p, It first, It last, Less less) {
    auto in = raw(first);
    return first + best_n(p, (size_t)(last - first),
                          [=] __host__ __device__(size_t a, size_t b) -> bool { return less(in[b], in[a]); });
}
template <class P, class It> It min_element(P p, It first, It last) {
    return min_element(p, first, last, less<>());
}
template <class P, class It> It max_element(P p, It first, It last) {
    return max_element(p, first, last, less<>());
}
template <class P, class It> pair<It, It> minmax_element(P p, It first, It last) {
    return {min_element(p, first, last), max_element(p, first, last)};
}

/* The first place where it holds, or n. */
template <class P, class Holds> size_t first_n(P p, size_t n, Holds holds) {
    return reduce_n(
        p, n, [=] __host__ __device__(size_t i) -> size_t { return holds(i) ? i : n; }, n, minimum<size_t>());
}
template <class P, class It, class Predicate> It find_if(P p, It first, It last, Predicate predicate) {
    auto in = raw(first);
    return first + first_n(p, (size_t)(last - first),
                           [=] __host__ __device__(size_t i) -> bool { return predicate(in[i]); });
}
template <class P, class It, class Predicate> It find_if_not(P p, It first, It last, Predicate predicate) {
    return find_if(p, first, last, not1(predicate));
}
template <class P, class It, class T> It find(P p, It first, It last, const T &v) {
    T value = v;
    return find_if(p, first, last, [=] __host__ __device__(const T &x) { return x == value; });
}
template <class P, class It, class Predicate> bool any_of(P p, It first, It last, Predicate predicate) {
    return find_if(p, first, last, predicate) != last;
}
template <class P, class It, class Predicate> bool none_of(P p, It first, It last, Predicate predicate) {
    return !any_of(p, first, last, predicate);
}
template <class P, class It, class Predicate> bool all_of(P p, It first, It last, Predicate predicate) {
    return !any_of(p, first, last, not1(predicate));
}
template <class P, class It, class It2, class Equal>
pair<It, It2> mismatch(P p, It first, It last, It2 second, Equal equal) {
    auto a = raw(first);
    auto b = raw(second);
    size_t n = first_n(p, (size_t)(last - first),
                       [=] __host__ __device__(size_t i) -> bool { return !equal(a[i], b[i]); });
    return {first + n, second + n};
}
template <class P, class It, class It2> pair<It, It2> mismatch(P p, It first, It last, It2 second) {
    return mismatch(p, first, last, second, equal_to<>());
}
template <class P, class It, class It2> bool equal(P p, It first, It last, It2 second) {
    return mismatch(p, first, last, second).first == last;
}
template <class P, class It, class It2, class Equal>
bool equal(P p, It first, It last, It2 second, Equal same) {
    return mismatch(p, first, last, second, same).first == last;
}

/* ---- Scans ---- */

template <class P, class It, class Out, class F, class T, class Op>
Out transform_exclusive_scan(P p, It first, It last, Out result, F f, T start, Op op) {
    auto in = raw(first);
    auto out = raw(result);
    scan_n(
        p, (size_t)(last - first), [=] __host__ __device__(size_t i) -> T { return f(in[i]); },
        [=] __host__ __device__(size_t i, const T &before, const T &) { out[i] = before; }, start, true, op);
    return result + (last - first);
}
template <class P, class It, class Out, class F, class Op>
Out transform_inclusive_scan(P p, It first, It last, Out result, F f, Op op) {
    auto in = raw(first);
    auto out = raw(result);
    using T = std::decay_t<decltype(f(in[0]))>;
    scan_n(
        p, (size_t)(last - first), [=] __host__ __device__(size_t i) -> T { return f(in[i]); },
        [=] __host__ __device__(size_t i, const T &, const T &with) { out[i] = with; }, T(), false, op);
    return result + (last - first);
}
template <class P, class It, class Out, class T, class Op>
Out exclusive_scan(P p, It first, It last, Out result, T start, Op op) {
    return transform_exclusive_scan(p, first, last, result, identity<value_of<It>>(), start, op);
}
template <class P, class It, class Out, class T>
Out exclusive_scan(P p, It first, It last, Out result, T start) {
    return exclusive_scan(p, first, last, result, start, plus<T>());
}
template <class P, class It, class Out> Out exclusive_scan(P p, It first, It last, Out result) {
    return exclusive_scan(p, first, last, result, value_of<It>());
}
template <class P, class It, class Out, class Op>
Out inclusive_scan(P p, It first, It last, Out result, Op op) {
    return transform_inclusive_scan(p, first, last, result, identity<value_of<It>>(), op);
}
template <class P, class It, class Out> Out inclusive_scan(P p, It first, It last, Out result) {
    return inclusive_scan(p, first, last, result, plus<value_of<It>>());
}

/* Within runs of equal keys: a value together with whether a run begins at or before it, in what is summed.
 */
template <class P, class Keys, class It, class Out, class Equal, class Op>
Out inclusive_scan_by_key(P p, Keys first, Keys last, It values, Out result, Equal equal, Op op) {
    auto key = raw(first);
    auto in = raw(values);
    auto out = raw(result);
    using T = value_of<It>;
    using Run = pair<T, bool>;
    scan_n(
        p, (size_t)(last - first),
        [=] __host__ __device__(size_t i) { return Run(in[i], i == 0 || !equal(key[i - 1], key[i])); },
        [=] __host__ __device__(size_t i, const Run &, const Run &with) { out[i] = with.first; }, Run(),
        false,
        [=] __host__ __device__(const Run &a, const Run &b) {
            return Run(b.second ? b.first : (T)op(a.first, b.first), a.second || b.second);
        });
    return result + (last - first);
}
template <class P, class Keys, class It, class Out>
Out inclusive_scan_by_key(P p, Keys first, Keys last, It values, Out result) {
    return inclusive_scan_by_key(p, first, last, values, result, equal_to<>(), plus<value_of<It>>());
}
template <class P, class Keys, class It, class Out, class T>
Out exclusive_scan_by_key(P p, Keys first, Keys last, It values, Out result, T start) {
    size_t n = (size_t)(last - first);
    scratch<T, P> sums(n);
    T *sum = sums.at();
    inclusive_scan_by_key(p, first, last, values, sum, equal_to<>(), plus<T>());
    auto key = raw(first);
    auto out = raw(result);
    for_n(p, n, [=] __host__ __device__(size_t i) {
        out[i] = i && key[i - 1] == key[i] ? (T)(start + sum[i - 1]) : start;
    });
    finish(p);
    return result + n;
}
template <class P, class Keys, class It, class Out>
Out exclusive_scan_by_key(P p, Keys first, Keys last, It values, Out result) {
    return exclusive_scan_by_key(p, first, last, values, result, value_of<It>());
}

} // namespace algorithms
} // namespace wg

WG_ALGORITHM(reduce)
WG_ALGORITHM(transform_reduce)
WG_ALGORITHM(inner_product)
WG_ALGORITHM(count)
WG_ALGORITHM(count_if)
WG_ALGORITHM(min_element)
WG_ALGORITHM(max_element)
WG_ALGORITHM(minmax_element)
WG_ALGORITHM(find)
WG_ALGORITHM(find_if)
WG_ALGORITHM(find_if_not)
WG_ALGORITHM(any_of)
WG_ALGORITHM(all_of)
WG_ALGORITHM(none_of)
WG_ALGORITHM(mismatch)
WG_ALGORITHM(equal)
WG_ALGORITHM(inclusive_scan)
WG_ALGORITHM(exclusive_scan)
WG_ALGORITHM(transform_inclusive_scan)
WG_ALGORITHM(transform_exclusive_scan)
WG_ALGORITHM(inclusive_scan_by_key)
WG_ALGORITHM(exclusive_scan_by_key)

} // namespace thrust

#endif
