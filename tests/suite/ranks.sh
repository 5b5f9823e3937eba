#!/bin/bash
# Ranks of a launcher share a suite: each program runs once, whatever happens to a rank. The launcher is played by this
# script, which sets what mpirun and srun do.
. "$(dirname "$0")/../cli/expect.sh"
export LOG=$scratch/log
lines() { [[ -e $LOG && $(wc -l < "$LOG") -ge $1 ]]; }
eventually() { # COMMAND...
    for _ in {1..600}; do "$@" && return; sleep 0.05; done
    fail "never: $*"
}
cat > ok <<'END'
#!/bin/sh
echo "$1" >> "$LOG"
env | grep -E '^(PMI|OMPI|SLURM_PROCID)' && exit 9
sleep "${2:-0}"
END
chmod +x ok

rank() { # launcher, rank, size, words...
    local launcher=$1 rank=$2 size=$3
    shift 3
    case $launcher in
        ompi) env OMPI_COMM_WORLD_RANK="$rank" OMPI_COMM_WORLD_SIZE="$size" OMPI_COMM_WORLD_LOCAL_SIZE="$size" "$WARPGLASS" "$@" ;;
        mpich) env PMI_RANK="$rank" PMI_SIZE="$size" MPI_LOCALNRANKS="$size" "$WARPGLASS" "$@" ;;
        slurm) env SLURM_PROCID="$rank" SLURM_STEP_NUM_TASKS="$size" SLURM_STEP_TASKS_PER_NODE="$size(x1)" "$WARPGLASS" "$@" ;;
    esac
}
each_once() {
    [[ $(wc -l < "$LOG") == "$1" && $(sort -u "$LOG" | wc -l) == "$1" ]] || fail "runs were $(sort "$LOG" | xargs)"
}
ranks_in() { sed -nE 's/^ "rank": ([0-9]+),$/\1/p' "$1"/results/*.json | sort -u | xargs; }

for i in {1..12}; do echo "p$i: run ./ok -- p$i 0.2"; done > a.suite
run=0
for launcher in ompi mpich slurm; do
    rm -f "$LOG"
    for r in 3 2 1; do rank $launcher $r 4 suite a.suite > out.$r 2>&1 & done
    sleep 0.2 # rank 0 comes last
    expect 0 '' -- rank $launcher 0 4 suite a.suite
    wait
    said '^12 programs: 12 as expected'
    cat out.? | grep . && fail "ranks other than 0 say something"
    each_once 12
    run=$((run + 1))
    [[ $(ranks_in a.suite.results/run-$run) == '0 1 2 3' ]] || fail "$launcher: ranks $(ranks_in a.suite.results/run-$run)"
done
# A script of sbatch is no rank.
SLURM_PROCID=0 SLURM_NTASKS=4 expect 0 '' -- warpglass suite a.suite

# A rank that is killed: another one runs what it had begun, and the report says so.
rm -f "$LOG"
printf 'hangs: run ./ok -- hangs 0.4\n' > b.suite
for i in {1..8}; do echo "p$i: run ./ok -- p$i 0.3"; done >> b.suite
rank mpich 0 2 suite b.suite > "$stdout" 2> "$stderr" &
first=$!
env PMI_RANK=1 PMI_SIZE=2 "$WARPGLASS" suite b.suite > /dev/null 2>&1 &
second=$!
began() { grep -qs 'rank 1' b.suite.results/run-1/claims/*; }
eventually began
kill -9 $second
wait $first || fail "rank 0 ended with $?"
said '^9 programs: 9 as expected'
[[ $(sort -u "$LOG" | wc -l) == 9 ]] || fail "runs were $(sort "$LOG" | xargs)"
# The whole job is killed; the next one goes on, with another number of ranks.
rm -f "$LOG"
rank mpich 0 2 suite a.suite > /dev/null 2>&1 &
jobs="$!"
rank mpich 1 2 suite a.suite > /dev/null 2>&1 &
jobs+=" $!"
eventually lines 5
# shellcheck disable=SC2086
pkill -9 -P "${jobs// /,}"; kill -9 $jobs 2> /dev/null
wait
for r in 1 2; do rank ompi $r 3 suite a.suite & done
expect 0 '' -- rank ompi 0 3 suite a.suite
wait
said '^12 programs: 12 as expected.*'
[[ $(sort -u "$LOG" | wc -l) == 12 && $(wc -l < "$LOG") -le 14 ]] || fail "runs were $(sort "$LOG" | xargs)"
# A job may be ended from its programs on: what was ended by that has not ended by itself, and runs again.
for signal in TERM KILL; do
    rm -f "$LOG"
    printf '#!/bin/sh\necho $$ >> "$LOG"\n[ $(wc -l < "$LOG") = 1 ] && exec sleep 60\nexit 0\n' > once
    chmod +x once
    echo "p: run ./once" > d.suite
    rank mpich 0 2 suite d.suite > /dev/null 2>&1 &
    job=$!
    eventually lines 1
    kill -$signal "$(cat "$LOG")"
    sleep 0.3
    # shellcheck disable=SC2046
    kill -9 $job $(pgrep -P $job)
    wait $job
    expect 0 '' -- warpglass suite d.suite
    said '^p .*as expected'
    lines 2 || fail "what SIG$signal ended does not run again"
done
# One that somebody ended alone has ended so.
printf '#!/bin/sh\nkill -TERM $$\n' > once
expect 3 '' -- warpglass suite --again d.suite
said 'signal 15'
# A rank that never came is named; one that comes too late has nothing to do.
printf 'p: run ./ok -- p\n' > c.suite
expect 0 '' -- rank mpich 0 2 suite c.suite
said '^These ranks never began: 1\.'
expect 0 '' -- rank mpich 1 2 suite c.suite
finish
