#!/bin/bash
# Who waited for whom, with each MPI that is installed; and ranks that leave the others waiting.
. "$(dirname "$0")/../cli/expect.sh"
# shellcheck source=tests/suite/mpi_flags.sh
. "$tests/../suite/mpi_flags.sh"
found=
cat > plain.c <<'END'
#include <mpi.h>
void fill(void);
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    fill();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
cat > kernel.cu <<'END'
__global__ void set(int *p) { p[threadIdx.x] = 1; }
extern "C" void fill() {
    int *p;
    cudaMalloc(&p, 128);
    set<<<1, 32>>>(p);
    cudaDeviceSynchronize();
}
END

with_mpi() { # name
    local run=mpirun.$1 flags got
    has_mpi "$1" || return
    found=yes
    flags=$(mpi_flags "$1")
    # Each is late by 400 ms, of which the other may have missed some.
    # shellcheck disable=SC2086
    expect 0 '' -- warpglass cc "$tests/../suite/late.cu" $flags -o "late.$1"
    expect 0 '' -- timeout 100 "$run" -n 4 "$WARPGLASS" profile --threads 1 --results "late.$1.results" --json late.json --html late.html "./late.$1"
    said '^Who waited for whom in MPI$'
    said '^  waiting in collectives '
    expect 0 '' -- warpglass merge --json again.json "late.$1.results"/run-1/reports/{0,1,2,3}.json
    python3 - <<'END' || fail "who waited for whom"
import json
m, again = (json.load(open(name + ".json"))["mpi"] for name in ("late", "again"))
assert m == again
long = {(w["rank"], w["for"], w["kind"], w["call"][4:]) for w in m["waits"] if w["seconds"] > 0.2}
expected = {(0, 1, "late_sender", "Recv"), (0, 2, "late_receiver", "Ssend"), (1, 3, "late_sender", "Waitall"),
            (3, 0, "late_sender", "Sendrecv"), (2, 0, "late_sender", "Probe"), (3, 2, "late_sender", "Waitany"),
            (0, 3, "collective", "Barrier"), (1, 3, "collective", "Barrier"), (2, 3, "collective", "Barrier"),
            (0, 1, "collective", "Bcast"), (2, 1, "collective", "Bcast"), (3, 1, "collective", "Bcast"),
            (0, 2, "collective", "Reduce"), (1, 3, "collective", "Allreduce"),
            (1, 2, "collective", "Wait"), (3, 2, "collective", "Wait")}
# After MPI_Reduce and MPI_Allreduce, whoever does not wait there waits for the late one when a communicator is made.
assert expected == {w for w in long if not w[3].startswith("Comm_")}, (expected - long, long - expected)
assert {w["times"] for w in m["waits"] if w["call"] == "MPI_Waitany" and w["seconds"] > 0.2} == {2}
assert all(r["in_mpi"] >= r["late_sender"] + r["late_receiver"] + r["collective"] for r in m["ranks"])
END
    grep -q '>Who waited for whom in MPI</h2>' late.html || fail "the page does not say who waited"
    # Code for an executable may have copies of the library's objects, such as MPI_COMM_WORLD.
    # shellcheck disable=SC2086
    gcc -O2 -fPIE -c plain.c $flags -o plain.o && expect 0 '' -- warpglass cc plain.o kernel.cu $flags -o "plain.$1"
    expect 0 '' -- timeout 100 "$run" -n 2 "$WARPGLASS" profile --threads 1 "./plain.$1"
    said '^  MPI_Barrier  '
    # A rank that goes without MPI_Finalize, whom others wait for.
    for command in profile check; do
        timeout 100 "$run" -n 4 "$WARPGLASS" $command --threads 1 "./late.$1" -- killed > "$stdout" 2> "$stderr"
        got=$?
        [[ $got != 0 && $got != 124 ]] || fail "status $got"
        said '^Rank 2 ended with status 9'
        said '^Rank 0 did not come to its end \(it was asked to, because another had gone\)'
        said '^  Rank 0 was in MPI_Recv, with rank 2\.$'
        said '^  Rank 3 was in MPI_Barrier\.$'
    done
    timeout 100 "$run" -n 4 "$WARPGLASS" profile --threads 1 "./late.$1" -- abort > "$stdout" 2> "$stderr"
    [[ $? == 5 || $1 == mpich ]] || fail "MPI_Abort"
    grep -q '^warpglass: rank 3 called MPI_Abort with 5$' "$stderr" || fail "nobody says who called MPI_Abort"
    said '^Rank 3 ended with status 5\.$'
}
with_mpi openmpi
with_mpi mpich
if [[ -z $found ]]; then
    echo "skipped: no MPI is installed (mpirun.openmpi with mpicc.openmpi, or the same of mpich)"
    exit 77
fi
finish
