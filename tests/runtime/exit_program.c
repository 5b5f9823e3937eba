/* A program that ends without having waited for its kernel: see exit.sh.
 *
 *     exit_program store | fault | spin
 *     exit_program called          a function that a stream calls ends the process
 *     exit_program compiled MS     another thread compiles a kernel when the main one ends the process
 *     exit_program ended MS        the other way round
 *     exit_program first MS        as ended, in the first compile of the process
 *     exit_program forked MS       a child that was forked off meanwhile ends
 */
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MANY(x) x x x x x x x x
#define STEP                                                                                                 \
    "{ sin.approx.f32 %f2, %f1; div.rn.f32 %f3, %f2, %f1; sqrt.rn.f32 %f4, %f3; setp.lt.f32 %p, %f4, %f2;\n" \
    "  @%p bra S; rcp.rn.f32 %f1, %f4; S: add.f32 %f1, %f1, %f3; bar.sync 0; }\n"
static const char program[] =
    ".version 8.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry _Z5storePi(.param .u64 p) { .reg .b64 %rd<2>; ld.param.u64 %rd1, [p]; st.u32 [%rd1], 7; "
    "ret; "
    "}\n"
    ".visible .entry spin(.param .u64 p) { .reg .b32 %r<2>; .reg .b64 %rd<2>; .reg .pred %p;\n"
    "  ld.param.u64 %rd1, [p];\n"
    "L: ld.volatile.u32 %r1, [%rd1]; setp.eq.u32 %p, %r1, 0; @%p bra L; ret; }\n"
    /* It takes a while to compile. */
    ".visible .entry sines(.param .u64 p) { .reg .b32 %r<2>; .reg .b64 %rd<2>; .reg .f32 %f<9>; .reg .pred "
    "%p;\n"
    "  ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; cvt.rn.f32.u32 %f1, %r1;\n" MANY(
        MANY(STEP)) "  st.f32 [%rd1], %f1; ret; }\n";
static const struct {
    uint32_t magic, version;
    const void *data, *linked;
} wrapper = {0x466243b1, 1, program, NULL};
static char store, spin, sines;
static const dim3 one = {1, 1, 1};

static void pause_for(int ms) {
    struct timespec t = {0, ms * 1000000L};
    nanosleep(&t, NULL);
}

static void *compile(void *p) {
    void *args[] = {&p};
    cudaLaunchKernel(&sines, one, one, args, 0, NULL);
    return NULL;
}
static void *end(void *ms) {
    pause_for(*(int *)ms);
    exit(0);
}
static void end_from_a_stream(void *unused) {
    puts("end of main");
    exit(0);
}
static int fork_off(pthread_t compiles) {
    pid_t child = fork();
    int status = 1;
    if (!child) exit(0);
    waitpid(child, &status, 0);
    pthread_join(compiles, NULL);
    return status;
}
/* How the program goes on beside a thread of its own that does the other thing. */
static int run_both(const char *how, int ms, void *p) {
    pthread_t thread;
    void *(*other)(void *) = !strcmp(how, "ended") || !strcmp(how, "first") ? end : compile;
    if (pthread_create(&thread, NULL, other, other == compile ? p : &ms)) return 4;
    if (other == compile) {
        pause_for(ms);
        return strcmp(how, "forked") ? 0 : fork_off(thread);
    }
    compile(p);
    pthread_join(thread, NULL);
    return 5;
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    void *p = NULL, *args[] = {&p};
    void **m = __cudaRegisterFatBinary((void *)&wrapper);
    __cudaRegisterFunction(m, &store, "_Z5storePi", "_Z5storePi", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(m, &spin, "spin", "spin", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(m, &sines, "sines", "sines", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(m);
    if (cudaMalloc(&p, 4) || cudaMemset(p, 0, 4)) return 2;
    if (!strcmp(how, "fault")) p = (void *)16;
    bool launches = strcmp(how, "first") != 0;
    if (launches && cudaLaunchKernel(!strcmp(how, "spin") ? &spin : &store, one, one, args, 0, NULL))
        return 3;
    if (!strcmp(how, "called")) {
        cudaLaunchHostFunc(NULL, end_from_a_stream, NULL);
        cudaDeviceSynchronize();
        return 6;
    }
    if (argc > 2) return run_both(how, atoi(argv[2]), p);
    puts("end of main");
    return 0;
}
