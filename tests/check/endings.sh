#!/bin/bash
# However a program ends, what was found until then is told: check, and profile, which leaves its file the same way.
. "$(dirname "$0")/../cli/expect.sh"
cat > ends.cu << 'END'
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
__global__ void over(int *p, int n) {
    if (threadIdx.x <= n) p[threadIdx.x] = 1;
}
__global__ void spin(volatile int *p) {
    while (*p == 0) continue;
}
int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    volatile int *nowhere = nullptr;
    int *p;
    cudaMalloc(&p, 64 * sizeof(int));
    over<<<1, 128>>>(p, 64);
    if (strcmp(how, "unread") != 0) cudaDeviceSynchronize();
    if (!strcmp(how, "sleep")) {
        FILE *f = fopen("started", "w");
        fprintf(f, "%d\n", getpid());
        fclose(f);
        for (;;) pause();
    }
    if (!strcmp(how, "abort")) abort();
    if (!strcmp(how, "throw")) throw 1;
    if (!strcmp(how, "null")) *nowhere = 1;
    if (!strcmp(how, "signal")) raise(atoi(argv[2]));
    if (!strcmp(how, "_exit")) _exit(7);
    if (!strcmp(how, "quick_exit")) quick_exit(8);
    if (!strcmp(how, "exec")) execlp("sh", "sh", "-c", "exit 9", nullptr);
    if (!strcmp(how, "handled")) signal(SIGTERM, [](int) { _exit(11); }), raise(SIGTERM);
    if (!strcmp(how, "fills"))
        for (int i = 0; i < 100000; i++) puts("a line of many, and nobody reads them");
    if (!strcmp(how, "spin")) {
        cudaMemset(p, 0, 64 * sizeof(int));
        spin<<<1, 32>>>(p);
        cudaDeviceSynchronize();
    }
    return 0;
}
END
# ends STATUS WHAT -- HOW: the program's own status and message of `run`, which check and profile have, too; check finds
# the one thing that is there.
ends() {
    local status=$1 what=$2
    shift 3
    expect "$status" "$what" -- warpglass run ends.cu -- "$@"
    expect 3 "$what" -- warpglass check --only memory ends.cu -- "$@"
    said '^out-of-bounds: access outside all allocations$'
    said '^1 finding$'
    expect "$status" "$what" -- warpglass profile ends.cu -- "$@"
    said 'over\(int\*, int\)'
}
ends 134 'ends: terminated by signal 6' -- abort
ends 134 'terminate called|terminated by signal 6' -- throw
ends 139 'ends: terminated by signal 11' -- null
for number in 1 6 7 8 9 11 14 15; do ends $((128 + number)) "ends: terminated by signal $number " -- signal $number; done
ends 141 '' -- signal 13 # SIGPIPE: whoever read has gone, and shells are silent about it, too
expect 141 '' -- warpglass run ends.cu -- signal 13
not_said 'signal'
ends 7 '' -- _exit
ends 8 '' -- quick_exit
ends 9 '' -- exec
ends 11 '' -- handled
expect 3 'terminated by signal 6' -- warpglass check --only memory ends.cu --json found.json -- abort
said '^The program was terminated by signal 6: the rest of it was not checked\.$'
expect 3 '' -- warpglass check --only memory ends.cu -- exec
said '^The program ended abruptly \(_exit, exec or SIGKILL\)'
for how in _exit quick_exit; do
    expect 3 '' -- warpglass check --only memory ends.cu -- $how
    not_said 'abruptly'
done

# What a service manager or a terminal sends to the command, while the program waits: it goes on to the program, and
# the command tells what was found.
for signal in INT TERM HUP; do
    for command in 'run' 'check --only memory' 'profile'; do
        rm -f started
        # A shell's background jobs ignore SIGINT; env puts it back.
        env --default-signal=INT "$WARPGLASS" $command ends.cu -- sleep > "$stdout" 2> "$stderr" &
        sent_to=$!
        until [[ -s started ]]; do sleep 0.05; done
        kill -"$signal" $sent_to
        wait $sent_to
        status=$?
        want=$((128 + $(kill -l "$signal")))
        case $command in check*) want=3 ;; esac
        [[ $status == "$want" ]] || fail "$command, SIG$signal: status $status, not $want"
        kill -0 "$(cat started)" 2> /dev/null && fail "$command, SIG$signal: the program lives on"
        case $command in
        check*) said '^1 finding$' ;;
        profile) said 'over\(int\*, int\)' ;;
        esac
    done
done

# A kernel runs then: the finding says which one, and where, and every report is written.
cat > long.cu << 'END'
#include <cstdio>
__global__ void turns(unsigned *out, unsigned n) {
    unsigned x = n + threadIdx.x;
    for (unsigned long long k = 0; k != ~0ull; k += 1 + (x == 77))
        x = x * 1664525u + (x >> 3);
    out[threadIdx.x] = x;
}
int main() {
    unsigned *out;
    cudaMalloc(&out, 64 * sizeof(unsigned));
    turns<<<1, 32>>>(out, 1);
    fclose(fopen("started", "w"));
    return cudaDeviceSynchronize();
}
END
for signal in INT TERM HUP; do
    rm -f started long.json long.sarif long.xml
    env --default-signal=INT "$WARPGLASS" check long.cu --json long.json --sarif long.sarif --junit long.xml > "$stdout" 2> "$stderr" &
    sent_to=$!
    until [[ -f started ]]; do sleep 0.05; done
    sleep 0.5
    kill -"$signal" $sent_to
    wait $sent_to
    status=$?
    want=$((128 + $(kill -l "$signal")))
    [[ $status == "$want" ]] || fail "check of a kernel that runs, SIG$signal: status $status, not $want"
    said '^interrupted: a kernel was still running when a signal ended the program$'
    said '^  long.cu:[45]:[0-9]+ in turns\(unsigned int\*, unsigned int\), launch 0$'
    said '^  Threads of block \(0,0,0\) were there\.$'
    said '^1 finding$'
    grep -q '"kind": *"interrupted"' long.json || fail "SIG$signal: the finding is not in the JSON"
    grep -q '"ruleId": *"interrupted"' long.sarif || fail "SIG$signal: the finding is not in the SARIF"
    grep -q '<failure message="a kernel was still running when a signal' long.xml || fail "SIG$signal: the finding is not in the JUnit"
done

# Its output is a pipe that closes.
for command in run profile; do
    warpglass $command ends.cu -- fills 2> /dev/null | head -n 1 > /dev/null
    [[ ${PIPESTATUS[0]} == 141 ]] || fail "$command of a program whose output is closed: status ${PIPESTATUS[0]}"
done
warpglass check --only memory --json pipe.json ends.cu -- fills 2> /dev/null | head -n 1 > /dev/null
[[ ${PIPESTATUS[0]} == 3 ]] || fail "check of a program whose output is closed: status ${PIPESTATUS[0]}"
grep -q '"kind": *"out-of-bounds"' pipe.json || fail "what was found before its output was closed is lost"

# A time limit is named as what it is.
expect 3 'ends: stopped after 2 seconds \(--timeout\)' -- warpglass check --timeout 2 --only memory ends.cu -- spin
said '^The program was stopped by --timeout: the rest of it was not checked\.$'
# What a program does at its end comes behind the kernels that were launched before.
cat > last.cu << 'END'
#include <cstdio>
#include <cstdlib>
__managed__ int sum;
__global__ void slow(int n) {
    for (int i = 0; i < n; i++) atomicAdd(&sum, i & 1);
}
int main() {
    slow<<<1, 1>>>(20000000);
    atexit([] { printf("the sum is %d\n", *(volatile int *)&sum); });
}
END
expect 0 '' -- warpglass run last.cu
said '^the sum is 10000000$'
finish
