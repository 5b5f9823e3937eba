/* primitives.h: what thrust's algorithms are made of, besides a loop: reduce, scan and stable sort over n
 * elements.
 *
 * On the device: each of up to THREADS threads reduces its own part of the elements, one thread the results,
 * and for a scan the threads go over their parts again. Sorting is by insertion in runs of RUN, which are
 * then merged two and two: each thread finds by bisection where its part of the merged run begins.
 */
#ifndef WARPGLASS_THRUST_PRIMITIVES_H
#define WARPGLASS_THRUST_PRIMITIVES_H

#include "iterators.h"

namespace thrust {
namespace wg {

enum : size_t { THREADS = 4096, PART = 16, RUN = 16 };

/* Element i of thread t's part: neighbours in memory for neighbouring threads, or (`blocked`) one after
 * another. */
inline size_t threads_for(size_t n) {
    size_t threads = (n + PART - 1) / PART;
    return threads < THREADS ? threads : THREADS;
}

/* ---- Reduce: op is associative and commutative ---- */

template <class T, class Get, class Op> T reduce_n(host_policy, size_t n, Get get, T start, Op op) {
    for (size_t i = 0; i < n; i++) start = op(start, get(i));
    return start;
}
template <class T, class Get, class Op> T reduce_n(device_policy p, size_t n, Get get, T start, Op op) {
    if (n == 0) return start;
    size_t threads = threads_for(n);
    scratch<T, device_policy> parts(threads);
    T *at = parts.at();
    for_n(p, threads, [=] __device__(size_t t) {
        T sum = get(t);
        for (size_t i = t + threads; i < n; i += threads) sum = op(sum, get(i));
        new ((void *)(at + t)) T(sum);
    });
    for_n(p, 1, [=] __device__(size_t) {
        T sum = op(start, at[0]);
        for (size_t t = 1; t < threads; t++) sum = op(sum, at[t]);
        at[0] = sum;
    });
    finish(p);
    return parts.read(0);
}

/* ---- Scan: put(i, sum of what is before i, get(i)) ---- */

template <class T, class Get, class Put, class Op>
void scan_n(host_policy, size_t n, Get get, Put put, T start, bool has_start, Op op) {
    T sum = start;
    for (size_t i = 0; i < n; i++) {
        T v = get(i);
        T with = i || has_start ? op(sum, v) : v;
        put(i, sum, with);
        sum = with;
    }
}
/* `put(i, before, with)`: the sums without element i and with it. Without a start there is nothing before
 * element 0. */
template <class T, class Get, class Put, class Op>
void scan_n(device_policy p, size_t n, Get get, Put put, T start, bool has_start, Op op) {
    if (n == 0) return;
    size_t threads = threads_for(n), part = (n + threads - 1) / threads;
    threads = (n + part - 1) / part;
    scratch<T, device_policy> sums(threads);
    T *at = sums.at();
    for_n(p, threads, [=] __device__(size_t t) {
        T sum = get(t * part);
        for (size_t i = t * part + 1; i < (t + 1) * part && i < n; i++) sum = op(sum, get(i));
        new ((void *)(at + t)) T(sum);
    });
    for_n(p, 1, [=] __device__(size_t) {
        T before = start;
        for (size_t t = 0; t < threads; t++) {
            T with = t || has_start ? op(before, at[t]) : at[t];
            at[t] = before;
            before = with;
        }
    });
    for_n(p, threads, [=] __device__(size_t t) {
        T before = at[t];
        for (size_t i = t * part; i < (t + 1) * part && i < n; i++) {
            T v = get(i), with = i || has_start ? op(before, v) : v;
            put(i, before, with);
            before = with;
        }
    });
    finish(p);
}

/* ---- Sort, stable. Values go with their keys; `nothing` where there are none ---- */

struct nothing {
    WG_BOTH nothing operator[](size_t) const { return {}; }
};
template <class T> WG_BOTH void place_at(T *to, size_t i, const T &v) { to[i] = v; }
WG_BOTH void place_at(nothing, size_t, nothing) {}

template <class Keys, class Values, class Less>
WG_BOTH void sort_run(Keys keys, Values values, size_t first, size_t last, Less less) {
    for (size_t i = first + 1; i < last; i++) {
        auto key = keys[i];
        auto value = values[i];
        size_t k = i;
        for (; k > first && less(key, keys[k - 1]); k--) {
            place_at(keys, k, keys[k - 1]);
            place_at(values, k, values[k - 1]);
        }
        place_at(keys, k, key);
        place_at(values, k, value);
    }
}
/* Elements [from, from + RUN) of what two runs of `width` elements become. */
template <class Keys, class Values, class Less>
WG_BOTH void merge_part(Keys keys, Values values, Keys to, Values values_to, size_t n, size_t width,
                        size_t from, Less less) {
    size_t a = from / (2 * width) * (2 * width), middle = a + width < n ? a + width : n;
    size_t end = middle + width < n ? middle + width : n, b = middle, taken = from - a;
    /* How many of the first `taken` elements are of the first run. */
    size_t low = taken > end - middle ? taken - (end - middle) : 0,
           high = taken < middle - a ? taken : middle - a;
    while (low < high) {
        size_t guess = (low + high) / 2;
        if (less(keys[middle + taken - guess - 1], keys[a + guess]))
            high = guess;
        else
            low = guess + 1;
    }
    a += low;
    b += taken - low;
    for (size_t i = from; i < from + RUN && i < n; i++) {
        bool second = a == middle || (b < end && less(keys[b], keys[a]));
        size_t source = second ? b++ : a++;
        place_at(to, i, keys[source]);
        place_at(values_to, i, values[source]);
    }
}

template <class Policy, class K, class V> struct sort_scratch {
    scratch<K, Policy> keys;
    scratch<std::remove_pointer_t<V>, Policy> values;
    explicit sort_scratch(size_t n) : keys(n), values(n) {}
    V values_at() const { return values.at(); }
};
template <class Policy, class K> struct sort_scratch<Policy, K, nothing> {
    scratch<K, Policy> keys;
    explicit sort_scratch(size_t n) : keys(n) {}
    nothing values_at() const { return {}; }
};

template <class Policy, class K, class V, class Less>
void sort_n(Policy p, K *keys, V values, size_t n, Less less) {
    if (n < 2) return;
    size_t parts = (n + RUN - 1) / RUN;
    sort_scratch<Policy, K, V> other(n);
    K *from = keys, *to = other.keys.at();
    V values_from = values, values_to = other.values_at();
    for_n(p, parts, [=] __host__ __device__(size_t t) {
        sort_run(keys, values, t * RUN, t * RUN + RUN < n ? t * RUN + RUN : n, less);
    });
    for (size_t width = RUN; width < n; width *= 2) {
        for_n(p, parts, [=] __host__ __device__(size_t t) {
            merge_part(from, values_from, to, values_to, n, width, t * RUN, less);
        });
        std::swap(from, to);
        std::swap(values_from, values_to);
    }
    if (from != keys)
        for_n(p, n, [=] __host__ __device__(size_t i) {
            place_at(keys, i, from[i]);
            place_at(values, i, values_from[i]);
        });
    finish(p);
}

} // namespace wg
} // namespace thrust

#endif
