#!/bin/bash
# --format=gcc: a line for each finding, broken expectation and advice, as editors read gcc's.
. "$(dirname "$0")/../cli/expect.sh"
cat > race.cu << 'END'
__global__ void race(int *x) {
    if (threadIdx.x == 0) x[0] = 1;
    if (threadIdx.x == 32)
        x[1] = x[0];
}
int main() {
    int *x;
    cudaMalloc(&x, 8);
    race<<<1, 64>>>(x);
    return cudaDeviceSynchronize();
}
END
cat > columns.cu << 'END'
__global__ void columns(const int *a, int *b, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    b[y * n + x] =
        a[x * n + y];
}
int main() {
    int *a, *b, n = 1024;
    cudaMalloc(&a, n * n * 4), cudaMalloc(&b, n * n * 4);
    cudaMemset(a, 0, n * n * 4);
    columns<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(a, b, n);
    return cudaDeviceSynchronize();
}
END
# Standard output is these lines and nothing else.
only_lines() { ! grep -vE '^(warpglass|[^:]+:[0-9]+:([0-9]+:)?) ?:? ?(error|warning|note): .' "$stdout" || fail "other lines"; }

expect 3 '' -- warpglass check --format=gcc race.cu
only_lines
said '^race.cu:4:[0-9]+: error: .* \[race-block\]$'
said '^race.cu:2:[0-9]+: note: the other access$'
[[ $(grep -c error: "$stdout") == 1 ]] || fail "more findings than one"
echo race-block > known
expect 0 '' -- warpglass check --format=gcc --suppress known race.cu
[[ ! -s $stdout ]] || fail "a suppressed finding"
expect 0 '' -- warpglass check --format gcc --only init columns.cu
[[ ! -s $stdout ]] || fail "lines of a clean program"

expect 3 '' -- warpglass profile --format=gcc --expect 'columns: global_efficiency == 100' --expect 'none: instructions == 1' columns.cu
only_lines
said '^columns.cu:4:[0-9]+: warning: .* \[[a-z_]+\]$'
said '^columns.cu:[0-9]+: error: .*global_efficiency.* \[expectation\]$'
said "^warpglass: error: .*no kernel is called 'none'.* \[expectation\]$"
expect 0 '' -- warpglass profile --format=text columns.cu
said '^columns\(int const'
expect 2 '--format xml: expected text or gcc' -- warpglass check --format=xml race.cu
finish
