/* Spellings that nvcc takes and clang does not, written as clang takes them in the text of a source file.
 * Lines keep their numbers. Each returns false where there was nothing to change. */
#ifndef WG_CLI_RESPELL_H
#define WG_CLI_RESPELL_H
#include "base/strbuf.h"
#include <ctype.h>

/* Of the program's names. */
static inline bool wg_respell_in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* "<< <" and ">> >" as "<<< " and ">>> ", outside of comments and quotes, in the whole text. */
bool wg_respell_launches(struct wg_strbuf *text);
/* "<<<n, {x, y, 1}>>>" as "<<<n, dim3{x, y, 1}>>>": in the launch around the brace at byte `at`. */
bool wg_respell_shape(struct wg_strbuf *text, size_t at);
/* "%globaltimer" as "%%globaltimer": in the quoted text around byte `at`, from there on, and in those that
 * follow it. Operands ("%0", "%[name]") stay. */
bool wg_respell_percents(struct wg_strbuf *text, size_t at);
/* "\"r\"(a) \"l\"(p)" as "\"r\"(a), \"l\"(p)": between operands of inline PTX, before the second one's quote at byte `at`. */
bool wg_respell_operands(struct wg_strbuf *text, size_t at);
/* "vec<T>::cast<n>" as "vec<T>::template cast<n>": the first such name of the statement at byte `at`. */
bool wg_respell_template_name(struct wg_strbuf *text, size_t at);
/* "int f(int);" as "__device__ int f(int);": the declaration around byte `at`. A definition stays. */
bool wg_respell_prototype(struct wg_strbuf *text, size_t at);
/* "int x[n] = {1};" as a declaration and a call of warpglass/variable_arrays.h: the array whose first size is at byte `at`, of up to
 * four dimensions. */
bool wg_respell_variable_array(struct wg_strbuf *text, size_t at);
/* "#define UNROLL #pragma unroll" as "#define UNROLL _Pragma("unroll")": the pragma at byte `at`, up to the line's end. */
bool wg_respell_pragma(struct wg_strbuf *text, size_t at);
/* "__device__ __shared__ int x;" as "           __shared__ int x;": the word at byte `at`. */
bool wg_respell_shared_variable(struct wg_strbuf *text, size_t at);
/* respell_child.c. In device code, "k<T><<<n, m>>>(p)" as "::__wg_child<decltype(&k<T>), k<T>>::__at(n, m)(p)"
 * (cuda_device_runtime_api.h): the launch of the statement from byte `at` on. */
bool wg_respell_child(struct wg_strbuf *text, size_t at);
/* The same of "k<<<n, m>>>(p)", where k is a template whose arguments are deduced, or one of several kernels: as
 * "decltype(__wg_twin_k(p))::__at(n, m)(p)". And what that names: before the declaration of the kernel whose name is at byte
 * `at`, "auto __wg_twin_k(T *p) -> ::__wg_child<void (*)(T *p), (void (*)(T *p))k>;". */
bool wg_respell_is_of_several(const struct wg_strbuf *text, size_t at);
bool wg_respell_child_of_several(struct wg_strbuf *text, size_t at);
bool wg_respell_twin(struct wg_strbuf *text, size_t at);
/* Past what stands before the declaration around byte `at`: another one, a block, or a directive. */
size_t wg_respell_declaration_of(const struct wg_strbuf *text, size_t at);
/* Whether the text defines a function of that name (n bytes) with __device__. */
bool wg_respell_defines_for_device(const struct wg_strbuf *text, const char *name, size_t n);
#endif
