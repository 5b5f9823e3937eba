#!/bin/bash
# One report of all ranks, with no MPI at all: any program, any launcher. The launcher is played by this script, which sets what
# mpirun and srun do.
. "$(dirname "$0")/../cli/expect.sh"
cat > ranks.cu <<'END'
#include <csignal>
#include <cstdlib>
__global__ void fill(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}
__global__ void race(int *x) { x[0] = threadIdx.x; }
int main(int argc, char **argv) { // RANK STATUS: the rank that ends with it; -1: all race, -2: the rank is killed
    const char *text = getenv("PMI_RANK");
    int rank = atoi(text ? text : getenv("SLURM_PROCID")), which = argc > 2 ? atoi(argv[1]) : -1, n = 1000 * (rank + 1), *x;
    int status = argc > 2 ? atoi(argv[2]) : 0;
    cudaMalloc(&x, n * sizeof(int));
    fill<<<(n + 255) / 256, 256>>>(x, n);
    if (status == -1) race<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    if (rank == which && status == -2) raise(SIGKILL);
    return rank == which && status > 0 ? status : 0;
}
END
warpglass cc -g ranks.cu -o ranks || fail "ranks"
mpirun() { # STATUS MESSAGE RANKS WORDS...: what expect takes, for rank 0; the others say nothing
    local status=$1 message=$2 n=$3 i
    shift 3
    for ((i = 1; i < n; i++)); do PMI_RANK=$i PMI_SIZE=$n "$WARPGLASS" "$@" > out.$i 2>&1 & done
    PMI_RANK=0 PMI_SIZE=$n expect "$status" "$message" -- warpglass "$@"
    wait
    cat out.? | grep . && fail "ranks other than 0 say something"
    rm -f out.?
}

mpirun 0 '' 3 profile --results kept --html p.html --json p.json ./ranks
said '^3 ranks of '
expect 0 '' -- warpglass profile kept/run-1/reports/1.json
said '^fill|fill'
expect 0 '' -- warpglass merge --html m.html --junit m.xml kept/run-1/reports/{0,1,2}.json
cmp p.html m.html || fail "merge makes another page than the ranks"
for said in '<h1 class="mono">3 ranks of' 'came to its end' '>fill</h2>' 'in ranks 0-2, 1 launch each' global_store_sectors; do
    grep -q "$said" p.html || fail "the page does not have: $said"
done

# A rank that fails with nothing found fails the whole, and is named, whatever its status is.
for status in 1 3 5; do
    mpirun $status '' 3 check --junit c.xml ./ranks -- 2 $status
    said "^Rank 2 ended with status $status\.$"
    said '^Nothing was found'
    grep -q 'tests="3" failures="0" errors="1"' c.xml || fail "JUnit: $(head -3 c.xml)"
done
mpirun 5 '' 2 profile ./ranks -- 1 5
said '^Rank 1 ended with status 5\.$'

# A finding of all ranks is told once, in each file.
mpirun 3 '' 3 check --sarif c.sarif --junit c.xml --json c.json ./ranks -- 0 -1
said '^1 finding$'
not_said '^Rank'
python3 - <<'END' || fail "the files of check"
import json, xml.etree.ElementTree as tree
run, = json.load(open("c.sarif"))["runs"]
found, = run["results"]
assert found["ruleId"] == "race-block" and found["properties"] == {"ranks": [0, 1, 2]}, found
assert found["message"]["text"].endswith("(in ranks 0-2)") and found["occurrenceCount"] % 3 == 0, found
assert [i["properties"]["rank"] for i in run["invocations"]] == [0, 1, 2]
x = tree.parse("c.xml").getroot()
assert x.get("tests") == "4" and x.get("failures") == "1" and x.get("errors") == "0", x.attrib
assert x.find(".//failure").get("message").startswith("in ranks 0-2: data race")
assert [f["ranks"] for f in json.load(open("c.json"))["findings"]] == [[0, 1, 2]]
END
# A rank that is killed is named, and the others' figures are there.
PMI_RANK=1 PMI_SIZE=2 "$WARPGLASS" check ./ranks -- 1 -2 > out.1 2>&1 &
PMI_RANK=0 PMI_SIZE=2 expect 137 '' -- warpglass check --sarif c.sarif ./ranks -- 1 -2
wait
said '^Rank 1 did not come to its end'

# A launcher that is Slurm's.
SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 "$WARPGLASS" profile ./ranks > out.1 2>&1 &
SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2 expect 0 '' -- warpglass profile ./ranks
wait
said '^2 ranks of '

# A rank that does nothing on its device, or makes no CUDA call at all, is as good as the others; where none does, there is no report.
cat > idle.cu <<'END'
#include <cstdlib>
__global__ void fill(int *x) { x[threadIdx.x] = 1; }
int main(int argc, char **argv) { // what each rank does: 0 nothing, 1 it allocates, 2 it launches, too
    int rank = atoi(getenv("PMI_RANK")), what = atoi(argv[rank + 1]), *x = nullptr;
    if (what) cudaMalloc(&x, 1024);
    if (what > 1) fill<<<1, 32>>>(x);
    return what && cudaDeviceSynchronize() != cudaSuccess;
}
END
warpglass cc idle.cu -o idle || fail "idle"
mpirun 0 '' 3 profile ./idle -- 0 1 2
said '^fill'
said '^  in rank 2, 1 launch each$'
not_said '^Rank'
mpirun 0 '' 3 check ./idle -- 2 0 1
said '^Nothing was found'
not_said '^Rank'
mpirun 1 'no rank launched a kernel' 2 profile ./idle -- 0 1
mpirun 1 'no rank launched a kernel' 2 check ./idle -- 0 0

# What each rank has for itself; where nothing can be written, nothing runs.
PMI_RANK=1 PMI_SIZE=2 expect 2 '' -- warpglass profile --csv x.csv ./ranks
PMI_RANK=0 PMI_SIZE=2 expect 2 '^warpglass: --csv: each rank has one of its own' -- warpglass profile --csv x.csv ./ranks
PMI_RANK=0 PMI_SIZE=2 expect 1 '^warpglass: --html /no/such/x: No such' -- warpglass profile --html /no/such/x ./ranks
PMI_RANK=0 PMI_SIZE=2 expect 2 'would both write x' -- warpglass check --sarif x --junit x ./ranks
touch plain
PMI_RANK=0 PMI_SIZE=2 expect 1 '^warpglass: plain' -- warpglass profile --results plain ./ranks
# A rank that never came.
PMI_RANK=0 PMI_SIZE=2 expect 1 '' -- warpglass profile ./ranks
said '^Rank 1 is missing: it never began'
[[ ! -e warpglass-ranks ]] || fail "warpglass-ranks is left"
finish
