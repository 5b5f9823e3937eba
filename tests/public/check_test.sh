#!/bin/bash
# tests/public/check, on a folder of right programs and ones like the public suites.
. "$(dirname "$0")/../cli/expect.sh"
check=$tests/../public/check
command -v python3 > /dev/null || { echo "no Python here" && exit 77; }
mkdir -p right scor/microbenchmarks/src scor/benchmarks/uts verify/testsuite/CUDA/{warpsync,race,assertion,unknown}
cat > right/sum.cu << 'END'
__global__ void sum(int *x) { x[threadIdx.x] += 1; }
int main() {
    int *x;
    cudaMallocManaged(&x, 256);
    sum<<<1, 64>>>(x);
    return cudaDeviceSynchronize();
}
END
sed 's/x\[threadIdx.x\] += 1/x[threadIdx.x + 1] += x[threadIdx.x]/; s/<1, 64>/<1, 32>/' right/sum.cu > right/neighbour.cu
echo 'int main() { return unknown; }' > right/broken.cu
expect 1 '' -- python3 "$check" --warpglass "$WARPGLASS" --logs logs/right right
said '^\| broken.cu \| clang \| nothing \| not built \| .*unknown'
said '^\| neighbour.cu \| clang \| nothing \| false \| .* \| race-warp \|'
said '^\| right \| 0 \| 0 \| 0 \| 0 \| 3 \| 1 \| 1 \| 0 \| 1 \|'
expect 0 '' -- python3 "$check" --warpglass "$WARPGLASS" --logs logs/right --only sum right

cp right/neighbour.cu scor/microbenchmarks/src/race_interwarp_none.cu
cp right/sum.cu scor/microbenchmarks/src/race_interwarp_missed.cu
cp right/sum.cu scor/microbenchmarks/src/norace_intrawarp.cu
expect 1 '' -- python3 "$check" --warpglass "$WARPGLASS" --logs logs/scor --all scor
said '^\| race_interwarp_none \| clang \| interwarp \| found \|'
said '^\| race_interwarp_missed \| clang \| interwarp \| missed \|'
said '^\| norace_intrawarp \| clang \| nothing \| clean \|'
said '^\| all \| 2 \| 1 \| 1 \| 0 \| 1 \| 1 \| 0 \| 0 \| 0 \|'

cat > verify/testsuite/CUDA/race/kernel.cu << 'END'
//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=[2,1] --no-inline
__device__ int nondet();
__global__ void foo(int *p, int n) {
    __requires(n > 0);
    if (nondet() == 0) p[n / 64] = threadIdx.x;
}
END
cat > verify/testsuite/CUDA/assertion/kernel.cu << 'END'
//pass
//--blockDim=64 --gridDim=1
typedef int (*fn)(int);
__device__ int twice(int x) { return 2 * x; }
__global__ void foo(fn f, int *p) {
    __requires(f == twice);
    for (int i = 0; __invariant(i >= 0), i < 2; i++) p[threadIdx.x] = f(3);
    __assert(__implies(__enabled(), p[threadIdx.x] == 6));
}
END
expect 0 '' -- python3 "$check" --warpglass "$WARPGLASS" --logs logs/verify --all verify
said '^\| race \| clang \| not verified \| found \| .*race-block'
said '^\| assertion \| clang \| nothing \| clean \|'

# Under compute-sanitizer, whose place and nvcc's scripts take: what its tools print is counted, a leak only where the case asks.
mkdir -p faulty/race tools
cp "$tests"/../faulty/faulty.py faulty
printf '// expect: race-warp line 1\n' | cat - right/neighbour.cu > faulty/race/both.cu
cp right/sum.cu faulty/race/both.right.cu
printf '// expect: race-warp line 1\n' | cat - right/sum.cu > faulty/race/none.cu
echo 'echo 9.0' > tools/nvidia-smi
cat > tools/nvcc << 'END'
[[ "$*" = *-gencode=arch=compute_90,code=sm_90* ]] || exit 1
while [ "$1" != -o ]; do [ -e "$1" ] && source=$1; shift; done
grep -o 'threadIdx.x + 1' "$source" > "$2"; true
END
cat > tools/compute-sanitizer << 'END'
if [ "$2" = racecheck ] && [ -s "$3" ]; then echo "========= RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)"
elif [ "$2" = racecheck ]; then echo "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)"
else echo "========= ERROR SUMMARY: 0 errors"; fi
END
for tool in tools/*; do sed -i '1i #!/bin/bash' $tool; chmod +x $tool; done
expect 1 '' -- env PATH="$PWD/tools:$PATH" python3 "$check" --tool compute-sanitizer --logs logs/tools --all faulty
said '^\| race/both \| nvcc \| race \| found \| .* \| racecheck \|'
said '^\| race/both.right \| nvcc \| nothing \| clean \|'
said '^\| race/none \| nvcc \| race \| missed \|'
rm tools/compute-sanitizer
expect 1 'compute-sanitizer is not in PATH' -- env PATH="$PWD/tools" "$(python3 -c 'import sys; print(sys.executable)')" "$check" --tool compute-sanitizer faulty
finish
