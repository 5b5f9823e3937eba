#!/bin/bash
# `warpglass profile` with programs that run: whose output goes where, which status comes back, what is left of a
# program that fails, and counters that do not depend on the number of threads.
. "$(dirname "$0")/../cli/expect.sh"
cat > copy.cu << 'END'
#include <cstdio>
#include <cstdlib>
__global__ void copy(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000, *in, *out;
    if (n == 0) return 7;
    cudaMalloc(&in, abs(n) * 4);
    cudaMalloc(&out, abs(n) * 4);
    copy<<<(abs(n) + 255) / 256, 256>>>(in, n < 0 ? nullptr : out, abs(n));
    cudaError_t error = cudaDeviceSynchronize();
    printf("copied: %s\n", cudaGetErrorName(error));
    return error ? 5 : 0;
}
END
expect 0 '' -- warpglass profile copy.cu --json one.json --threads 1
said '^copied: cudaSuccess'
said '^copy\(int const\*, int\*, int\)'
said 'global loads +32 +125 '
[[ $(head -1 "$stdout") == copied* ]] || fail "the program's output comes first"
expect 0 '' -- warpglass profile copy.cu --json three.json --threads 3
strip() { sed -E 's/"(start|end)_ns": [0-9]+/"\1_ns": 0/g' "$1"; }
cmp <(strip one.json) <(strip three.json) || fail "counters depend on the number of threads"
expect 0 '' -- warpglass profile copy.cu --expect 'copy: global_load_sectors == 25' -- 200
expect 3 'copy: global_load_sectors is 125, and < 100 was expected, 25 more \(25 %\)' -- \
    warpglass profile copy.cu --expect 'copy: global_load_sectors < 100'

# Names beyond ASCII, and such as are no UTF-8, which JSON has no bytes for.
cp copy.cu wärm.cu
expect 0 '' -- warpglass profile wärm.cu
said 'wärm.cu$'
said '100 % .*out\[i\] = in\[i\]'
latin=$'caf\xe9.cu'
cp copy.cu "$latin"
expect 0 '' -- warpglass profile "$latin" --json latin.json
expect 0 '' -- warpglass profile latin.json
said 'global loads +32 +125 '

expect 7 '' -- warpglass run copy.cu -- 0
expect 7 'nothing to report' -- warpglass profile copy.cu -- 0
expect 5 'cudaErrorIllegalAddress|illegal' -- warpglass profile copy.cu -- -1000
said 'Launch 0 ended with .*(IllegalAddress|ILLEGAL_ADDRESS)'
said '^copy\('

expect 0 '' -- warpglass cc copy.cu -o copy
expect 0 '' -- warpglass profile ./copy --html copy.html --kernel copy
grep -q '<h2>copy</h2>' copy.html || fail "no kernel on the page"
expect 0 '' -- warpglass compare one.json copy.cu
said 'No counter changed'
sed 's/in\[i\]/in[i * 8 % n]/' copy.cu > apart.cu
expect 0 '' -- warpglass compare copy.cu apart.cu
said 'global_load_sectors +125 +1,000 +8 times'
said 'better, [1-9][0-9]* worse'
printf '#!/bin/sh\nexit 0\n' > script && chmod +x script
expect 1 'script made no CUDA call that came to Warpglass, so there is nothing to report' -- warpglass profile ./script
expect 1 'error|no_such' -- warpglass profile no_such.cu
finish
