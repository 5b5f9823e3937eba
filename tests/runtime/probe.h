/* A conformance probe: a C program that calls the API in many ways, right and wrong, and prints what came
 * back.
 *
 * Built against CUDA's libraries and run on a GPU it writes the truth (conformance.txt,
 * driver_conformance.txt, measured on an H200 with CUDA 13.0); built against ours it must print the same
 * lines. Each probe runs in a process of its own, so that one may fault the device.
 *
 *     PROBE(free_twice) { void *p; E(cudaMalloc(&p, 16)); E(cudaFree(p)); E(cudaFree(p)); }
 * prints
 *     free_twice: cudaMalloc(&p, 16) = 0
 *     free_twice: cudaFree(p) = 0
 *     free_twice: cudaFree(p) = 1
 */
#ifndef WG_TESTS_PROBE_H
#define WG_TESTS_PROBE_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
extern const char *probe_name;    /* of the one that runs */
extern const char probe_ptx[];    /* kernels to launch */
extern char probe_arena[1 << 16]; /* the program's own memory, of whole pages */
/* Puts a probe on the list; they run in the order of their files and in them. */
void probe_enlist(const char *name, void (*run)(void));
#ifdef __cplusplus
}
#endif

#define PROBE(NAME)                                                                                          \
    static void probe_##NAME(void);                                                                          \
    __attribute__((constructor)) static void enlist_##NAME(void) { probe_enlist(#NAME, probe_##NAME); }      \
    static void probe_##NAME(void)

/* A call and its status. */
#define E(CALL)                                                                                              \
    do {                                                                                                     \
        int status_ = (int)(CALL);                                                                           \
        printf("%s: %s = %d\n", probe_name, #CALL, status_);                                                 \
        fflush(stdout);                                                                                      \
    } while (0)
/* A value. */
#define V(EXPR) (printf("%s: %s is %lld\n", probe_name, #EXPR, (long long)(EXPR)), fflush(stdout))
#define S(EXPR) (printf("%s: %s is \"%s\"\n", probe_name, #EXPR, (EXPR)), fflush(stdout))

#endif
