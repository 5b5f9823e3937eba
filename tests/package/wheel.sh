#!/bin/bash
# A wheel of this source, installed in a fresh virtual environment, from which the command runs.
. "$(dirname "$0")/../cli/expect.sh"
source=$(realpath "$tests/../..")
python3 -m venv environment > "$stdout" 2>&1 || {
    echo "skipped: python3 makes no virtual environment here"
    exit 77
}
environment/bin/pip download -q --no-deps -d tools scikit-build-core > "$stdout" 2>&1 || {
    echo "skipped: pip reaches no index of packages here"
    exit 77
}
environment/bin/pip wheel -q -w wheels --config-settings=build-dir="$scratch/build" "$source" > "$stdout" 2>&1 || fail "pip wheel"
expect 0 '' -- environment/bin/pip install -q --disable-pip-version-check --no-index wheels/*.whl
cat > p.cu << 'END'
#include <cstdio>
__global__ void hello() { printf("thread %d\n", threadIdx.x); }
int main() { hello<<<1, 2>>>(); return cudaDeviceSynchronize(); }
END
expect 0 '' -- environment/bin/warpglass run p.cu
said '^thread 1$'
expect 0 '' -- environment/bin/warpglass profile p.cu
# clang is the system's, and its absence is said.
mkdir empty
expect 1 'no clang 19 or later in PATH.*apt-get install clang-19' -- env PATH="$scratch/empty" "$scratch/environment/bin/warpglass" cc p.cu -o p
finish
