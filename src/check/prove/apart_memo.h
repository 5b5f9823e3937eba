/* Memoised dependence tests: the question of apart.h for many pairs of one launch's accesses.
 *
 *     a[i] = ...;  a[i + 16] = ...;  a[i + 32] = ...;         an unrolled loop: one class of accesses
 *
 * Accesses are of one class if they differ by a constant only. For two classes the answer depends on the difference
 * of their constants alone, so that it is found once for each difference.
 */
#ifndef WG_CHECK_APART_MEMO_H
#define WG_CHECK_APART_MEMO_H
#include "check/prove/apart.h"

struct wg_apart_memo;
struct wg_apart_memo *wg_apart_memo_new(const struct wg_forms *x, enum wg_form_who who);
/* wg_forms_apart of two accesses in x->accesses; steps NULL: none are known. */
bool wg_apart_memo_ask(struct wg_apart_memo *m, const struct wg_form_access *a,
                       const struct wg_form_access *b, const struct wg_form_steps *steps);
void wg_apart_memo_free(struct wg_apart_memo *m);
#endif
