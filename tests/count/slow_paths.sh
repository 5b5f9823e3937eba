#!/bin/bash
# Slow paths of divisions and roots (analysis/slow_paths.h) are counted where the machine code is known: the same where blocks
# are alike and the launch itself runs with forms, where each block is counted (level 1), in the reference, and with vectors
# of 512, 256 and 128 bits. The tools are two scripts, which know the kernels' names.
# slow_paths.sh WARPGLASS SAME SLOW_PATHS.CU
set -u
warpglass=$1 same=$2 program=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

mkdir "$dir/bin"
printf '#!/bin/sh\nexec cat > /dev/null\n' > "$dir/bin/ptxas"
{
    echo '#!/bin/sh'
    for kernel in known {even,uneven}_{div,rcp,sqrt}_{f32,ftz,f64}; do
        printf "printf '\\\\t.section\\\\t.text.%s,\"ax\",@progbits\\\\n        /*0000*/   EXIT ;\\\\n'\n" "$kernel"
    done
} > "$dir/bin/nvdisasm"
chmod +x "$dir/bin/ptxas" "$dir/bin/nvdisasm"
export WARPGLASS_PTXAS=$dir/bin/ptxas WARPGLASS_NVDISASM=$dir/bin/nvdisasm

for way in BACKEND=ref OPT=1 OPT=2 WIDTH=256 WIDTH=128; do
    env "WARPGLASS_$way" WARPGLASS_PROFILE="$dir/$way.json" "$warpglass" run "$program" > "$dir/said" 2>&1 || {
        echo "$way does not run"
        cat "$dir/said"
        failed=1
    }
    "$same" "$dir/BACKEND=ref.json" "$dir/$way.json" || { echo "$way is not as the reference"; failed=1; }
done

# 3 warps, 2 with zeros, 1 with all its lanes: 34, 33 and 32 lanes.
grep -q '"slow_path": {"instructions": 6, "threads": 99}' "$dir/OPT=2.json" || { echo "known: not 6 and 99"; failed=1; }
[[ $(grep -c '"slow_path": {"instructions"' "$dir/OPT=2.json") -ge 28 ]] || { echo "launches without slow paths"; failed=1; }

# Without the machine code nothing is asked.
WARPGLASS_NVDISASM='' WARPGLASS_PROFILE="$dir/none.json" "$warpglass" run "$program" > "$dir/said" 2>&1
grep -q '"slow_path"' "$dir/none.json" && { echo "slow paths without machine code"; failed=1; }
exit $failed
