#!/bin/bash
# tests/public/forms, on a folder of one program with two kernels and one that does not compile.
. "$(dirname "$0")/../cli/expect.sh"
forms=$tests/../public/forms
command -v python3 > /dev/null || { echo "no Python here" && exit 77; }
mkdir -p all/twice all/broken
cat > all/twice/twice.cu << 'END'
__global__ void twice(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}
__global__ void __launch_bounds__(64) halves(float *x) {
    __shared__ float half[8][8];
    half[threadIdx.y][threadIdx.x] = x[threadIdx.y * 8 + threadIdx.x] / 2;
    __syncthreads();
    x[threadIdx.x * 8 + threadIdx.y] = half[threadIdx.y][threadIdx.x];
}
int main() { return 0; }
END
echo 'int main() { return unknown; }' > all/broken/broken.cu
expect 0 '' -- python3 "$forms" --compiler clang --kept kept.json --users all
said '^\| whole \| 1 \| 1 \| 2 \| 2 \|$'
said '^\| all_lanes \| 1 \| 1 \| 1 \| 1 \|$'
said '^\| bands \| 0 \| 0 \| 0 \| 0 \|$'
said '^\| all \| 1 \| 1 \| 2 \| 2 \|$'
said '^all: 1 programs were not compiled\.$'
said '^all_lanes: all twice: twice\(float\*, int\)$'
grep -q '"halves(float\*)": \[.*"whole"' kept.json || fail "nothing was kept"
rm -r all/twice/twice.cu
expect 0 '' -- python3 "$forms" --kept kept.json all
said '^\| whole \| 1 \| 1 \| 2 \| 2 \|$'
finish
