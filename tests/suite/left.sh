#!/bin/bash
# What ranks leave that are killed with their whole job: "warpglass merge FOLDER" makes one report of it. The launcher is played by
# this script.
. "$(dirname "$0")/../cli/expect.sh"
cat > ranks.cu <<'END'
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
__global__ void fill(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}
__global__ void race(int *x) { x[0] = threadIdx.x; }
int main() { // does its work, says so by a file, and waits for the one that lets it end
    int rank = atoi(getenv("PMI_RANK")), n = 1000 * (rank + 1), *x;
    char name[32];
    cudaMalloc(&x, n * sizeof(int));
    fill<<<(n + 255) / 256, 256>>>(x, n);
    if (rank == 1) race<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    snprintf(name, sizeof name, "done.%d", rank);
    fclose(fopen(name, "w"));
    snprintf(name, sizeof name, "end.%d", rank);
    while (access(name, F_OK) != 0) usleep(10000);
    return 0;
}
END
warpglass cc -g ranks.cu -o ranks || fail "ranks"
eventually() { # COMMAND...
    for _ in {1..600}; do "$@" && return; sleep 0.05; done
    fail "never: $*"
}
begin() { # RANKS WORDS...: begins the ranks, and waits until each has done its work
    local n=$1 i
    shift
    rm -f done.* end.*
    pids=()
    for ((i = 0; i < n; i++)); do
        PMI_RANK=$i PMI_SIZE=$n "$WARPGLASS" "$@" ./ranks > out.$i 2> err.$i &
        pids+=($!)
    done
    for ((i = 0; i < n; i++)); do eventually test -e done.$i; done
}
end() { # SIGNAL
    kill "-$1" "${pids[@]}" 2> /dev/null
    wait 2> /dev/null
}
ended() { grep -qs 0 "$1"; }

# All are killed.
begin 3 profile --threads 1
end KILL
expect 1 '' -- warpglass merge --html m.html --json m.json warpglass-ranks
said '^3 ranks of ./ranks'
for rank in 0 1 2; do said "^Rank $rank did not come to its end \(killed\): its figures are of what it had done\.$"; done
said '^  in ranks 0-2, 1 launch each$'
said '^  in rank 1, 1 launch each$'
grep -q '>fill' m.html || fail "the page"
# The next job keeps it and says so.
begin 2 profile --threads 1
touch end.0 end.1
wait
grep -qF 'warpglass: warpglass-ranks/run-1 is what a job left that was killed: "warpglass merge warpglass-ranks/run-1"' err.0 || fail "$(cat err.0)"
grep -q '^2 ranks of' out.0 || fail "$(cat out.0)"
expect 1 '' -- warpglass merge --json again.json warpglass-ranks/run-1
cmp m.json again.json || fail "merge makes another report the second time"
rm -rf warpglass-ranks

# Findings, by the options that the ranks had; one rank had come to its end.
echo 'race-block kernel=fill*' > known
begin 3 check --threads 1 --suppress known --results kept
touch end.2
eventually ended kept/run-1/results/2
expect 3 '' -- warpglass merge kept # while the others run
said '^Rank 0 did not come to its end \(it still runs\)'
not_said '^Rank 2'
end KILL
expect 3 '' -- warpglass merge --junit m.xml kept/run-1
said '^1 finding$'
said '^  in rank 1$'
said '^Rank 0 did not come to its end \(killed\)'
not_said '^Rank 2'
rm known
expect 1 'known: No such file' -- warpglass merge kept
echo 'race-block kernel=race*' > known
expect 1 '' -- warpglass merge kept
said '^Nothing was found'

# One that is asked to end reports, and may not be heard.
begin 2 profile --threads 1
end TERM
grep -qF 'what ranks have left stays in warpglass-ranks/run-1: "warpglass merge warpglass-ranks/run-1"' err.0 || fail "$(cat err.0)"
expect 143 '' -- warpglass merge warpglass-ranks
said '^Rank 1 did not come to its end \(signal 15\)'
rm -rf warpglass-ranks

# Rank 1 came to nothing; others never began.
mkdir -p warpglass-ranks/run-1/ranks
printf 'warpglass\0profile\0./ranks\0' > warpglass-ranks/run-1/command
echo 3 > warpglass-ranks/run-1/ranks/0
touch warpglass-ranks/run-1/ranks/1
expect 1 'rank 1: it was killed before it left a report' -- warpglass merge warpglass-ranks
grep -q 'rank 2: it never began' "$stderr" || fail "rank 2"

# The command line is not there whole, or is another's.
: > warpglass-ranks/run-1/command
expect 1 'no profile or check under mpirun or srun was begun' -- warpglass merge warpglass-ranks
printf 'warpglass\0run\0./ranks\0' > warpglass-ranks/run-1/command
expect 1 'run-1/command: what the ranks ran is neither profile nor check' -- warpglass merge warpglass-ranks

# Ranks of a source file, which compile it first.
cat > source.cu <<'EOF'
__global__ void fill(int *x) { x[threadIdx.x] = 1; }
int main() {
    int *x;
    cudaMalloc(&x, 1024);
    fill<<<1, 32>>>(x);
    return cudaDeviceSynchronize();
}
EOF
rm -rf warpglass-ranks
for command in profile check; do
    PMI_RANK=1 PMI_SIZE=2 timeout 100 "$WARPGLASS" $command source.cu > out.1 2>&1 &
    PMI_RANK=0 PMI_SIZE=2 expect 0 '' -- timeout 100 "$WARPGLASS" $command source.cu
    wait
    said '^2 ranks of '
    [[ ! -e warpglass-ranks ]] || fail "warpglass-ranks is left"
done

# What is no such folder.
mkdir empty
expect 1 '^warpglass: empty: no profile or check under mpirun or srun was begun' -- warpglass merge empty
chmod 711 . && chmod 000 empty
plain=() # root may read everything
if [[ $UID == 0 ]]; then plain=(setpriv --reuid=65534 --clear-groups); fi
expect 1 '^warpglass: empty: Permission denied' -- "${plain[@]}" "$WARPGLASS" merge empty
echo 'ok: run /bin/true' > a.suite
expect 0 '' -- warpglass suite a.suite
expect 1 '^warpglass: a.suite.results: no profile or check' -- warpglass merge a.suite.results
finish
