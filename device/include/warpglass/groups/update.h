/* update.h: what a group has combined, combined once more with what a cuda::atomic holds. */
#ifndef WARPGLASS_GROUPS_UPDATE_H
#define WARPGLASS_GROUPS_UPDATE_H

#include "shuffle.h"

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
namespace cooperative_groups {
namespace __v1 {
namespace wg_details {

/* By its own operation where it has one. */
#define WG_UPDATE(OP, METHOD)                                                                                \
    template <class __Atomic, class __T>                                                                     \
    WG_GROUP_FN __T update(__Atomic &__at, __T __value, const OP<__T> &) {                                   \
        return __at.METHOD(__value);                                                                         \
    }
WG_UPDATE(plus, fetch_add)
WG_UPDATE(less, fetch_min)
WG_UPDATE(greater, fetch_max)
WG_UPDATE(bit_and, fetch_and)
WG_UPDATE(bit_or, fetch_or)
WG_UPDATE(bit_xor, fetch_xor)
#undef WG_UPDATE
template <class __Atomic, class __T, class __Op>
WG_GROUP_FN __T update(__Atomic &__at, __T __value, __Op __op) {
    __T __old = __at.load();
    while (!__at.compare_exchange_weak(__old, __op(__old, __value))) {
    }
    return __old;
}

} // namespace wg_details
} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
#pragma clang attribute pop

#endif
