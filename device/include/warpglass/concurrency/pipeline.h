/* pipeline.h: cuda::pipeline: a queue of stages that producers fill and consumers empty.
 *
 * A thread's own pipeline counts its batches of cp.async, and needs no memory. A block's has, for each stage,
 * two barriers in shared memory: `filled`, where producers arrive, and `emptied`, where consumers do. The
 * k-th use of a stage is phase k of both, so that its parity is all that a thread has to know.
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
} // namespace wg_details

template <thread_scope Scope, uint8_t Stages> class pipeline_shared_state {
  public:
    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state &) = delete;
    pipeline_shared_state &operator=(const pipeline_shared_state &) = delete;

    wg_details::stage<Scope> wg_stages[Stages];
    atomic<unsigned, thread_scope_block> wg_producers; /* while roles are counted */
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
    WG_DEVICE void consumer_release() {
        (void)stages_[tail_ % count_].emptied.arrive();
        tail_++;
    }
    /* The thread takes part no longer: the others do not wait for it. */
    WG_DEVICE bool quit() {
        for (unsigned i = 0; produces_ && i < count_; i++, head_++) {
            wait_for_previous(&wg_details::stage<Scope>::filled, head_);
            stages_[head_ % count_].filled.arrive_and_drop();
        }
        for (unsigned i = 0; consumes_ && i < count_; i++, tail_++) {
            wait_for_previous(&wg_details::stage<Scope>::emptied, tail_);
            stages_[tail_ % count_].emptied.arrive_and_drop();
        }
        produces_ = consumes_ = false;
        return true;
    }

    WG_DEVICE pipeline(wg_details::stage<Scope> *stages, unsigned count, bool produces, bool consumes)
        : stages_(stages), count_(count), produces_(produces), consumes_(consumes) {}

  private:
    /* The use before the one numbered `use` of its stage. */
    WG_DEVICE void wait_for_previous(barrier<Scope> wg_details::stage<Scope>::*which, unsigned use) {
        if (use >= count_) (stages_[use % count_].*which).wait_parity(use / count_ - 1 & 1);
    }

    wg_details::stage<Scope> *stages_;
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
    WG_DEVICE void consumer_wait() { __pipeline_wait_prior(head_ - tail_ - 1); }
    template <class Rep, class Period>
    WG_DEVICE bool consumer_wait_for(const ::std::chrono::duration<Rep, Period> &) {
        consumer_wait();
        return true;
    }
    WG_DEVICE void consumer_release() { tail_++; }
    WG_DEVICE bool quit() { return true; }

  private:
    unsigned head_ = 0, tail_ = 0;
};

WG_DEVICE pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }

namespace wg_details {
template <class Group, thread_scope Scope, uint8_t Stages>
WG_DEVICE pipeline<Scope> start_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state,
                                         size_t producers, size_t consumers, bool produces, bool consumes) {
    if (group.thread_rank() == 0)
        for (auto &stage : state->wg_stages) {
            init(&stage.filled, (ptrdiff_t)producers);
            init(&stage.emptied, (ptrdiff_t)consumers);
        }
    group.sync();
    return pipeline<Scope>(state->wg_stages, Stages, produces, consumes);
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
    if (group.thread_rank() == 0) state->wg_producers.store(0, memory_order_relaxed);
    group.sync();
    if (produces) state->wg_producers.fetch_add(1, memory_order_relaxed);
    group.sync();
    size_t producers = state->wg_producers.load(memory_order_relaxed);
    return wg_details::start_pipeline(group, state, producers, group.size() - producers, produces, !produces);
}

/* Waits for all batches but the latest `Prior`. */
template <uint8_t Prior> WG_DEVICE void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &) {
    __pipeline_wait_prior(Prior);
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
