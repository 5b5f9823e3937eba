/* iterators.h: thrust's iterators that compute what they stand for: counting, constant, transform, zip,
 * permutation, reverse, discard.
 */
#ifndef WARPGLASS_THRUST_ITERATORS_H
#define WARPGLASS_THRUST_ITERATORS_H

#include "pointer.h"

namespace thrust {

namespace wg {
/* All that an iterator is besides at(i), what it stands for i places further on, and its place. */
template <class Self, class Value, class Reference> class iterator_base {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = Value;
    using difference_type = ptrdiff_t;
    using pointer = void;
    using reference = Reference;

    WG_BOTH decltype(auto) operator*() const { return self().at(at_); }
    WG_BOTH decltype(auto) operator[](ptrdiff_t i) const { return self().at(at_ + i); }
    WG_BOTH Self &operator++() { return *this += 1; }
    WG_BOTH Self &operator--() { return *this += -1; }
    WG_BOTH Self operator++(int) {
        Self old = self();
        ++at_;
        return old;
    }
    WG_BOTH Self &operator+=(ptrdiff_t n) {
        at_ += n;
        return static_cast<Self &>(*this);
    }
    WG_BOTH Self &operator-=(ptrdiff_t n) { return *this += -n; }
    friend WG_BOTH Self operator+(Self it, ptrdiff_t n) { return it += n; }
    friend WG_BOTH Self operator+(ptrdiff_t n, Self it) { return it += n; }
    friend WG_BOTH Self operator-(Self it, ptrdiff_t n) { return it += -n; }
    friend WG_BOTH ptrdiff_t operator-(const Self &a, const Self &b) { return a.position() - b.position(); }
    friend WG_BOTH bool operator==(const Self &a, const Self &b) { return a.position() == b.position(); }
    friend WG_BOTH bool operator!=(const Self &a, const Self &b) { return a.position() != b.position(); }
    friend WG_BOTH bool operator<(const Self &a, const Self &b) { return a.position() < b.position(); }

    WG_BOTH ptrdiff_t position() const { return self().origin() + at_; }
    WG_BOTH ptrdiff_t origin() const { return 0; }
    WG_BOTH ptrdiff_t offset() const { return at_; }

  private:
    WG_BOTH const Self &self() const { return static_cast<const Self &>(*this); }
    ptrdiff_t at_ = 0;
};
/* Where a pointer or iterator stands, so that differences can be taken. */
template <class It> WG_BOTH ptrdiff_t position_of(const It &it) {
    if constexpr (std::is_class_v<decltype(raw(it))>)
        return it - It();
    else
        return (ptrdiff_t)((uintptr_t)raw(it) / sizeof(*raw(it)));
}
} // namespace wg

template <class T, class... More>
class counting_iterator : public wg::iterator_base<counting_iterator<T>, T, T> {
  public:
    WG_BOTH counting_iterator(T first = T()) : first_(first) {}
    WG_BOTH T at(ptrdiff_t i) const { return (T)(first_ + (T)i); }
    WG_BOTH ptrdiff_t origin() const { return (ptrdiff_t)first_; }

  private:
    T first_;
};
template <class T> WG_BOTH counting_iterator<T> make_counting_iterator(T first) { return first; }

template <class T> class constant_iterator : public wg::iterator_base<constant_iterator<T>, T, T> {
  public:
    WG_BOTH constant_iterator(const T &v = T(), ptrdiff_t n = 0) : v_(v) { *this += n; }
    WG_BOTH T at(ptrdiff_t) const { return v_; }

  private:
    T v_;
};
template <class T> WG_BOTH constant_iterator<T> make_constant_iterator(T v, ptrdiff_t n = 0) {
    return {v, n};
}

/* Takes everything and keeps nothing. */
class discard_iterator : public wg::iterator_base<discard_iterator, char, char> {
  public:
    struct nothing {
        template <class T> WG_BOTH const nothing &operator=(const T &) const { return *this; }
    };
    WG_BOTH discard_iterator(ptrdiff_t n = 0) { *this += n; }
    WG_BOTH nothing at(ptrdiff_t) const { return {}; }
};
WG_BOTH discard_iterator make_discard_iterator(ptrdiff_t n = 0) { return n; }

template <class F, class It, class... More>
class transform_iterator
    : public wg::iterator_base<transform_iterator<F, It>,
                               std::decay_t<decltype(std::declval<F &>()(*std::declval<It &>()))>,
                               decltype(std::declval<F &>()(*std::declval<It &>()))> {
  public:
    WG_BOTH transform_iterator(It it, F f) : it_(it), f_(f) {}
    WG_BOTH decltype(auto) at(ptrdiff_t i) const { return f_(it_[i]); }
    WG_BOTH ptrdiff_t origin() const { return wg::position_of(it_); }
    WG_BOTH auto wg_raw() const {
        using Raw = decltype(wg::raw(it_));
        return transform_iterator<F, Raw>(wg::raw(it_), f_) + this->offset();
    }

  private:
    It it_;
    mutable F f_;
};
template <class It, class F> WG_BOTH transform_iterator<F, It> make_transform_iterator(It it, F f) {
    return {it, f};
}

template <class Its> class zip_iterator;
template <class... It>
class zip_iterator<tuple<It...>>
    : public wg::iterator_base<zip_iterator<tuple<It...>>,
                               tuple<typename wg::plain<decltype(*std::declval<It &>())>::type...>,
                               tuple<decltype(*std::declval<It &>())...>> {
  public:
    WG_BOTH zip_iterator(const tuple<It...> &its) : its_(its) {}
    WG_BOTH auto at(ptrdiff_t i) const { return at(i, std::index_sequence_for<It...>()); }
    WG_BOTH ptrdiff_t origin() const { return wg::position_of(thrust::get<0>(its_)); }
    WG_BOTH const tuple<It...> &get_iterator_tuple() const { return its_; }
    WG_BOTH auto wg_raw() const { return wg_raw(std::index_sequence_for<It...>()); }

  private:
    template <size_t... I> WG_BOTH auto at(ptrdiff_t i, std::index_sequence<I...>) const {
        return tuple<decltype(thrust::get<I>(its_)[i])...>(thrust::get<I>(its_)[i]...);
    }
    template <size_t... I> WG_BOTH auto wg_raw(std::index_sequence<I...>) const {
        using Raw = tuple<decltype(wg::raw(thrust::get<I>(its_)))...>;
        return zip_iterator<Raw>(Raw(wg::raw(thrust::get<I>(its_))...)) + this->offset();
    }
    tuple<It...> its_;
};
template <class... It> WG_BOTH zip_iterator<tuple<It...>> make_zip_iterator(const tuple<It...> &its) {
    return its;
}
template <class... It> WG_BOTH zip_iterator<tuple<It...>> make_zip_iterator(It... its) {
    return tuple<It...>(its...);
}

template <class It, class Map>
class permutation_iterator
    : public wg::iterator_base<permutation_iterator<It, Map>, typename std::iterator_traits<It>::value_type,
                               decltype(*std::declval<It &>())> {
  public:
    WG_BOTH permutation_iterator(It it, Map map) : it_(it), map_(map) {}
    WG_BOTH decltype(auto) at(ptrdiff_t i) const { return it_[(ptrdiff_t)map_[i]]; }
    WG_BOTH ptrdiff_t origin() const { return wg::position_of(map_); }
    WG_BOTH auto wg_raw() const {
        using RawIt = decltype(wg::raw(it_));
        using RawMap = decltype(wg::raw(map_));
        return permutation_iterator<RawIt, RawMap>(wg::raw(it_), wg::raw(map_)) + this->offset();
    }

  private:
    It it_;
    Map map_;
};
template <class It, class Map>
WG_BOTH permutation_iterator<It, Map> make_permutation_iterator(It it, Map map) {
    return {it, map};
}

template <class It>
class reverse_iterator
    : public wg::iterator_base<reverse_iterator<It>, typename std::iterator_traits<It>::value_type,
                               decltype(*std::declval<It &>())> {
  public:
    WG_BOTH explicit reverse_iterator(It end) : end_(end) {}
    WG_BOTH decltype(auto) at(ptrdiff_t i) const { return end_[-1 - i]; }
    WG_BOTH ptrdiff_t origin() const { return -wg::position_of(end_); }
    WG_BOTH auto wg_raw() const {
        return reverse_iterator<decltype(wg::raw(end_))>(wg::raw(end_)) + this->offset();
    }

  private:
    It end_;
};
template <class It> WG_BOTH reverse_iterator<It> make_reverse_iterator(It end) {
    return reverse_iterator<It>(end);
}

namespace wg {
#define WG_PLACE(PLACE, ...)                                                                                 \
    __VA_ARGS__ { static constexpr place value = PLACE; };
WG_PLACE(place::any, template <class T> struct place_of<counting_iterator<T>>)
WG_PLACE(place::any, template <class T> struct place_of<constant_iterator<T>>)
WG_PLACE(place::any, template <> struct place_of<discard_iterator>)
WG_PLACE((place_of_all<It>()), template <class F, class It> struct place_of<transform_iterator<F, It>>)
WG_PLACE((place_of_all<It...>()), template <class... It> struct place_of<zip_iterator<tuple<It...>>>)
WG_PLACE((place_of_all<It, Map>()),
         template <class It, class Map> struct place_of<permutation_iterator<It, Map>>)
WG_PLACE((place_of_all<It>()), template <class It> struct place_of<reverse_iterator<It>>)
#undef WG_PLACE
} // namespace wg

template <class It> ptrdiff_t distance(It first, It last) { return last - first; }
template <class It, class N> void advance(It &it, N n) { it += n; }

} // namespace thrust

#endif
