#!/bin/bash
# A texture or surface instruction is one instruction, whatever it became (ir/texture.h): no load or store of its own, in
# the reference, in generated code at both widths, and of nvcc's code where that is installed.
. "$(dirname "$0")/../cli/expect.sh"
program=$tests/../count/textures.cu
check() { # OPTION...
    expect 0 '' -- warpglass profile -w "$@" --expect 'fetch: global_load_requests == 0' --expect 'fetch: global_store_requests == 4' \
        --expect 'fetch: global_store_sectors == 16' --expect 'fetch: op_memory == 576' --expect 'fetch: branches == 4' \
        --expect 'fetch: instructions < 160' "$program"
}
check
WARPGLASS_WIDTH=256 WARPGLASS_THREADS=1 check
WARPGLASS_BACKEND=ref check
! command -v nvcc > /dev/null || check --compiler nvcc
finish
