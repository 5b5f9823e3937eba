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

finish
