#!/bin/bash
# docs/accuracy.md: every launch and counter, ours and the hardware's; made of what the test of the truth counts.
#     tools/accuracy.sh BUILD            print it
#     tools/accuracy.sh BUILD --write    put it into docs/
set -eu
build=$(realpath "$1")
cd "$(dirname "$0")/.."
tables=$(mktemp) further=$(mktemp)
trap 'rm -f "$tables" "$further"' EXIT
"$build/tests/count/count.seeds_test" --table > "$tables"
WARPGLASS=$build/bin/warpglass bash tests/count/launches.sh --table > "$further"
# Figures of rules.cu that are equal are counted, and not listed one by one.
equal() { echo $(($(grep -c '| equal |$' "$1") + $(sed -n 's/^<!-- \([0-9]*\) more are equal -->$/\1/p' "$1" | grep . || echo 0))); }
differ() { grep -c '| \*\*differs\*\* |$' "$1" || true; }

page() {
    cat << TEXT
# Equal to the hardware

The kernels of [seeds.cu](../tests/count/seeds.cu) ran on an NVIDIA H200 (sm_90, driver 580.159.04) under Nsight Compute
2025.3.1, compiled by nvcc 13.0.88 with \`-arch=sm_90 -O3\`: 41 launches of vector addition, transposes, structures,
reversals, reductions, matrix products, mean filters and histograms. Below is each counter that the program fixes, as
the hardware gave it and as Warpglass counts it from nvcc's PTX of the same source. Counters that depend on timing
(hit rates, cycles, achieved occupancy, \`l1tex__data_bank_conflicts_*\`, which also count lost arbitration) are not here:
no tool without that timing can give them.

**Of $(($(equal "$tables") + $(differ "$tables"))) figures that are not zero on both sides, $(equal "$tables") are equal to the last unit and $(differ "$tables") differ.** The test
\`count.seeds\` holds the launches that take a moment to this, \`count.seeds.all\` all of them.

Further launches are those of [patterns.cu](../bench/gpu/patterns.cu), of many strides, widths and masks, and of the
gallery at small sizes ([h200-counters.tsv](results/h200-counters.tsv)); those of [engines.cu](../bench/gpu/engines.cu), of \`cp.async\`, bulk and tensor copies,
\`ldmatrix\`, \`stmatrix\` and \`wgmma\`; those of [fragments.cu](../bench/gpu/fragments.cu), of \`wmma.load\` and
\`wmma.store\` in every shape, type and layout; and of all ladders' last steps ([steps.cu](../bench/gpu/steps.cu), [products.cu](../bench/gpu/products.cu);
[h200-steps.tsv](results/h200-steps.tsv)); and, on an H100, those of [rules.cu](../bench/gpu/rules.cu), which the assembler changes before the
hardware counts ([h100-rules.tsv](results/h100-rules.tsv)): $(cat docs/results/h{200-counters,200-steps,100-rules}.tsv | grep -vc '^#\|^process_name') in all. Here \`warpglass profile --compiler nvcc --arch sm_90a\` ran as a user runs it. **Of $(($(equal "$further") + $(differ "$further"))) figures $(equal "$further") are equal and $(differ "$further") differ**, which the tests \`count.launches\` and
\`count.launches.products\` hold. Registers a thread, where ptxas tells them, and shared memory a block are equal in every launch.

**Programs from outside.** 71 programs of HeCBench (every fifth), PolyBench-ACC and NVIDIA's samples, compiled by nvcc 13.0 with \`-O3 -arch=sm_90\`, ran on an
H100 (80GB HBM3, driver 580.159.04, 2026-11-27) under Nsight Compute, the first eight launches of each, 323 in all: 3,128 of 3,392 figures are equal (92.2 %; 89.4 % before the
rules that rules.cu is about), and 268 launches wholly. Of the 264 figures that differ, about half are sums of floats in shared memory, spinning and what
order decides; the others are local arrays of more than four elements that ptxas keeps in registers (\`s8n\`, \`sort\`), one kernel whose lanes part for good (\`kalman\`), and what \`printf\` does inside.

This page is made by \`tools/accuracy.sh BUILD --write\`, where nvcc is installed.

## What differs, and why

**Sectors of reductions at the L1 cache, \`l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum\`, in \`hist_global_*\`.** Lanes that
reduce into the same word take turns. The rule used here (a word that m lanes want is in m rounds, each round counts its
distinct sectors) fits every one of the single-warp probes that were measured. In a full grid of random bins the H200
counted between 0.006 % and 1.7 % more; which pairs of lanes it does not merge then is not known. The sectors that go
on to L2, \`memory_l2_theoretical_sectors_global\`, are equal in the same launches.

**\`filter_constant\`, all of its loads: 24 of 131,070.** In the last warps of the grid lanes leave a loop before others. Which
of its instructions lanes that went apart execute together again is decided by the assembler; on the H200 it was 24
loads more that were executed in parts.

**Atomics on shared memory that the machine does not have** (sums of \`float\`, \`double\`, pairs of halves and 64-bit integers, and
64-bit minima, maxima and logic: \`one_shared_add_float\` and its like). The assembler makes a loop of a load and a compare-and-swap
of each. Warpglass counts the turns that a warp takes by itself: as many as lanes want the same word. On the H100 other warps of
the block come in between, and how often is a matter of time: in \`rules.cu\`, where 8 warps do nothing else, it took 5.7 times as many turns with
all lanes on one word, 4.7 times with two lanes on each of 16; in the kernels of HeCBench's \`scatterAdd\` and \`expdist\` 1.04 to 2.2 times.
64-bit minima and maxima do not swap where nothing changes, which Warpglass does not see. The same holds for loops of compare-and-swap that a
program writes itself (\`cas_loop_float\`): here the first warp has its way.

**Where tickets are drawn** (\`some_lanes_take\`, \`by_coalesced_group\`), which warp gets which decides what it stores to: up to 0.8 % of the
sectors.

**\`rows_of_lengths\`.** The assembler unrolls the loop four times, and lanes that leave it at different turns part at other places: 1.1 % of the
requests.

**\`copies_of_some\`.** An H100 counts no sectors and no wavefronts of a \`cp.async\` of 16 bytes that some lanes skip, though it executed the
instructions (\`smsp__sass_inst_executed_op_ldgsts\` is equal). Warpglass counts what the lanes that are on ask for.

**Shared memory in \`product_floats\`: 2,232 of 198,840 wavefronts.** One thread of the block waits for a barrier before it asks the copy
engine for more. On the H200 the other lanes of its warp wait for it; here they go on, so that for three tiles the warp's
loads are executed in two parts.

**\`l1tex__m_xbar2l1tex_read_sectors\`**, what comes to an SM, is compared where all of it is the copy engine's: else it depends on
what L1 keeps.

**\`smsp__inst_executed_op_shared_atom\`** is not in the tables: the hardware counts an atomic through a generic address
(\`hist_cluster\`) as neither shared nor global, Warpglass counts it where its lanes went. Its wavefronts are equal.

**Instructions executed** (\`smsp__inst_executed\`) are an estimate, and reports call it one: \`machine_instructions\`, what the assembler makes of
each instruction of the PTX ([analysis/assembly.h](../src/analysis/assembly.h)). It was made with the kernels of bench/gpu in view. Of 56 kernels of 31
programs of HeCBench that nobody had looked at (an H200, driver 580.159.04, nvcc 13.0, 2026-11-28; \`bench/gpu/counters\` there, \`warpglass profile\` of the same executables here, their first eight launches) it is off by
6.4 % in the median (15.8 % when the PTX's instructions were taken), and 40 of them are within 10 % (21). Far off are loops that the assembler unrolls or
does not unroll against expectation, divisions of 64 bits (\`qrng\`, +61 %), and code that it moves out of loops.

## What stands between the source and the counters

The assembler joins neighbouring accesses: \`matmul_tiled16\` has 16 loads of a row of shared memory in PTX and four of 16
bytes in machine code, 54,525,952 wavefronts on the hardware where a count over the PTX gives 71,303,168.
[analysis/joins.h](../src/analysis/joins.h) models that, and the report says \`as assembled\`. Its rules were found by compiling
112 small kernels and reading the widths of the accesses in their machine code (the sixteen-byte, eight-byte and
four-byte forms of each): 105 agree, which [joins.tsv](../tests/count/joins.tsv) holds; four are loops that the assembler
unrolled, and agree turn by turn; two are loads of 16 bits, which it joins by rules that were not found; one is a branch
that it turned into predicates.

## The figures
TEXT
    cat "$tables"
    printf '\n## Further launches\n'
    cat "$further"
}

if [[ ${2:-} == --write ]]; then
    page > docs/accuracy.md
else
    page
fi
