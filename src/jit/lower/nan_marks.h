/* What lowering says of NaNs, for llvm/nans.h. */
#ifndef WG_JIT_NAN_MARKS_H
#define WG_JIT_NAN_MARKS_H

/* Kinds of metadata by which lowering says more of an instruction than its kind does. Of a conversion: the
 * NaN it is given stays what it is, so the bits are looked at and the result is right as it is. Of a bitcast
 * to integers: any NaN will do, since the row sets right what it becomes. Of a select: it is arithmetic,
 * namely the lesser or greater of two. */
#define WG_NAN_KEPT "wg.nan.kept"
#define WG_NAN_ANY  "wg.nan.any"
#define WG_NAN_MADE "wg.nan.made"

#endif
