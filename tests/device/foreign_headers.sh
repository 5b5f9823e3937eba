#!/usr/bin/env bash
# foreign_headers.sh WARPGLASS: headers of the toolkit that Warpglass has no use for. Where NVIDIA's lie in a default
# include folder or one given with -I, none of them is read in place of Warpglass's own: each compiles, or
# fails with one error that names it.
set -eu
warpglass=$1
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
mkdir -p "$here/foreign/GL"
cd "$here"
echo 'typedef unsigned int GLuint, GLenum;' > foreign/GL/gl.h
refused=(cudaGL.h cudaGLTypedefs.h cudaEGL.h cudaEGLTypedefs.h cuda_egl_interop.h cudaVDPAU.h cudaVDPAUTypedefs.h
    cuda_vdpau_interop.h cudaProfilerTypedefs.h curand_poisson.h curand_discrete.h
    curand_discrete2.h curand_mtgp32_kernel.h curand_mtgp32_host.h curand_mrg32k3a.h)
taken=(cuda_fp4.h cuda_fp6.h texture_indirect_functions.h surface_indirect_functions.h texture_fetch_functions.h surface_functions.h
    curand_uniform.h curand_normal.h curand_normal_static.h curand_lognormal.h curand_philox4x32_x.h)
for header in cuda_runtime.h "${refused[@]}" "${taken[@]}"; do
    echo '#error "not of Warpglass"' > "foreign/$header"
done
fail() {
    echo "$*" >&2
    exit 1
}

printf '#include <%s>\n' "${taken[@]}" > taken.cu
"$warpglass" cc -Iforeign -c taken.cu || fail "a header that belongs to cuda_runtime.h or curand_kernel.h"
for how in '-isystem foreign' -isystemforeign '-Xcompiler -isystem,foreign' -Xcompiler=-isystemforeign '-Xcompiler -I,foreign' -Xcompiler=-Iforeign '-ccbin g++ -Xcompiler -isystem,foreign'; do
    # shellcheck disable=SC2086
    "$warpglass" cc $how -c taken.cu 2> out || fail "$how: $(< out)"
done
for header in "${refused[@]}"; do
    printf '#include <%s>\n' "$header" > refused.cu
    "$warpglass" cc -Iforeign -fsyntax-only refused.cu > out 2>&1 && fail "$header compiles"
    [[ $(grep -c 'error:' out) == 1 && $(grep 'error:' out) == *"\"$header: "*"not supported by Warpglass"* ]] ||
        fail "$header: $(< out)"
done

# A program that draws where there is a window, and computes alone where there is none.
cat > draws.cu << 'CU'
#include <GL/gl.h>
#include <cuda_gl_interop.h>
#include <cstdio>
__global__ void paint(unsigned *pixels) { pixels[threadIdx.x] = threadIdx.x; }
int main() {
    cudaGraphicsResource_t buffer;
    cudaError_t status = cudaGraphicsGLRegisterBuffer(&buffer, 1, cudaGraphicsMapFlagsWriteDiscard);
    printf("%s\n", cudaGetErrorName(status));
    unsigned *pixels, last = 0;
    size_t bytes;
    if (!status && !cudaGraphicsMapResources(1, &buffer))
        cudaGraphicsResourceGetMappedPointer((void **)&pixels, &bytes, buffer);
    else
        cudaMalloc(&pixels, 32 * sizeof *pixels);
    paint<<<1, 32>>>(pixels);
    cudaMemcpy(&last, pixels + 31, sizeof last, cudaMemcpyDefault);
    printf("%u\n", last);
}
CU
[[ $("$warpglass" run -Iforeign draws.cu 2> note) == $'cudaErrorNotSupported\n31' ]] || fail "draws.cu: $(< note)"
grep -q cudaGraphicsGLRegisterBuffer note || fail "no word of what is not supported: $(< note)"

# Host code that meets NVIDIA's types first.
echo '#define __DRIVER_TYPES_H__' > foreign/cufft.h
printf '#include <%s>\n' cufft.h cuda_runtime.h > host.cpp
"$warpglass" cc -Iforeign -c host.cpp 2> out && fail "host.cpp compiles"
grep -q "error: .*NVIDIA's headers were read before Warpglass's" out || fail "host.cpp: $(< out)"
