#!/bin/bash
# `cc` as the compiler of build systems: rules for make of what was read, make and CMake that build again what a changed
# header asks for and nothing else, and the words that they and nvcc's users write.
. "$(dirname "$0")/expect.sh"
mkdir -p inc "with space"
printf '#pragma once\n#define FACTOR 2\n' > inc/factor.cuh
printf '#define ONLY_DEVICE 1\n' > inc/device.cuh
printf '#define ONLY_HOST 1\n' > inc/host.cuh
cat > kernels.cu << 'END'
#include "factor.cuh"
#ifdef __CUDA_ARCH__
#include "device.cuh"
#else
#include "host.cuh"
#endif
__global__ void kernel(int *x) { x[0] *= FACTOR; }
int run(int v) {
    int *x;
    cudaMallocManaged(&x, sizeof *x);
    *x = v;
    kernel<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    return *x;
}
END
printf '#include <cstdio>\nint run(int);\nint main() { printf("%%d\\n", run(21)); }\n' > main.cpp

# rule FILE: the whole rule in one line.
rule() { sed -z 's/ \\\n */ /g' "$1" | head -1; }
expect 0 '' -- warpglass cc -Iinc -c kernels.cu -MMD
[[ $(rule kernels.d) == "kernels.o: kernels.cu inc/factor.cuh inc/device.cuh inc/host.cuh" ]] || fail "-MMD: $(rule kernels.d)"
expect 0 '' -- warpglass cc -Iinc -c kernels.cu -o "with space/k.o" -MMD
[[ $(rule "with space/k.d") == 'with\ space/k.o: kernels.cu '* ]] || fail "-MMD with a space: $(rule "with space/k.d")"
# The second time cuda_runtime.h was parsed before.
expect 0 '' -- warpglass cc -Iinc -c kernels.cu -MD -MP -MF rule -MT one -MQ 'a$b'
[[ $(rule rule) == 'one a$$b: kernels.cu '*/cuda_runtime.h* ]] || fail "-MD: $(rule rule)"
grep -q '^inc/host.cuh:$' rule || fail "-MP: no rule for a header"
expect 0 '' -- warpglass cc -Iinc kernels.cu main.cpp -MMD -o app
[[ $(rule main.d) == "app: main.cpp" && $(rule kernels.d) == "app: kernels.cu "* ]] || fail "-MMD of a program"
expect 2 'MD or -MMD, and neither is given' -- warpglass cc -c kernels.cu -MF rule
expect 2 '-MF names one file, but there are 2 sources' -- warpglass cc -c kernels.cu main.cpp -MD -MF rule
expect 1 'cannot write nowhere/rule' -- warpglass cc -Iinc -c kernels.cu -MD -MF nowhere/rule
expect 0 '' -- warpglass cc -Iinc -MM kernels.cu main.cpp
[[ $(rule "$stdout") == "kernels.o: kernels.cu inc/factor.cuh inc/device.cuh inc/host.cuh" ]] || fail "-MM: $(rule "$stdout")"
said '^main.o: main.cpp$'
expect 0 '' -- warpglass cc -Iinc -M kernels.cu -MT 'x y' -o rule
[[ $(rule rule) == 'x y: kernels.cu '*/cuda_runtime.h* ]] || fail "-M: $(rule rule)"

# What nvcc's users and their build systems write besides.
expect 0 'note: -ccbin g\+\+: compiles C and C\+\+ files; of CUDA source clang' -- warpglass cc -Iinc -ccbin g++ -c kernels.cu
# C and C++ files are for the compiler that is named: a program, or its folder.
cat > by_gcc.cpp << 'END'
#ifdef __clang__
#error "by clang"
#endif
#include <cuda_runtime.h>
int by_gcc() {
    int n = 0;
    return cudaGetDeviceCount(&n) == cudaSuccess && n ? 0 : 1;
}
END
cat > by_gcc_too.c << 'END'
#ifdef __clang__
#error "by clang"
#endif
int by_gcc_too(void) { return 0; }
END
echo 'extern "C" int by_gcc_too(); int by_gcc(); int main() { return by_gcc() + by_gcc_too(); }' > calls_gcc.cu
expect 1 'by clang' -- warpglass cc -c by_gcc.cpp
expect 0 '' -- warpglass cc -ccbin g++ -c by_gcc.cpp -MMD
[[ $(rule by_gcc.d) == "by_gcc.o: by_gcc.cpp" ]] || fail "-MMD by g++: $(rule by_gcc.d)"
expect 0 '' -- warpglass cc -ccbin "$(dirname "$(command -v g++)")" -Wall -Werror -c by_gcc.cpp -o by_gcc.o
expect 0 'note: -ccbin' -- warpglass cc -ccbin g++ calls_gcc.cu by_gcc.cpp by_gcc_too.c -o calls_gcc
expect 0 '' -- ./calls_gcc
expect 0 'note: -ccbin' -- warpglass run -ccbin g++ calls_gcc.cu by_gcc.cpp by_gcc_too.c
expect 1 'by clang' -- warpglass run calls_gcc.cu by_gcc.cpp by_gcc_too.c
expect 0 '' -- warpglass cc -ccbin g++ -E by_gcc.cpp && said 'int by_gcc\(\)'
# A wrapper says with -show what it gives to its compiler, as mpicxx does: clang needs it, too.
mkdir -p wrapped
echo 'int wrapped();' > wrapped/wrapped.h
echo 'int wrapped() { return 42; }' > wrapped/wrapped.cpp
g++ -c wrapped/wrapped.cpp -o wrapped/wrapped.o && ar rcs wrapped/libwrapped.a wrapped/wrapped.o
cat > wrapper << END
#!/bin/sh
if [ "\$1" = -show ]; then echo "g++ -O2 -I'$PWD/wrapped' -DWRAPPED=42 -L'$PWD/wrapped' -lwrapped -pthread"; exit 0; fi
exec g++ -I'$PWD/wrapped' -DWRAPPED=42 "\$@" -L'$PWD/wrapped' -lwrapped
END
chmod +x wrapper
printf '#include <wrapped.h>\n__global__ void k(int *p) { *p = WRAPPED; }\nint main() { return wrapped() - WRAPPED; }\n' > by_wrapper.cu
printf '#include <wrapped.h>\nint main() { return wrapped() - WRAPPED; }\n' > by_wrapper.cpp
expect 1 'wrapped.h. file not found' -- warpglass cc by_wrapper.cu -o by_wrapper
expect 0 'note: -ccbin ./wrapper: .* too, with its include folders and libraries$' -- warpglass cc -ccbin ./wrapper by_wrapper.cu -o by_wrapper
expect 0 '' -- ./by_wrapper
expect 0 'note: -ccbin' -- warpglass run -ccbin ./wrapper by_wrapper.cu
expect 0 '' -- warpglass cc -ccbin ./wrapper by_wrapper.cpp -o by_wrapper_too
expect 0 '' -- ./by_wrapper_too
# What answers otherwise is a compiler like another.
printf '#!/bin/sh\n[ "$1" = -show ] || exec g++ "$@"\necho "usage: talker [-DWRAPPED=1] -lno_such_library"\n' > talker
chmod +x talker
expect 0 'note: -ccbin ./talker: .* host code, too$' -- warpglass cc -ccbin ./talker calls_gcc.cu by_gcc.cpp by_gcc_too.c -o calls_gcc
expect 2 '-ccbin no-such-compiler: there is no such compiler' -- warpglass cc -ccbin no-such-compiler -c by_gcc.cpp
expect 0 'note: -G: ignored' -- warpglass cc -Iinc -G -g -c kernels.cu
expect 0 '' -- warpglass cc -Iinc -forward-unknown-to-host-compiler --cuda-gpu-arch=sm_80 --cuda-path=/usr/local/cuda -m64 -fPIC -c kernels.cu
expect 0 '' -- warpglass cc -Iinc -dc kernels.cu

# built HOW COMMAND...: says 42, builds nothing when nothing changed, and all that a header is in when it has.
built() {
    local how=$1
    shift
    expect 0 '' -- "$@"
    expect 0 '' -- ./app
    said '^42$'
    touch -d '2020-01-01' stamp && touch -r app stamp
    expect 0 '' -- "$@"
    [[ app -nt stamp ]] && fail "$how builds again what has not changed"
    sleep 1.1
    sed -i 's/FACTOR 2/FACTOR 3/' inc/factor.cuh
    expect 0 '' -- "$@"
    expect 0 '' -- ./app
    said '^63$'
    sed -i 's/FACTOR 3/FACTOR 2/' inc/factor.cuh
}
cat > Makefile << 'END'
NVCC = warpglass cc
NVCCFLAGS = -O2 -std=c++17 -Iinc -arch=sm_80
objects = make/kernels.cu.o make/main.cpp.o
app: $(objects)
	$(NVCC) $(objects) -o $@
make/%.cu.o: %.cu
	@mkdir -p make
	$(NVCC) $(NVCCFLAGS) -MMD -MP -c $< -o $@
make/%.cpp.o: %.cpp
	@mkdir -p make
	$(NVCC) $(NVCCFLAGS) -MMD -MP -c $< -o $@
-include $(objects:.o=.d)
END
rm -f app *.o
PATH=$(dirname "$WARPGLASS"):$PATH
built make make

cat > CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.21)
project(app CXX)
find_program(WARPGLASS warpglass REQUIRED)
add_custom_command(OUTPUT kernels.cu.o DEPENDS kernels.cu DEPFILE kernels.cu.d
  COMMAND ${WARPGLASS} cc -O2 -I${CMAKE_SOURCE_DIR}/inc -MD -MF kernels.cu.d -MT kernels.cu.o
          -c ${CMAKE_SOURCE_DIR}/kernels.cu -o kernels.cu.o VERBATIM)
add_library(host OBJECT main.cpp)
add_custom_command(OUTPUT ${CMAKE_SOURCE_DIR}/app DEPENDS kernels.cu.o $<TARGET_OBJECTS:host>
  COMMAND ${WARPGLASS} cc kernels.cu.o $<TARGET_OBJECTS:host> -o ${CMAKE_SOURCE_DIR}/app
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(program ALL DEPENDS ${CMAKE_SOURCE_DIR}/app)
END
rm -f app
expect 0 '' -- cmake -G Ninja -S . -B cmake
built CMake cmake --build cmake

# CMake asks its compilers of CUDA who they are, where it has found a toolkit.
mkdir -p readme && cp kernels.cu readme
printf 'cmake_minimum_required(VERSION 3.21)\nproject(app CXX CUDA)\n' > readme/CMakeLists.txt
cmake -G Ninja -S readme -B asked "-DCMAKE_CUDA_COMPILER=$WARPGLASS" > asked.text 2>&1 && fail "CMake takes warpglass for a compiler of CUDA"
grep -rqE 'warpglass: .*"warpglass (cc|toolkit)"|Failed to find nvcc' asked asked.text || fail "CMake's log has no word of ours"
expect 2 'bin/nvcc of the folder that "warpglass toolkit" makes' -- warpglass cc -c CMakeCUDACompilerId.cu
finish
