/* An addition that may be made a turn late: llvm/late_adds.h says how. */
#ifndef WG_JIT_LATE_ADD_H
#define WG_JIT_LATE_ADD_H
#include <llvm-c/Types.h>

#include <stdint.h>

/* A call of a function late.*(ptr from, <32 x i32> places, iN or <32 x iN> addend) that does not exist:
 * places are unsigned. It becomes the above where it lies in the loop that begins with `header`, else 32
 * additions. */
struct wg_late_add {
    LLVMValueRef call;
    LLVMBasicBlockRef header;
    uint32_t step; /* bytes of a place's unit */
};
#endif
