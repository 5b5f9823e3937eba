#!/bin/bash
# Equal to the hardware, by the command: the programs of bench/gpu and the gallery at small sizes, profiled as a user
# does it, against docs/results/h200-counters.tsv, h200-steps.tsv, h200-system-calls.tsv and h100-rules.tsv, launch by launch. Compiled by nvcc where it is
# installed, as the programs on the H200 were; else by clang, whose code of nearly all of these kernels accesses memory in the same way.
#     launches.sh [--products]   the products, whose kernels take a while to compile
#     launches.sh --table        all that was compared, as the tables of docs/accuracy.md
. "$(dirname "$0")/../cli/expect.sh"
root=$(cd "$tests/../.." && pwd)
compiler=clang
! { command -v nvcc || [[ -x /usr/local/cuda/bin/nvcc ]]; } > /dev/null || compiler=nvcc
[[ ${1-} != --table || $compiler == nvcc ]] || { echo "launches.sh: the table is of what nvcc makes of the programs" >&2; exit 1; }

mkdir reports
profile() { # SOURCE ARGUMENTS...: reports/NAME.json
    expect 0 '' -- warpglass profile --compiler $compiler --arch sm_90a -DWGK_SM90A -w \
        --json "reports/$(basename "$1" .cu).json" "$@"
}
# As bench/gpu/counters has them.
while read -r source arguments; do
    [[ $source == *products* ]] && product=--products || product=
    [[ ${1-} == --table || ${1-} == "$product" ]] || continue
    # shellcheck disable=SC2086
    profile "$root/$source" ${arguments:+-- $arguments}
done << 'END'
bench/gpu/patterns.cu
kernels/vector_add/vector_add.cu 100003
kernels/array_of_structures/array_of_structures.cu 10007
kernels/transpose/transpose.cu 500 333
kernels/reverse/reverse.cu 65537
kernels/reverse/divided_shared.cu 65537
kernels/reduction/reduction.cu 65536
kernels/matrix_product/matrix_product.cu 128 96 160
kernels/mean_filter/mean_filter.cu 500 300
kernels/histogram/histogram.cu 65536
bench/gpu/engines.cu
bench/gpu/fragments.cu
bench/gpu/rules.cu
bench/gpu/system_calls.cu
bench/gpu/steps.cu
bench/gpu/products.cu
END
COLUMNS=200 warpglass profile --counters > counters.txt

python3 - "${1-}" $compiler "$root"/docs/results/h{200-counters,200-steps,200-system-calls,100-rules}.tsv << 'END' || fail "not what the hardware counted"
import collections, glob, json, os, re, statistics, sys
table = sys.argv[1] == "--table"
# Nsight Compute's names, as the command tells them; and those of instructions, which are requests.
ours, name = {}, None
for line in open("counters.txt"):
    if line[0] != " ": name = line.strip()
    elif "Nsight Compute: " in line: ours[line.split()[2]] = name
for space in "global", "local":
    for short, kind in (("ld", "load"), ("st", "store"), ("red", "reduction"), ("atom", "atomic")):
        ours[f"smsp__sass_inst_executed_op_{space}_{short}.sum"] = f"{space}_{kind}_requests"
for short, kind in (("ld", "load"), ("st", "store")):
    ours[f"smsp__sass_inst_executed_op_shared_{short}.sum"] = f"shared_{kind}_requests"
for modelled in "smsp__inst_executed.sum", "smsp__thread_inst_executed.sum": del ours[modelled] # the first is an estimate: see below
ours["l1tex__m_xbar2l1tex_read_sectors.sum"] = "bulk_load_sectors"

def value(counters, counter, name):
    """Ours; None where the hardware's counter is of something else."""
    if counter.startswith("l1tex__m_") and (counters["global_load_sectors"] or not counters[name]): return None # what misses L1
    if counter.startswith("l1tex__t_") and "_mem_global_op_ld" in counter: # cp.async loads, too
        return counters[name] + counters[name.replace("global_load", "async_load")]
    return counters[name]

# Differences that docs/accuracy.md explains: launch, counter, and how far apart the two may be, as a part of the H200's.
known = [(r"wgk::product_floats", r".*shared", 0.031),
         (r"histogram_global", r"l1tex__t_sectors_.*_global_op_red", 0.02),
         (r"filter_constant", r"", 0.0005),
         (r"local_array", r"smsp__sass_inst_executed_op_local_st", 0 if sys.argv[2] == "nvcc" else 1.4)]
# Of bench/gpu/rules: what the order in which warps came decided, and what docs/accuracy.md tells of one by one.
timed = [(r"(one|many)_shared_(add_(float|double|half2|bf162)|(add|and|max|min)64)", r".*shared"),
         (r"cas_loop_float", r""), (r"some_lanes_take|by_coalesced_group", r""), (r"rows_of_lengths", r".*(ld|global|tag)"),
         (r"copies_of_some", r".*(ldgsts|shared|global)")]
# Of bench/gpu/rules, clang cuts vectors before the assembler sees them, and stores to local memory word by word. Of bench/gpu/steps, what clang does not join to wide accesses (words that are split, a mean's) or keeps in local memory.
others = r"wgk::(split8_words|mean_words<3>|histogram_part<[48]>)$"
def explained(launch, counter, us, they):
    if any(re.match(l, launch) and re.match(c, counter) for l, c in timed): return True
    return any(re.match(l, launch) and re.match(c, counter) and abs(us - they) <= most * they for l, c, most in known)

rows = []
for path in sys.argv[3:]:
    lines = [l.rstrip("\n").split("\t") for l in open(path) if l[0] != "#"]
    rows += [dict(zip(lines[0], l)) for l in lines[1:]]
launches = {} # of each program, by their numbers
for path in glob.glob("reports/*.json"):
    of = launches[os.path.basename(path)[:-len(".json")]] = {}
    for kernel in json.load(open(path))["kernels"]:
        for launch in kernel["launches"]:
            of[launch["index"]] = kernel, kernel["launches"][launch["like"]] | launch if "like" in launch else launch
rows = [r for r in rows if r["process_name"] in launches]
number, seen, lines, wrong, more = collections.Counter(), collections.Counter(), collections.defaultdict(list), 0, 0
estimates = {} # machine instructions of each kernel's first launch: how far off, as a part of the hardware's
for hardware in rows:
    program = hardware["process_name"]
    generic = program == "fragments" and sys.argv[2] != "nvcc" # clang does not say that a tile is in shared memory
    if generic and number[program] not in launches[program]: continue # and has no tf32, no double
    kernel, ran = launches[program][number[program]]
    number[program] += 1
    launch, here = (re.sub(r"\bfalse\b", "0", re.sub(r"\btrue\b", "1", re.sub(r"^void |\(.*", "", name)))
                    for name in (hardware["kernel_name"], kernel["display"]))
    assert launch == here, (launch, here)
    grid = "({}, {}, {})".format(*ran["grid"])
    assert grid == hardware["grid_size"], (launch, grid)
    seen[program, launch] += 1
    if sys.argv[2] == "nvcc": # whose registers ptxas tells, and whose shared memory is declared in the same order
        shape = {"launch__registers_per_thread": kernel["registers"],
                 "launch__shared_mem_per_block": kernel["static_shared"] + ran["dynamic_shared"] + 1024}
        for counter, us in shape.items():
            they = int(hardware.get(counter) or us)
            if us != they: print(f"{program}: {launch}: {counter}: {us}, hardware {they}", file=sys.stderr); wrong += 1
    executed = int(hardware["smsp__inst_executed.sum"])
    if executed: estimates.setdefault((program, launch), abs(ran["counters"]["machine_instructions"] / executed - 1))
    for counter, name in ours.items():
        if counter not in hardware: continue
        us, they = value(ran["counters"], counter, name), int(hardware[counter])
        if us is None: continue
        if program == "system_calls" and "sass" in counter: continue # which does not see into the calls
        if program == "engines" and "local" in counter and sys.argv[2] != "nvcc": continue # clang keeps maps and sums there
        if program == "steps" and sys.argv[2] != "nvcc" and re.match(others, launch): continue
        if program == "rules" and sys.argv[2] != "nvcc" and re.match("dead_(first|last)|dynamic_local", launch): continue
        if generic and ("ldsm" in counter or "op_shared_ld" in counter): continue
        if us != they and not explained(launch, counter, us, they):
            print(f"{program}: {launch} {seen[program, launch]}: {counter}: {us}, hardware {they}", file=sys.stderr)
            wrong += 1
        if program == "rules" and us == they != 0: more += 1
        elif us or they:
            place = launch + (f" ({seen[program, launch]})" if seen[program, launch] > 1 else "")
            lines[counter].append(f"| {program}: {place} | {us} | {they} | {'equal' if us == they else '**differs**'} |")
for program, n in number.items():
    left = len(launches[program]) - n
    if left: print(f"{program}: {left} launches more than the H200 ran", file=sys.stderr); wrong += 1
off = statistics.median(estimates.values())
print(f"machine instructions: {len(estimates)} kernels, median error {off:.1%}, within 10 %: {sum(e <= 0.1 for e in estimates.values())}",
      file=sys.stderr if table else sys.stdout)
if len(estimates) > 100 and off > (0.10 if sys.argv[2] == "nvcc" else 0.15): print("machine instructions: further off than that", file=sys.stderr); wrong += 1
if table:
    for counter, those in lines.items():
        print(f"\n### {counter}\n\n| launch | Warpglass | H200 | |\n| --- | ---: | ---: | --- |", *those, sep="\n")
    print(f"\n<!-- {more} more are equal -->")
sys.exit(wrong > 0)
END
[[ ${1-} == --table ]] || finish
exit $((failures != 0))
