#!/bin/bash
# cublas.h, the interface without handles; batches of several groups; and what a program of cublasXt is told.
. "$(dirname "$0")/../cli/expect.sh"
ldconfig -p | grep -q 'libopenblas\.so\.0' || {
    echo "skipped: there is no libopenblas.so.0"
    exit 77
}

cat > old.cu << 'END'
#include <cublas.h>
#include <stdio.h>
static void show(const char *what, const float *x) { printf("%s %g %g %g %g, %d\n", what, x[0], x[1], x[2], x[3], cublasGetError()); }
int main() {
    float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, c[4], *A, *B, *C;
    double two[2] = {3, 4}, *D;
    cuComplex z = {1, 2}, *Z;
    if (cublasAlloc(4, 4, (void **)&A) != CUBLAS_STATUS_NOT_INITIALIZED || cublasGetError() == 0) return 2;
    if (cublasInit() || cublasInit()) return 3;
    if (cublasAlloc(4, 4, (void **)&A) || cublasAlloc(4, 4, (void **)&B) || cublasAlloc(4, 4, (void **)&C)) return 4;
    if (cublasAlloc(-1, 4, (void **)&D) != CUBLAS_STATUS_INVALID_VALUE || cublasGetError() != CUBLAS_STATUS_INVALID_VALUE) return 5;
    if (cublasAlloc(2, 8, (void **)&D) || cublasAlloc(1, 8, (void **)&Z)) return 6;
    cublasSetMatrix(2, 2, 4, a, 2, A, 2), cublasSetMatrix(2, 2, 4, b, 2, B, 2);
    cublasSgemm('n', 'T', 2, 2, 2, 1.0f, A, 2, B, 2, 0.0f, C, 2);
    cublasGetMatrix(2, 2, 4, C, 2, c, 2), show("gemm", c);
    printf("dot %g nrm2 %g amax %d asum %g\n", cublasSdot(4, A, 1, B, 1), cublasSnrm2(1, A, 1), cublasIsamax(4, B, 1), cublasSasum(4, A, 1));
    cublasStrmm('L', 'u', 'n', 'N', 2, 2, 2.f, A, 2, B, 2);
    cublasGetMatrix(2, 2, 4, B, 2, c, 2), show("trmm", c);
    cublasSrot(2, A, 1, A + 2, 1, 0.f, 1.f);
    cublasGetMatrix(2, 2, 4, A, 2, c, 2), show("rot", c);
    cublasSgemm('x', 'T', 2, 2, 2, 1.0f, A, 2, B, 2, 0.0f, C, 2);
    cublasSscal(4, 2.f, C, 1); /* does not hide the error before it */
    cublasGetMatrix(2, 2, 4, C, 2, c, 2), show("wrong", c), show("asked", c);
    cublasSetVector(2, 8, two, 1, D, 1), cublasSetVector(1, 8, &z, 1, Z, 1);
    cuComplex square = cublasCdotc(1, Z, 1, Z, 1);
    printf("%g %g %g\n", cublasDnrm2(2, D, 1), square.x, square.y);
    cublasCscal(1, z, Z, 1), cublasGetVector(1, 8, Z, 1, &z, 1);
    float x = 3, y = 4, cosine, sine;
    cublasSrotg(&x, &y, &cosine, &sine);
    printf("%g %g, %g %g %g\n", z.x, z.y, x, cosine, sine);
    cublasFree(A), cublasFree(B), cublasFree(C), cublasFree(D), cublasFree(Z);
    return cublasShutdown() != 0;
}
END
cat > uninitialised.cu <<'END'
#include <cublas.h>
#include <cstdio>
int main() { // as HeCBench's HPL
    double a[4] = {1, 2, 3, 4}, *A, *B;
    cudaMalloc(&A, sizeof a), cudaMalloc(&B, sizeof a);
    cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
    cublasDgemm('N', 'N', 2, 2, 2, 1.0, A, 2, A, 2, 0.0, B, 2);
    cudaMemcpy(a, B, sizeof a, cudaMemcpyDeviceToHost);
    printf("%g %g %g %g, %d\n", a[0], a[1], a[2], a[3], cublasGetError());
}
END
expect 0 'functions of cublas.h are called before cublasInit' -- warpglass run uninitialised.cu -lcublas
said '^7 10 15 22, 0$'
# Ranks whose kernels are all cuBLAS's have a report, too.
expect 0 '' -- warpglass cc uninitialised.cu -lcublas -o uninitialised
PMI_RANK=1 PMI_SIZE=2 "$WARPGLASS" profile ./uninitialised > out.1 2>&1 &
PMI_RANK=0 PMI_SIZE=2 expect 0 'functions of cublas.h are called before cublasInit' -- warpglass profile --json p.json --html p.html ./uninitialised
wait
said '^  cublasDgemm, calls  *1  *1  *1  *0$'
said '^  cublasDgemm, operations '
grep -q '"library"' p.json && grep -q 'cublasDgemm, calls' p.html || fail "the files of ranks"
expect 0 'cublasSgemm: transa is -1' -- warpglass run old.cu -lcublas
said '^gemm 26 38 30 44, 0$'
said '^dot 70 nrm2 1 amax 4 asum 10$'
said '^trmm 46 48 62 64, 0$'
said '^rot 3 4 -1 -2, 0$'
said '^wrong 52 76 60 88, 7$'
said '^asked 52 76 60 88, 0$'
said '^5 5 0$'
said '^-3 4, 5 0.6 0.8$'
# In C, by g++ and the toolkit.
eval "$(warpglass env)"
sed '/static void/s/^/\n/' old.cu > old.c
expect 0 '' -- gcc -I"$CUDA_HOME/include" old.c -L"$CUDA_HOME/lib64" -lcublas -lcudart -o old
expect 0 'transa is -1' -- ./old
said '^gemm 26 38 30 44, 0$'
printf '#include <cublas_v2.h>\n#include <cublas.h>\nint main() {}\n' > both.cu
expect 1 'cublas.h and cublas_v2.h in one file' -- warpglass cc both.cu
sed 's/cublasSgemm(.n., .T., 2, 2, 2, 1.0f, A, 2/cublasSgemm('"'n', 'T'"', 2, 2, 2, 1.0f, A + 1, 2/' old.cu > past.cu
expect 3 'transa is -1' -- warpglass check past.cu -lcublas
said '^out-of-bounds: ' && said 'allocated by cublasAlloc at' && said 'cublasSgemm, which reads it' && said 'past.cu:14'

cat > groups.cu << 'END'
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <math.h>
#include <stdio.h>
enum { GROUPS = 4, PROBLEMS = 6, LD = 8 };
static const int m[GROUPS] = {2, 5, 0, 1}, n[GROUPS] = {3, 4, 2, 1}, k[GROUPS] = {4, 7, 1, 0}, sizes[GROUPS] = {3, 1, 1, 1};
static const int ld[GROUPS] = {LD, LD, LD, LD};
static const long wide[][GROUPS] = {{2, 5, 0, 1}, {3, 4, 2, 1}, {4, 7, 1, 0}, {LD, LD, LD, LD}, {3, 1, 1, 1}};
static const cublasOperation_t ta[GROUPS] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_N, CUBLAS_OP_N},
                               tb[GROUPS] = {CUBLAS_OP_T, CUBLAS_OP_N, CUBLAS_OP_N, CUBLAS_OP_T};
template <typename T> T **matrices(float seed) {
    T **all, *at;
    cudaMallocManaged(&all, PROBLEMS * sizeof *all);
    for (int p = 0; p < PROBLEMS; p++) {
        cudaMallocManaged(&at, LD * LD * sizeof(T));
        for (int i = 0; i < LD * LD; i++) at[i] = (T)sinf(seed + p * 100 + i);
        all[p] = at;
    }
    return all;
}
/* What plain loops give. */
template <typename T, typename S> bool right(T **A, T **B, T **C, T **old, const S *alpha, const S *beta, double most) {
    for (int g = 0, p = 0; g < GROUPS; g++)
        for (int i = 0; i < sizes[g]; i++, p++)
            for (int r = 0; r < LD; r++)
                for (int c = 0; c < LD; c++) {
                    double sum = 0, was = (double)(float)old[p][r + c * LD];
                    for (int j = 0; j < k[g]; j++)
                        sum += (double)(float)A[p][ta[g] ? j + r * LD : r + j * LD] * (double)(float)B[p][tb[g] ? c + j * LD : j + c * LD];
                    double want = r < m[g] && c < n[g] ? alpha[g] * sum + beta[g] * was : was;
                    if (fabs(want - (double)(float)C[p][r + c * LD]) > most) return printf("problem %d: %g, not %g\n", p, (double)(float)C[p][r + c * LD], want), false;
                }
    return true;
}
int main() {
    float alpha[GROUPS] = {1, 2, 3, 4}, beta[GROUPS] = {0, 1, 2, .5f};
    double dalpha[GROUPS] = {1, 2, 3, 4}, dbeta[GROUPS] = {0, 1, 2, .5};
    cublasHandle_t h;
    cublasCreate(&h);
    float **A = matrices<float>(1), **B = matrices<float>(2), **C = matrices<float>(3), **old = matrices<float>(3);
    bool good = !cublasSgemmGroupedBatched(h, ta, tb, m, n, k, alpha, A, ld, B, ld, beta, C, ld, GROUPS, sizes) && !cudaDeviceSynchronize() &&
                right(A, B, C, old, alpha, beta, 1e-5);
    float **E = matrices<float>(3);
    good = good && !cublasSgemmGroupedBatched_64(h, ta, tb, wide[0], wide[1], wide[2], alpha, A, wide[3], B, wide[3], beta, E, wide[3], GROUPS, wide[4]) &&
           !cudaDeviceSynchronize() && right(A, B, E, old, alpha, beta, 1e-5);
    double **F = matrices<double>(1), **G = matrices<double>(2), **H = matrices<double>(3), **I = matrices<double>(3);
    good = good && !cublasDgemmGroupedBatched(h, ta, tb, m, n, k, dalpha, F, ld, G, ld, dbeta, H, ld, GROUPS, sizes) && !cudaDeviceSynchronize() &&
           right(F, G, H, I, dalpha, dbeta, 1e-5);
    __half **P = matrices<__half>(1), **Q = matrices<__half>(2), **R = matrices<__half>(3), **S = matrices<__half>(3);
    good = good && !cublasGemmGroupedBatchedEx(h, ta, tb, m, n, k, alpha, (void **)P, CUDA_R_16F, ld, (void **)Q, CUDA_R_16F, ld, beta, (void **)R,
                                               CUDA_R_16F, ld, GROUPS, sizes, CUBLAS_COMPUTE_32F) &&
           !cudaDeviceSynchronize() && right(P, Q, R, S, alpha, beta, 1e-2);
    printf("%s\n", good ? "right" : "wrong");
    /* What is wrong with one group keeps all of them from running. */
    int bad[GROUPS] = {2, 5, -1, 1};
    float before = C[0][0];
    printf("%d ", cublasSgemmGroupedBatched(h, ta, tb, bad, n, k, alpha, A, ld, B, ld, alpha, C, ld, GROUPS, sizes));
    printf("%d ", cublasSgemmGroupedBatched(h, ta, tb, m, n, k, alpha, A, m, B, ld, alpha, C, ld, GROUPS, sizes));
    printf("%d ", cublasSgemmGroupedBatched(h, ta, tb, m, n, k, alpha, A, ld, B, ld, alpha, C, ld, -1, sizes));
    printf("%d ", cublasSgemmGroupedBatched(h, ta, tb, m, n, k, 0, A, ld, B, ld, alpha, C, ld, GROUPS, sizes));
    printf("%d ", cublasSgemmGroupedBatched(0, ta, tb, m, n, k, alpha, A, ld, B, ld, alpha, C, ld, GROUPS, sizes));
    printf("%d ", cublasSgemmGroupedBatched(h, ta, tb, m, n, k, alpha, A, ld, B, ld, alpha, C, ld, 0, sizes));
    printf("%d ", cublasGemmGroupedBatchedEx(h, ta, tb, m, n, k, alpha, (void **)P, CUDA_R_16F, ld, (void **)Q, CUDA_R_16F, ld, beta, (void **)R,
                                             CUDA_R_16F, ld, GROUPS, sizes, CUBLAS_COMPUTE_16F));
    cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE);
    printf("%d ", cublasSgemmGroupedBatched(h, ta, tb, m, n, k, alpha, A, ld, B, ld, alpha, C, ld, GROUPS, sizes));
    cudaDeviceSynchronize();
    printf("%s\n", before == C[0][0] ? "untouched" : "touched");
    return 0;
}
END
expect 0 'm of group 2 is -1' -- warpglass run groups.cu -lcublas
said '^right$'
said '^7 7 7 7 1 0 15 15 untouched$'
grep -q 'lda of group 1 is 5' "$stderr" && grep -q 'group_count is -1' "$stderr" && grep -q 'an array is null' "$stderr" || fail "grouped batches: messages"

printf '#include <cublasXt.h>\nint main() {}\n' > xt.cu
expect 1 'cublasXt .products over several GPUs. is not supported by Warpglass' -- warpglass cc xt.cu
finish
