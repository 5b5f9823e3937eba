#!/bin/bash
# The modelled times of all ladders' steps against those that the profiler measured on an H200, from the source alone:
# compiled, run and counted here. docs/times.md is made of this.
#     times.sh [--table]      the table of docs/times.md
. "$(dirname "$0")/expect.sh"
root=$(cd "$tests/../.." && pwd)
for source in "$root"/kernels/*/*.cu; do
    expect 0 '' -- warpglass profile --trace "$(basename "$source" .cu).json" "$source"
done
# As the programs on the H200 were compiled: clang keeps the sums of the product of int in local memory.
compiler=clang
! { command -v nvcc || [[ -x /usr/local/cuda/bin/nvcc ]]; } > /dev/null || compiler=nvcc
for program in steps products; do
    expect 0 '' -- warpglass profile --compiler $compiler --arch sm_90a -DWGK_SM90A -w --trace $program.json "$root/bench/gpu/$program.cu" -- large
done
python3 - "${1-}" "$root"/docs/results/h200-times.tsv << 'END' || fail "further off than the document says"
import collections, json, statistics, sys
table = sys.argv[1] == "--table"
rows = [line.split("\t") for line in open(sys.argv[2]).read().splitlines() if line[0] != "#"]
measured = collections.defaultdict(list)
for row in rows[1:]: measured[row[0]].append((row[2], *(float(x) for x in row[3:])))
errors = collections.defaultdict(list)
if table: print("| program | kernel | measured, us | modelled, us | off by | longest part | instructions: counted | modelled | sectors from L2: counted | modelled | MB of memory: counted | modelled |\n"
                "| --- | --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
for program, launches in measured.items():
    events = json.load(open(program + ".json"))["traceEvents"]
    ours = sorted((e for e in events if e.get("cat") == "kernel"), key=lambda e: e["args"]["launch"])
    assert len(ours) == len(launches), f"{program}: {len(ours)} launches, {len(launches)} measured"
    for (kernel, us, sectors, _, read, written, instructions), e in zip(launches, ours):
        assert kernel in e["name"], f'{program}: {e["name"]} where {kernel} was'
        if kernel.startswith("draw_"): continue # makes the data
        errors["ladders" if program in ("steps", "products") else "gallery"].append(abs(e["dur"] / us - 1))
        off, part = f'{e["dur"] / us - 1:+.0%}', e["args"]["longest part"]
        counted = f'{instructions:.0f} | {e["args"]["instructions"]:.0f} | {sectors:.0f} | {e["args"]["sectors from L2"]:.0f} | {(read + written) / 1e6:.1f} | {e["args"]["bytes of memory"] / 1e6:.1f}'
        if table: print(f'| {program} | `{kernel}` | {us:.1f} | {e["dur"]:.1f} | {off} | {part} | {counted} |')
        else: print(f'{program:20} {kernel:24} {us:9.1f} us, modelled {e["dur"]:9.1f} ({off})  {part}')
both = [x for those in errors.values() for x in those]
for name, those in [*errors.items(), ("all", both)]:
    print(f"\n{name}: {len(those)} launches, median {statistics.median(those):.1%}, mean {statistics.mean(those):.1%}, worst {max(those):.0%}", file=sys.stdout)
assert statistics.median(both) <= 0.2
END
[[ ${1-} == --table ]] || finish
exit $((failures != 0))
