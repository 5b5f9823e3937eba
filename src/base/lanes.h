/* A loop over the lanes of a mask, lowest first. The mask is read once: WG_EACH_LANE(l, lanes) { ... l ... } */
#ifndef WG_BASE_LANES_H
#define WG_BASE_LANES_H
#include <stdint.h>

#define WG_EACH_LANE(l, lanes)                                                                               \
    for (uint32_t m_ = (lanes), l; m_ && (l = (uint32_t)__builtin_ctz(m_), 1); m_ &= m_ - 1)
#endif
