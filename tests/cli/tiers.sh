#!/bin/bash
# A kernel that is large begins in code that is made quickly, and goes on in better code once it has run for a while:
# in the middle of a launch too, lanes apart or not, with the same results and counters.
. "$(dirname "$0")/expect.sh"

{
    cat << 'END'
#include <cstdio>
#include <unistd.h>
__global__ void large(unsigned *p, unsigned *q, unsigned n) {
    __shared__ unsigned s[64];
    unsigned x = p[threadIdx.x] + blockIdx.x, y = n;
    for (unsigned i = 0; i < n; i++) {
        s[threadIdx.x] = x;
        __syncthreads();
        x += s[(threadIdx.x + i) % 64];
        __syncthreads();
        if (x % 7 == i % 7) y += x;
END
    for ((i = 0; i < 1000; i++)); do
        printf '        x = x * %d + (y ^ %d); y = __umulhi(x, y + %d) - x;\n' $((2 * i + 3)) "$i" "$i"
    done
    cat << 'END'
    }
    q[blockIdx.x * 64 + threadIdx.x] = x + y;
}
int main(int argc, char **argv) { /* launches until there is the file, at least twice */
    unsigned *p, *q, *first = new unsigned[512];
    cudaMalloc(&p, 256);
    cudaMallocManaged(&q, 2048);
    cudaMemset(p, 7, 256);
    for (int run = 0; run < 2 || (argc > 1 && access(argv[1], F_OK)); run++) {
        large<<<8, 64>>>(p, q, argc > 1 ? 500 : 3);
        if (cudaDeviceSynchronize()) return 1;
        for (int i = 0; i < 512; i++) {
            if (!run) first[i] = q[i];
            if (first[i] != q[i]) return printf("launch %d: %d differs\n", run, i), 1;
        }
    }
    unsigned sum = 0;
    for (int i = 0; i < 512; i++) sum = sum * 31 + q[i];
    printf("%u\n", sum);
}
END
} > large.cu
warpglass cc large.cu -o large
again='warpglass: compiled .*large.* once more, for speed, in [0-9.]+ ms'

# The result is the reference's, in either code.
WARPGLASS_TIERS=0 expect 0 '' -- ./large
cp "$stdout" full
for tiers in 1 2; do
    WARPGLASS_TIERS=$tiers WARPGLASS_CACHE_DIR=none expect 0 '' -- ./large
    cmp full "$stdout" || fail "another result, with WARPGLASS_TIERS=$tiers"
done
WARPGLASS_BACKEND=ref expect 0 '' -- ./large
cmp full "$stdout" || fail "another result than the reference's"
WARPGLASS_TIERS=3 expect 1 "WARPGLASS_TIERS: '3' is not 0, 1 or 2" -- ./large

# Better code comes while launches run; the next process finds it.
rm -rf stop cache
mkdir cache
WARPGLASS_CACHE_DIR=$PWD/cache WARPGLASS_VERBOSE=1 ./large stop 2> said > long &
for ((i = 0; i < 600; i++)); do
    grep -qE "$again" said && break
    sleep 0.1
done
touch stop
wait $! || fail "$(cat said long)"
grep -qE "$again" said || fail "no better code: $(cat said)"
rm stop
WARPGLASS_CACHE_DIR=$PWD/cache WARPGLASS_VERBOSE=1 ./large stop 2> said > found &
sleep 1
touch stop
wait $! || fail "$(cat said found)"
grep -qE "$again" said && fail "made once more, though it was kept"
cmp long found || fail "another result with code from the cache"

# Processes that end too soon for that: the time of all counts, and once it is what better code costs, one of them makes it,
# of a kernel that takes longer to compile than a process runs, too. The smaller kernel is large for vectors of 256 bits; for
# those of 512 it would be in better code at once.
runs_briefly() { # NAME LINES: the kernel with so many lines
    sed -e "/^        x = x \\* /{/ (y ^ $2)/,/^    }/{/^    }/!d}}" -e "s/large/$1/; s/? 500 :/? 50 :/" large.cu > "$1.cu"
    warpglass cc "$1.cu" -o "$1"
    rm -rf cache
    mkdir cache
    for ((i = 0; i < 60; i++)); do
        rm -f stop
        WARPGLASS_WIDTH=256 WARPGLASS_CACHE_DIR=$PWD/cache WARPGLASS_VERBOSE=1 "./$1" stop 2> said > "$1.$i" &
        for ((k = 0; k < 600; k++)); do
            grep -q "compiled .*$1" said && break
            sleep 0.05
        done
        sleep 0.1
        touch stop
        wait $! || fail "$(cat said "$1.$i")"
        cmp "$1.$i" "$1.0" || fail "another result in process $i"
        ((i == 0)) && cp cache/w*.o quick.o
        cmp -s cache/w*.o quick.o || break
    done
    ((i > 0 && i < 60)) || fail "$1 processes: better code after $i of them"
}
runs_briefly brief 300
runs_briefly longer 420

# A traced block is many instructions, but each of one register: the gallery's kernel of that kind begins in better code.
warpglass cc -O3 "$tests"/../../kernels/reduction/reduction.cu -o reduction
for tiers in 0 1; do
    mkdir "kept.$tiers"
    WARPGLASS_WIDTH=256 WARPGLASS_TIERS=$tiers WARPGLASS_CACHE_DIR=$PWD/kept.$tiers expect 0 '' -- \
        ./reduction 2^16 --only global_strided
done
cmp kept.0/w*.o kept.1/w*.o || fail "a traced kernel begins in quick code"

# Lanes that part: the code that such a kernel begins in has no way back to it, and each of its three pieces gets better.
sed -e 's/large/parting/; /__s\(hared__\|yncthreads\)/d; s/s\[threadIdx.x\] = x;//; /x += s\[/d' \
    -e 's/i < n; i++/i < n + threadIdx.x % 3; i++/' large.cu > parting.cu
warpglass cc parting.cu -o parting
rm -f stop
WARPGLASS_THREADS=2 WARPGLASS_CACHE_DIR=none WARPGLASS_VERBOSE=1 ./parting stop 2> said > parted &
for ((i = 0; i < 600; i++)); do
    (($(grep -cE "compiled .*parting.* once more" said) == 3)) && break
    sleep 0.1
done
touch stop
wait $! || fail "$(cat said parted)"
(($(grep -cE "compiled .*parting.* once more" said) == 3)) || fail "not all pieces are better: $(cat said)"
rm stop
touch stop # two launches
WARPGLASS_TIERS=0 expect 0 '' -- ./parting stop
cmp parted "$stdout" || fail "another result where lanes part"

# Lanes that never do though they might: what another thread makes ahead for them is waited for when the module goes, and wanted by nobody.
sed -e 's/n + threadIdx.x % 3/n + p[threadIdx.x] % 3/; s/parting/together/; s/ + q\[i\];/ + first[i];/' \
    -e 's/    unsigned sum = 0;/    if (argc > 2 \&\& cudaDeviceReset()) return 2;\n&/' parting.cu > together.cu
warpglass cc together.cu -o together
WARPGLASS_BACKEND=ref expect 0 '' -- ./together stop
cp "$stdout" right
WARPGLASS_CACHE_DIR=none expect 0 '' -- ./together stop
cmp right "$stdout" || fail "another result where lanes stay together"
WARPGLASS_CACHE_DIR=none expect 0 '' -- ./together stop reset
cmp right "$stdout" || fail "another result where the device is reset"

# Lanes that part at every kind of branch, spin on one another's locks and meet at barriers: GENERAL in the form that is
# made for a time, which stays in itself.
{
    cat << 'END'
#include <cstdio>
__device__ unsigned lock, shared_sum;
__global__ void spinning(unsigned *q, unsigned n) {
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x, x = t * 2654435761u, y = n;
    for (unsigned i = 0; i < n + t % 3; i++) {
        switch ((x >> 7) % 6) {
        case 0: x += y; break;
        case 1: if (t & 4) y ^= x; break;
        case 2: for (unsigned k = 0; k < t % 4; k++) x = x * 5 + k; break;
        case 3: y = y * 3 + 1; break;
        case 5: if (t == 63 && i == 3) return;
        default: x ^= x >> 5;
        }
        for (bool done = false; !done;)
            if (atomicCAS(&lock, 0, 1) == 0) {
                shared_sum += x % 16;
                __threadfence();
                atomicExch(&lock, 0);
                done = true;
            }
END
    for ((i = 0; i < 40; i++)); do
        printf '        x = x * %d + (y ^ %d); y = __umulhi(x, y + %d) - x;\n' $((2 * i + 3)) "$i" "$i"
        printf '        if (x %% %d == t %% %d) y += x; else if (x & 64) q[128 + t] += y;\n' $((i % 7 + 2)) $((i % 5 + 1))
    done
    cat << 'END'
    }
    s[t] = x;
    if (t >= 63) return;
    __syncwarp(t < 32 ? ~0u : ~0u >> 1);
    q[t] = x + y + s[t ^ 1];
}
int main() {
    unsigned *q, sum = 0;
    cudaMallocManaged(&q, 1024);
    spinning<<<1, 64>>>(q, 4);
    if (cudaDeviceSynchronize()) return 1;
    for (int i = 0; i < 256; i++) sum = sum * 31 + q[i];
    unsigned total;
    cudaMemcpyFromSymbol(&total, shared_sum, 4);
    printf("%u %u\n", sum, total);
}
END
} > spinning.cu
warpglass cc spinning.cu -o spinning
WARPGLASS_BACKEND=ref expect 0 '' -- ./spinning
cp "$stdout" spun
WARPGLASS_TIERS=2 WARPGLASS_THREADS=2 WARPGLASS_CACHE_DIR=none expect 0 '' -- ./spinning
cmp spun "$stdout" || fail "another result where lanes spin"
WARPGLASS_TIERS=2 WARPGLASS_THREADS=2 expect 0 '^search:' -- warpglass run --dump llvm spinning.cu

# Counters are those of code that was never made quickly.
for tiers in 0 2; do
    WARPGLASS_TIERS=$tiers WARPGLASS_CACHE_DIR=none expect 0 '' -- warpglass profile large.cu
    cp "$stdout" "counted.$tiers"
done
diff counted.0 counted.2 || fail "other counters"
finish
