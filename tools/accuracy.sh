#!/bin/bash
# docs/accuracy.md: every launch and counter, ours and the hardware's; made of what the test of the truth counts.
#     tools/accuracy.sh BUILD            print it
#     tools/accuracy.sh BUILD --write    put it into docs/
set -eu
build=$(realpath "$1")
cd "$(dirname "$0")/.."
tables=$(mktemp)
trap 'rm -f "$tables"' EXIT
"$build/tests/count/count.seeds_test" --table > "$tables"
equal=$(grep -c '| equal |$' "$tables")
differ=$(grep -c '| \*\*differs\*\* |$' "$tables" || true)

page() {
    cat << TEXT
# Equal to the hardware

The kernels of [seeds.cu](../tests/count/seeds.cu) ran on an NVIDIA H200 (sm_90, driver 580.159.04) under Nsight Compute
2025.3.1, compiled by nvcc 13.0.88 with \`-arch=sm_90 -O3\`: 41 launches of vector addition, transposes, structures,
reversals, reductions, matrix products, mean filters and histograms. Below is each counter that the program fixes, as
the hardware gave it and as Warpglass counts it from nvcc's PTX of the same source. Counters that depend on timing
(hit rates, cycles, achieved occupancy, \`l1tex__data_bank_conflicts_*\`, which also count lost arbitration) are not here:
no tool without that timing can give them.

**Of $((equal + differ)) figures that are not zero on both sides, $equal are equal to the last unit and $differ differ.** The test
\`count.seeds\` holds the launches that take a moment to this, \`count.seeds.all\` all of them. This page is made by
\`tools/accuracy.sh BUILD --write\`.

## What differs, and why

**Sectors of reductions at the L1 cache, \`l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum\`, in \`hist_global_*\`.** Lanes that
reduce into the same word take turns. The rule used here (a word that m lanes want is in m rounds, each round counts its
distinct sectors) fits every one of the single-warp probes that were measured. In a full grid of random bins the H200
counted between 0.006 % and 1.7 % more; which pairs of lanes it does not merge then is not known. The sectors that go
on to L2, \`memory_l2_theoretical_sectors_global\`, are equal in the same launches.

**\`smsp__inst_executed_op_shared_atom\`** is not in the tables: the hardware counts an atomic through a generic address
(\`hist_cluster\`) as neither shared nor global, Warpglass counts it where its lanes went. Its wavefronts are equal.

**Instructions executed** (\`smsp__inst_executed\`) are counted over the PTX as it is written. The assembler makes other
instructions of it, so that number is a model, and reports call it one.

## What stands between the source and the counters

The assembler joins neighbouring accesses: \`matmul_tiled16\` has 16 loads of a row of shared memory in PTX and four of 16
bytes in machine code, 54,525,952 wavefronts on the hardware where a count over the PTX gives 71,303,168.
[analysis/joins.h](../analysis/joins.h) models that, and the report says \`as assembled\`. Its rules were found by compiling
112 small kernels and reading the widths of the accesses in their machine code (the sixteen-byte, eight-byte and
four-byte forms of each): 105 agree, which [joins.tsv](../tests/count/joins.tsv) holds; four are loops that the assembler
unrolled, and agree turn by turn; two are loads of 16 bits, which it joins by rules that were not found; one is a branch
that it turned into predicates.

## The figures
TEXT
    cat "$tables"
}

if [[ ${2:-} == --write ]]; then
    page > docs/accuracy.md
else
    page
fi
