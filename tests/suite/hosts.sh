#!/bin/bash
# Ranks on two hosts, with each MPI that is installed. The launcher's ssh is played by nsenter.
. "$(dirname "$0")/../cli/expect.sh"
# shellcheck source=tests/suite/mpi_flags.sh
. "$tests/../suite/mpi_flags.sh"
# shellcheck source=tests/suite/two_hosts.sh
. "$tests/../suite/two_hosts.sh"
has_mpi openmpi || has_mpi mpich || skip "no MPI is installed (mpirun.openmpi with mpicc.openmpi, or the same of mpich)"
cat > ssh <<END
#!/bin/bash
while [[ \$1 == -* ]]; do shift; done
[[ \$1 == 10.99.0.1 ]] && host=$one || host=$two
shift
exec nsenter -t \$host -n -u -m -T bash -c "cd $scratch && \$*"
END
# Where ssh has begun before its parent puts it in a group of its own, Open MPI warns, and goes on.
cat > openmpi <<'END'
#!/bin/bash
{ mpirun.openmpi "$@" 2>&1 >&3 | grep -v 'plm:rsh: Warning: setpgid' >&2; exit "${PIPESTATUS[0]}"; } 3>&1
END
chmod +x ssh openmpi
openmpi=("$scratch/openmpi" --mca plm_rsh_agent "$scratch/ssh" --mca btl_tcp_if_include wg0 --mca oob_tcp_if_include wg0
    --host "10.99.0.1:2,10.99.0.2:2" -n 4)
mpich=(mpirun.mpich -launcher ssh -launcher-exec "$scratch/ssh" -hosts "10.99.0.1:2,10.99.0.2:2" -iface wg0 -n 4)

# ---- What runs on them ----

# As NVIDIA's simpleMPI: scattered by MPI, square roots by a GPU each, and their sum.
cat > roots.cu <<'END'
#include <mpi.h>
#include <cmath>
#include <cstdio>
#include <vector>
__global__ void root(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = sqrtf(in[i]);
}
int main(int argc, char **argv) {
    const int n = 16 * 128;
    int rank, ranks, length;
    char name[MPI_MAX_PROCESSOR_NAME];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Get_processor_name(name, &length);
    std::vector<float> all(rank ? 0 : n * ranks), mine(n);
    for (size_t i = 0; i < all.size(); i++) all[i] = (float)((i % 10) * (i % 10));
    float *in, *out, sum = 0, total;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    MPI_Scatter(all.data(), n, MPI_FLOAT, in, n, MPI_FLOAT, 0, MPI_COMM_WORLD); // into device memory
    root<<<16, 128>>>(in, out);
    cudaMemcpy(mine.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (float x : mine) sum += x;
    MPI_Reduce(&sum, &total, 1, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
    printf("rank %d is on %s\n", rank, name);
    float expected = 0;
    for (size_t i = 0; i < all.size(); i++) expected += (float)(i % 10);
    if (!rank) printf("%s\n", total == expected ? "PASSED" : "FAILED");
    MPI_Finalize();
    return 0;
}
END
cat > ok <<'END'
#!/bin/sh
hostname
sleep 0.3
END
chmod +x ok
for i in {1..8}; do echo "p$i: run ./ok"; done > hosts.suite

with() { # name of an MPI; the launcher's words
    has_mpi "$1" || return
    local flags
    flags=$(mpi_flags "$1")
    # shellcheck disable=SC2086
    expect 0 '' -- warpglass cc roots.cu $flags -o "roots.$1"
    expect 0 '' -- at $one timeout 100 "${@:2}" "$WARPGLASS" run --threads 1 "./roots.$1"
    # mpirun may put the next rank's line before the end of another's.
    for line in 'rank 0 is on one' 'rank 1 is on one' 'rank 2 is on two' 'rank 3 is on two' PASSED; do said "$line"; done
    expect 0 '' -- at $one timeout 100 "${@:2}" "$WARPGLASS" profile --html page.html "./roots.$1"
    said '^4 ranks of '
    said '^  in ranks 0-3, 1 launch each$'
    # Who waited for whom, by two clocks: the second host's is 100,000 seconds ahead.
    # shellcheck disable=SC2086
    expect 0 '' -- warpglass cc "$tests/../suite/late.cu" $flags -o "late.$1"
    expect 0 '' -- at $one timeout 100 "${@:2}" "$WARPGLASS" profile --threads 1 --json late.json "./late.$1"
    python3 - <<'END' || fail "who waited for whom on two hosts"
import json
long = {(w["rank"], w["for"], w["call"]) for w in json.load(open("late.json"))["mpi"]["waits"] if 0.2 < w["seconds"] < 60}
for wait in (0, 2, "MPI_Ssend"), (1, 3, "MPI_Waitall"), (3, 0, "MPI_Sendrecv"), (0, 3, "MPI_Barrier"), (2, 1, "MPI_Bcast"):
    assert wait in long, (wait, long)
assert all(w["seconds"] < 60 for w in json.load(open("late.json"))["mpi"]["waits"])
END
    # A suite's ranks are on both.
    expect 0 '' -- at $one timeout 100 "${@:2}" "$WARPGLASS" suite --again hosts.suite
    said '^8 programs: 8 as expected'
    [[ $(sort -u hosts.suite.results/run-*/output/*.txt | xargs) == 'one two' ]] || fail "the suite ran on one host"
    rm -rf hosts.suite.results
}
with openmpi "${openmpi[@]}"
with mpich "${mpich[@]}"
finish
