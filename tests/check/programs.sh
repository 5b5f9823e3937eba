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
expect 3 'endless: ended after 4 seconds' -- warpglass check --timeout 4 ./endless
said '^out-of-bounds'
said '^The program was ended by --timeout: what it would have done later is not known'
finish
