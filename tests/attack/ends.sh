#!/bin/bash
# However the command is ended: its program and its folder for temporary files go with it, and it ends at any moment.
. "$(dirname "$0")/../cli/expect.sh"
mkdir tmp
export TMPDIR=$scratch/tmp
printf '#include <unistd.h>\n#include <stdio.h>\nint main(void) { FILE *f = fopen("pid", "w"); fprintf(f, "%%d\\n", getpid()); fclose(f); for (;;) pause(); }\n' > waits.c
mkfifo pipe.c
echo 'int main(void) { return 0; }' > quick_c.c
wait_until() { for ((i = 0; i < 600; i++)); do "$@" && return 0; sleep 0.05; done; return 1; }
gone() { ! kill -0 "$1" 2> /dev/null || grep -q '^State:.Z' "/proc/$1/status" 2> /dev/null; }
empty() { [[ -z $(ls tmp) ]]; }
not_empty() { ! empty; }
heeding() { # becomes the command
    exec python3 -c 'import os, signal, sys
for s in signal.SIGINT, signal.SIGQUIT: signal.signal(s, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$@"
}
for sig in KILL TERM HUP INT QUIT; do
    rm -f pid
    # Jobs in the background ignore SIGINT and SIGQUIT, and what ignores a signal goes on doing so: Python gives it back.
    heeding "$WARPGLASS" run waits.c 2> /dev/null &
    command=$!
    wait_until test -s pid || fail "the program does not run"
    kill -"$sig" $command
    wait $command
    wait_until gone "$(cat pid)" || fail "SIG$sig: the program runs on"
    wait_until empty || fail "SIG$sig: left behind: $(find tmp)"
    # Where it is busy with something else: here with opening a source that is a pipe, to see whether it has changed.
    WARPGLASS_CACHE_DIR=none heeding "$WARPGLASS" run pipe.c 2> said &
    command=$!
    wait_until not_empty || fail "the command does not compile"
    sleep 0.2
    kill -"$sig" $command
    wait_until gone $command || fail "SIG$sig: it does not end"
    wait $command
    (($? == 128 + $(kill -l "$sig"))) || fail "SIG$sig: another status"
    [[ ! -s said ]] || fail "SIG$sig: the compiler tells of it: $(head -3 said)"
    wait_until empty || fail "SIG$sig: left behind: $(find tmp)"
done
# Killed together with its guard it leaves its folder, which the next command takes away: not one that is new, or in use,
# or that others may write to, or a link to one.
WARPGLASS_CACHE_DIR=none "$WARPGLASS" run pipe.c 2> /dev/null &
command=$!
wait_until not_empty || fail "the command does not compile"
sleep 0.2
guards() { grep -l "^PPid:[[:space:]]$command\$" /proc/[0-9]*/status 2> /dev/null | cut -d/ -f3; }
wait_until test -n "$(guards)" || fail "there is no guard"
# shellcheck disable=SC2046
kill -KILL $(guards) $command 2> /dev/null
wait $command 2> /dev/null
not_empty || fail "what is to be taken away is gone already"
left=$(ls tmp)
mkdir -m 700 tmp/warpglass.inUse0 && touch -d '1 hour ago' tmp/warpglass.inUse0
exec 9< tmp/warpglass.inUse0
flock -s 9
mkdir -m 770 tmp/warpglass.others && touch -d '1 hour ago' tmp/warpglass.others
mkdir -m 700 precious && touch precious/file && touch -d '1 hour ago' precious && ln -s ../precious tmp/warpglass.link00
mkdir -m 700 tmp/warpglass.newOne
expect 0 '' -- warpglass cc quick_c.c -o quick_c
[[ -d tmp/$left ]] || fail "a folder was taken away that may be just made"
touch -d '1 hour ago' "tmp/$left"
expect 0 '' -- warpglass cc quick_c.c -o quick_c
[[ -d tmp/$left ]] && fail "the folder of a command that was killed stays"
[[ -d tmp/warpglass.inUse0 && -d tmp/warpglass.others && -d tmp/warpglass.newOne && -f precious/file ]] ||
    fail "too much was taken away"
exec 9<&-
rm -rf tmp/*
# A report that nobody reads: the command waits for a pipe, and no child of it is there.
mkfifo report.json
printf '__global__ void k() {}\nint main() { k<<<1, 32>>>(); return cudaDeviceSynchronize(); }\n' > quick.cu
expect 0 '' -- warpglass cc quick.cu -o quick
for sig in TERM HUP; do
    "$WARPGLASS" profile --json report.json ./quick > /dev/null 2>&1 &
    command=$!
    sleep 3
    kill -$sig $command
    wait_until gone $command || { fail "SIG$sig: not heard while a pipe was opened"; kill -9 $command; }
    wait $command
    wait_until empty || fail "SIG$sig: left behind: $(find tmp)"
done
# A kernel is named: one whose loop touches no memory, with its line, and one that is compiled.
cat > spins.cu << 'END'
__global__ void spins(int *x, int n) {
    unsigned i = threadIdx.x;
    while (i != 77777777u || n) asm volatile("add.u32 %0, %0, 0;" : "+r"(i));
    x[0] = i;
}
int main() { int *x; cudaMalloc(&x, 128); spins<<<1, 32>>>(x, 1); return cudaDeviceSynchronize(); }
END
expect 0 '' -- warpglass cc spins.cu -o spins
expect 124 'spins.cu:3:[0-9]*: stopped in kernel spins.int., int.' -- warpglass run --timeout 0.3 ./spins
{
    echo '__global__ void slow(float *x) { float a = x[threadIdx.x], b = x[5], c = x[6];'
    for ((i = 0; i < 1500; i++)); do echo "if (a > b * $i) a = a * c + $i; else b += x[$((i % 32))] * a; x[$i] = b;"; done
    echo 'x[0] = a + b; } int main() { float *x; cudaMalloc(&x, 1 << 20); slow<<<1, 32>>>(x); return cudaDeviceSynchronize(); }'
} > slow.cu
expect 0 '' -- warpglass cc slow.cu -o slow
expect 124 'interrupted while kernel slow.float.. was being compiled' -- warpglass run --timeout 1 ./slow
# A compiler that does not come to its end: here it reads a header that nobody writes.
mkfifo header.h
echo '#include "header.h"' > includes.c
expect 124 'includes.c: stopped after 1 seconds .--timeout., while it was being compiled' -- warpglass run --timeout 1 includes.c
! grep -q 'signal' "$stderr" || fail "how the compiler was ended is told"
wait_until empty || fail "--timeout: left behind: $(find tmp)"
# Who ignores SIGCHLD has children that nobody can wait for; the command gets it ignored, and the program does again.
printf '#include <signal.h>\n#include <stdio.h>\nint main(void) { puts(signal(SIGCHLD, SIG_DFL) == SIG_IGN ? "ignored" : "not ignored"); return 7; }\n' > child.c
ignoring() { timeout -s KILL 60 python3 -c 'import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])' "$WARPGLASS" run child.c; }
said=$(ignoring)
status=$?
[[ $said == ignored && $status == 7 ]] || fail "with SIGCHLD ignored: '$said', status $status"
finish
