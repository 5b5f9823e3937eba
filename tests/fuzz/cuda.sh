#!/bin/bash
# Kernels in CUDA C, the reference against generated code: cuda.sh WARPGLASS FUZZ_KERNELS SEED FILES|SECONDSs KEEP
# Each file has 40 kernels, compiled by clang or by nvcc where it is, at one level of optimisation. Each of their launches
# is run as it is and some times with its statements in other orders. One line for each file.
set -eu
warpglass=$1 fuzz=$2 seed=$3 files=$4 keep=$5
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
compile() { # FILE.cu FILE.ptx
    local level=$((seed % 5))
    if ((seed % 3 == 0)) && command -v nvcc > /dev/null; then
        nvcc -ptx -arch=sm_90 -w -O3 "$1" -o "$2"
    elif ((level < 3)); then # device code is always made at -O3: its command, with another level
        local command
        command=$("$warpglass" cc --ptx -w --verbose "$1" -o "$2" 2>&1 | sed -n 's/^warpglass: run //p' | head -n 1)
        command=$(sed "s/ -O3 / -O$level /; s/ -MD -MF [^ ]*//; s/ -o [^ ]*\$//" <<< "$command")
        $command -Xclang -fno-validate-pch -o "$2"
    else
        "$warpglass" cc --ptx -w "$1" -o "$2"
    fi
}
status=0
end=0
[[ $files != *s ]] || end=$((SECONDS + ${files%s})) files=1000000
for ((; files > 0 && (end == 0 || SECONDS < end); files--, seed++)); do
    python3 "$here/cuda.py" --seed "$seed" --count 40 > "$scratch/k.cu"
    rm -f "$scratch/k.ptx"
    compile "$scratch/k.cu" "$scratch/k.ptx" < /dev/null > "$scratch/said" 2>&1 && [[ -s $scratch/k.ptx ]] || {
        echo "cuda.py --seed $seed: not compiled"
        cp "$scratch/k.cu" "$keep/seed-$seed.cu"
        grep -m 3 error "$scratch/said" || true
        status=1
        continue
    }
    python3 "$here/cuda.py" --pack "$scratch/k.cu" "$scratch/k.ptx" > "$scratch/packed.ptx"
    n=$(grep -c '^//@' "$scratch/packed.ptx")
    "$fuzz" --ptx "$scratch/packed.ptx" --from $((seed % 7 * n * 7)) --count $((n * 6)) --keep "$scratch" > "$scratch/out" || {
        status=1
        for f in "$scratch"/cuda-*.ptx; do
            [[ ! -e $f ]] || mv "$f" "$keep/cuda-$seed-${f##*/cuda-}"
        done
    }
    sed "s/^/cuda.py --seed $seed: /" "$scratch/out"
done
exit $status
