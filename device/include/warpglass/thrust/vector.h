/* vector.h: thrust::device_vector, universal_vector and host_vector. */
#ifndef WARPGLASS_THRUST_VECTOR_H
#define WARPGLASS_THRUST_VECTOR_H

#include "transform.h"

#include <initializer_list>
#include <vector>

namespace thrust {

template <class T> class device_vector;

template <class T> class host_vector : public std::vector<T> {
  public:
    using std::vector<T>::vector;
    host_vector() = default;
    host_vector(const std::vector<T> &other) : std::vector<T>(other) {}
    template <class U> host_vector(const device_vector<U> &other) { *this = other; }
    template <class U> host_vector &operator=(const device_vector<U> &other) {
        this->resize(other.size());
        thrust::copy(other.begin(), other.end(), this->begin());
        return *this;
    }
};

template <class T> class device_vector {
  public:
    using value_type = T;
    using size_type = size_t;
    using difference_type = ptrdiff_t;
    using pointer = device_ptr<T>;
    using const_pointer = device_ptr<const T>;
    using reference = device_reference<T>;
    using const_reference = device_reference<const T>;
    using iterator = device_ptr<T>;
    using const_iterator = device_ptr<const T>;

    device_vector() = default;
    explicit device_vector(size_t n) { resize(n); }
    device_vector(size_t n, const T &v) { resize(n, v); }
    template <class It, class = typename std::iterator_traits<It>::iterator_category>
    device_vector(It first, It last) {
        assign(first, last);
    }
    device_vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
    template <class U> device_vector(const std::vector<U> &other) { assign(other.begin(), other.end()); }
    template <class U> device_vector(const device_vector<U> &other) { assign(other.begin(), other.end()); }
    device_vector(const device_vector &other) { assign(other.begin(), other.end()); }
    device_vector(device_vector &&other) { swap(other); }
    ~device_vector() { cudaFree((void *)at_); }

    device_vector &operator=(const device_vector &other) {
        if (this != &other) assign(other.begin(), other.end());
        return *this;
    }
    device_vector &operator=(device_vector &&other) {
        swap(other);
        return *this;
    }
    template <class U> device_vector &operator=(const std::vector<U> &other) {
        assign(other.begin(), other.end());
        return *this;
    }
    template <class U> device_vector &operator=(const device_vector<U> &other) {
        assign(other.begin(), other.end());
        return *this;
    }

    size_t size() const { return size_; }
    size_t capacity() const { return capacity_; }
    bool empty() const { return size_ == 0; }
    iterator begin() { return iterator(at_); }
    iterator end() { return iterator(at_ + size_); }
    const_iterator begin() const { return const_iterator(at_); }
    const_iterator end() const { return const_iterator(at_ + size_); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    auto rbegin() { return make_reverse_iterator(end()); }
    auto rend() { return make_reverse_iterator(begin()); }
    pointer data() { return begin(); }
    const_pointer data() const { return begin(); }
    reference operator[](size_t i) { return reference(at_ + i); }
    const_reference operator[](size_t i) const { return const_reference(at_ + i); }
    reference front() { return reference(at_); }
    const_reference front() const { return const_reference(at_); }
    reference back() { return reference(at_ + size_ - 1); }
    const_reference back() const { return const_reference(at_ + size_ - 1); }

    void reserve(size_t n) {
        if (n <= capacity_) return;
        T *larger = nullptr;
        if (cudaMalloc((void **)&larger, n * sizeof(T)) != cudaSuccess) {
            cudaGetLastError();
            throw std::bad_alloc();
        }
        if (size_) thrust::copy(begin(), end(), iterator(larger));
        cudaFree((void *)at_);
        at_ = larger;
        capacity_ = n;
    }
    void resize(size_t n, const T &v = T()) {
        size_t old = size_;
        room(n);
        size_ = n;
        if (n > old) thrust::fill(begin() + old, end(), v);
    }
    void clear() { size_ = 0; }
    void shrink_to_fit() {}
    void push_back(const T &v) {
        room(size_ + 1);
        size_++;
        back() = v;
    }
    void pop_back() { size_--; }
    template <class It, class = typename std::iterator_traits<It>::iterator_category>
    void assign(It first, It last) {
        size_ = 0;
        reserve((size_t)std::distance(first, last));
        size_ = (size_t)std::distance(first, last);
        thrust::copy(first, last, begin());
    }
    void assign(size_t n, const T &v) {
        size_ = 0;
        resize(n, v);
    }
    iterator erase(iterator first, iterator last) {
        device_vector behind(last, end());
        thrust::copy(behind.begin(), behind.end(), first);
        size_ -= (size_t)(last - first);
        return first;
    }
    iterator erase(iterator at) { return erase(at, at + 1); }
    template <class It> iterator insert(iterator at, It first, It last) {
        size_t before = (size_t)(at - begin()), n = (size_t)(last - first);
        device_vector behind(at, end());
        room(size_ + n);
        size_ += n;
        thrust::copy(first, last, begin() + before);
        thrust::copy(behind.begin(), behind.end(), begin() + before + n);
        return begin() + before;
    }
    iterator insert(iterator at, const T &v) { return insert(at, &v, &v + 1); }
    void swap(device_vector &other) {
        std::swap(at_, other.at_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }
    friend void swap(device_vector &a, device_vector &b) { a.swap(b); }
    friend bool operator==(const device_vector &a, const device_vector &b) {
        return (std::vector<T>)host_vector<T>(a) == (std::vector<T>)host_vector<T>(b);
    }
    friend bool operator!=(const device_vector &a, const device_vector &b) { return !(a == b); }

  private:
    /* For n elements, and more if they come one by one. */
    void room(size_t n) {
        if (n > capacity_) reserve(size_ && n < 2 * size_ ? 2 * size_ : n);
    }
    T *at_ = nullptr;
    size_t size_ = 0, capacity_ = 0;
};

template <class T> bool operator==(const host_vector<T> &a, const device_vector<T> &b) {
    return device_vector<T>(a) == b;
}
template <class T> bool operator==(const device_vector<T> &a, const host_vector<T> &b) { return b == a; }

/* In memory that both see. */
template <class T> struct universal_allocator {
    using value_type = T;
    universal_allocator() = default;
    template <class U> universal_allocator(const universal_allocator<U> &) {}
    T *allocate(size_t n) {
        T *p;
        if (cudaMallocManaged((void **)&p, n * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
        return p;
    }
    void deallocate(T *p, size_t) { cudaFree((void *)p); }
    friend bool operator==(const universal_allocator &, const universal_allocator &) { return true; }
    friend bool operator!=(const universal_allocator &, const universal_allocator &) { return false; }
};
template <class T> using universal_vector = std::vector<T, universal_allocator<T>>;

} // namespace thrust

#endif
