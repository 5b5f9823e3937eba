#!/bin/bash
# Programs of MPI, with each MPI that is installed: device memory in messages, devices by rank, and one report of profile and
# of check, also when a rank crashes.
. "$(dirname "$0")/../cli/expect.sh"
# shellcheck source=tests/suite/mpi_flags.sh
. "$tests/../suite/mpi_flags.sh"
halo=$tests/../suite/halo.cu found=

cat > received.cu <<'END'
#include <mpi.h>
__global__ void fill(int *p, int value) { p[threadIdx.x] = value; }
__global__ void add(const int *from, int *to) { to[threadIdx.x] += from[threadIdx.x]; }
int main(int argc, char **argv) {
    int *mine, *theirs, rank, ranks, host[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    cudaMalloc(&mine, sizeof host);
    cudaMalloc(&theirs, sizeof host);
    fill<<<1, 32>>>(mine, rank);
    cudaDeviceSynchronize();
    MPI_Sendrecv(mine, 32, MPI_INT, (rank + 1) % ranks, 0, theirs, 32, MPI_INT, (rank + ranks - 1) % ranks, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    add<<<1, 32>>>(theirs, mine);
    cudaMemcpy(host, mine, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(mine);
    cudaFree(theirs);
    MPI_Finalize();
    return host[3] != rank + (rank + ranks - 1) % ranks;
}
END

with_mpi() { # name; mpirun, compiler, options that show what the compiler would do
    local run=mpirun.$1 flags got
    has_mpi "$1" || return
    found=yes
    flags=$(mpi_flags "$1")
    # shellcheck disable=SC2086
    expect 0 '' -- warpglass cc "$halo" $flags -o "halo.$1"
    expect 0 'note: -ccbin' -- warpglass cc -ccbin "mpicxx.$1" received.cu -o "received.$1"
    expect 0 '' -- timeout 100 "$run" -n 2 "$WARPGLASS" run --threads 1 "./received.$1"
    for ranks in 1 2 8; do
        expect 0 '' -- timeout 100 "$run" -n $ranks "$WARPGLASS" run --threads 1 "./halo.$1" -- 10 300
        [[ $(grep -cE "^rank [0-9]+ of $ranks on device 0 of 1, CUDA-aware: 1$" "$stdout") == "$ranks" ]] || fail "$ranks ranks of $1"
    done
    expect 0 '' -- warpglass run "./halo.$1" -- 10 300 # alone, without a launcher
    said '^rank 0 of 1 on device 0 of 1, CUDA-aware: 1$'
    expect 0 '' -- timeout 100 "$run" -n 4 "$WARPGLASS" run --threads 1 --devices 3 "./halo.$1" -- 3 50
    for rank in 0 1 2 3; do said "^rank $rank of 4 on device $((rank % 3)) of 3,"; done

    # Memory of each kind, in each kind of call.
    # shellcheck disable=SC2086
    expect 0 '' -- warpglass cc "$tests/../suite/kinds.cu" $flags -o "kinds.$1"
    expect 0 '' -- timeout 100 "$run" -n 3 "$WARPGLASS" run --threads 1 "./kinds.$1"
    [[ $(grep -cE '^rank [0-2]: 0 wrong, CUDA-aware: 1$' "$stdout") == 3 ]] || fail "memory of each kind with $1"
    expect 0 '' -- timeout 100 "$run" -n 2 "$WARPGLASS" profile --threads 1 "./kinds.$1"
    said '^2 ranks of '
    said '^  MPI_'

    # One report.
    expect 0 '' -- timeout 100 "$run" -n 4 "$WARPGLASS" profile --json p.json "./halo.$1" -- 5 300 uneven
    said '^4 ranks of '
    said '^smooth\('
    said '^  in ranks 0-3, 5 to 8 launches each$'
    said '^  time, modelled '
    python3 - <<'END' || fail "the JSON report"
import json
m = json.load(open("p.json"))
assert len(m["ranks"]) == 4 and all(r["missing"] is None for r in m["ranks"]), m["ranks"]
assert m["kernels"][0]["launches"] == {"least": 5, "median": 6, "most": 8, "most_in": 3, "ranks": 4}, m["kernels"][0]["launches"]
END
    timeout 100 "$run" -n 3 "$WARPGLASS" check "./halo.$1" -- 3 300 fault 1 > "$stdout" 2> "$stderr"
    [[ $? == 3 ]] || fail "not status 3"
    said ': race-block$'
    said '^  in rank 1$'
    said '^1 finding$'
    # What was received is not called uninitialised.
    # shellcheck disable=SC2086
    expect 0 '' -- warpglass cc received.cu $flags -o "received.$1"
    expect 0 'this program uses MPI, .* initialisation is not checked' -- timeout 100 "$run" -n 3 "$WARPGLASS" check "./received.$1"
    said '^Nothing was found'
    # A rank that crashes is named; the figures of the others are those of what they did.
    timeout 100 "$run" -n 3 "$WARPGLASS" profile "./halo.$1" -- 10 300 crash 1 > "$stdout" 2> "$stderr"
    got=$?
    [[ $got != 0 && $got != 124 ]] || fail "status $got"
    said '^Rank 1 did not come to its end \(signal 9\)'
    said '^smooth\('
    said '^  in ranks 0-2, '
    [[ ! -e warpglass-ranks ]] || fail "warpglass-ranks is left"
}
with_mpi openmpi
with_mpi mpich
if [[ -z $found ]]; then
    echo "skipped: no MPI is installed (mpirun.openmpi with mpicc.openmpi, or the same of mpich)"
    exit 77
fi

finish
