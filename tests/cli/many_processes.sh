#!/bin/bash
# Programs of several processes: a script that runs two programs, a program that forks a worker for each device, one that is replaced
# by another. Each process's result is in the one report, and there is one exit status.
. "$(dirname "$0")/expect.sh"
cat > workers.cu << 'END'
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>
__global__ void fill(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}
static void work(int blocks, int over) {
    int *x, n = blocks * 256;
    cudaMalloc(&x, (n - over) * sizeof(int));
    fill<<<blocks, 256>>>(x, n);
    cudaDeviceSynchronize();
    cudaFree(x);
}
int main(int argc, char **argv) { // WHAT: how the second of three workers ends
    const char *what = argc > 1 ? argv[1] : "";
    int status, all = 0, count;
    if (!strcmp(what, "alone")) return work(argc > 2 ? atoi(argv[2]) : 1, 0), 0;
    if (!strcmp(what, "exec")) {
        work(3, 0);
        execl("/proc/self/exe", argv[0], "alone", "2", nullptr);
    }
    for (int i = 0; i < 3; i++)
        if (fork() == 0) {
            work(i + 1, i == 1 && !strcmp(what, "over"));
            if (i == 1 && !strcmp(what, "abort")) abort();
            if (i == 1 && (!strcmp(what, "late") || !strcmp(what, "slow"))) sleep(*what == 's' ? 100 : 1);
            for (int k = 0; k < 300 && !strcmp(what, "often"); k++) work(1, 0);
            _exit(i == 1 && !strcmp(what, "status") ? 7 : 0);
        }
    if (!strcmp(what, "late") || !strcmp(what, "slow")) return 0;
    if (!strcmp(what, "counts")) cudaGetDeviceCount(&count);
    while (wait(&status) > 0)
        if (WIFEXITED(status)) all += WEXITSTATUS(status);
    return all;
}
END
warpglass cc -g workers.cu -o workers || fail "workers"

# Each worker's figures are there; that the parent asked for the number of devices makes it no fourth.
for what in '' counts late; do
    expect 0 '' -- warpglass profile --json p.json ./workers -- $what
    said '^3 processes of ./workers$'
    said 'in processes 0-2, 1 launch each'
    said '^  global_store_sectors +32 +64 +96 '
done
python3 - << 'END' || fail "the JSON of three processes"
import json
r = json.load(open("p.json"))
assert r["ranks_are"] == "processes" and len(r["ranks"]) == 3, r["ranks"]
assert r["ranks"][1]["command"] == "./workers late", r["ranks"]
END

# Nothing is lost where a worker ends by _exit.
expect 0 '' -- warpglass profile ./workers -- often
said 'in processes 0-2, 301 launches each'
not_said 'did not come to its end'

# A worker's status is its parent's affair; one that crashes is not.
expect 7 '' -- warpglass profile ./workers -- status
expect 134 '' -- warpglass profile ./workers -- abort
said '^Process [0-2] did not come to its end \(signal 6\)'
expect 134 '' -- warpglass check ./workers -- abort
said '^Nothing was found'

# A finding is told once, with the processes that had it, in each file.
expect 0 '' -- warpglass check ./workers
said '^Nothing was found'
expect 3 '' -- warpglass check --json c.json --sarif c.sarif --junit c.xml ./workers -- over
said '^workers.cu:9: out-of-bounds'
said '^  in process [0-2]$'
said '^1 finding$'
for file in c.json c.sarif c.xml; do grep -q out-of-bounds $file || fail "$file has no finding"; done

# Another program in the same process, and other programs: kernels of the same name are not the same kernel.
expect 0 '' -- warpglass profile ./workers -- exec
said '^2 processes of ./workers'
said '^  1: ./workers alone 2$'
said '^Process 0 did not come to its end \(exec'
cp workers others
printf '#!/bin/sh\n./workers alone\n./others alone 4\n' > script
chmod +x script
expect 0 '' -- warpglass profile --results kept ./script
said '^  1: ./others alone 4$'
said '^  in process 0, 1 launch each'
said '^  in process 1, 1 launch each'
expect 0 '' -- warpglass profile kept/process-1.json
said 'Launch 0: grid 4'
printf '#!/bin/sh\n./workers alone\ntrue\n' > script
expect 0 '' -- warpglass profile ./script
said 'Launch 0: grid 1'

# Somebody who runs on is waited for, but not beyond --timeout.
expect 124 'waiting for 1 process of it' -- warpglass profile --timeout 5 ./workers -- slow
said '^Process [0-2] did not come to its end \(signal 15'
said 'in processes 0-2, 1 launch each'

# A suite tells what was found in them.
echo "over (status 3): check ./workers -- over" > one.suite
expect 0 '' -- warpglass suite --json s.json one.suite
grep -q 'workers.cu:9: out-of-bounds' s.json || fail "the suite has no finding"

# A time limit ends what a script has started, too, and what each process had found is there.
# Background jobs of a shell ignore SIGINT.
printf '#!/bin/bash\nsleep 60 & echo $! > pid\nwait\n' > script
expect 124 'script: stopped after 1 seconds' -- warpglass run --timeout 1 ./script
grep -q 'S (sleeping)' "/proc/$(cat pid)/status" 2> /dev/null && fail "what the script started lives on"

# A budget is each process's.
expect 3 'expected' -- warpglass profile --expect 'fill: global_store_sectors <= 40' ./workers

# What is of one process alone is refused by name.
expect 1 'trace.json was not written: 3 processes' -- warpglass profile --trace trace.json ./workers
expect 1 'others 3 of its processes|3 of its processes' -- warpglass compare ./workers p.json
finish
