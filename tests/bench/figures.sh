#!/bin/bash
# bench/gpu/figures: which figures are compared, what is told of those that differ, and which kernels are left out.
. "$(dirname "$0")/../cli/expect.sh"
command -v python3 > /dev/null || { echo "no Python here" && exit 77; }
export WARPGLASS
figures=$tests/../../bench/gpu/figures
data=$tests/../report/data

expect 1 'a report and a table, or a folder of each' -- "$figures" one.json
expect 0 '' -- "$figures" "$data/transposes.json" "$data/gpu.csv"
said '^\| transposes \| 11 \| 11 \|$'
said '^1 program: 11 of 11 figures are equal \(100.0 %\)\.$'
said '^Instructions executed: 3 of 3 kernels within 2 %, 3 equal, median error 0.00%\.$'
said '^Modelled times: 3 kernels, median error [0-9.]+%, 100% within 20%\.$'
said '^Modelled times: 3 kernels above 50 us, median error'
sed '/^"0"/s/"101,184"/"9,000"/' "$data/gpu.csv" > quick.csv
expect 0 '' -- "$figures" "$data/transposes.json" quick.csv
said '^Modelled times: 3 kernels, median error [0-9.]+%, 67% within 20%\.$'
said '^Modelled times: 2 kernels above 50 us, median error'

# Folders of both; registers and shared memory, with what the system takes of each block; and figures that differ.
mkdir ours gpu
cp "$data/transposes.json" ours/transposes.json
echo '{}' > ours/alone.json
sed -e '/^"ID"/s/$/,"launch__registers_per_thread","launch__shared_mem_per_block"/' -e '/^"",/s/$/,"",""/' \
    -e '/^"[01]"/s/$/,"16","1,024"/' -e '/^"2"/s/$/,"17","5,248"/' -e '/^"0"/s/"524,288"/"524,289"/' \
    -e '/^"2"/s/"16,252,928"/"16,900,000"/' "$data/gpu.csv" > gpu/transposes.csv
expect 0 '' -- "$figures" --differ ours gpu
said '^transposes: transpose_naive\(.*: global_load_requests: 524,288, GPU 524,289$'
said '^transposes: void transpose_tiled<0>\(.*: launch__shared_mem_per_block: 5120, GPU 1024$'
said '^transposes: void transpose_tiled<1>\(.*: launch__registers_per_thread: 16, GPU 17$'
said '^transposes: void transpose_tiled<1>\(.*: machine_instructions: 16,252,928, GPU 16,900,000 \(-3.8%\)$'
[[ $(grep -c '^transposes: ' "$stdout") == 4 ]] || fail "not three figures that differ, and the instructions of one kernel"
said '^1 program: 14 of 17 figures are equal \(82.4 %\)\.$'
said '^Instructions executed: 2 of 3 kernels within 2 %, 2 equal'

# Kernels with other launches on either side, and such as did not end.
sed '/^"2"/{p;s/^"2"/"3"/}' "$data/gpu.csv" > gpu/transposes.csv
sed -z 's/"status": *"success"/"status": "cudaErrorLaunchTimeout"/' "$data/transposes.json" > ours/transposes.json
expect 0 'transpose_tiled<1>.*not compared: Sums of 1 launch before and 2 launches after' -- "$figures" ours gpu
grep -q 'transpose_naive.*not compared: a launch failed or was stopped' "$stderr" || fail "a launch that was stopped is compared"
said '^1 program: 5 of 5 figures are equal'
finish
