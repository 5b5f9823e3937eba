#!/bin/bash
# bench/cpu/run --suite: its options, the command that it measures, and folders of made-up programs in two versions.
. "$(dirname "$0")/../cli/expect.sh"
command -v python3 > /dev/null || { echo "no Python here" && exit 77; }
run=$tests/../../bench/cpu/run

expect 2 'argument --suite: expected one argument' -- "$run" --suite
expect 2 "invalid choice: 'nothing'" -- "$run" --suite nothing
expect 2 "a whole number from 1 on, not '0'" -- "$run" --suite programs --rounds 0
expect 1 'there are [0-9]+ cores' -- "$run" --suite programs --threads 10000
expect 1 "no program is named 'nosuch'; there are align, atax," -- "$run" --suite programs nosuch
expect 0 '' -- "$run" --suite programs --list
said '^life 2048 width, 1024 height$'
[[ $(wc -l < "$stdout") == 21 ]] || fail "not twenty programs"
expect 1 'needs the folder of a clone' -- "$run" --suite public
expect 1 "there is no folder 'nosuch'" -- "$run" --suite public nosuch
mkdir empty
expect 1 "'empty' has no pairs of CUDA and OpenMP" -- "$run" --suite public empty

# The command that ./demo builds lies in build/release/bin; one with sanitizers is none to measure.
mkdir -p tree/bench tree/tests/public tree/build/asan-ubsan/bin
cp -r "$tests/../../bench/cpu" tree/bench/cpu
ln -s "$WARPGLASS" tree/build/asan-ubsan/bin/warpglass
expect 1 'there is no warpglass command' -- env -u WARPGLASS PATH=/usr/bin:/bin tree/bench/cpu/run --suite programs --list
for built in dev release; do
    mkdir -p tree/build/$built/bin
    ln -s "$WARPGLASS" tree/build/$built/bin/warpglass
    expect 0 '' -- env -u WARPGLASS tree/bench/cpu/run --suite programs --list
    said "^Warpglass: .*/build/$built/bin/warpglass$"
done

# Pairs: one whose kernels' time both print, one that prints none, one that fails, one that hangs, one that was not built.
pair() { # NAME CUDA-SOURCE OPENMP-SOURCE, in C
    mkdir -p "all/src/$1-cuda" "all/src/$1-omp"
    echo '__global__ void unused() {}' > "all/src/$1-cuda/main.cu"
    printf 'program = main\nrun: $(program)\n\t./$(program) 7 8\n' > "all/src/$1-cuda/Makefile"
    printf 'run:\n\t./main 7 16 8\n' > "all/src/$1-omp/Makefile"
    echo "$2" | cc -x c - -o "all/src/$1-cuda/main" && echo "$3" | cc -x c - -o "all/src/$1-omp/main"
}
begin='#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) { (void)argv;'
pair timed "$begin"'puts("Total time 9 s\nAverage kernel execution time: 20.0 (us)"); return argc != 3; }' \
    "$begin"'puts("Total time 1 s\nAverage kernel execution time: 0.05 (ms)"); return argc != 4; }'
pair silent "$begin return argc != 3; }" "$begin return argc != 4; }"
pair alone "$begin"'puts("GPU Time in seconds:\n0.5\nCPU Time in seconds:\n9.0"); return 0; }' "$begin"'puts("0.25"); return 0; }'
pair failing "$begin return argc != 3; }" "$begin"'puts("no data"); return 4; }'
pair hanging "$begin sleep(100); }" "$begin return 0; }"
pair unbuilt "$begin return 0; }" "$begin return 0; }"
rm all/src/unbuilt-omp/main
expect 0 '' -- "$run" --suite public all --rounds 1 --limit 3 --json result.json
said '^timed +0.020 +0.050 +kernels +2.500$'
said '^silent .* process +-$'
said '^silent: .*too short to compare'
said '^alone +500.0 +250.0 +kernels +0.500$'
said '^failing: OpenMP: status 4: no data$'
said '^hanging: CUDA: took longer than 3 s$'
said '^unbuilt: OpenMP: not built: there is no one executable in '
said '^geometric mean of 2 ratios: '
grep -q '"program": "timed"' result.json || fail "nothing is in result.json"
expect 1 "has no pair named 'other'" -- "$run" --suite public all other
mkdir -p rodinia/{cuda,openmp}/one polybench/{CUDA,OpenMP}/kinds/two
touch rodinia/cuda/one/one.cu rodinia/{cuda,openmp}/one/Makefile
touch polybench/CUDA/kinds/two/two.cu polybench/{CUDA,OpenMP}/kinds/two/Makefile
for folder in rodinia polybench; do
    expect 0 '' -- "$run" --suite public --list $folder
    said '^(one|two)$'
done
finish
