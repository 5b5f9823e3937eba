#!/bin/bash
# Programs as users have them: folders and files with blanks and umlauts, headers, templates, several sources, other chips,
# executables of nvcc.
. "$(dirname "$0")/../cli/expect.sh"
export COLUMNS=80 LC_ALL=C.UTF-8
found() { said '^out-of-bounds: access outside all allocations$'; }

# ---- names ----
mkdir 'Ordner mit Läufen'
cd 'Ordner mit Läufen' || exit 1
cat > größe.cuh << 'END'
#pragma once
template <class T, int N> __device__ inline void fill(T *x, int i) { x[i + N] = T(i); }
END
cat > 'mein Kern.cu' << 'END'
#include "größe.cuh"
template <class T, int N, bool B> __global__ void fft(T *x) { fill<T, N>(x, threadIdx.x); }
namespace own {
__global__ void two(int *x) { x[threadIdx.x + 16] += 2; }
}
int main() {
    int *x;
    float *f;
    cudaMalloc(&x, 32 * sizeof(int));
    cudaMalloc(&f, 32 * sizeof(float));
    cudaMemset(x, 0, 32 * sizeof(int));
    fft<float, 16, true><<<1, 32>>>(f);
    fft<int, 8, false><<<1, 32>>>(x);
    own::two<<<1, 32>>>(x);
    return 7;
}
END
expect 3 '' -- warpglass check --only memory --json 'a b.json' --sarif ä.sarif --junit j.xml 'mein Kern.cu'
said '^  größe.cuh:2:79 in fill<float, 16>, launch 0$'
said '^    called at mein Kern.cu:2:63 in void fft<float, 16, true>\(float\*\)$'
said '^  mein Kern.cu:4:51 in own::two\(int\*\), launch 2$'
said '^3 findings$'
python3 - << 'END' || fail "files of a folder with umlauts"
import json, urllib.parse, xml.etree.ElementTree as tree
findings = json.load(open("a b.json"))["findings"]
results = json.load(open("ä.sarif"))["runs"][0]["results"]
uris = [r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results]
assert len(findings) == len(results) and all(u.isascii() and " " not in u for u in uris), uris
assert {urllib.parse.unquote(u) for u in uris} == {"größe.cuh", "mein Kern.cu"}, uris
cases = [(c.get("classname"), c.get("name")) for c in tree.parse("j.xml").iter("testcase")]
assert len(set(cases)) == len(cases), cases
assert ("own::two(int*)", "out-of-bounds at mein Kern.cu:4") in cases, cases
END
cat > known << 'END'
out-of-bounds größe.cuh:2 kernel=fft<int, 8, false>
* "mein Kern.cu:2" kernel=void fft<float, 16, true>(float*)
memory "Ordner mit Läufen/mein Kern.cu:4"
END
expect 3 '' -- warpglass check --only memory --suppress known 'mein Kern.cu'
said '^known:3: nothing was found'
cd ..
expect 7 '' -- warpglass check --only memory --suppress 'Ordner mit Läufen/known' 'Ordner mit Läufen/mein Kern.cu'
said '^clean, 3 suppressed$'

# ---- several sources, and how they end ----
cat > kernel.cu << 'END'
__device__ int twice(int x) { return 2 * x; }
__global__ void use(int *out, int n) {
    int i = threadIdx.x;
    if (i <= n) out[i] = twice(i);
}
void launch(int *out, int n) { use<<<1, 64>>>(out, n); }
END
cat > other.cu << 'END'
static __device__ int seen[32];
__global__ void look(const int *x) { seen[threadIdx.x] = x[threadIdx.x]; }
void look_at(const int *x) { look<<<1, 32>>>(x); }
END
cat > main.cpp << 'END'
#include <cstdlib>
#include <cuda_runtime.h>
void launch(int *out, int n);
void look_at(const int *x);
extern "C" int last(int n);
int main(int count, char **argument) {
    int *x;
    cudaMalloc(&x, 32 * sizeof(int));
    launch(x, last(atoi(argument[1])));
    look_at(x);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaFree(x);
    if (atoi(argument[2]) == 6) abort();
    return atoi(argument[2]);
}
END
echo 'int last(int n) { return n - 1; }' > last.c
expect 0 '' -- warpglass cc kernel.cu other.cu main.cpp last.c -o several
for program in ./several 'kernel.cu other.cu main.cpp last.c'; do
    # shellcheck disable=SC2086
    expect 0 '' -- warpglass check $program -- 32 0
    said ': 2 kernels, 2 launches'
    # shellcheck disable=SC2086
    expect 3 '' -- warpglass check $program -- 33 42
    found
done
expect 42 '' -- warpglass check ./several -- 32 42
expect 134 'terminated by signal 6' -- warpglass check ./several -- 32 6
expect 3 'terminated by signal 6' -- warpglass check ./several -- 33 6
for arch in sm_70 sm_80 sm_100 sm_120; do
    expect 0 '' -- warpglass check --arch $arch kernel.cu other.cu main.cpp last.c -- 32 0
    expect 3 '' -- warpglass check --arch $arch kernel.cu other.cu main.cpp last.c -- 33 0
    found
done

# Another level of optimisation is named.
expect 3 '' -- warpglass check -O1 kernel.cu other.cu main.cpp last.c -- 33 0
said '^Note: device code was compiled with -O1\.$'
found
expect 3 '' -- warpglass check kernel.cu other.cu main.cpp last.c -- 33 0
! grep 'compiled with' "$stdout" || fail "the usual level is named"

# ---- nvcc ----
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc > /dev/null || finish
for options in '' -lineinfo -G '-lineinfo -Xfatbin -compress-all' '-rdc=true -lineinfo'; do
    # shellcheck disable=SC2086
    nvcc -arch=sm_90 $options -cudart shared kernel.cu other.cu main.cpp last.c -o by_nvcc > nvcc.said 2>&1 || {
        cat nvcc.said
        fail "nvcc $options"
    }
    expect 0 '' -- warpglass check ./by_nvcc -- 32 0
    expect 3 '' -- warpglass check ./by_nvcc -- 33 0
    found
    [[ -z $options ]] || said 'kernel.cu:4:'
done
finish
