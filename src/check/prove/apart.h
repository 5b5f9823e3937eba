/* Dependence test: whether two accesses of a launch may overlap, by the forms of their addresses
 * (scev/forms.h).
 *
 *     wg_forms_apart(x, &x->accesses[0], &x->accesses[1], &(struct wg_form_question){WG_FORMS_OF_GRID})
 */
#ifndef WG_CHECK_APART_H
#define WG_CHECK_APART_H
#include "scev/forms.h"

enum wg_form_who {
    WG_FORMS_OF_GRID,   /* the two threads are any of the grid's */
    WG_FORMS_OF_BLOCK,  /* any two of one block */
    WG_FORMS_OF_BLOCKS, /* any of the grid's; those of one block may meet */
};
/* Loops whose iterations are known: the second access is so many iterations ahead of the first. */
enum { WG_FORM_STEPS = 3 };
struct wg_form_steps {
    uint32_t n, loop[WG_FORM_STEPS]; /* headers */
    int32_t ahead[WG_FORM_STEPS];    /* unused ones are 0 */
};
struct wg_form_question {
    enum wg_form_who who;
    struct wg_form_steps steps;
};
/* Whether no byte is accessed at both places by two different threads (OF_BLOCKS: of different blocks). Says
 * yes only if it is certain. */
bool wg_forms_apart(const struct wg_forms *x, const struct wg_form_access *a, const struct wg_form_access *b,
                    const struct wg_form_question *q);
#endif
