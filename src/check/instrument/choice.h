/* Branches that only choose values: what lies between one and the place where both ways meet does nothing but compute
 * and load.
 *
 *     setp.lt.f32 %p1, %f1, 0f3F800000        float weight = distance < 1 ? 0 : 1 / distance;
 *     @%p1 bra meet
 *     rcp.rn.f32 %f2, %f1
 *     meet:
 *
 * Where the predicate is undefined, so is what was written between, and no more is at stake: it is a selp that the
 * compiler did not make, and a thread may compute on with values that it never stores. So the branch is not reported;
 * the registers count as undefined.
 */
#ifndef WG_CHECK_CHOICE_H
#define WG_CHECK_CHOICE_H
#include "cfg/bits.h"
#include "ir/ir.h"

enum { WG_CHOICE_MOST = 8 };
struct wg_choice { /* of the branch at a block's end */
    uint32_t between[WG_CHOICE_MOST], n;
    uint32_t meet;
};
struct wg_choices {
    struct wg_choice **of; /* [block] NULL: its end is no such branch */
    struct wg_around {     /* branches that a block lies between */
        uint32_t branch;
        const struct wg_around *next;
    } **around; /* [block] */
};
struct wg_choices wg_choices(struct wg_arena *a, const struct wg_ir_func *f);
#endif
