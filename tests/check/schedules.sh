#!/bin/bash
# Other orders of blocks, warps and lanes: `run --schedule` and `check --schedules`.
. "$(dirname "$0")/../cli/expect.sh"
export COLUMNS=200

# ---- the same order in every run, and any number of threads ----
cat > tickets.cu << 'END'
#include <cstdio>
__global__ void draw(unsigned *next, unsigned *who) {
    who[atomicAdd(next, 1)] = blockIdx.x * 4 + threadIdx.x / 32;
}
int main() {
    unsigned *next, *who, h[4096], hash = 0;
    cudaMalloc(&next, sizeof(unsigned));
    cudaMalloc(&who, sizeof h);
    cudaMemset(next, 0, sizeof(unsigned));
    draw<<<32, 128>>>(next, who);
    cudaMemcpy(h, who, sizeof h, cudaMemcpyDeviceToHost);
    for (unsigned x : h) hash = 31 * hash + x;
    printf("%08x first %u last %u\n", hash, h[0], h[4095]);
    return 0;
}
END
seen=
for order in reverse reverse,lanes random:0 random:1 random:18446744073709551615 random:1,lanes; do
    first=
    for threads in 1 3 8; do
        expect 0 '' -- warpglass run --schedule $order --threads $threads tickets.cu
        [[ -z $first || $(< "$stdout") == "$first" ]] || fail "$order with $threads threads"
        first=$(< "$stdout")
    done
    [[ $order == *lanes || $seen != *"$first"* ]] || fail "$order is like another order"
    seen+=" $first"
done
expect 0 '' -- warpglass run --schedule reverse tickets.cu
said 'first 127 last 0$'
for order in up reverse: reverse,lane random random: random:x random:1x random:-1 lanes; do
    expect 2 'expected reverse or random:SEED' -- warpglass run --schedule "$order" tickets.cu
done
WARPGLASS_SCHEDULE=upwards expect 0 'upwards' -- warpglass run tickets.cu
for n in 0 -1 many 1001; do expect 2 'expected a number of orders' -- warpglass check --schedules "$n" tickets.cu; done
expect 2 'did you mean .--schedules.' -- warpglass check --schedule reverse tickets.cu

# ---- what is no finding ----
cat > fine.cu << 'END'
#include <algorithm>
#include <cstdio>
#include <ctime>
__global__ void add(float *s, const float *x) { atomicAdd(s, x[blockIdx.x]); }
__global__ void compact(int *out, int *n) {
    int v = blockIdx.x * 32 + threadIdx.x;
    if (v % 3 == 0) out[atomicAdd(n, 1)] = v;
}
__global__ void heap(int **p, int *s) {
    int *mine = p[blockIdx.x] = (int *)malloc(sizeof(int));
    *mine = blockIdx.x;
    s[blockIdx.x] = *mine;
    free(mine);
    printf("block %d\n", blockIdx.x);
}
int main(int argc, char **) {
    float x[1000], *dx, *sum, total;
    int *out, *n, **p, count, h[1024], wrong = 0, in = 0;
    for (int i = 0; i < 1000; i++) x[i] = 1.0f / (i + 1);
    cudaMalloc(&dx, sizeof x), cudaMalloc(&sum, 4), cudaMalloc(&out, sizeof h), cudaMalloc(&n, 4), cudaMalloc(&p, 64);
    cudaMemset(sum, 0, 4), cudaMemset(n, 0, 4);
    cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
    add<<<1000, 1>>>(sum, dx);
    cudaMemcpy(&total, sum, 4, cudaMemcpyDeviceToHost);
    if (argc > 1) printf("%.9g\n", total);
    compact<<<32, 32>>>(out, n);
    cudaMemcpy(&count, n, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(h, out, 4 * count, cudaMemcpyDeviceToHost);
    std::sort(h, h + count);
    for (int i = 0; i < count; i++) wrong += h[i] != 3 * i;
    heap<<<4, 1>>>(p, n = out);
    cudaMemcpy(h, out, 16, cudaMemcpyDeviceToHost);
    timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (scanf("%d", &in) != 1) in = -1;
    printf("%d wrong of %d, %s\ntook %ld ns\nlast %d, given %d\n", wrong, count, total > 7 ? "enough" : "short", t.tv_nsec, h[3], in);
    return in < 0;
}
END
echo 42 > given
expect 0 '' -- warpglass check --only memory --schedules 2 fine.cu < given
said '^last 3, given 42$'
said '^Note: with --schedules the program.s output is the same in 4 other orders of blocks, warps and lanes, though memory differs after launch 1, compact'
said '^clean$'
expect 0 '' -- warpglass check --only memory --schedules 1 fine.cu -- digits < given
said '^Note: With --schedule reverse, line 1 of the output .*: sums of floats by atomics are rounded differently in each order: launch 0, add\(float\*, float const\*\)\.$'

# ---- what comes out as a fault, a status or a hang ----
cat > ends.cu << 'END'
#include <cassert>
#include <cstdlib>
__global__ void first(int *n) {
    int at = atomicAdd(n, 1);
    if (blockIdx.x == 0) assert(at == 0);
}
__global__ void mark(int *n) { if (atomicAdd(n, 1) == 0) n[1] = blockIdx.x; }
__global__ void chain(volatile int *flag) {
    while (blockIdx.x && !flag[blockIdx.x - 1]) continue;
    flag[blockIdx.x] = 1;
}
int main(int, char **argv) {
    int *n, h[2];
    cudaMalloc(&n, 40000);
    cudaMemset(n, 0, 40000);
    switch (atoi(argv[1])) {
    case 0: first<<<8, 1>>>(n); break;
    case 1: mark<<<8, 1>>>(n); break;
    case 2: chain<<<10000, 1>>>(n); break;
    }
    if (cudaMemcpy(h, n, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    return atoi(argv[1]) == 1 ? h[1] : 0;
}
END
expect 3 '' -- warpglass check --only memory --schedules 1 --sarif s.sarif --junit j.xml --json f.json ends.cu -- 0
said '^  first\(int\*\) launch 0$'
said 'With --schedule reverse, the exit status is 1; in order it is 0. The launch succeeds in order, and fails here: ends.cu:5:26: failed assertion'
grep -q order-dependent s.sarif && grep -q order-dependent j.xml && grep -q order-dependent f.json || fail "files without the finding"
expect 3 '' -- warpglass check --only memory --schedules 1 ends.cu -- 1
said '^  ends.cu:7:[0-9]+ in mark\(int\*\), launch 0$'
said 'status is 7; in order it is 0. 1 word of memory differs after this launch: this one is 0x7 here, and 0 in order'
expect 3 '' -- warpglass check --only memory --schedules 1 --timeout 3 ends.cu -- 2
said 'The launch succeeds in order, and fails here: ends.cu:9:[0-9]+: stopped in kernel chain'
echo 'order-dependent kernel=chain' > known
expect 0 '' -- warpglass check --only memory --schedules 1 --timeout 3 --suppress known ends.cu -- 2
finish
