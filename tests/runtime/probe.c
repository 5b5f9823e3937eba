/* The frame of a conformance probe: the list, a process for each probe, and the kernels. See probe.h. */
#include "tests/runtime/probe.h"
#include <sys/wait.h>
#include <unistd.h>

static struct {
    const char *name;
    void (*run)(void);
} probes[200];
static unsigned nprobes;
const char *probe_name;
char probe_arena[1 << 16] __attribute__((aligned(4096)));

void probe_enlist(const char *name, void (*run)(void)) {
    if (nprobes == sizeof probes / sizeof *probes) abort();
    probes[nprobes].name = name;
    probes[nprobes++].run = run;
}

/* Runs every probe, or those whose names begin with argv[1]. */
int main(int argc, char **argv) {
    for (unsigned i = 0; i < nprobes; i++) {
        if (argc > 1 && strncmp(probes[i].name, argv[1], strlen(argv[1])) != 0) continue;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            probe_name = probes[i].name;
            alarm(600);
            probes[i].run();
            fflush(stdout);
            _exit(0);
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) < 0) return perror("probe"), 1;
        if (WIFSIGNALED(status)) printf("%s: signal %d\n", probes[i].name, WTERMSIG(status));
    }
    return 0;
}

const char probe_ptx[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .global .align 4 .u32 counter = 7;\n"
    ".visible .const .align 4 .b8 table[16] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0};\n"
    ".visible .global .attribute(.managed) .align 4 .u32 managed = 5;\n"
    ".visible .entry nop() { ret; }\n"
    ".visible .entry store(.param .u64 p, .param .u32 v) {\n"
    "  .reg .b32 %r<3>; .reg .b64 %rd<3>;\n"
    "  ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1; ld.param.u32 %r1, [v];\n"
    "  st.global.u32 [%rd2], %r1; ret; }\n"
    ".visible .entry bounded() .maxntid 128, 1, 1 { ret; }\n"
    ".visible .entry required() .reqntid 64, 1, 1 { ret; }\n"
    ".visible .entry pair() .reqnctapercluster 2, 1, 1 { ret; }\n"
    ".visible .entry shared4096(.param .u64 p) {\n"
    "  .shared .align 4 .b8 s[4096]; .reg .b32 %r<3>; .reg .b64 %rd<3>;\n"
    "  mov.u32 %r1, s; ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1;\n"
    "  st.volatile.shared.u32 [%r1], 5; ld.volatile.shared.u32 %r2, [%r1]; st.global.u32 [%rd2], %r2; ret; "
    "}\n"
    ".visible .entry params(.param .u8 a, .param .u64 b, .param .align 16 .b8 c[24], .param .u16 d) { ret; "
    "}\n"
    ".visible .entry trap() { trap; ret; }\n"
    ".visible .entry wait(.param .u64 p) {\n"
    "  .reg .b32 %r<2>; .reg .b64 %rd<2>; .reg .pred %p;\n"
    "  ld.param.u64 %rd1, [p];\n"
    "L: ld.volatile.u32 %r1, [%rd1]; setp.eq.u32 %p, %r1, 0; @%p bra L; ret; }\n";
