/* The groups of tests/ptx, one a file; main.c runs them. */
#ifndef WG_TESTS_PTX_H
#define WG_TESTS_PTX_H
#include "ir/ir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

void test_every_row_is_chosen(void **state);
void test_words_in_any_order(void **state);
void test_row_refuses(void **state);
void test_spellings(void **state);
void test_types(void **state);
void test_constants(void **state);
void test_initial_values(void **state);
void test_relocations(void **state);
void test_not_ptx(void **state);
void test_truncated(void **state);
void test_deep(void **state);
void test_large(void **state);
void test_locale(void **state);
void test_one_kernel_refused(void **state);
void test_callers_of_refused(void **state);
void test_whole_refused(void **state);
void test_runtime_refused(void **state);
void test_unsized_takes_room(void **state);

/* A module, which must be right; free it with wg_ir_free. */
struct wg_ir_module *read_ptx(const char *text);
/* The messages about a text that must be wrong; free() it. */
char *errors_of(const char *text, size_t len);
const struct wg_ir_sym *find_sym(const struct wg_ir_module *m, const char *name);
#define HEAD ".version 8.3\n.target sm_90\n.address_size 64\n"
#endif
