#!/bin/bash
# An installed Warpglass works wherever it is installed or moved to: install.sh BUILD
. "$(dirname "$0")/expect.sh"
cmake --install "$1" --prefix "$scratch/first place" > "$stdout" 2>&1 || fail "cmake --install"
mv "first place" "second place"
WARPGLASS=$scratch/second\ place/bin/warpglass
expect 0 '' -- warpglass info
said "second place/lib/warpglass$"
cd "second place/share" || exit 1
commands=$(sed -nE 's/^COMMAND\([A-Z]+, "([a-z]+)".*/-\1/p' "$tests/../../src/cli/options.def")
[[ $commands ]] || fail "no commands found"
for page in '' $commands; do
    [[ -s man/man1/warpglass$page.1 ]] || fail "no manual page warpglass$page(1)"
done
for words in bash-completion/completions/warpglass zsh/site-functions/_warpglass fish/vendor_completions.d/warpglass.fish; do
    [[ -s $words ]] || fail "no $words"
done
cd "$scratch" || exit 1
[[ -z $(find "second place/lib" -maxdepth 1 -name '*cuda*') ]] || fail "a library where the loader finds it by itself"
cat > p.cu << 'END'
#include <cstdio>
#include <cooperative_groups.h>
#include <cuda.h>
__global__ void hello() { printf("thread %d of %d\n", threadIdx.x, (int)cooperative_groups::this_thread_block().size()); }
int main() {
    int n = 0;
    hello<<<1, 2>>>();
    cudaDeviceSynchronize();
    return cuInit(0) || cuDeviceGetCount(&n) || n != 1;
}
END
expect 0 '' -- warpglass run p.cu -lcuda
said '^thread 1 of 2$'
expect 0 '' -- warpglass cc p.cu -lcuda -o p
expect 0 '' -- ./p
said '^thread 0 of 2$'
finish
