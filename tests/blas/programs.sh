#!/bin/bash
# Programs that link cuBLAS: by "warpglass cc", by the toolkit's nvcc and by g++; under check; without a BLAS; and the names of the
# library. Those of other libraries are told which it is that is missing.
. "$(dirname "$0")/../cli/expect.sh"
libraries=$(dirname "$WARPGLASS")/../lib/warpglass

# ---- Names ----
[[ -e $libraries/libcublas.so.13 ]] || fail "no libcublas.so.13"
names() { nm -D --defined-only "$1" | sed -n 's/.* T \(cublas[^@]*\).*/\1/p' | sort; }
for name in cublas cublasLt; do
    diff <(names "$libraries/lib$name.so.13") <(names "$libraries/libwarpglass-stub-$name.so") > names.diff ||
        fail "the stub of $name has other names: $(head -5 names.diff)"
done
for n in 13 12; do
    readelf -d "$libraries/libcublas.so.$n" | grep -q "NEEDED.*libcublasLt.so.$n" || fail "$n: without its libcublasLt"
    nm -D --defined-only "$libraries/libcublas.so.$n" | grep -q "cublasSgemm_v2@@libcublas.so.$n" || fail "$n: no version of its names"
    readelf -d "$libraries/libcublas.so.$n" | grep -q "soname: \[libcublas.so.$n\]" || fail "$n: another soname"
done

# ---- Libraries that are not there ----
printf 'void none(void) {}\n' > none.c
gcc -shared -fPIC none.c -Wl,-soname,libcufft.so.12 -o libcufft.so
printf 'void none(void);\nint main(void) { none(); return 0; }\n' > fft.c
gcc fft.c -L. -lcufft -o fft
expect 127 'note: fft needs libcufft.so.12, which is cuFFT: Warpglass does not have it' -- warpglass run fft
printf 'int main() { return 0; }\n' > empty.cu
expect 1 'note: -lcurand_none is cuRAND, which Warpglass does not have' -- warpglass cc empty.cu -lcurand_none -o empty

# ---- Programs ----
cat > gemm.cu << 'END'
#include <cstdio>
#include <cublas_v2.h>
#ifndef SHIFT
#define SHIFT 0
#endif
__global__ void fill(float *x, int n, float v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = v;
}
int main() {
    const int n = 64;
    float *a, *b, *c, one = 1, zero = 0, host[n * n];
    cublasHandle_t h;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMalloc(&c, sizeof host);
    fill<<<16, 256>>>(a, n * n, 1);
    if (!NO_B) fill<<<16, 256>>>(b, n * n, 2);
    if (cublasCreate(&h) != CUBLAS_STATUS_SUCCESS) return 7;
    cublasStatus_t s = cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c + SHIFT, n);
    if (s != CUBLAS_STATUS_SUCCESS || cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 8;
    printf("%s %g %g\n", cublasGetStatusString(s), host[0], host[n * n - 1]);
    cublasDestroy(h);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}
END
expect 7 'WARPGLASS_BLAS has it: .*no-blas' -- env WARPGLASS_BLAS="$scratch/no-blas" "$WARPGLASS" run gemm.cu -DNO_B=0 -lcublas
if ! ldconfig -p | grep -q 'libopenblas\.so\.0'; then
    expect 7 'apt-get install libopenblas0-pthread' -- warpglass run gemm.cu -DNO_B=0 -lcublas
    ((failures == 0)) && echo "skipped: there is no libopenblas.so.0" && exit 77
    finish
fi
expect 0 '' -- warpglass run gemm.cu -DNO_B=0 -lcublas && said '^success 128 128$'
expect 8 'cublasSgemm: illegal address' -- warpglass run gemm.cu -DNO_B=0 -DSHIFT=1 -lcublas
expect 0 '' -- env CUBLAS_LOGINFO_DBG=1 "$WARPGLASS" run gemm.cu -DNO_B=0 -lcublas && said '^cublasSgemm: m=64 n=64 k=64'

expect 0 '' -- warpglass check gemm.cu -DNO_B=0 -lcublas && said '^clean$'
expect 3 '' -- warpglass check gemm.cu -DNO_B=0 -DSHIFT=1 -lcublas
said '^out-of-bounds: ' && said 'cublasSgemm, which writes it' && said 'C takes 16384 bytes starting at byte 4 of an allocation of 16384'
expect 3 '' -- warpglass check gemm.cu -DNO_B=1 -lcublas
said '^uninitialised-read: ' && said '16384 bytes of B were never written'
cat > streams.cu << 'END'
#include <cublas_v2.h>
__global__ void fill(float *x, int n) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
int main() {
    float *x, two = 2;
    cudaStream_t s, t;
    cublasHandle_t h;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaMalloc(&x, 4096 * sizeof *x);
    cublasCreate(&h);
    cublasSetStream(h, t);
    fill<<<16, 256, 0, s>>>(x, 4096);
    cublasSscal(h, 4096, &two, x, 1);
    cudaDeviceSynchronize();
    cublasDestroy(h);
    cudaFree(x);
}
END
expect 3 '' -- warpglass check streams.cu -lcublas && said '^race-stream: ' && said 'cublasSscal, which'

# ---- What is not there is named ----
cat > eight_bits.cu << 'END'
#include <cublas_v2.h>
int main() {
    float *x, one = 1, zero = 0;
    cublasHandle_t h;
    cudaMalloc(&x, 4096);
    cublasCreate(&h);
    return cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 16, 16, 16, &one, x, CUDA_R_8F_E4M3, 16, x, CUDA_R_8F_E5M2, 16, &zero, x,
                        CUDA_R_32F, 16, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
END
expect 15 'cublasGemmEx with A of CUDA_R_8F_E4M3, B of CUDA_R_8F_E5M2, C of CUDA_R_32F .*CUBLAS_STATUS_NOT_SUPPORTED' -- \
    warpglass run eight_bits.cu -lcublas

# ---- The toolkit ----
eval "$(warpglass env)"
unset LD_LIBRARY_PATH
for words in "-lcublas" "-lcublas -lcublasLt" "-lcublas_static -lcublasLt_static -lculibos"; do
    # shellcheck disable=SC2086
    expect 0 '' -- nvcc -DNO_B=0 gemm.cu $words -o app
    expect 0 '' -- ./app && said '^success 128 128$'
done
cat > host.cpp << 'END'
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdio.h>
int main() {
    double *x, result = 0;
    cublasHandle_t h;
    cudaMallocManaged(&x, 2 * sizeof *x);
    x[0] = 3, x[1] = 4;
    cublasCreate(&h);
    cublasDnrm2(h, 2, x, 1, &result);
    printf("%g\n", result);
    return cublasDestroy(h);
}
END
expect 0 '' -- g++ -I"$CUDA_HOME/include" host.cpp -L"$CUDA_HOME/lib64" -lcublas -lcudart -o host
expect 0 '' -- ./host && said '^5$'
cp host.cpp host.c && sed -i 's/&x,/(void **)\&x,/; s/, 2 \* sizeof \*x/, 2 * sizeof *x, cudaMemAttachGlobal/' host.c
expect 0 '' -- gcc -I"$CUDA_HOME/include" host.c -L"$CUDA_HOME/lib64" -lcublas -lcudart -o host
expect 0 '' -- ./host && said '^5$'
finish
