#!/bin/bash
# The public header and library from an installed Warpglass: with its own command, by pkg-config, by CMake.
#     installed.sh BUILD
. "$(dirname "$0")/../cli/expect.sh"
here=$tests/../api
cmake --install "$1" --prefix "$scratch/first" > "$stdout" 2>&1 || fail "cmake --install"
mv first place # wherever it is moved to
WARPGLASS=$scratch/place/bin/warpglass
[[ -z $(find place/include place/lib/libwarpglass.a -name '*.h' ! -path '*/warpglass/warpglass.h') ]] || fail "more headers than one"

expect 0 '' -- warpglass run "$here/transpose_test.cu" -lwarpglass
said '^void transpose<0>\(int const\*, int\*\): 63488 conflicts'
# Counting inside does not disturb counting outside.
expect 0 '' -- warpglass profile --expect 'transpose<1>: shared_conflicts == 0' "$here/transpose_test.cu" -lwarpglass

export PKG_CONFIG_PATH=$scratch/place/lib/pkgconfig
flags=$(pkg-config --cflags --libs warpglass) || fail "pkg-config"
# shellcheck disable=SC2086
expect 0 '' -- cc -Wall -Werror "$here/model_test.c" $flags -o by_pkg_config
expect 0 '' -- ./by_pkg_config

mkdir project
cat > project/CMakeLists.txt << END
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C CXX)
find_package(warpglass 0.1 REQUIRED)
add_executable(by_cmake $here/model_test.c)
target_link_libraries(by_cmake warpglass::warpglass)
file(WRITE both.cpp "#include <warpglass/warpglass.h>\nint main() { return wg_is_here(); }\n")
add_executable(by_cxx \${CMAKE_BINARY_DIR}/../both.cpp)
file(RENAME both.cpp \${CMAKE_BINARY_DIR}/../both.cpp)
target_link_libraries(by_cxx warpglass::warpglass)
END
cmake -S project -B project/build -DCMAKE_PREFIX_PATH="$scratch/place" > "$stdout" 2>&1 && cmake --build project/build >> "$stdout" 2>&1 ||
    fail "a project that uses find_package"
expect 0 '' -- project/build/by_cmake
expect 0 '' -- project/build/by_cxx

# Programs in CUDA, with no CUDA language in the project: their headers, definitions and tests.
mkdir cuda
cat > cuda/CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES CXX)
enable_testing()
find_package(warpglass 0.1 REQUIRED)
add_library(settings INTERFACE)
target_include_directories(settings INTERFACE include)
target_compile_definitions(settings INTERFACE VALUE=7 "WORDS=\"two words\"")
warpglass_add_executable(app main.cpp part.cu)
target_link_libraries(app PRIVATE settings)
warpglass_add_test(NAME app COMMAND app first "second word" CHECK PROFILE BUDGET budget.txt)
warpglass_add_test(NAME dear COMMAND app first "second word" EXPECT "add: global_store_requests == 0")
END
mkdir cuda/include
echo '#define OF_HEADER 1' > cuda/include/header.h
echo 'add: global_store_requests == 1' > cuda/budget.txt
cat > cuda/main.cpp << 'END'
#include <cstring>
int run();
int main(int n, char **words) { return n == 3 && !strcmp(words[2], "second word") && !strcmp(WORDS, "two words") ? run() : 2; }
END
cat > cuda/part.cu << 'END'
#include "header.h"
__global__ void add(int *a) { a[threadIdx.x] += VALUE + OF_HEADER; }
int run() {
    int *a, last;
    cudaMalloc(&a, 128), cudaMemset(a, 0, 128);
    add<<<1, 32>>>(a);
    cudaMemcpy(&last, a + 31, 4, cudaMemcpyDeviceToHost);
    return last != 8 || cudaFree(a);
}
END
build() { cmake -S cuda -B cuda/build -DCMAKE_PREFIX_PATH="$scratch/place" > "$stdout" 2>&1 && cmake --build cuda/build >> "$stdout" 2>&1; }
build || fail "a project with programs in CUDA"
expect 8 'Errors while running CTest' -- ctest --test-dir cuda/build
said '80% tests passed, 1 tests failed out of 5'
said 'dear.profile \(Failed\)'
[[ -s cuda/build/app.sarif && -s cuda/build/app.json && -s cuda/build/app.html ]] || fail "the tests wrote no reports"
# A header that changes has what includes it compiled again.
echo '#define OF_HEADER 2' > cuda/include/header.h
build || fail "the project, built again"
expect 1 '' -- cuda/build/app first 'second word'

finish
