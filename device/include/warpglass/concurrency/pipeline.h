/* pipeline.h: cuda::pipeline: a queue of stages that producers fill and consumers empty.
 *
 * A thread's own pipeline counts its batches of cp.async, and needs no memory. A block's has, for each stage,
 * two barriers in shared memory: `filled`, where producers arrive, and `emptied`, where consumers do. The
 * k-th use of a stage is phase k of both, so that its parity is all that a thread has to know. That holds as
 * long as no phase ends unless somebody uses the stage: whoever quits leaves the barriers to the producers or
 * consumers that are left, and the last of them leaves them as they are.
 */
#ifndef WARPGLASS_CONCURRENCY_PIPELINE_H
#define WARPGLASS_CONCURRENCY_PIPELINE_H

#include "copies.h"

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
#define WG_DEVICE __device__ __forceinline__
namespace cuda {

enum class pipeline_role { producer, consumer };

namespace wg_details {
template <thread_scope __Scope> struct __stage {
    barrier<__Scope> __filled, __emptied;
};

/* Producers and consumers in one number: those that have not quit. */
constexpr WG_DEVICE uint64_t __members(uint64_t __producers, uint64_t __consumers) {
    return __producers | __consumers << 32;
}
constexpr WG_DEVICE uint32_t __producers_of(uint64_t __members) { return (uint32_t)__members; }
constexpr WG_DEVICE uint32_t __consumers_of(uint64_t __members) { return (uint32_t)(__members >> 32); }
} // namespace wg_details

template <thread_scope __Scope, uint8_t __Stages> class pipeline_shared_state {
  public:
    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state &) = delete;
    pipeline_shared_state &operator=(const pipeline_shared_state &) = delete;

    wg_details::__stage<__Scope> wg_stages[__Stages];
    atomic<uint64_t, __Scope> wg_members;
};

template <thread_scope __Scope> class pipeline {
  public:
    pipeline(pipeline &&) = default;
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;

    /* Waits until the next stage is empty. */
    WG_DEVICE void producer_acquire() {
        __wait_for_previous(&wg_details::__stage<__Scope>::__emptied, __head_);
    }
    WG_DEVICE void producer_commit() {
        auto &__filled = __stages_[__head_ % __count_].__filled;
        wg_details::__barrier_tracks_copies(__filled);
        (void)__filled.arrive();
        __head_++;
    }
    /* Waits until the oldest stage is filled. */
    WG_DEVICE void consumer_wait() {
        __stages_[__tail_ % __count_].__filled.wait_parity(__tail_ / __count_ & 1);
    }
    template <class __Rep, class __Period>
    WG_DEVICE bool consumer_wait_for(const ::std::chrono::duration<__Rep, __Period> &__time) {
        return __stages_[__tail_ % __count_].__filled.try_wait_parity_for(__tail_ / __count_ & 1, __time);
    }
    template <class __Clock, class __Duration>
    WG_DEVICE bool consumer_wait_until(const ::std::chrono::time_point<__Clock, __Duration> &__when) {
        return consumer_wait_for(__when - __Clock::now());
    }
    WG_DEVICE void consumer_release() {
        (void)__stages_[__tail_ % __count_].__emptied.arrive();
        __tail_++;
    }
    /* The thread takes part no longer. Whether it was the last. */
    WG_DEVICE bool quit() {
        uint64_t __before =
            __members_->fetch_sub(wg_details::__members(__produces_, __consumes_), memory_order_acq_rel);
        if (__produces_ && wg_details::__producers_of(__before) > 1)
            __leave(&wg_details::__stage<__Scope>::__filled, __head_);
        if (__consumes_ && wg_details::__consumers_of(__before) > 1)
            __leave(&wg_details::__stage<__Scope>::__emptied, __tail_);
        return __before == wg_details::__members(__produces_, __consumes_);
    }

    WG_DEVICE pipeline(wg_details::__stage<__Scope> *__stages, atomic<uint64_t, __Scope> *__members,
                       unsigned __count, bool __produces, bool __consumes)
        : __stages_(__stages), __members_(__members), __count_(__count), __produces_(__produces),
          __consumes_(__consumes) {}

  private:
    /* The use before the one numbered `use` of its stage. */
    WG_DEVICE void __wait_for_previous(barrier<__Scope> wg_details::__stage<__Scope>::*__which,
                                       unsigned __use) {
        if (__use >= __count_) (__stages_[__use % __count_].*__which).wait_parity(__use / __count_ - 1 & 1);
    }
    /* From the use numbered `next` on nobody waits for this thread. Where it has arrived for the use before,
     * others are still to do so. */
    WG_DEVICE void __leave(barrier<__Scope> wg_details::__stage<__Scope>::*__which, unsigned __next) {
        for (unsigned __i = 0; __i < __count_; __i++, __next++) {
            __wait_for_previous(__which, __next);
            (__stages_[__next % __count_].*__which).arrive_and_drop();
        }
    }

    wg_details::__stage<__Scope> *__stages_;
    atomic<uint64_t, __Scope> *__members_;
    unsigned __count_, __head_ = 0, __tail_ = 0; /* stages committed, stages released */
    bool __produces_, __consumes_;
};

template <> class pipeline<thread_scope_thread> {
  public:
    WG_DEVICE pipeline() {}
    pipeline(pipeline &&) = default;
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;

    WG_DEVICE void producer_acquire() {}
    WG_DEVICE void producer_commit() {
        __pipeline_commit();
        __head_++;
    }
    /* For the oldest batch that was not waited for. */
    WG_DEVICE void consumer_wait() {
        if (__head_ == __tail_) return;
        __pipeline_wait_prior(__head_ - __tail_ - 1);
        __tail_++;
    }
    template <class __Rep, class __Period>
    WG_DEVICE bool consumer_wait_for(const ::std::chrono::duration<__Rep, __Period> &) {
        consumer_wait();
        return true;
    }
    template <class __Clock, class __Duration>
    WG_DEVICE bool consumer_wait_until(const ::std::chrono::time_point<__Clock, __Duration> &) {
        consumer_wait();
        return true;
    }
    WG_DEVICE void consumer_release() {}
    WG_DEVICE bool quit() { return true; }

    template <uint8_t __Prior> friend WG_DEVICE void pipeline_consumer_wait_prior(pipeline &);

  private:
    unsigned __head_ = 0, __tail_ = 0; /* batches committed, batches waited for */
};

WG_DEVICE pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }

namespace wg_details {
template <class __Group, thread_scope __Scope, uint8_t __Stages>
WG_DEVICE pipeline<__Scope>
__start_pipeline(const __Group &__group, pipeline_shared_state<__Scope, __Stages> *__state,
                 size_t __producers, size_t __consumers, bool __produces, bool __consumes) {
    if (__group.thread_rank() == 0) {
        for (auto &__stage : __state->wg_stages) {
            init(&__stage.__filled, (ptrdiff_t)__producers);
            init(&__stage.__emptied, (ptrdiff_t)__consumers);
        }
        __state->wg_members.store(__members(__producers, __consumers), memory_order_relaxed);
    }
    __group.sync();
    return pipeline<__Scope>(__state->wg_stages, &__state->wg_members, __Stages, __produces, __consumes);
}
} // namespace wg_details

/* All threads produce and consume. */
template <class __Group, thread_scope __Scope, uint8_t __Stages>
WG_DEVICE pipeline<__Scope> make_pipeline(const __Group &__group,
                                          pipeline_shared_state<__Scope, __Stages> *__state) {
    return wg_details::__start_pipeline(__group, __state, __group.size(), __group.size(), true, true);
}
/* The first `producers` threads produce, the others consume. */
template <class __Group, thread_scope __Scope, uint8_t __Stages>
WG_DEVICE pipeline<__Scope>
make_pipeline(const __Group &__group, pipeline_shared_state<__Scope, __Stages> *__state, size_t __producers) {
    bool __produces = __group.thread_rank() < __producers;
    return wg_details::__start_pipeline(__group, __state, __producers, __group.size() - __producers,
                                        __produces, !__produces);
}
/* Each thread says what it does. */
template <class __Group, thread_scope __Scope, uint8_t __Stages>
WG_DEVICE pipeline<__Scope> make_pipeline(const __Group &__group,
                                          pipeline_shared_state<__Scope, __Stages> *__state,
                                          pipeline_role __role) {
    bool __produces = __role == pipeline_role::producer;
    if (__group.thread_rank() == 0) __state->wg_members.store(0, memory_order_relaxed);
    __group.sync();
    if (__produces) __state->wg_members.fetch_add(1, memory_order_relaxed);
    __group.sync();
    size_t __producers = __state->wg_members.load(memory_order_relaxed);
    __group.sync(); /* before it is written again */
    return wg_details::__start_pipeline(__group, __state, __producers, __group.size() - __producers,
                                        __produces, !__produces);
}

/* Waits for all batches but the latest `Prior`. */
template <uint8_t __Prior> WG_DEVICE void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &__p) {
    __pipeline_wait_prior(__Prior);
    __p.__tail_ = __p.__head_ - __Prior;
}
/* The barrier waits for the copies that the thread has begun. */
template <thread_scope __Scope>
WG_DEVICE void pipeline_producer_commit(pipeline<thread_scope_thread> &, barrier<__Scope> &__b) {
    wg_details::__barrier_tracks_copies(__b);
}

template <class __Group, class __Shape, thread_scope __Scope>
WG_DEVICE async_contract_fulfillment memcpy_async(const __Group &__group, void *__to, const void *__from,
                                                  const __Shape &__shape, pipeline<__Scope> &) {
    return wg_details::__copy_async(__group.thread_rank(), __group.size(), __to, __from, __shape)
               ? async_contract_fulfillment::async
               : async_contract_fulfillment::none;
}
template <class __Shape, thread_scope __Scope>
WG_DEVICE async_contract_fulfillment memcpy_async(void *__to, const void *__from, const __Shape &__shape,
                                                  pipeline<__Scope> &__p) {
    return memcpy_async(wg_details::__one_thread(), __to, __from, __shape, __p);
}

} // namespace cuda
#undef WG_DEVICE
#pragma clang attribute pop

#endif
