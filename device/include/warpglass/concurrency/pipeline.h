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

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#define WG_DEVICE __device__ __forceinline__
namespace cuda {

enum class pipeline_role { producer, consumer };

namespace wg_details {
template <thread_scope Scope> struct stage {
    barrier<Scope> filled, emptied;
};

/* Producers and consumers in one number: those that have not quit. */
constexpr WG_DEVICE uint64_t members(uint64_t producers, uint64_t consumers) {
    return producers | consumers << 32;
}
constexpr WG_DEVICE uint32_t producers_of(uint64_t members) { return (uint32_t)members; }
constexpr WG_DEVICE uint32_t consumers_of(uint64_t members) { return (uint32_t)(members >> 32); }
} // namespace wg_details

template <thread_scope Scope, uint8_t Stages> class pipeline_shared_state {
  public:
    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state &) = delete;
    pipeline_shared_state &operator=(const pipeline_shared_state &) = delete;

    wg_details::stage<Scope> wg_stages[Stages];
    atomic<uint64_t, Scope> wg_members;
};

template <thread_scope Scope> class pipeline {
  public:
    pipeline(pipeline &&) = default;
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;

    /* Waits until the next stage is empty. */
    WG_DEVICE void producer_acquire() { wait_for_previous(&wg_details::stage<Scope>::emptied, head_); }
    WG_DEVICE void producer_commit() {
        auto &filled = stages_[head_ % count_].filled;
        wg_details::barrier_tracks_copies(filled);
        (void)filled.arrive();
        head_++;
    }
    /* Waits until the oldest stage is filled. */
    WG_DEVICE void consumer_wait() { stages_[tail_ % count_].filled.wait_parity(tail_ / count_ & 1); }
    template <class Rep, class Period>
    WG_DEVICE bool consumer_wait_for(const ::std::chrono::duration<Rep, Period> &time) {
        return stages_[tail_ % count_].filled.try_wait_parity_for(tail_ / count_ & 1, time);
    }
    template <class Clock, class Duration>
    WG_DEVICE bool consumer_wait_until(const ::std::chrono::time_point<Clock, Duration> &when) {
        return consumer_wait_for(when - Clock::now());
    }
    WG_DEVICE void consumer_release() {
        (void)stages_[tail_ % count_].emptied.arrive();
        tail_++;
    }
    /* The thread takes part no longer. Whether it was the last. */
    WG_DEVICE bool quit() {
        uint64_t before =
            members_->fetch_sub(wg_details::members(produces_, consumes_), memory_order_acq_rel);
        if (produces_ && wg_details::producers_of(before) > 1)
            leave(&wg_details::stage<Scope>::filled, head_);
        if (consumes_ && wg_details::consumers_of(before) > 1)
            leave(&wg_details::stage<Scope>::emptied, tail_);
        return before == wg_details::members(produces_, consumes_);
    }

    WG_DEVICE pipeline(wg_details::stage<Scope> *stages, atomic<uint64_t, Scope> *members, unsigned count,
                       bool produces, bool consumes)
        : stages_(stages), members_(members), count_(count), produces_(produces), consumes_(consumes) {}

  private:
    /* The use before the one numbered `use` of its stage. */
    WG_DEVICE void wait_for_previous(barrier<Scope> wg_details::stage<Scope>::*which, unsigned use) {
        if (use >= count_) (stages_[use % count_].*which).wait_parity(use / count_ - 1 & 1);
    }
    /* From the use numbered `next` on nobody waits for this thread. Where it has arrived for the use before,
     * others are still to do so. */
    WG_DEVICE void leave(barrier<Scope> wg_details::stage<Scope>::*which, unsigned next) {
        for (unsigned i = 0; i < count_; i++, next++) {
            wait_for_previous(which, next);
            (stages_[next % count_].*which).arrive_and_drop();
        }
    }

    wg_details::stage<Scope> *stages_;
    atomic<uint64_t, Scope> *members_;
    unsigned count_, head_ = 0, tail_ = 0; /* stages committed, stages released */
    bool produces_, consumes_;
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
        head_++;
    }
    /* For the oldest batch that was not waited for. */
    WG_DEVICE void consumer_wait() {
        if (head_ == tail_) return;
        __pipeline_wait_prior(head_ - tail_ - 1);
        tail_++;
    }
    template <class Rep, class Period>
    WG_DEVICE bool consumer_wait_for(const ::std::chrono::duration<Rep, Period> &) {
        consumer_wait();
        return true;
    }
    template <class Clock, class Duration>
    WG_DEVICE bool consumer_wait_until(const ::std::chrono::time_point<Clock, Duration> &) {
        consumer_wait();
        return true;
    }
    WG_DEVICE void consumer_release() {}
    WG_DEVICE bool quit() { return true; }

    template <uint8_t Prior> friend WG_DEVICE void pipeline_consumer_wait_prior(pipeline &);

  private:
    unsigned head_ = 0, tail_ = 0; /* batches committed, batches waited for */
};

WG_DEVICE pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }

namespace wg_details {
template <class Group, thread_scope Scope, uint8_t Stages>
WG_DEVICE pipeline<Scope> start_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state,
                                         size_t producers, size_t consumers, bool produces, bool consumes) {
    if (group.thread_rank() == 0) {
        for (auto &stage : state->wg_stages) {
            init(&stage.filled, (ptrdiff_t)producers);
            init(&stage.emptied, (ptrdiff_t)consumers);
        }
        state->wg_members.store(members(producers, consumers), memory_order_relaxed);
    }
    group.sync();
    return pipeline<Scope>(state->wg_stages, &state->wg_members, Stages, produces, consumes);
}
} // namespace wg_details

/* All threads produce and consume. */
template <class Group, thread_scope Scope, uint8_t Stages>
WG_DEVICE pipeline<Scope> make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state) {
    return wg_details::start_pipeline(group, state, group.size(), group.size(), true, true);
}
/* The first `producers` threads produce, the others consume. */
template <class Group, thread_scope Scope, uint8_t Stages>
WG_DEVICE pipeline<Scope> make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state,
                                        size_t producers) {
    bool produces = group.thread_rank() < producers;
    return wg_details::start_pipeline(group, state, producers, group.size() - producers, produces, !produces);
}
/* Each thread says what it does. */
template <class Group, thread_scope Scope, uint8_t Stages>
WG_DEVICE pipeline<Scope> make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state,
                                        pipeline_role role) {
    bool produces = role == pipeline_role::producer;
    if (group.thread_rank() == 0) state->wg_members.store(0, memory_order_relaxed);
    group.sync();
    if (produces) state->wg_members.fetch_add(1, memory_order_relaxed);
    group.sync();
    size_t producers = state->wg_members.load(memory_order_relaxed);
    group.sync(); /* before it is written again */
    return wg_details::start_pipeline(group, state, producers, group.size() - producers, produces, !produces);
}

/* Waits for all batches but the latest `Prior`. */
template <uint8_t Prior> WG_DEVICE void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &p) {
    __pipeline_wait_prior(Prior);
    p.tail_ = p.head_ - Prior;
}
/* The barrier waits for the copies that the thread has begun. */
template <thread_scope Scope>
WG_DEVICE void pipeline_producer_commit(pipeline<thread_scope_thread> &, barrier<Scope> &b) {
    wg_details::barrier_tracks_copies(b);
}

template <class Group, class Shape, thread_scope Scope>
WG_DEVICE async_contract_fulfillment memcpy_async(const Group &group, void *to, const void *from,
                                                  const Shape &shape, pipeline<Scope> &) {
    return wg_details::copy_async(group.thread_rank(), group.size(), to, from, shape)
               ? async_contract_fulfillment::async
               : async_contract_fulfillment::none;
}
template <class Shape, thread_scope Scope>
WG_DEVICE async_contract_fulfillment memcpy_async(void *to, const void *from, const Shape &shape,
                                                  pipeline<Scope> &p) {
    return memcpy_async(wg_details::one_thread(), to, from, shape, p);
}

} // namespace cuda
#undef WG_DEVICE
#pragma clang attribute pop

#endif
