#!/bin/bash
# The modelled times of the gallery's launches against those that the profiler measured on an H200, from the source
# alone: compiled, run and counted here. docs/time_model.md quotes the last line.
. "$(dirname "$0")/expect.sh"
data=$tests/../model/data/gallery_times.tsv
for source in "$tests"/../../kernels/*/*.cu; do
    program=$(basename "$source" .cu)
    expect 0 '' -- warpglass profile --trace "$program.json" "$source"
done
python3 - "$data" << 'END' || fail "further off than the document says"
import collections, json, statistics, sys
measured = collections.defaultdict(list)
for line in open(sys.argv[1]).read().splitlines()[1:]:
    program, launch, kernel, us = line.split("\t")
    measured[program].append((kernel, float(us)))
errors = []
for program, launches in measured.items():
    events = json.load(open(program + ".json"))["traceEvents"]
    ours = sorted((e for e in events if e.get("cat") == "kernel"), key=lambda e: e["args"]["launch"])
    assert len(ours) == len(launches), f"{program}: {len(ours)} launches, {len(launches)} measured"
    for (kernel, us), e in zip(launches, ours):
        assert kernel in e["name"], f'{program}: {e["name"]} where {kernel} was'
        errors.append(abs(e["dur"] / us - 1))
        print(f'{program:20} {kernel:24} {us:9.1f} us, modelled {e["dur"]:9.1f} ({e["dur"] / us - 1:+4.0%})  {e["args"]["longest part"]}')
print(f"{len(errors)} launches: median {statistics.median(errors):.1%}, mean {statistics.mean(errors):.1%}, worst {max(errors):.0%}")
assert statistics.median(errors) <= 0.12
END
finish
