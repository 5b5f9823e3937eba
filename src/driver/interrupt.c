/* Signals that end the program. Ctrl-C, and SIGTERM and its like where findings or counts are to be written: a kernel
 * that runs is stopped and told of, with its line, before that.
 *
 * The handler is installed by cuInit when the program has left SIGINT as it is; a program that handles SIGINT
 * itself, or ignores it, keeps its way. `warpglass run --timeout` sends the same signal.
 *
 *     SIGINT --> handler: wg_device_interrupt --> a worker meets it where warps yield, on_fault has the text
 *                                             --> message, and the process ends by SIGINT as it would have
 *
 * A kernel that never yields, as in a loop that touches no memory, is left by force; one that is compiled is
 * not stopped: its name is told. What was found until then is written all the same, and so it is where no kernel
 * runs: by a thread that waits for nothing else, as a handler must not. So it is, too, where any other signal
 * ends a program that is checked or profiled: abort, a fault of the host's own code, a pipe that nobody
 * reads; and at _exit and quick_exit.
 */
#include "driver/driver.h"
#include "base/progress.h"
#include "driver/abrupt_end.h"
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A kernel yields within LET_MS, or its code has a loop that never does; then it is kicked. */
enum { PATIENCE_MS = 1000, EXIT_PATIENCE_MS = 10000, LOOK_MS = 10, LET_MS = 200 };

enum { MOST_DEVICES = 64 }; /* contexts beyond that end with the process, and nothing is said of them */
static struct wg_device *_Atomic devices[MOST_DEVICES]; /* that are to be stopped */
static atomic_bool interrupted;
static atomic_bool told;              /* a kernel that was stopped */
static sem_t given_up, written;       /* no worker has met the interrupt; all is written */
static bool writes;                   /* there is a thread that waits for `given_up` */
static _Atomic int ended_by = SIGINT; /* 0: by _exit */
static pid_t owner;                   /* the process of that thread; those that it forks off have none */

/* What runs and could not be stopped has no line. */
static void tell_kernel(void) {
    char name[512];
    bool compiling;
    for (unsigned i = 0; i < MOST_DEVICES; i++) {
        struct wg_device *dev = atomic_load(&devices[i]);
        if (dev && wg_device_doing(dev, &compiling, name, sizeof name)) wg_check_was_doing(name, compiling);
    }
}

/* It comes from outside, whatever the program does. */
static bool asks_to_end(int number) {
    return number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT ||
           number == SIGALRM || number == SIGXCPU;
}

static void *write_what_is_known(void *unused) {
    (void)unused;
    while (sem_wait(&given_up) != 0) continue;
    if (asks_to_end(ended_by) && !atomic_load(&told)) tell_kernel();
    wg_profile_finish(ended_by != 0, ended_by);
    wg_check_finish(ended_by != 0, ended_by);
    wg_verify_finish();
    sem_post(&written);
    return NULL;
}

static void begin_writer(void) {
    pthread_t thread;
    sigset_t all, before;
    if (sem_init(&given_up, 0, 0) != 0 || sem_init(&written, 0, 0) != 0) return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    owner = getpid();
    writes = pthread_create(&thread, NULL, write_what_is_known, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!writes) return;
    pthread_setname_np(thread, "warpglass");
    pthread_detach(thread);
}

static void end_by_signal(void) {
    signal(ended_by, SIG_DFL);
    kill(getpid(), ended_by);
}

static void let_it_be_written(int patience_ms) {
    if (!writes || getpid() != owner) return;
    sem_post(&given_up);
    for (int waited = 0; waited < patience_ms && sem_trywait(&written) != 0; waited += LOOK_MS)
        nanosleep(&(struct timespec){0, LOOK_MS * 1000000L}, NULL);
}

static void end_abruptly(void) {
    ended_by = 0;
    let_it_be_written(EXIT_PATIENCE_MS);
}

static void put(const char *text) {
    ssize_t n = write(STDERR_FILENO, text, strlen(text));
    (void)n;
}

/* What could not be stopped, on a device. */
static void name_kernel(struct wg_device *dev) {
    char name[512];
    bool compiling;
    if (!dev || !wg_device_doing(dev, &compiling, name, sizeof name)) return;
    for (char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
    put(compiling ? "warpglass: interrupted while kernel " : "warpglass: interrupted in kernel ");
    put(name);
    put(compiling ? " was being compiled\n" : ", which did not stop\n");
}

static void on_each(void (*fn)(struct wg_device *dev)) {
    for (unsigned i = 0; i < MOST_DEVICES; i++) {
        struct wg_device *dev = atomic_load(&devices[i]);
        if (dev) fn(dev);
    }
}
static bool any_is_busy(void) {
    bool busy = false;
    for (unsigned i = 0; i < MOST_DEVICES && !busy; i++) {
        struct wg_device *dev = atomic_load(&devices[i]);
        busy = dev && wg_device_busy(dev);
    }
    return busy;
}

/* Workers block signals, so this runs on one of the program's threads, and the kernel can stop meanwhile. */
static void stop_kernels(int number) {
    ended_by = number;
    if (any_is_busy() && !atomic_exchange(&interrupted, true)) {
        on_each(wg_device_interrupt);
        for (int waited = 0; waited < PATIENCE_MS && any_is_busy(); waited += LOOK_MS) {
            nanosleep(&(struct timespec){0, LOOK_MS * 1000000L}, NULL);
            if (waited == LET_MS) on_each(wg_device_kick);
        }
    }
    wg_progress_wipe();
    if (!atomic_load(&told)) on_each(name_kernel);
    let_it_be_written(PATIENCE_MS);
}

static void on_interrupt(int number) {
    stop_kernels(number);
    end_by_signal();
}

/* From the worker that met the interrupt. */
static void on_fault(void *user, const char *message) {
    (void)user;
    if (!atomic_load(&interrupted)) return;
    atomic_store(&told, true);
    wg_say("%.*s", (int)(strlen(message) - 1), message);
    wg_profile_finish(true, ended_by);
    wg_check_finish(true, ended_by);
    wg_verify_finish();
    end_by_signal();
}

/* A fault comes again when the handler returns, and what was sent is sent again: then it ends the program. */
static void on_end(int number, siginfo_t *info, void *context) {
    (void)context;
    ended_by = number;
    if (asks_to_end(number))
        stop_kernels(number);
    else
        let_it_be_written(PATIENCE_MS);
    signal(number, SIG_DFL);
    if (info->si_code <= 0) raise(number);
}

static void listen_for_ends(void) {
    static const int numbers[] = {SIGABRT, SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGTRAP,
                                  SIGTERM, SIGHUP,  SIGPIPE, SIGALRM, SIGXCPU, SIGQUIT};
    struct sigaction now, ours = {.sa_sigaction = on_end, .sa_flags = SA_SIGINFO};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
            now.sa_handler == SIG_DFL)
            sigaction(numbers[i], &ours, NULL);
}

void wg_interrupt_listen(struct wg_options *options) {
    struct sigaction now, ours = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    if (options->findings || options->result || options->verified) begin_writer();
    if (writes) listen_for_ends();
    if (writes) options->on_fault = on_fault;
    if (writes) wg_abrupt_end_listen(end_abruptly);
    if (writes) at_quick_exit(end_abruptly);
    if (sigaction(SIGINT, NULL, &now) != 0 || now.sa_handler != SIG_DFL) return;
    options->on_fault = on_fault;
    sigaction(SIGINT, &ours, NULL);
}

void wg_interrupt_device(struct wg_device *dev, bool on) {
    struct wg_device *was, *now = on ? dev : NULL;
    for (unsigned i = 0; i < MOST_DEVICES; i++) {
        was = on ? NULL : dev;
        if (atomic_compare_exchange_strong(&devices[i], &was, now)) return;
    }
}
