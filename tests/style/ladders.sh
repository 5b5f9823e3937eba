#!/bin/bash
# What the documents say of a GPU is what docs/results has: the table of docs/ladders.md, the figures on the guide's pages
# (tools/figures), and the curve of bandwidth over bytes under way.
. "$(dirname "$0")/files.sh"
need python3
wrong=0
diff <(sed '1,/^<!-- bench.gpu.ladders --page/d; /^<!-- end -->/,$d' docs/ladders.md) \
    <(python3 bench/gpu/ladders --page docs/results/h200-ladders.json) || {
    echo "docs/ladders.md: the table is not that of bench/gpu/ladders --page docs/results/h200-ladders.json"
    wrong=1
}
python3 tools/figures docs/guide/*.md docs/ladders.md docs/time_model.md || wrong=1
python3 bench/gpu/peaks --draw docs/results/h200-peaks.tsv | cmp -s - docs/guide/bytes_in_flight.svg || {
    echo "docs/guide/bytes_in_flight.svg: not what bench/gpu/peaks --draw docs/results/h200-peaks.tsv draws"
    wrong=1
}
# A figure that was changed, one that nobody measured and one that nothing stands behind are found.
mkdir -p "${TMPDIR:-/tmp}/figures.$$/docs/guide"
page=${TMPDIR:-/tmp}/figures.$$/docs/guide/page.md
printf '%s\n' 'takes 9.99<!--=reduction 2^28 wgk_sum_i32--> ms' 'takes 1<!--=reduction 2^28 nobody--> ms' 'takes 7 ms' > "$page"
[[ $(python3 tools/figures "$page" | wc -l) == 3 ]] || { echo "tools/figures does not find what is wrong"; wrong=1; }
rm -r "${TMPDIR:-/tmp}/figures.$$"
exit $wrong
