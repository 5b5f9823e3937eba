#!/bin/bash
# `run`: arguments, exit statuses, signals, the time limit, and what reaches the library.
. "$(dirname "$0")/expect.sh"
mkdir -p sub
cat > sub/act.cu << 'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "args"))
        for (int i = 0; i < argc; i++) printf("[%s]\n", argv[i]);
    if (!strcmp(what, "env"))
        for (char **e = environ; *e; e++)
            if (!strncmp(*e, "WARPGLASS_", 10)) puts(*e);
    if (!strcmp(what, "cat"))
        for (int c; (c = getchar()) != EOF;) putchar(c);
    if (!strcmp(what, "exit")) return atoi(argv[2]);
    if (!strcmp(what, "signal")) raise(atoi(argv[2]));
    if (!strcmp(what, "deaf")) signal(SIGINT, SIG_IGN), signal(SIGTERM, SIG_IGN);
    if (!strcmp(what, "deaf") || !strcmp(what, "sleep")) {
        FILE *f = fopen("started", "w");
        fprintf(f, "%d\n", getpid());
        fclose(f);
        for (;;) pause();
    }
    return 0;
}
END
expect 0 '' -- warpglass run sub/act.cu -- args 'two words' '' -- --threads
said '^\[sub/act\]$'
said '^\[two words\]$'
said '^\[\]$'
said '^\[--\]$'
said '^\[--threads\]$'
expect 2 "its arguments go after '--': \"warpglass run ./act -- ...\"" -- warpglass run ./act exit 3
expect 2 "its arguments go after '--': \"warpglass profile ./act -- ...\"" -- warpglass profile ./act exit 3
expect 2 "which program\? \"warpglass check FILE.cu\"" -- warpglass check
expect 1 "exit: no such file. The program's arguments go after '--': \"warpglass run sub/act.cu -- exit\"" -- warpglass run sub/act.cu exit 3
expect 1 "other.cu: no such file$" -- warpglass run sub/act.cu other.cu
for status in 0 1 3 124 200 255; do expect $status '' -- warpglass run sub/act.cu -- exit $status; done
expect 138 "sub/act: terminated by signal 10 \(User defined signal 1\)" -- warpglass run sub/act.cu -- signal 10
expect 134 "terminated by signal 6" -- warpglass run sub/act.cu -- signal 6
# Who reads no further has seen enough: no message, as of a shell, and no files are left.
expect 141 '' -- warpglass run sub/act.cu -- signal 13
mkdir room
expect 0 '' -- env TMPDIR="$scratch/room" bash -c '"$1" profile sub/act.cu -- signal 13 2>&1 | true' - "$WARPGLASS"
[[ -z $(ls room) ]] || fail "left behind: $(ls room)"
echo "through the pipe" | expect 0 '' -- warpglass run sub/act.cu -- cat
[[ $(cat "$stdout") == "through the pipe" ]] || fail "standard input does not reach the program"

# The machine's options, and only those given.
expect 0 '' -- warpglass run sub/act.cu -- env
[[ $(cat "$stdout") == "WARPGLASS_CACHE_DIR=$WARPGLASS_CACHE_DIR" ]] || fail "more than what was set reached the program"
expect 0 '' -- warpglass run --threads 3 --arch=sm_70 sub/act.cu --dump ptx,asm --timeout=60 -- env
said '^WARPGLASS_THREADS=3$'
said '^WARPGLASS_ARCH=sm_70$'
said '^WARPGLASS_DUMP=ptx,asm$'
expect 0 'run /.*clang.*--cuda-gpu-arch=sm_80' -- warpglass run -v -arch=compute_80 sub/act.cu -- env
said '^WARPGLASS_VERBOSE=1$'

# An executable, by any name, with the libraries where it can find them.
expect 0 '' -- warpglass cc sub/act.cu -o act
expect 7 '' -- warpglass run act -- exit 7
expect 7 '' -- warpglass run ./act -- exit 7
expect 0 '' -- warpglass run "$scratch/act" -- args
said "^\[$scratch/act\]$"
printf '#!/bin/sh\necho "$LD_LIBRARY_PATH"\n' > script
chmod +x script
expect 0 '' -- env LD_LIBRARY_PATH=/elsewhere "$WARPGLASS" run ./script
said "/lib/warpglass:/elsewhere$"

# The time limit.
before=$SECONDS
expect 124 "act: stopped after 0.5 seconds \(--timeout\)" -- warpglass run --timeout 0.5 ./act -- sleep
expect 124 "act: stopped after 0.5 seconds" -- warpglass run --timeout 0.5 ./act -- deaf
((SECONDS - before <= 120)) || fail "the time limit took $((SECONDS - before)) seconds"
kill -0 "$(cat started)" 2> /dev/null && fail "the program lives on after its time limit"
expect 4 '' -- warpglass run --timeout 60 ./act -- exit 4

# Ctrl-C, and what a service manager sends: the program gets it, the command waits for it.
for signal in INT TERM HUP; do
    rm -f started
    # A shell's background jobs ignore SIGINT; env puts it back.
    env --default-signal=INT "$WARPGLASS" run ./act -- sleep > "$stdout" 2> "$stderr" &
    command=$!
    until [[ -s started ]]; do sleep 0.05; done
    kill -"$signal" $command
    wait $command
    status=$?
    [[ $status == $((128 + $(kill -l "$signal"))) ]] || fail "SIG$signal: status $status"
    kill -0 "$(cat started)" 2> /dev/null && fail "SIG$signal: the program lives on"
    [[ ! -s $stderr ]] || fail "SIG$signal: unexpected messages"
done
finish
