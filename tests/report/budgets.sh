#!/bin/bash
# The shell script and the steps of the workflow in docs/budgets.md: they pass with the budget, and fail when the
# kernel gets worse.
. "$(dirname "$0")/../cli/expect.sh"
document=$tests/../../docs/budgets.md
PATH=$(dirname "$WARPGLASS"):$PATH
unset -f warpglass
block() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$document" | sed '1d;$d'; }
block 'cuda sum.cu' > sum.cu
block 'text budget.txt' > budget.txt
block sh > check.sh
block yaml | sed -n '/run: |/,/- name/p' | sed '1d;$d; s/^ *//' > step.sh
grep -q warpglass check.sh || fail "no script in the document"
grep -q warpglass step.sh || fail "no step in the document"
for script in check.sh step.sh; do
    expect 0 '' -- bash -e $script
    [[ -s report.html ]] || fail "$script: no page"
    rm report.html
done
sed 's/a\[i\]/a[2 * i]/; s/const int n = 1 << 16/const int n = 1 << 17/; s,n / 256,n / 512,' sum.cu > worse.cu
mv worse.cu sum.cu
for script in check.sh step.sh; do
    expect 3 'sum: global_excess_sectors is 8,192' -- bash -e $script
    expect 3 'budget.txt:5: sum@sum.cu:3: ' -- bash -e $script
    [[ -s report.html ]] || fail "$script: no page of what broke"
done
data=$tests/../report/data
# What a whole kernel has: resources and the model.
expect 0 '' -- warpglass profile "$data/transposes.json" --expect 'transpose_naive: registers <= 16' \
    --expect '*: occupancy == 100' --expect '*: achieved_occupancy > 90 %' --expect '*: modelled_time < 1ms' \
    --expect '*: modelled_time > 10 us' --expect '*: flops_fp32 == 0'
expect 3 'transpose_naive: registers is 16, expected < 16' -- warpglass profile "$data/transposes.json" --expect 'transpose_naive: registers < 16'
expect 3 'transpose_naive: modelled_time is [0-9.]+ us, expected < 5 us, ' -- warpglass profile "$data/transposes.json" --expect 'transpose_naive: modelled_time < 5us'
expect 2 "'registers' is counted for a whole kernel, not for a line" -- warpglass profile "$data/transposes.json" --expect 'transpose_naive@transpose.cu:12: registers < 5'
sed 's/NVIDIA H200/An unknown chip/; s/"sm_90"/"sm_99"/' "$data/transposes.json" > unknown.json
expect 3 'expected modelled_time < 5 us, but there is no model for this chip' -- warpglass profile unknown.json --expect 'transpose_naive: modelled_time < 5us'
finish
