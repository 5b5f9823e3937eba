#!/bin/bash
# The table of docs/ladders.md is what bench/gpu/ladders makes of the results.
. "$(dirname "$0")/files.sh"
need python3
diff <(sed '1,/^<!-- bench.gpu.ladders --page/d; /^<!-- end -->/,$d' docs/ladders.md) \
    <(python3 bench/gpu/ladders --page docs/results/h200-ladders.json) && exit
echo "docs/ladders.md: the table is not that of bench/gpu/ladders --page docs/results/h200-ladders.json"
exit 1
