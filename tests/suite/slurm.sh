#!/bin/bash
# Programs and suites under Slurm: a controller and two hosts of its own, with munge, for this test alone. MPICH's ranks are started
# by Slurm's pmi2, Open MPI's by its pmix.
. "$(dirname "$0")/../cli/expect.sh"
# shellcheck source=tests/suite/mpi_flags.sh
. "$tests/../suite/mpi_flags.sh"
PATH+=:/usr/sbin
for needed in slurmctld slurmd srun munged; do
    command -v $needed > /dev/null || { echo "skipped: Slurm is not installed (slurmctld, slurmd, slurm-client and munge)" && exit 77; }
done
[[ $(id -u) == 0 ]] || { echo "skipped: Slurm's daemons want to be root" && exit 77; }
# shellcheck source=tests/suite/two_hosts.sh
. "$tests/../suite/two_hosts.sh"

# ---- Slurm ----

export SLURM_CONF=$scratch/slurm.conf SLURM_PMIX_TMPDIR=$scratch/pmix
mkdir -p pmix state spool/one spool/two munge
chmod 711 .
head -c 1024 /dev/urandom > munge/key && chmod 400 munge/key
munged --force --key-file "$scratch/munge/key" --socket "$scratch/munge/socket" --pid-file "$scratch/munge.pid" \
    --log-file "$scratch/munge/log" --seed-file "$scratch/munge/seed" 2> munge/errors || skip "munged: $(tail -n 1 munge/errors)"
cat > slurm.conf <<END
ClusterName=test
SlurmctldHost=one(10.99.0.1)
AuthInfo=socket=$scratch/munge/socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool/%n
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.%n.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
NodeName=one NodeAddr=10.99.0.1 CPUs=4
NodeName=two NodeAddr=10.99.0.2 CPUs=4
PartitionName=all Nodes=one,two Default=YES
END
stop() {
    local pid
    for pid in *.pid; do kill "$(cat "$pid")"; done 2> /dev/null
    kill $one $two 2> /dev/null
    sleep 1
    rm -rf "$scratch"
}
trap stop EXIT
at $two mount -t tmpfs none "$scratch/pmix" # of each host its own
at $one slurmctld -i 2> errors || skip "slurmctld: $(tail -n 1 errors)"
at $one slurmd -N one && at $two slurmd -N two || skip "slurmd does not start here"
up() { [[ $(at $one sinfo -h -t idle -o %D) == 2 ]]; }
for _ in {1..100}; do up && break; sleep 0.2; done
up || skip "Slurm's hosts do not come up: $(at $one sinfo -R -h | head -n 1)"
srun() { at $one timeout 120 srun -Q -N 2 -n 4 "$@"; }

# ---- Suites ----

printf '#!/bin/sh\nhostname\nenv | grep -E "^(PMI|PMIX|SLURM_PROCID)" && exit 9\nsleep 0.4\n' > ok
chmod +x ok
for i in {1..8}; do echo "p$i: run ./ok"; done > a.suite
expect 0 '' -- srun "$WARPGLASS" suite a.suite
said '^8 programs: 8 as expected'
[[ $(sort -u a.suite.results/run-1/output/*.txt | xargs) == 'one two' ]] || fail "the suite ran on one host"
# The job is cancelled; the next goes on, and loses nothing that had ended.
cp a.suite b.suite
srun "$WARPGLASS" suite b.suite > /dev/null 2>&1 &
job=$!
ended() { [[ $(find b.suite.results/run-1/results -name '*.json' 2> /dev/null | wc -l) -ge 2 ]]; }
for _ in {1..600}; do ended && break; sleep 0.05; done
at $one scancel --signal=KILL --full -u root
wait $job
mkdir before && cp b.suite.results/run-1/results/*.json before
expect 0 '' -- srun "$WARPGLASS" suite b.suite
said '^8 programs: 8 as expected'
for f in before/*; do cmp "$f" "b.suite.results/run-1/results/${f#*/}" || fail "$f had ended"; done

# ---- Programs of MPI ----

with_mpi() { # name of an MPI, Slurm's name of what starts it
    has_mpi "$1" && at $one srun --mpi=list 2>&1 | grep -qw "$2" || return
    # shellcheck disable=SC2046
    expect 0 '' -- warpglass cc "$tests/../suite/halo.cu" $(mpi_flags "$1") -o "halo.$1"
    expect 0 '' -- srun --mpi="$2" "$WARPGLASS" run --threads 1 "./halo.$1" -- 10 300
    [[ $(grep -cE "^rank [0-9]+ of 4 on device 0 of 1, CUDA-aware: 1$" "$stdout") == 4 ]] || fail "4 ranks of $1"
    expect 0 '' -- srun --mpi="$2" "$WARPGLASS" profile --threads 1 "./halo.$1" -- 5 300
    said '^4 ranks of '
    said '^  in ranks 0-3, 5 launches each$'
    said '^Who waited for whom in MPI$'
    srun --mpi="$2" "$WARPGLASS" check --threads 1 "./halo.$1" -- 3 300 fault 3 > "$stdout" 2> "$stderr"
    [[ $? == 3 ]] || fail "not status 3"
    said '^  in rank 3$'
    srun --mpi="$2" "$WARPGLASS" profile --threads 1 "./halo.$1" -- 10 300 crash 3 > "$stdout" 2> "$stderr"
    [[ $? != 0 ]] || fail "a crash has no status"
    if [[ $2 != pmi2 ]]; then # pmix kills all ranks where one crashes, and they have left what they had
        warpglass merge warpglass-ranks > "$stdout" 2> "$stderr" || true
        said '^4 ranks of '
        said '^smooth\('
    fi
    said '^Rank 3 did not come to its end \(signal 9\)'
}
export OMPI_MCA_btl_tcp_if_include=wg0

with_mpi mpich pmi2
with_mpi openmpi pmix
finish
