/* update.h: what a group has combined, combined once more with what a cuda::atomic holds. */
#ifndef WARPGLASS_GROUPS_UPDATE_H
#define WARPGLASS_GROUPS_UPDATE_H

#include "shuffle.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
namespace cooperative_groups {
namespace wg_details {

/* By its own operation where it has one. */
#define WG_UPDATE(OP, METHOD)                                                                                \
    template <class Atomic, class T> WG_GROUP_FN T update(Atomic &at, T value, const OP<T> &) {              \
        return at.METHOD(value);                                                                             \
    }
WG_UPDATE(plus, fetch_add)
WG_UPDATE(less, fetch_min)
WG_UPDATE(greater, fetch_max)
WG_UPDATE(bit_and, fetch_and)
WG_UPDATE(bit_or, fetch_or)
WG_UPDATE(bit_xor, fetch_xor)
#undef WG_UPDATE
template <class Atomic, class T, class Op> WG_GROUP_FN T update(Atomic &at, T value, Op op) {
    T old = at.load();
    while (!at.compare_exchange_weak(old, op(old, value))) {
    }
    return old;
}

} // namespace wg_details
} // namespace cooperative_groups
#pragma clang attribute pop

#endif
