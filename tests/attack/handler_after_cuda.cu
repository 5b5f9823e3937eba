// Handlers of SIGSEGV that the program installs after its first use of CUDA, as crash reporters do: a
// kernel's fault is still the kernel's, and a fault of the program's own is still the handler's, however it
// ends.
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

__global__ void good(int *a) { a[0] = 1; }
__global__ void bad(int *a) { a[1l << 36] = 1; }

static struct sigaction before;
static sigjmp_buf back;
static volatile int calls;

static void say(const char *what) { (void)!write(1, what, __builtin_strlen(what)); }
static void report(int number) {
    say("    reported by the program\n");
    signal(number, SIG_DFL);
    raise(number);
}
static void jump(int) {
    calls = calls + 1;
    siglongjmp(back, 1);
}
static void call_the_one_before(int number, siginfo_t *info, void *context) {
    say("    reported by the program, which calls the handler before\n");
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(number, info, context);
    else if (before.sa_handler != SIG_DFL)
        before.sa_handler(number);
    else
        signal(number, SIG_DFL);
}

static void fault() { *reinterpret_cast<volatile int *>(16) = 1; }
static void jump_out() {
    for (int i = 0; i < 3; i++)
        if (!sigsetjmp(back, 1)) fault();
    printf("    came back %d times\n", calls);
}
static void install(int which) {
    struct sigaction a = {};
    if (which == 0) signal(SIGSEGV, report);
    if (which == 1) signal(SIGSEGV, jump);
    a.sa_sigaction = call_the_one_before;
    a.sa_flags = SA_SIGINFO;
    if (which == 2) sigaction(SIGSEGV, &a, &before);
}

static void child(int which, bool own) {
    int *d;
    cudaMalloc(&d, 64);
    good<<<1, 1>>>(d);
    cudaDeviceSynchronize();
    install(which);
    if (own) {
        good<<<1, 1>>>(d); // finds the handler
        cudaDeviceSynchronize();
        if (which == 1)
            jump_out();
        else
            fault();
    }
    bad<<<1, 1>>>(d);
    printf("    the kernel: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    fflush(stdout);
    _exit(0);
}

int main() {
    static const char *const names[] = {"one that ends", "one that jumps", "one that calls the one before"};
    freopen("/dev/null", "w", stderr);
    for (int which = 0; which < 3; which++)
        for (int own = 0; own < 2; own++) {
            printf("%s, %s:\n", names[which], own ? "the program's own fault" : "a kernel's fault");
            fflush(stdout);
            pid_t pid = fork();
            if (pid == 0) child(which, own);
            int status;
            waitpid(pid, &status, 0);
            if (WIFSIGNALED(status)) printf("    ended by signal %d\n", WTERMSIG(status));
        }
    return 0;
}
