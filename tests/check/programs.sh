#!/bin/bash
# Whole programs that are right: asynchronous copies, mbarriers, matrix instructions, tiles, atomics, phases. Nothing is to be
# found in any of them.
. "$(dirname "$0")/../cli/expect.sh"
for name in copies tensors bulk pipelines nbody atomics leaders producer phases blocks_meet; do
    expect 0 '' -- warpglass check --threads 2 "$tests/../programs/$name.cu"
    not_said 'which launched no kernel'
    case $name in tensors | bulk | pipelines | copies) not_said '^Note: ' ;; esac
done
# Threads that wait by asking memory, and not for ever: the argument is a range of seeds.
spins=$tests/../check/spins.cu
expect 0 '' -- warpglass check --only barrier --threads 2 "$spins" -- 0 48
said '^all right'
said '^clean'
WARPGLASS_BACKEND=ref expect 0 '' -- warpglass check --only barrier --threads 2 "$spins" -- 0 7
said '^clean'

# A kernel that never comes by a place where it could be stopped: what was found until then is told all the same.
cat > endless.cu << 'END'
__global__ void set(int *x) { x[threadIdx.x] = 1; }
__global__ void search(int *x) {
    for (unsigned i = x[0];; i = i * 1664525 + 1013904223) {
        if (i == 77 && x[1] == 5) break;
        x[2] = i;
    }
}
int main() {
    int *x;
    cudaMalloc(&x, 4 * sizeof(int));
    set<<<1, 5>>>(x);
    search<<<1, 1>>>(x);
    cudaDeviceSynchronize();
}
END
expect 0 '' -- warpglass cc endless.cu -o endless
expect 3 'endless: stopped after 4 seconds' -- warpglass check --timeout 4 ./endless
said '^out-of-bounds'
said '^The program was stopped by --timeout: the rest of it was not checked'

# That a kernel was running then is a finding in every report, with a status of its own; so is one that a limit of the
# library's ended, whose program goes on; one that a person interrupts is none.
cat > spins.cu << 'END'
#include <cstdio>
__global__ void waits(volatile int *x) { while (x[0] != 1 || x[1] == x[0]) x[2]++; }
int main() {
    int *x;
    cudaMalloc(&x, 4 * sizeof(int));
    cudaMemset(x, 0, 4 * sizeof(int));
    waits<<<1, 1>>>(x);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
END
expect 0 '' -- warpglass cc spins.cu -o spins
expect 124 'spins: stopped after 2 seconds' -- \
    warpglass check --timeout 2 --json late.json --junit late.xml --sarif late.sarif ./spins
said '^timeout: a kernel did not end within the time limit'
said '^1 finding'
grep -q '<testsuites .* failures="1" errors="1"' late.xml || fail "JUnit does not have it"
python3 - << 'END' || fail "JSON or SARIF do not have it"
import json
found, = json.load(open("late.json"))["findings"]
assert found["kind"] == "timeout" and found["check"] == "kernel" and found["where"]["line"] == 2, found
result, = json.load(open("late.sarif"))["runs"][0]["results"]
assert result["ruleId"] == "timeout" and result["locations"], result
END
WARPGLASS_TIMEOUT=1 expect 3 'it ran longer than 1 seconds' -- warpglass check ./spins
said '^cudaErrorLaunchTimeout'
said '^timeout: a kernel'
expect 130 'it was interrupted' -- timeout --foreground --preserve-status -s INT 3 "$WARPGLASS" check ./spins
said '^interrupted: a kernel was still running when a signal ended the program'

# Kernels of which the compiler leaves nothing: the report does not only say that they are clean.
cat > emptied.cu << 'END'
__global__ void unused(int *p) { int x = p[threadIdx.x]; (void)x; }
__global__ void past(int *p) { int a[2] = {1, 2}; p[0] = a[5]; }
__global__ void never(int *p) {
    p[0] = 1;
    __builtin_unreachable();
}
__global__ void empty() {}
int main() {
    int *p;
    cudaMalloc(&p, 4);
    unused<<<1, 32>>>(p);
    past<<<1, 1>>>(p);
    never<<<1, 1>>>(p);
    empty<<<1, 1>>>();
    cudaDeviceSynchronize();
    cudaFree(p);
}
END
expect 3 '' -- warpglass check -Wno-array-bounds emptied.cu
said '^local-bounds: '
said 'emptied.cu:2:58 in past'
said '^Note: the compiler removed all of unused'
said '^Note: the compiler removed all of never'
not_said 'all of past'
not_said 'all of empty'
finish
