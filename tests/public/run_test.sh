#!/bin/bash
# tests/public/run, on programs that are right, that race, that do not compile, that take arguments.
. "$(dirname "$0")/../cli/expect.sh"
run=$tests/../public/run
command -v python3 > /dev/null || { echo "no Python here" && exit 77; }
mkdir -p all/sum/include all/race all/broken all/two
cat > all/sum/include/size.h << 'END'
enum { THREADS = 64 };
END
cat > all/sum/add.cu << 'END'
#include "size.h"
__global__ void add(int *x) { x[threadIdx.x] += threadIdx.x; }
void launch(int *x) { add<<<1, THREADS>>>(x); }
END
cat > all/sum/main.cpp << 'END'
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
void launch(int *x);
int main(int argc, char **argv) {
    int *x;
    if (argc != 2 || atoi(argv[1]) != 7) return 9;
    cudaMallocManaged(&x, 256);
    launch(x);
    cudaDeviceSynchronize();
    puts(x[63] == 63 ? "Test PASSED, 0 errors" : "FAILED");
    return 0;
}
END
printf 'program = sum\nARGS = 7\nrun: sum\n\t./$(program) $(ARGS)\n' > all/sum/Makefile
cat > all/race/race.cu << 'END'
__global__ void product(const float *a, const float *b, float *c, int n) {
    __shared__ float left[32][32], right[32][32];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32 + y, col = blockIdx.x * 32 + x;
    float sum = 0;
    for (int t = 0; t < n; t += 32) {
        left[y][x] = a[row * n + t + x];
        right[y][x] = b[(t + y) * n + col];
        __syncthreads();
        for (int k = 0; k < 32; k++) sum += left[y][k] * right[k][x];
    }
    c[row * n + col] = sum;
}
int main() {
    const int n = 64;
    float *a;
    cudaMallocManaged(&a, 3 * n * n * sizeof(float));
    for (int i = 0; i < 2 * n * n; i++) a[i] = i % 7;
    product<<<dim3(2, 2), dim3(32, 32)>>>(a, a + n * n, a + 2 * n * n, n);
    return cudaDeviceSynchronize();
}
END
mkdir -p all/driver/parts
cat > all/driver/main.cpp << 'END'
#include <cuda.h>
#include <part.h>
int main(const int argc, const char **argv) { return argc == 3 && cuInit(0) == CUDA_SUCCESS ? part() - SEVEN : 1; }
END
echo 'int part();' > all/driver/parts/part.h
echo 'int part() { return 7; }' > all/driver/parts/part.cpp
echo '__global__ void stray() {} int part();' > all/driver/other.cu
printf 'EXTRA =\n\nsource = main.cpp \\\n  parts/part.cpp other.cu\nFLAGS_ = -DSEVEN=7\nCFLAGS := $(EXTRA) $(FLAGS_)\nCFLAGS += -I parts\n' > all/driver/Makefile
printf 'run: main\n\t$(EXTRA) ./main 4096 100\n' >> all/driver/Makefile
echo 'int main() { return unknown; }' > all/broken/broken.cu
for name in one two; do echo "int main() { cudaFree(0); return $((${#name} - 3)); }" > all/two/$name.cu; done

expect 1 '' -- python3 "$run" --warpglass "$WARPGLASS" --compiler clang --logs logs all
said '^\| broken \| clang \| no \|.*unknown'
said '^\| race \| clang \| yes \| 0 \|  \| no: 1 of 1 \|.*check: race-block, race-warp; race.cu:11'
said '^\| sum 7 \| clang \| yes \| 0 \| pass \| yes: 1 \|'
said '^\| two/one.cu \| clang \| yes \| 0 \|  \| nothing to compare \|'
said '^\| two/two.cu \|'
said '^\| driver 4096 100 \| clang \| yes \| 0 \|  \| nothing to compare \|'
said '^6 runs: 1 differs, 1 equal, 1 not built, 3 not compared$'
expect 0 '' -- python3 "$run" --warpglass "$WARPGLASS" --compiler clang --logs logs --only sum all
[[ $(grep -c '^| ' "$stdout") == 3 ]] || fail "--only leaves others"
# What is said of launches of which some blocks were compared.
cat > blocks.cu << 'END'
__global__ void set(int *x) { x[blockIdx.x] = 1; }
int main() {
    int *x;
    cudaMallocManaged(&x, 64);
    set<<<16, 1>>>(x);
    return cudaDeviceSynchronize();
}
END
expect 0 'in part' -- warpglass run --verify=2 blocks.cu
cp "$stderr" in_part
ln -sf "$run" run.py
expect 0 '' -- python3 -c 'import run; print(run.compared_as(open("in_part").read(), 0))'
said "^\\('yes: 1 in part', 'equal'\\)$"
echo 'sum: 8 9' > mine
expect 0 '' -- python3 "$run" --list --shrink 8,64 --args mine all
said '^driver 512 2$'
said '^sum 8 9$'
expect 0 '' -- python3 "$run" --list --every 2 all
[[ $(wc -l < "$stdout") == 3 ]] || fail "--every 2 does not leave out every second"
expect 0 '' -- python3 "$run" --list --every 4,2 all
said '^driver 4096 100$'
said '^two/two.cu$'
finish
