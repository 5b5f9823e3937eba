/* Cutting a program down to what still shows something. */
#ifndef WG_TESTS_GENERATED_CUT_H
#define WG_TESTS_GENERATED_CUT_H
#include "tests/generated/generate.h"

/* Leaves out of p whatever can be left out while `still` holds; asks it at most `tries` times. */
void cut_down(struct program *p, bool (*still)(void *user, const struct program *p), void *user,
              uint32_t tries);
/* Writes FOLDER/KIND-SEED.ptx and tells about it. */
void keep_program(const struct program *p, const char *folder, const char *what);
#endif
