#!/bin/bash
# cuda_runtime.h is read once: programs compile to the same with it and without, and whatever becomes of what is kept
# costs time, nothing else.
. "$(dirname "$0")/expect.sh"
rm -f cache/headers # this test's own
parsed() { [[ $(grep -cE 'run .* -include-pch ' said) == "$1" ]] || fail "$1 passes should have used headers read before: $(cat said)"; }
made() { [[ $(find cache/headers -maxdepth 1 -type f ! -name '*.*' | wc -l) == "$1" ]] || fail "$1 headers should have been kept: $(ls cache/headers)"; }

program() {
    cat > p.cu << END
#include <cstdio>
#include <cassert>
#include <cuda_runtime.h>
__global__ void k(int *x) { assert(x[0] != $1); x[threadIdx.x] += $1; }
int main() {
    int *x;
    cudaMallocManaged(&x, 128);
    x[0] = 1;
    k<<<1, 32>>>(x);
    int failed = cudaDeviceSynchronize();
    printf("%d %d\n", failed, x[0]);
}
END
}
quietly() { "$WARPGLASS" "$@" 2> said; }

program 2 && expect 0 '' -- quietly run -v p.cu && said '^0 3$' && parsed 0 && made 0
warpglass run --dump ptx p.cu 2> plain > /dev/null
program 3 && expect 0 '' -- quietly run -v p.cu && said '^0 4$' && parsed 2 && made 2
program 2 && touch -d '1 hour ago' p.cu
expect 0 '' -- quietly run -v -O0 p.cu && said '^0 3$' && parsed 0
rm -r cache/programs
warpglass run --dump ptx p.cu 2> again > /dev/null
cmp plain again || fail "another PTX: $(diff plain again)"

# Words that change nothing in the header share it: warnings, how much is optimised, macros that it does not have.
for words in -O1 '-Wall -g' '-DN=4 -DBLOCK_SIZE=2 -UX' '-DN=(x)'; do
    # shellcheck disable=SC2086
    program 2 && expect 0 '' -- quietly run -v $words p.cu && said '^0 3$' && parsed 2 && made 2
done
# They are seen by the program all the same, and by headers of its own.
echo 'int of_header = N;' > own.h
printf '#include <cstdio>\n#include "own.h"\nint main() { printf("%%d\\n", of_header + N); }\n' > m.cu
expect 0 '' -- quietly run -v -DN=20 m.cu && said '^40$' && parsed 2
expect 0 '' -- quietly run -v -DN=21 m.cu && said '^42$' && parsed 2 && made 2

# Words that change what the header means are another header.
program 3 && expect 0 '' -- quietly run -v -DM_LN10=4 p.cu && said '^0 4$' && parsed 0 && made 2
program 4 && expect 0 '' -- quietly run -v -DM_LN10=4 p.cu && said '^0 5$' && parsed 2 && made 4
program 1 && expect 0 '' -- quietly run -v p.cu && said '^710 1$' && parsed 2
expect 0 '' -- quietly run -v -DNDEBUG p.cu && said '^0 2$' && parsed 2 # <cassert> is the program's own
program 5 && expect 0 '' -- quietly run -v -DNDEBUG p.cu && said '^0 6$' && parsed 2

# One header serves programs in all folders, but for those that look for others from where they are.
from() { (cd "$1" && "$WARPGLASS" "${@:2}") 2> said; }
mkdir -p one/own two/own
program 4 && expect 0 '' -- from one run -v ../p.cu && said '^0 5$' && parsed 2
program 6 && expect 0 '' -- from one run -v -Iown ../p.cu && said '^0 7$' && parsed 0
program 7 && expect 0 '' -- from two run -v -Iown ../p.cu && said '^0 8$' && parsed 0
program 8 && expect 0 '' -- from two run -v -Iown ../p.cu && said '^0 9$' && parsed 2

# What the program includes before all comes before the header.
echo '#define NDEBUG' > first.h
program 1
for i in 1 2 3; do expect 0 '' -- quietly run -v -include first.h p.cu && said '^0 2$' && parsed 0; program 1 && echo "// $i" >> p.cu; done

# An error is told of as without.
program wrong
WARPGLASS_CACHE_DIR=none expect 1 "p.cu:4:.*undeclared identifier 'wrong'" -- warpglass run p.cu && cp "$stderr" plain
expect 1 "p.cu:4:.*undeclared identifier 'wrong'" -- warpglass run p.cu
cmp "$stderr" plain || fail "another message"
# A warning, too, also of headers read before.
program 2 && sed -i 's/int failed/int unused, failed/' p.cu
WARPGLASS_CACHE_DIR=none expect 0 "p.cu:10:.*unused variable" -- warpglass run -Wall p.cu && cp "$stderr" plain
for i in 1 2 3; do expect 0 "p.cu:10:.*unused variable" -- warpglass run -Wall p.cu && { cmp "$stderr" plain || fail "another message"; }; echo "// $i" >> p.cu; done

# Damage costs a compilation, and is mended.
for file in cache/headers/*; do [[ -d $file ]] || echo damage > "$file"; done
program 6 && expect 0 '' -- quietly run -v p.cu && said '^0 7$'
program 7 && expect 0 '' -- quietly run -v p.cu && said '^0 8$' && parsed 2
chmod 0 cache/headers/* && program 8 && expect 0 '' -- quietly run p.cu && said '^0 9$'
rm -rf cache/headers && echo "in the way" > cache/headers
program 9 && expect 0 '' -- quietly run p.cu && said '^0 10$'
# Headers that have changed since are read anew, also Warpglass's own.
rm cache/headers
mkdir -p copy/bin copy/lib/warpglass
cp "$WARPGLASS" copy/bin/
cp -rL "${WARPGLASS%/bin/*}/lib/warpglass/include" copy/lib/warpglass/
touch -d '10 seconds ago' copy/lib/warpglass/include/device_launch_parameters.h # clang compares whole seconds
echo '__global__ void k(int *x) { *x = warpSize; }' > size.cu
for i in 1 2 3; do expect 0 '' -- copy/bin/warpglass cc -ptx size.cu; done
copy/bin/warpglass cc -v -ptx size.cu 2> said && parsed 1
grep -q ', 32;' size.ptx || fail "warps of 32: $(cat size.ptx)"
sed -i 's/int warpSize = 32/int warpSize = 64/' copy/lib/warpglass/include/device_launch_parameters.h
for i in 1 2 3; do
    expect 0 '' -- copy/bin/warpglass cc -ptx size.cu
    grep -q ', 64;' size.ptx || fail "the header of before: $(cat size.ptx)"
done

# CCCL takes these two where it finds them: Warpglass's, not NVIDIA's, which need more of NVIDIA's headers.
mkdir -p theirs && echo '#error of NVIDIA' | tee theirs/cuda_runtime.h theirs/cuda_fp6.h > theirs/cuda_fp4.h
cat > small.cu << 'CUDA'
#if __has_include(<cuda_fp6.h>) && !defined(CCCL_DISABLE_NVFP6_SUPPORT)
#include <cuda_fp6.h>
#endif
#if __has_include(<cuda_fp4.h>) && !defined(CCCL_DISABLE_NVFP4_SUPPORT)
#include <cuda_fp4.h>
#endif
int main() { return __nv_cvt_double_to_fp6(7.4, __NV_E2M3, cudaRoundZero) + __nv_cvt_double_to_fp4(5, __NV_E2M1, cudaRoundNearest) != 36; }
CUDA
expect 0 '' -- warpglass cc -isystem theirs small.cu -o small
expect 0 '' -- ./small
finish
