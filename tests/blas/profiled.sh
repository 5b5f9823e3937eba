#!/bin/bash
# Calls of cuBLAS are rows of a profile: how many operations they take and which bytes of their operands they touch, by hand; with
# kernels of the program's own beside them and without; as text, JSON and a page; and which of them are counted.
. "$(dirname "$0")/../cli/expect.sh"
if ! ldconfig -p | grep -q 'libopenblas\.so\.0'; then
    echo "skipped: there is no libopenblas.so.0"
    exit 77
fi
cat > calls.cu << 'END'
#include <cublas_v2.h>
#include <cuda_profiler_api.h>
#include <cuComplex.h>
__global__ void own(float *x) { x[threadIdx.x] = 1; }
int main(int argc, char **) {
    float *x, one = 1, zero = 0, result;
    cuComplex *z, complex_one = {1, 0};
    cublasHandle_t h;
    cudaMalloc(&x, 1 << 20);
    cudaMalloc(&z, 1 << 20);
    cudaMemset(x, 0, 1 << 20);
    cudaMemset(z, 0, 1 << 20);
    if (argc > 1) own<<<1, 32>>>(x);
    cublasCreate(&h);
    for (int i = 0; i < 3; i++)
        cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, 64, 32, 16, &one, x, 64, x + 8192, 32, &zero, x + 16384, 64);
    cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, 64, 32, 16, &one, x, 64, x + 8192, 32, &one, x + 16384, 64);
    cublasSgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, x, 8, 64, x + 8192, 8, 64, &zero, x + 16384, 8, 64, 4);
    cublasCgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &complex_one, z, 8, z + 64, 8, &complex_one, z + 128, 8);
    cublasSsymv(h, CUBLAS_FILL_MODE_LOWER, 10, &one, x, 16, x + 8192, 1, &zero, x + 16384, 1);
    cublasStrmv(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 10, x, 16, x + 8192, 1);
    cublasSsyrk(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 10, 6, &one, x, 16, &zero, x + 16384, 16);
    cublasStrsm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 8, 4, &one, x, 8, x + 8192, 8);
    cublasSdot(h, 100, x, 1, x + 8192, 2, &result);
    cudaProfilerStop();
    cublasSscal(h, 100, &one, x, 1);
    cudaProfilerStart();
    cublasScopy(h, 100, x, 1, x + 8192, 1);
    cudaDeviceSynchronize();
    cublasDestroy(h);
    cudaFree(x);
    cudaFree(z);
}
END
# name, calls, operations, bytes read and written of each
cat > rows << 'END'
cublasSgemm 3 65536 6144 8192
cublasSgemm 1 65536 14336 8192
cublasSgemmStridedBatched 1 4096 2048 1024
cublasCgemm 1 4096 1536 512
cublasSsyrk 1 660 240 220
cublasStrsm 1 256 240 128
cublasSdot 1 200 800 0
cublasSsymv 1 200 260 40
cublasStrmv 1 100 260 40
cublasScopy 1 0 400 400
END
rows() {
    python3 -c 'import json, sys
for row in json.load(open(sys.argv[1])).get("library", []):
    print(row["name"], row["calls"], row["operations"], row["bytes_read"], row["bytes_written"])' "$1"
}
expect 0 '' -- warpglass profile --json report.json --html page.html calls.cu -lcublas
diff rows <(rows report.json) || fail "these are not the rows"
said '^calls on .*: no kernels$' && said '^  cublasSgemm  *3  *65\.5 k  6\.00 KiB  8\.00 KiB$' && said '^    m 64, n 32, k 16$'
said '^    m 8, n 8, k 8, batch 4$'
((0 == $(grep -cE '^.{81}' "$stdout"))) || fail "a row is wider than 80 columns"
grep -q '<td>cublasSsyrk</td><td>n 10, k 6</td>' page.html || fail "the page has no row of cublasSsyrk"
# A report reads back.
expect 0 '' -- warpglass profile --json again.json report.json && said '^  cublasCgemm '
cmp -s report.json again.json || fail "the report of the report is another"

expect 0 '' -- warpglass profile --json report.json calls.cu -lcublas -- 1
diff rows <(rows report.json) || fail "these are not the rows beside a kernel"
said ': 1 kernel$' && said '^own'
expect 0 '' -- warpglass profile --kernel own --json report.json calls.cu -lcublas -- 1
[[ -z $(rows report.json) ]] || fail "rows that were not chosen"
expect 1 'launched no kernel' -- warpglass profile --kernel own calls.cu -lcublas
if python3 -c 'import jsonschema' 2> /dev/null; then
    expect 0 '' -- warpglass profile --json report.json calls.cu -lcublas
    expect 0 '' -- python3 -c 'import json, sys, jsonschema
jsonschema.validate(json.load(open("report.json")), json.load(open(sys.argv[1])))' "$tests/../../docs/report.schema.json"
fi
finish
