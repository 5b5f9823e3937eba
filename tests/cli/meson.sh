#!/bin/bash
# Meson's language cuda, its module of that name and its dependency, with the toolkit's nvcc and nothing of NVIDIA's in PATH.
. "$(dirname "$0")/expect.sh"
command -v meson > /dev/null && command -v ninja > /dev/null || {
    echo "skipped: there is no meson, or no ninja"
    exit 77
}
PATH=$(tr : '\n' <<< "$PATH" | while read -r folder; do [[ -e $folder/nvcc || -e $folder/nvlink ]] || echo "$folder"; done | paste -sd:)
eval "$(warpglass env)"
cat > meson.build << 'END'
project('app', 'cuda', 'cpp', default_options: ['cuda_std=c++17', 'cpp_std=c++17'])
cuda = import('unstable-cuda')
nvcc = meson.get_compiler('cuda')
flags = cuda.nvcc_arch_flags(nvcc, '8.0', '9.0')
message(cuda.nvcc_arch_readable(nvcc, '8.0', '9.0'), cuda.min_driver_version('12.0'))
assert(nvcc.compiles('__global__ void k() {}', name: 'a kernel'))
assert(not nvcc.compiles('__global__ int k() {}', name: 'no kernel'))
cudart = dependency('cuda', version: '>=12')
kernels = static_library('kernels', 'kernels.cu', cuda_args: flags)
shared = shared_library('shared', 'kernels.cu')
foreach library : [kernels, shared]
    name = 'app_' + library.name()
    test(name, executable(name, 'main.cpp', 'more.cu', link_with: library, dependencies: cudart))
endforeach
END
cp "$tests/counts.cu" kernels.cu
printf '__device__ __host__ int twice(int x) { return 2 * x; }\nint more() { return twice(1); }\n' > more.cu
cat > main.cpp << 'END'
#include <cuda_runtime.h>
int count();
int more();
int main() {
    int n;
    return cudaGetDeviceCount(&n) || n != 1 || count() != 128 || more() != 2;
}
END
meson setup build > "$stdout" 2> "$stderr" || fail "meson setup"
said 'Cuda compiler for the host machine: .*nvcc'
said "Run-time dependency CUDA .*found: YES 13.0 \($CUDA_HOME\)"
not_said 'Could not detect CUDA Toolkit version'
meson test -C build > "$stdout" 2>&1 || fail "meson test"
said '^Ok: +2'
finish
