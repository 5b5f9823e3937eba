/* pointer.h: thrust::device_ptr and device_reference: the device's memory as the host may write it. */
#ifndef WARPGLASS_THRUST_POINTER_H
#define WARPGLASS_THRUST_POINTER_H

#include "place.h"

#include <ostream>

namespace thrust {

template <class T> class device_ptr;

/* An element of device memory: on the host each use is a copy. */
template <class T> class device_reference {
  public:
    using value_type = std::remove_cv_t<T>;
    WG_BOTH explicit device_reference(T *at) : at_(at) {}
    device_reference(const device_reference &) = default;
    WG_BOTH operator value_type() const { return load(); }
    WG_BOTH const device_reference &operator=(const value_type &v) const {
#if defined(__CUDA_ARCH__)
        *at_ = v;
#else
        wg::check(cudaMemcpy((void *)at_, (const void *)&v, sizeof v, cudaMemcpyHostToDevice));
#endif
        return *this;
    }
    WG_BOTH const device_reference &operator=(const device_reference &other) const {
        return *this = other.load();
    }
    WG_BOTH device_ptr<T> operator&() const;
    template <class V> WG_BOTH const device_reference &operator+=(const V &v) const {
        return *this = load() + v;
    }
    template <class V> WG_BOTH const device_reference &operator-=(const V &v) const {
        return *this = load() - v;
    }
    template <class V> WG_BOTH const device_reference &operator*=(const V &v) const {
        return *this = load() * v;
    }
    template <class V> WG_BOTH const device_reference &operator/=(const V &v) const {
        return *this = load() / v;
    }
    WG_BOTH const device_reference &operator++() const { return *this += 1; }
    WG_BOTH const device_reference &operator--() const { return *this -= 1; }
    WG_BOTH value_type operator++(int) const {
        value_type old = load();
        *this = old + 1;
        return old;
    }
    friend void swap(device_reference a, device_reference b) {
        value_type v = a;
        a = b.load();
        b = v;
    }
    friend std::ostream &operator<<(std::ostream &out, const device_reference &r) { return out << r.load(); }

  private:
    WG_BOTH value_type load() const {
#if defined(__CUDA_ARCH__)
        return *at_;
#else
        alignas(T) char bytes[sizeof(T)];
        wg::check(cudaMemcpy(bytes, (const void *)at_, sizeof(T), cudaMemcpyDeviceToHost));
        return *(value_type *)bytes;
#endif
    }
    T *at_;
};

template <class T> class device_ptr {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = std::remove_cv_t<T>;
    using difference_type = ptrdiff_t;
    using pointer = device_ptr;
    using reference = device_reference<T>;

    WG_BOTH device_ptr() : at_(nullptr) {}
    WG_BOTH device_ptr(std::nullptr_t) : at_(nullptr) {}
    WG_BOTH explicit device_ptr(T *at) : at_(at) {}
    template <class U, class = std::enable_if_t<std::is_convertible_v<U *, T *>>>
    WG_BOTH device_ptr(const device_ptr<U> &other) : at_(other.get()) {}

    WG_BOTH T *get() const { return at_; }
    WG_BOTH T *wg_raw() const { return at_; }
    WG_BOTH device_reference<T> operator*() const { return device_reference<T>(at_); }
    WG_BOTH device_reference<T> operator[](ptrdiff_t i) const { return device_reference<T>(at_ + i); }
    WG_BOTH device_ptr &operator++() { return *this += 1; }
    WG_BOTH device_ptr &operator--() { return *this -= 1; }
    WG_BOTH device_ptr operator++(int) {
        device_ptr old = *this;
        ++at_;
        return old;
    }
    WG_BOTH device_ptr &operator+=(ptrdiff_t n) {
        at_ += n;
        return *this;
    }
    WG_BOTH device_ptr &operator-=(ptrdiff_t n) { return *this += -n; }
    WG_BOTH device_ptr operator+(ptrdiff_t n) const { return device_ptr(at_ + n); }
    WG_BOTH device_ptr operator-(ptrdiff_t n) const { return device_ptr(at_ - n); }
    friend WG_BOTH device_ptr operator+(ptrdiff_t n, device_ptr p) { return p + n; }
    friend WG_BOTH ptrdiff_t operator-(device_ptr a, device_ptr b) { return a.at_ - b.at_; }
    friend WG_BOTH bool operator==(device_ptr a, device_ptr b) { return a.at_ == b.at_; }
    friend WG_BOTH bool operator!=(device_ptr a, device_ptr b) { return a.at_ != b.at_; }
    friend WG_BOTH bool operator<(device_ptr a, device_ptr b) { return a.at_ < b.at_; }
    friend WG_BOTH bool operator>(device_ptr a, device_ptr b) { return a.at_ > b.at_; }
    friend WG_BOTH bool operator<=(device_ptr a, device_ptr b) { return a.at_ <= b.at_; }
    friend WG_BOTH bool operator>=(device_ptr a, device_ptr b) { return a.at_ >= b.at_; }

  private:
    T *at_;
};
template <class T> WG_BOTH device_ptr<T> device_reference<T>::operator&() const { return device_ptr<T>(at_); }

template <class T> WG_BOTH device_ptr<T> device_pointer_cast(T *p) { return device_ptr<T>(p); }
template <class T> WG_BOTH device_ptr<T> device_pointer_cast(const device_ptr<T> &p) { return p; }
template <class T> WG_BOTH T *raw_pointer_cast(T *p) { return p; }
template <class T> WG_BOTH T *raw_pointer_cast(const device_ptr<T> &p) { return p.get(); }
template <class T> device_ptr<T> device_malloc(size_t n) {
    T *p;
    if (cudaMalloc((void **)&p, n * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
    return device_ptr<T>(p);
}
template <class T> void device_free(device_ptr<T> p) { wg::check(cudaFree((void *)p.get())); }

namespace wg {
template <class T> struct place_of<device_ptr<T>> {
    static constexpr place value = place::device;
};
} // namespace wg

} // namespace thrust

#endif
