/* Metadata that lowering attaches for NaN canonicalization (llvm/nans.h). */
#ifndef WG_JIT_NAN_MARKS_H
#define WG_JIT_NAN_MARKS_H

/* Metadata kinds, by which lowering tells more about an instruction than its opcode does. On a conversion: a
 * NaN operand keeps its payload, so its bits are observed and the result is right as it is. On a bitcast to
 * integers: any NaN will do, since the row corrects the result. On a select: it is arithmetic, namely a
 * minimum or maximum. */
#define WG_NAN_KEPT "wg.nan.kept"
#define WG_NAN_ANY  "wg.nan.any"
#define WG_NAN_MADE "wg.nan.made"

#endif
