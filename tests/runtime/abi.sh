#!/bin/bash
# abi.sh LIBRARIES SOURCE COMPILER: the libraries' names, versions and exports are those of the tables.
set -u
libraries=$1 source=$2 compiler=$3
failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "abi: $*"; failed=1; }

# exports LIBRARY: names as the loader sees them, with their version; what code that tells of its accesses calls is no
# function of CUDA's (runtime/host_access.c)
exports() { nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | grep -v '^__sanitizer_cov_' | sort; }
# rows TABLE MACRO MACRO: the first argument of each row
rows() { sed -nE "s/^($2|$3)\(([A-Za-z0-9_]+).*/\2/p" "$1"; }

readelf -d "$libraries/libcudart.so.13" | grep -q 'SONAME.*\[libcudart.so.13\]' || fail "libcudart.so.13 has another soname"
readelf -d "$libraries/libcudart.so.13" | grep -q 'NEEDED.*\[libcuda.so.1\]' || fail "libcudart.so.13 does not need libcuda.so.1"
readelf -d "$libraries/libcudart.so.13" | grep -Eq 'RU?N?PATH.*\[\$ORIGIN' || fail "libcudart.so.13 does not look beside itself"
readelf -d "$libraries/libcuda.so.1" | grep -q 'SONAME.*\[libcuda.so.1\]' || fail "libcuda.so.1 has another soname"
# Who loads it while running, as Python does, has little room for what is each thread's own; sanitizers put more there.
own=$(readelf -lW "$libraries/libcuda.so.1" | awk '$1 == "TLS" { print $6 }')
nm -D "$libraries/libcuda.so.1" | grep -qE '__[at]san_' || ((own <= 1024)) || fail "libcuda.so.1 has $((own)) bytes for each thread"

rows "$source/src/runtime/entries.def" RT RT_MISSING | sed 's/$/@@libcudart.so.13/' | sort >"$scratch/names"
exports "$libraries/libcudart.so.13" | diff "$scratch/names" - >"$scratch/diff" || { fail "libcudart.so.13 exports other names than its table"; cat "$scratch/diff"; }
{ rows "$source/src/runtime/entries.def" RT RT_MISSING; rows "$source/src/runtime/entries12.def" RT12 RT12_MISSING; } |
    sed 's/$/@@libcudart.so.12/' | sort >"$scratch/names"
exports "$libraries/libcudart.so.12" | diff "$scratch/names" - >"$scratch/diff" || { fail "libcudart.so.12 exports other names than its tables"; cat "$scratch/diff"; }
readelf -d "$libraries/libcudart.so.12" | grep -q 'SONAME.*\[libcudart.so.12\]' || fail "libcudart.so.12 has another soname"
rows "$source/src/driver/entries.def" CU CU_MISSING | sort >"$scratch/names"
exports "$libraries/libcuda.so.1" | grep -vE '^(wg_.*|InitializeInjectionNvtx2)$' | diff "$scratch/names" - >"$scratch/diff" || { fail "libcuda.so.1 exports other names than its table"; cat "$scratch/diff"; }
[ "$(exports "$libraries/libwarpglass-codegen.so")" = wg_codegen_table ] || fail "libwarpglass-codegen.so exports other names than its table"

# A function that is not there yet says its name once, and the program lives on.
program=$(mktemp -d)
trap 'rm -rf "$program"' EXIT
cat >"$program/missing.c" <<'C'
#include <stdio.h>
int cudaImportExternalMemory(void *, unsigned);
int cudaGetLastError(void);
int main(void) {
    int first = cudaImportExternalMemory(0, 0), last = cudaGetLastError(), second = cudaImportExternalMemory(0, 0);
    printf("%d %d %d\n", first, last, second);
    return 0;
}
C
"$compiler" "$program/missing.c" -o "$program/missing" -L"$libraries" -lcudart || fail "a program does not link"
out=$(LD_LIBRARY_PATH=$libraries "$program/missing" 2>"$program/messages")
[ "$out" = "801 801 801" ] || fail "a missing function answered '$out'"
[ "$(grep -c cudaImportExternalMemory "$program/messages")" = 1 ] || { fail "a missing function is not told once"; cat "$program/messages"; }
exit $failed
