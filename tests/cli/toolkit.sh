#!/bin/bash
# The folder that "warpglass toolkit" makes, as build systems use it: nvcc's words, linking by other compilers, device code
# in libraries, and CMake's CUDA language with projects of each kind, by Ninja and by make.
. "$(dirname "$0")/expect.sh"

# ---- The folder ----
expect 0 '' -- warpglass toolkit
toolkit=$(cat "$stdout")
[[ $toolkit == "$scratch"/cache/toolkit/13.0 && -x $toolkit/bin/nvcc ]] || fail "no toolkit in the cache: $toolkit"
touch -d 2020-01-01 stamp && touch -r stamp "$toolkit/version.json"
expect 0 '' -- warpglass toolkit
[[ $toolkit/version.json -nt stamp ]] && fail "the toolkit was made again"
echo 'made by another Warpglass' > "$toolkit/WARPGLASS"
expect 0 '' -- warpglass toolkit
[[ $toolkit/version.json -nt stamp ]] || fail "the toolkit of another Warpglass was kept"
expect 0 '' -- warpglass toolkit "a folder's"
said "^$scratch/a folder's\$"
mkdir -p full && touch full/file
expect 1 'full already exists, and "warpglass toolkit" did not create it' -- warpglass toolkit full
[[ -e full/file ]] || fail "a foreign folder was emptied"
expect 2 'only one folder is allowed, not also two' -- warpglass toolkit one two
expect 0 '' -- env WARPGLASS_CACHE_DIR=none "$WARPGLASS" toolkit one
expect 1 'no cache to create the folder in' -- env WARPGLASS_CACHE_DIR=none "$WARPGLASS" toolkit
expect 0 '' -- warpglass env "a folder's"
cp "$stdout" environment
expect 0 '' -- sh -c '. ./environment; echo "$CUDA_HOME $CUDACXX"; "$CUDACXX" --version; PATH=$PATH nvcc --list-gpu-arch'
said "^$scratch/a folder's $scratch/a folder's/bin/nvcc\$"
said 'release 13.0, V13.0.0$'
said '^compute_90$'
rm -rf "a folder's" one
eval "$(warpglass env)"
unset LD_LIBRARY_PATH
[[ $(type -p nvcc) == "$toolkit/bin/nvcc" && $(printenv CUDAToolkit_ROOT) == "$toolkit" ]] || fail "env: $(type -p nvcc)"
expect 0 '' -- nvcc --list-gpu-code
said '^sm_80$'

# ---- Programs ----
cat > kernel.cu << 'END'
#include <cstdio>
#if !defined(__NVCC__) || !defined(__CUDACC__)
#error "nvcc defines both"
#endif
__global__ void k(int *x) { *x = 42; }
int main() {
    int *x;
    cudaMallocManaged(&x, sizeof *x);
    k<<<1, 1>>>(x);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    printf("%d\n", *x);
    return 0;
}
END
runs() { expect 0 '' -- "$@" && said '^42$'; }
for words in "" "-cudart shared" "-cudart=static" "-arch=native" "-arch=all-major -std=c++17 -t 0" \
    "-gencode arch=compute_80,code=[sm_80,compute_80] -Wno-deprecated-gpu-targets"; do
    # shellcheck disable=SC2086
    expect 0 '' -- nvcc $words kernel.cu -o app
    runs ./app
done
expect 2 '-ccbin no-such-compiler: there is no such compiler' -- env NVCC_CCBIN=no-such-compiler nvcc -c kernel.cu
expect 0 'note: -ccbin g\+\+' -- env NVCC_CCBIN=no-such-compiler nvcc -ccbin g++ -c kernel.cu
expect 0 '' -- env NVCC_PREPEND_FLAGS="-DFIRST=1" NVCC_APPEND_FLAGS="-o appended -DLAST" nvcc kernel.cu
runs ./appended
# What is linked with the "static" runtime is ours, as is what others link.
expect 0 '' -- warpglass run ./app
expect 0 '' -- nvcc -c kernel.cu
for words in "-lcudart" "-lcudart_static -ldl -lrt -lpthread" "-lcudadevrt -lcudart_static" "-fuse-ld=gold -lcudart_static" \
    "$toolkit/lib64/libcudart_static.a"; do
    # shellcheck disable=SC2086
    expect 0 '' -- g++ kernel.o -o app -L"$toolkit/lib64" $words
    runs ./app
done
printf '#include <cuda.h>\n#include <cuda_runtime_api.h>\nint main(void) { int n; return cuInit(0) || cudaGetDeviceCount(&n) || n != 1; }\n' > driver.c
expect 0 '' -- gcc -I"$toolkit/include" driver.c -o driver -L"$toolkit/lib64/stubs" -L"$toolkit/lib64" -lcuda -lcudart
expect 0 '' -- ./driver
expect 0 '' -- nvcc -x c driver.c -lcuda -o driver
expect 0 '' -- ./driver
# Build files copy these folders and look into them, as CUDA 13 has them.
printf '#include <nv/target>\nint main() { NV_IF_TARGET(NV_IS_HOST, (return 0;), (return 1;)) }\n' > target.cpp
expect 0 '' -- g++ -std=c++17 -Wall -Wextra -Werror -I"$toolkit/include/cccl" target.cpp -o target
expect 0 '' -- ./target
cp -rL "$toolkit/include/cccl" copied
printf '#include <cuda/std/array>\n#include <cuda/atomic>\n#include <nv/target>\n%s\n%s\n' \
    '__global__ void one(int *p) { cuda::std::array<int, 1> a = {1}; *p = a[0]; }' 'int main() { return 0; }' > copied.cu
expect 0 '' -- nvcc -Icopied copied.cu -o target
expect 0 '' -- ./target
# What build systems read.
expect 0 '^#\$ .*clang.* -L.*lib64/stubs -L.*/lib64 -lcudadevrt -lcudart_static ' -- nvcc -v --keep --keep-dir . kernel.cu -o app
for line in "TOP=$toolkit" "NVVMIR_LIBRARY_DIR=$toolkit/nvvm/libdevice" "INCLUDES=\"-I$toolkit/include\"  " \
    "LIBRARIES=  -L$toolkit/lib64/stubs -L$toolkit/lib64"; do
    grep -qxF "#\$ $line" "$stderr" || fail "nvcc -v: no line $line"
done
grep -q '^.target sm_90' kernel.ptx || fail "--keep"
expect 1 'TOP=' -- nvcc -v __nothing
expect 2 "option '-ptx' of 'toolkit'|unknown option" -- warpglass toolkit -ptx

# ---- Old makefiles' machines ----
expect 0 'note: sm_13 is older than the oldest supported GPU: compiled for sm_50' -- nvcc -arch=sm_13 kernel.cu -o app
runs ./app
expect 0 'note: compute_20 is older' -- warpglass cc -gencode arch=compute_35,code=sm_35 -gencode arch=compute_20,code=sm_20 kernel.cu -DX -D__NVCC__
expect 0 '' -- nvcc -ptx -gencode=arch=compute_20,code=sm_21 -gencode=arch=compute_80,code=sm_80 kernel.cu
grep -q '^.target sm_80' kernel.ptx || fail "not the newest of old and new machines"
expect 2 "unknown arch 'sm_9'" -- nvcc -arch=sm_9 kernel.cu

# ---- Device code in libraries ----
mkdir -p lib
printf '__device__ int twice(int);\n__device__ int doubled(int x) { return twice(x); }\n' > lib/doubled.cu
printf '__device__ int bias = 0;\n__device__ int twice(int x) { return 2 * x + bias; }\n' > lib/twice.cu
printf '__device__ int doubled_too(int);\n__device__ int unused(int x) { return doubled_too(x); }\nint not_there();\nint calls() { return not_there(); }\n' > lib/unused.cu
sed 's/__global__/extern __device__ int bias;\n__device__ int doubled(int);\n__global__/; s/= 42/= doubled(21) + bias/' kernel.cu > linked.cu
expect 0 '' -- nvcc -dc lib/doubled.cu -o lib/doubled.o
expect 0 '' -- nvcc -dc lib/twice.cu -o lib/twice.o
expect 0 '' -- nvcc -dc lib/unused.cu -o lib/unused.o
expect 0 '' -- ar qc lib/libdevice.a lib/unused.o lib/doubled.o lib/twice.o
expect 0 '' -- nvcc -dc linked.cu
expect 0 '' -- nvcc linked.o -Llib -ldevice -o app
runs ./app
expect 0 '' -- warpglass cc linked.o lib/libdevice.a -o app
runs ./app
expect 0 '' -- nvcc -arch=sm_80 -dlink linked.o lib/libdevice.a -o device.o
expect 0 '' -- g++ linked.o device.o lib/libdevice.a -L"$toolkit/lib64" -lcudart -o app
runs ./app
expect 0 '' -- nvcc --device-link kernel.o
[[ -s a_dlink.o ]] || fail "-dlink: no a_dlink.o"
expect 2 'kernel.cu: -dlink is for objects' -- nvcc -dlink kernel.cu

# ---- CMake ----
mkdir -p project
sed 's/= 42/= doubled(21)/; s/__global__/__device__ int doubled(int);\nint in_static(int);\nint in_shared(int);\nint in_object(int);\nint in_host(int);\n__global__/
    s/printf.*/printf("%d\\n", *x + in_static(1) + in_shared(2) + in_object(3) + in_host(4));/' kernel.cu > project/main.cu
printf '__device__ int doubled(int x) { return 2 * x; }\n' > project/device.cu
for kind in static shared object; do
    cat > project/$kind.cu << END
__global__ void k_$kind(int *x) { *x *= -1; }
int in_$kind(int v) {
    int *x;
    cudaMallocManaged(&x, sizeof *x);
    *x = v;
    k_$kind<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    v = *x;
    cudaFree(x);
    return v;
}
END
done
printf '#include <cuda_runtime.h>\nint in_host(int v) { int n; return cudaGetDeviceCount(&n) || n != 1 ? 0 : v + 2; }\n' > project/host.cpp
printf '#include <cuda_runtime.h>\nint main() { int n; return cudaGetDeviceCount(&n) || n != 1; }\n' > project/count.cpp
printf 'extern "C" __global__ void generated(int *x) { *x = VALUE; }\n' > project/ptx.cu
cat > project/CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.18)
project(app LANGUAGES CXX CUDA)
message(STATUS "compiler: ${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION}, ${CMAKE_CUDA_ARCHITECTURES}")
find_package(CUDAToolkit 13.0 REQUIRED)
set(CMAKE_CUDA_STANDARD 17)
add_library(in_static STATIC static.cu)
add_library(in_shared SHARED shared.cu)
add_library(in_object OBJECT object.cu)
add_library(device STATIC device.cu)
set_target_properties(device PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
add_executable(app main.cu host.cpp $<TARGET_OBJECTS:in_object>)
target_compile_options(app PRIVATE
  $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--expt-relaxed-constexpr --expt-extended-lambda -lineinfo -Xcompiler=-Wall>)
set_target_properties(app PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_ARCHITECTURES "70;80-real;90-virtual")
target_link_libraries(app PRIVATE in_static in_shared device CUDA::cuda_driver)
foreach(runtime Shared Static)
  add_executable(small_${runtime} static.cu small.cu)
  set_target_properties(small_${runtime} PROPERTIES CUDA_RUNTIME_LIBRARY ${runtime} CUDA_ARCHITECTURES all-major)
endforeach()
add_executable(count_shared count.cpp)
target_link_libraries(count_shared PRIVATE CUDA::cudart)
add_executable(count_static count.cpp)
target_link_libraries(count_static PRIVATE CUDA::cudart_static)
add_library(ptx OBJECT ptx.cu)
set_target_properties(ptx PROPERTIES CUDA_PTX_COMPILATION ON)
target_compile_definitions(ptx PRIVATE VALUE=7)
add_custom_command(OUTPUT kernels.ptx COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_OBJECTS:ptx> kernels.ptx DEPENDS ptx)
add_custom_target(copied ALL DEPENDS kernels.ptx)
include(CheckSourceCompiles)
check_source_compiles(CUDA "__global__ void k() {} int main() { k<<<1, 1>>>(); }" GOOD)
check_source_compiles(CUDA "__global__ void k() { nothing(); } int main() { k<<<1, 1>>>(); }" BAD)
message(STATUS "checks: ${GOOD} and ${BAD}")
enable_testing()
foreach(program app small_Shared small_Static count_shared count_static)
  add_test(NAME ${program} COMMAND ${program})
endforeach()
END
printf 'int in_static(int);\nint main() { return in_static(1) != -1; }\n' > project/small.cu
for generator in Ninja "Unix Makefiles"; do
    rm -rf build
    expect 0 '' -- cmake -G "$generator" -S project -B build -DCMAKE_BUILD_TYPE=Release
    said '^-- compiler: NVIDIA 13.0.0, 90$'
    said '^-- checks: 1 and $'
    expect 0 '' -- cmake --build build
    (cd build && ctest > ctest.text 2>&1) || { cp build/ctest.text "$stdout" && fail "CMake with $generator: tests fail"; }
    runs build/app
    grep -q 'entry generated' build/kernels.ptx || fail "CMake with $generator: no PTX"
    touch -d 2020-01-01 stamp && touch -r build/app stamp
    expect 0 '' -- cmake --build build
    [[ build/app -nt stamp ]] && fail "CMake with $generator builds again what has not changed"
done
printf 'cmake_minimum_required(VERSION 3.18)\nproject(app CUDA)\nadd_executable(app kernel.cu)\n' > CMakeLists.txt
expect 0 '' -- env -u CUDACXX -u CUDA_PATH -u CUDA_HOME -u CUDAToolkit_ROOT cmake -G Ninja -S . -B by_path
expect 0 '' -- cmake --build by_path
runs by_path/app
# bin2c: bytes, endings and types, and what it does not know.
printf 'abc\n' > bytes
expect 0 '' -- bin2c bytes
said '^unsigned char imageBytes\[\] = \{$'
said '^0x61,0x62,0x63,0x0a$'
expect 0 '' -- bin2c -c -st --name code --padd 0,7 bytes
said '^static const unsigned char code\[\] = \{$'
said '^0x61,0x62,0x63,0x0a,0x00,0x07$'
expect 0 '' -- bin2c --type=longlong -l bytes
said '^0x000000000a636261ULL$'
said '^unsigned int imageBytesLength = 1;$'
expect 0 '' -- bash -c 'head -c 5000 "$(command -v nvcc)" > more; bin2c --name more --length more > more.c; gcc -c more.c'
expect 1 'bin2c: option --section is not supported' -- bin2c --section x bytes
expect 1 'bin2c: cannot read nowhere' -- bin2c nowhere
expect 1 'bin2c: -n needs a value' -- bin2c -n
expect 1 'bin2c: type float' -- bin2c -t float bytes
finish
