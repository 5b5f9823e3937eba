#!/bin/bash
# What is no report, no measurement or no expectation gets a message that says so, and never an empty report.
. "$(dirname "$0")/../cli/expect.sh"
data=$tests/../report/data report=$data/transposes.json
quiet() { [[ ! -s $stdout ]] || fail "a report beside the message"; }

expect 2 'which program\?' -- warpglass profile
expect 1 'nothing.json: No such file' -- warpglass profile nothing.json
: > empty.json
expect 1 'empty.json: the file is empty' -- warpglass profile empty.json
head -c 3000 "$report" > cut.json
expect 1 'cut.json:[0-9]+: the file ends too early: it was cut off' -- warpglass profile cut.json
echo '# a heading' > text.json
expect 1 'text.json: not a Warpglass report, which is JSON' -- warpglass profile text.json
echo '{"format": "something", "version": 1}' > other.json
expect 1 "other.json: this is JSON, but not a Warpglass report \(its format is 'something'\)" -- warpglass profile other.json
quiet
sed 's/"version": 1/"version": 7/; s/"warpglass": "0.1.0"/"warpglass": "9.0"/' "$report" > version.json
expect 1 'a report of version 7, written by Warpglass 9.0, and this Warpglass reads version 1: profile the program again' -- \
    warpglass profile version.json
sed '0,/"grid": \[128, 128, 1\]/s//"grid": [128, "many", 1]/' "$report" > kind.json
expect 1 'kind.json: kernels\[0\].launches\[0\].grid: expected a count' -- warpglass profile kind.json
sed '0,/"class": "global_load"/s//"class": "globule"/' "$report" > class.json
expect 1 "class.json: kernels\[0\].sites\[0\].class: unknown class 'globule'" -- warpglass profile class.json
sed '0,/"site": 1,/s//"site": 77,/' "$report" > site.json
expect 1 'site.json: kernels\[0\].launches\[0\].samples\[1\].site: the kernel has no such site' -- warpglass profile site.json
for like in 0 3 -1 '"first"'; do
    sed "0,/\"grid\": /s//\"like\": $like, \"grid\": /" "$report" > like.json
    expect 1 'like.json: kernels\[0\].launches\[0\].like: expected (the position of an earlier launch of the kernel|a count)' -- \
        warpglass profile like.json
done
python3 - "$report" << 'END'
import json, sys
r = json.load(open(sys.argv[1]))
launches = r["kernels"][0]["launches"]
other = {name: launches[0][name] for name in ("index", "grid", "block", "cluster", "dynamic_shared", "stream", "start_ns", "end_ns", "status")}
launches.append(dict(other, index=9, grid=[1, 1, 1], like=0))
json.dump(r, open("shape.json", "w"))
END
expect 1 'shape.json: kernels\[0\].launches\[[0-9]+\].like: expected a launch of the same shape' -- warpglass profile shape.json
sed 's/"kernels": \[/"kernels": [], "left": [/' "$report" > none.json
expect 1 'transpose launched no kernel, so there is nothing to report' -- warpglass profile none.json
quiet

expect 1 "no kernel matches --kernel 'reduce'; the launches were:" -- warpglass profile --kernel reduce "$report"
expect 1 'transpose_naive.*launches 0 to 0' -- warpglass profile --kernel reduce "$report"
python3 - "$report" << 'END'
import copy, json, sys
r = json.load(open(sys.argv[1]))
r["kernels"] = [dict(copy.deepcopy(r["kernels"][0]), name=f"k{i}", display=f"kernel{i}" + "<int>" * (40 * (i == 1))) for i in range(300)]
json.dump(r, open("many.json", "w"))
END
expect 1 'and 292 more, of 300 kernels in all' -- warpglass profile --kernel reduce many.json
[[ $(grep -c 'kernel[0-9]' "$stderr") == 8 && $(wc -L < "$stderr") -lt 160 ]] || fail "not a few names"
expect 1 'and 292 more, of 300 kernels in all' -- warpglass profile --launches 9000: many.json
expect 2 "--kernel: '\(' is not a regular expression" -- warpglass profile --kernel '(' "$report"
expect 2 "--kernel: '\(' is not a regular expression" -- warpglass profile --kernel '(' no_such.cu
expect 1 'no launch has these numbers' -- warpglass profile --launches 9: "$report"
for wrong in x 3:1 1-2 :x 1:2:3; do
    expect 2 "--launches $wrong: expected launch numbers" -- warpglass profile --launches "$wrong" "$report"
done
expect 0 '' -- warpglass profile --launches :1 "$report"
said 'transpose_naive'
not_said 'transpose_tiled<1>'
expect 1 'nowhere/x.html: No such file or directory' -- warpglass profile --html nowhere/x.html "$report"
echo 'int main() { return *(volatile int *)0; }' > never.cu # is not even compiled
expect 1 '^warpglass: --json nowhere/x.json: No such file or directory$' -- warpglass profile --json nowhere/x.json never.cu
expect 1 '^warpglass: --csv .: Is a directory$' -- warpglass profile --csv . never.cu

# What no report may go over.
echo 'int main() { return 0; }' > source.cu
cp source.cu before.cu
ln -s source.cu link
for option in --json --html --csv --trace; do
    expect 2 "$option ./source.cu: this would overwrite an input file" -- warpglass profile $option ./source.cu source.cu
done
expect 2 "this would overwrite an input file" -- warpglass profile --json link source.cu
cp "$report" own.json
expect 2 "this would overwrite an input file" -- warpglass compare --html own.json "$report" own.json
expect 2 "this would overwrite an input file" -- warpglass profile --csv source.cu --budget source.cu "$report"
cmp -s source.cu before.cu || fail "a source was overwritten"
expect 2 "--json and --csv would both write x; give each its own file" -- warpglass profile --json x --csv x "$report"
expect 0 '' -- warpglass profile --json /dev/null --csv /dev/null "$report"

# Expectations: read before anything runs, so a wrong one is a wrong command line.
expect 2 "'barriers == 0': expected 'KERNEL: COUNTER == VALUE'" -- warpglass profile --expect 'barriers == 0' no_such.cu
expect 2 "there is no counter 'shared_conflict': did you mean 'shared_conflicts'\?" -- \
    warpglass profile --expect 'tile: shared_conflict == 0' "$report"
expect 2 "there is no counter 'conflicts': did you mean '[a-z_]*conflicts'\?" -- \
    warpglass profile --expect 'tile: conflicts == 0' "$report"
expect 2 "the comparison must be one of == != < <= > >=" -- warpglass profile --expect 'tile: barriers =< 0' "$report"
expect 2 "'few' is not a number" -- warpglass profile --expect 'tile: barriers < few' "$report"
for far in inf 1e999 99999999999999999999999 1e20k; do
    expect 2 "'$far' is not a number" -- warpglass profile --expect "tile: barriers == $far" "$report"
done
expect 2 "expected a place such as" -- warpglass profile --expect 'tile@transpose.cu:99999999999999999: barriers < 3' "$report"
expect 2 "expected a place such as" -- warpglass profile --expect 'tile@transpose: barriers < 3' "$report"
expect 2 'budget.txt: No such file' -- warpglass profile --budget budget.txt "$report"
printf '# nothing\n\n' > budget.txt
expect 2 'budget.txt: the file has no expectations' -- warpglass profile --budget budget.txt "$report"
printf '# first\ntranspose_naive: barriers == 0\ntranspose_naive: barrier == 0 # here\n' > budget.txt
expect 2 "budget.txt:3: .*there is no counter 'barrier': did you mean 'barriers'" -- warpglass profile --budget budget.txt "$report"

expect 3 "no kernel is called 'transpose_nave': did you mean 'transpose_naive'\? The program launched transpose_naive, transpose_tiled<0>, transpose_tiled<1>" -- \
    warpglass profile --expect 'transpose_nave: barriers == 0' "$report"
expect 3 'transpose_tiled<0>: shared_conflicts is 16,252,928, expected == 0, 16,252,928 more' -- \
    warpglass profile --expect 'transpose_tiled: shared_conflicts == 0' "$report"
not_said 'transpose_tiled<1>: shared'
expect 3 'transpose_naive@transpose.cu:7: global_load_sectors_per_request is 32, expected <= 4, 28 more, 8 times as much' -- \
    warpglass profile --expect 'transpose_naive@transpose.cu:7: global_load_sectors_per_request <= 4' "$report"
expect 3 'has nothing at transpose.cu:70; it has lines transpose.cu:5, ' -- \
    warpglass profile --expect 'transpose_naive@transpose.cu:70: global_sectors <= 4' "$report"
expect 3 'there was no such access' -- warpglass profile --expect 'transpose_naive: shared_wavefronts_per_request == 1' "$report"
cat > budget.txt << 'END'
# what an H200 counted
transpose_naive: global_sectors == 18874368
transpose_tiled<0>: shared_wavefronts == 17301504
transpose_tiled<1>: shared_conflicts == 0   # the padding works
transpose_tiled<1>: memory_l1_wavefronts_shared == 1048576
*: global_load_requests <= 525k
void transpose_tiled<1>(const int *, int *): global_efficiency >= 99.9 %
transpose_tiled<1>@data/transpose.cu:99: barriers == 0
END
expect 3 'budget.txt:8: ' -- warpglass profile --budget budget.txt "$report"
sed -i '$d' budget.txt
expect 0 '' -- warpglass profile --budget budget.txt --expect 'transpose_naive: global_efficiency < 23%' "$report"

# All counters that an expectation may name are listed, and fit a terminal.
expect 0 '' -- warpglass profile --counters
said '^shared_conflicts$'
said '^    Nsight Compute: memory_l1_wavefronts_shared$'
awk 'length > 80' "$stdout" | grep . && fail "the list of counters is wider than 80 columns"

# Comparisons.
expect 1 'nowhere/x.html: No such file or directory' -- warpglass compare --html nowhere/x.html "$report" "$report"
expect 2 'compare needs two or more' -- warpglass compare "$report"
printf 'a,b\n1,2\n' > wrong.csv
expect 1 'wrong.csv: it is not Nsight Compute.s CSV: no line has the columns "ID" and "Kernel Name"' -- \
    warpglass compare wrong.csv "$report"
printf '"ID","Kernel Name","mystery"\n"","","x"\n"0","k()","5"\n' > mystery.csv
expect 1 'none of its columns matches a counter of Warpglass' -- warpglass compare mystery.csv "$report"
printf '"ID","Kernel Name","smsp__inst_executed.sum"\n' > head.csv
expect 1 "head.csv: the profiler's table has no kernels" -- warpglass compare head.csv "$report"
expect 1 'version.json: this is a report of version 7' -- warpglass compare "$report" version.json
expect 1 'gpu.csv: --kernel and --launches select none of its launches' -- \
    warpglass compare --launches 7 "$data/gpu.csv" "$report"
expect 0 '' -- warpglass compare --kernel naive "$data/gpu.csv" "$report"
said 'Of those that are exact, 2 are equal, 0 differ'
not_said 'tiled|Only in'
printf '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n"0","transpose_naive(const int *, int *)","smsp__inst_executed.sum","inst","9,961,472"\n' > details.csv
expect 0 '' -- warpglass compare details.csv "$report"
said 'machine_instructions \(from the PTX\) +9,961,472 +9,961,472 +same'
said 'Only in .*transposes.json: void'
finish
