#!/bin/bash
# Ten seconds of fuzzing, or WG_FUZZ_SECONDS; the golden tests' inputs are the seeds. What it finds stays in ./crash-*: make it such an
# input, then mend the fault. libFuzzer's own status for a crash is 77, which CTest takes for a test left out.
set -eu
here=$(dirname "$0")
corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
"$1" -dict="$here/ptx.dict" -max_total_time="${WG_FUZZ_SECONDS:-10}" -timeout=60 -rss_limit_mb=4096 -max_len=8192 \
    -print_final_stats=1 -error_exitcode=1 "$corpus" "$here/../ptx/cases" "$here/../ir/cases"
