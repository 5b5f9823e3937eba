#!/bin/bash
# Which launches a profile counts: those in NVTX ranges that were chosen, and none while the profiler is stopped.
. "$(dirname "$0")/../cli/expect.sh"
cat > ranges.cu << 'END'
#include <cuda_profiler_api.h>
#include <nvtx3/nvtx3.hpp>
#include <nvToolsExt.h>
#include <thread>
struct io { static constexpr char const *name{"io"}; };
__global__ void a(int *p) { p[threadIdx.x] = 1; }
__global__ void b(int *p) { p[threadIdx.x] = 2; }
__global__ void c(int *p) { p[threadIdx.x] = 3; }
void whole(int *p) {
    NVTX3_FUNC_RANGE();
    c<<<1, 32>>>(p);
}
int main() {
    int *p;
    cudaMalloc(&p, 1024);
    a<<<1, 32>>>(p);
    {
        nvtx3::scoped_range step{"step"};
        b<<<1, 32>>>(p);
        nvtx3::scoped_range_in<io> read{"read", nvtx3::rgb{0, 255, 0}, nvtx3::payload{7}};
        c<<<1, 32>>>(p);
        nvtx3::scoped_range inner{"inner"};
        a<<<1, 64>>>(p);
        std::thread([=] { b<<<1, 64>>>(p); }).join(); // pushed ranges are of their thread
    }
    whole(p);
    auto started = nvtx3::start_range("long");
    std::thread([=] { a<<<2, 32>>>(p); }).join(); // started ones are of the process
    nvtx3::end_range(started);
    nvtxRangePushW(L"wide");
    for (int i = 0; i < 100; i++) nvtxRangePushA("deep");
    for (int i = 0; i < 100; i++) nvtxRangePop();
    b<<<2, 64>>>(p);
    nvtxRangePop();
    cudaProfilerStop();
    b<<<3, 64>>>(p);
    cudaProfilerStart();
    c<<<3, 64>>>(p);
    return cudaDeviceSynchronize();
}
END
cat > shapes.py << 'END'
import json, sys
report = json.load(open("r.json"))
found = sorted(f"{k['display'][0]}{l['grid'][0]}x{l['block'][0]}" for k in report["kernels"] for l in k["launches"])
if " ".join(found) != sys.argv[1]: sys.exit(f"counted were {' '.join(found)}, not {sys.argv[1]}")
END
# counted LAUNCHES OPTION...: those launches alone are in the report.
counted() {
    local launches=$1
    shift
    expect 0 '' -- warpglass profile ranges.cu --json r.json "$@"
    python3 shapes.py "$launches" || fail "$*"
}
all='a1x32 a1x64 a2x32 b1x32 b1x64 b2x64 c1x32 c1x32'
counted "$all c3x64"
said '9 of 10 launches were counted\. 1 was made while the profiler was stopped'
counted 'c3x64' --profile-from-start off
counted 'a1x64 b1x32 c1x32' --nvtx step
said 'marked step, io@read, inner, whole, long, wide, deep\.'
counted 'a1x64' --nvtx step/inner/
counted 'a1x64 b1x32 c1x32' --nvtx step/
counted 'a1x64 b1x32 c1x32' --nvtx '[step'
counted 'b1x32 c1x32' --nvtx 'step/]'
counted 'a1x64' --nvtx 'step/*/inner'
counted 'b2x64' --nvtx '[wide/]'
counted 'a1x64' --nvtx 'step,inner/'
counted 'a1x64 c1x32' --nvtx io@read
counted 'c1x32' --nvtx whole
counted 'a2x32' --nvtx long
counted 'a1x64 a2x32 b1x32 c1x32' --nvtx 's?e*' --nvtx long
counted 'b2x64' --nvtx wide --html r.html
grep -q '1 of 10 launches was counted' r.html || fail "the page does not say what it leaves out"
expect 0 '' -- warpglass profile r.json
said '1 of 10 launches was counted'
for none in long/ '[inner' 'wide/*/deep' 'step,long' 'wide/*/step' 'io@step' 'io@read,inner' '*/step/*/whole'; do
    expect 1 "None of 10 launches was counted" -- warpglass profile ranges.cu --nvtx "$none"
done
expect 1 "None of 10 launches was counted.*'inner/step'.*The program marked step, io@read" -- warpglass profile ranges.cu --nvtx inner/step
expect 2 "^warpglass: --profile-from-start never: expected on or off" -- warpglass profile ranges.cu --profile-from-start never
# By their numbers: the others run without being counted, and --kill ends the program after the last.
counted 'b1x32 c1x32' --launches 1:2
counted 'b1x32' --launches 1:2 --kernel b
counted 'c3x64' --launches 9:
expect 1 'No launch has these numbers: the program made 10, the last of which is 9' -- warpglass profile ranges.cu --launches 10
cat > long.cu << 'END'
#include <cstdio>
#include <unistd.h>
__global__ void step(int *p, int i) { p[i] += i; }
int main() {
    int *p;
    cudaStream_t s;
    cudaMalloc(&p, 400), cudaMemset(p, 0, 400), cudaStreamCreate(&s);
    printf("begins\n");
    for (int i = 0; i < 20; i++) step<<<1, 100 - i, 0, i % 2 ? s : 0>>>(p, i);
    cudaDeviceSynchronize();
    sleep(100);
}
END
expect 0 '' -- warpglass profile long.cu --launches 3:7 --kill --json r.json
said '^begins'
python3 shapes.py 's1x93 s1x94 s1x95 s1x96 s1x97' || fail "--kill"
expect 2 '--kill: say which launch is the last' -- warpglass profile long.cu --kill
expect 2 '--kill: say which launch is the last' -- warpglass profile long.cu --launches 3: --kill
# Nobody listens: a program runs as ever, and finds no library that does.
expect 0 '' -- warpglass run ranges.cu
printf '#include <nvToolsExt.h>\nint main(void) { nvtxRangePushA("x"); return nvtxRangePop() != NVTX_NO_PUSH_POP_TRACKING; }\n' > plain.c
for standard in c99 gnu17; do
    expect 0 '' -- cc -std=$standard -Wall -Wextra -Werror "-I$(dirname "$WARPGLASS")/../lib/warpglass/include" plain.c -o plain
    expect 0 '' -- ./plain
    NVTX_INJECTION64_PATH=/nowhere expect 0 '' -- ./plain
done
finish
