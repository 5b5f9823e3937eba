/* An addition that may be deferred by one loop iteration (software pipelining): see llvm/late_adds.h. */
#ifndef WG_JIT_LATE_ADD_H
#define WG_JIT_LATE_ADD_H
#include <llvm-c/Types.h>

#include <stdint.h>

/* A placeholder call late.*(ptr from, <32 x i32> places, iN or <32 x iN> addend), of a function that does
 * not exist: places are unsigned. It becomes the above if it is inside the loop with this `header`, else
 * 32 additions. */
struct wg_late_add {
    LLVMValueRef call;
    LLVMBasicBlockRef header;
    uint32_t step; /* in bytes: the scale of places */
};
#endif
