#!/bin/bash
# The command line of `warpglass check`, and what it does with input that is none.
. "$(dirname "$0")/stage.sh"
f=$data/findings.json

# The status: findings win, then the program's own.
sed 's/"findings": \[/&],"x": [/' "$f" > clean
expect 3 '' -- warpglass check ./leaves -- "$f" 0
expect 3 '' -- warpglass check ./leaves -- "$f" 9
expect 0 '' -- warpglass check ./leaves -- clean 0
said '^clean$'
said '^Checked memory and race: 1 kernel, 1 launch, 64 threads, 4 accesses'
expect 9 '' -- warpglass check ./leaves -- clean 9
expect 137 'terminated by signal 9' -- warpglass check ./leaves -- clean kill
# A race of equal values alone is shown, and fails nothing.
python3 -c "
import json, sys
j = json.load(open(sys.argv[1])); j['findings'] = [f for f in j['findings'] if f.get('benign')]
json.dump(j, open('benign', 'w'))" "$f"
expect 0 '' -- warpglass check ./leaves -- benign
said '^clean, 1 benign race$'
# Ways through a library's headers to one place are one finding, and are not shown call by call; nor is what its templates are.
python3 -c "
import copy, json, sys
j = json.load(open(sys.argv[1])); j['findings'] = [f for f in j['findings'] if f['kind'] == 'race-block'][:1]
def frame(line, function): return {'file': '/usr/include/lib/agent.cuh', 'line': line, 'column': 3, 'function': function}
kernel = 'void lib::agent<' + ', '.join(['lib::policy<900, int>'] * 5) + '>::run<int>(int *, int)'
def way(*lines): return [*(frame(n, f'step{n}') for n in lines), frame(90, kernel)]
j['findings'] *= 2
j['findings'] = copy.deepcopy(j['findings'])
for f, over in zip(j['findings'], (50, 60)):
    f['kernel'] = kernel; f['here']['frames'] = way(10, 20, over, 70); f['other']['frames'] = way(15, over)
json.dump(j, open('library', 'w'))" "$f"
expect 3 '' -- warpglass check ./leaves -- library
said '^1 finding$'
said '^    called through 3 functions in headers$'
said 'agent.cuh:90:3 in lib::agent<\.\.\.>::run<\.\.\.>$'
[[ $(grep -c 'called through' "$stdout") == 1 ]] || fail "a call by itself is shown as one"

# What is asked for.
expect 2 "unknown check: did you mean 'race'" -- warpglass check --only memory,rase ./leaves -- "$f"
expect 2 "the check that finds it is 'race'" -- warpglass check --only race-block ./leaves -- "$f"
expect 2 "expected a comma-separated list of memory, race, init and barrier" -- warpglass check --only everything ./leaves -- "$f"
expect 2 "missing after the last comma" -- warpglass check --only race, ./leaves -- "$f"
expect 2 "that finds leaks is 'memory', which --only race,init leaves out" -- warpglass check --leaks --only race,init ./leaves -- "$f"
expect 2 "unknown check" -- warpglass check --leaks --only rase ./leaves -- "$f"
expect 3 '' -- warpglass check --leaks --only memory,race ./leaves -- "$f"
expect 2 "expected a whole number" -- warpglass check --max-findings -1 ./leaves -- "$f"
expect 2 "is not a regular expression" -- warpglass check --kernel 'a(' ./leaves -- "$f"
expect 2 "would both write x; give each" -- warpglass check --json x --junit x ./leaves -- "$f"
cp "$f" read
expect 2 "--sarif read: this would overwrite an input file" -- warpglass check --sarif read --suppress read ./leaves -- "$f"
expect 2 "which program" -- warpglass check
expect 0 '' -- warpglass check --kernel '^other' ./leaves -- "$f"
said '^Checked memory and race: no kernel, as none matches --kernel\.$'
expect 3 '' -- warpglass check --kernel '^wait' ./leaves -- "$f"
said '^1 finding$'
expect 3 '' -- warpglass check --kernel '^wait' --junit chosen.xml ./leaves -- "$f"
! grep 'tile(' chosen.xml || fail "a kernel that was not asked for counts as good"
expect 3 '' -- warpglass check --kernel 'tile(float*, float const*)' ./leaves -- "$f"
said '^2 findings, 1 benign race$'
expect 3 '' -- warpglass check ./leaves -- "$f"
not_said '^leak'
expect 3 '' -- warpglass check --leaks ./leaves -- "$f"
said '^leak'

# Two findings of one kind on one line have names of their own among JUnit's tests.
python3 -c "
import json, sys
j = json.load(open(sys.argv[1])); j['findings'] = [f for f in j['findings'] if f['kind'] == 'race-block']
other = json.loads(json.dumps(j['findings'][0])); other['here']['frames'][0]['column'] += 1; other['memory']['name'] = 'u'; j['findings'].append(other)
json.dump(j, open('twice', 'w'))" "$f"
expect 3 '' -- warpglass check --junit twice.xml ./leaves -- twice
[[ $(grep -oE 'name="race-block at [^"]*"' twice.xml | sort -u | wc -l) == 2 ]] || fail "two tests of one name"

# Suppressions.
cat > suppress << 'END'
# what is known
race-block  tile.cu:2      # the reader
memory      kernel=^tile
double-free
deadlock    kernel=^wait
END
expect 0 '' -- warpglass check --suppress suppress ./leaves -- "$f"
said '^clean, 1 benign race, 4 suppressed$'
printf 'race-block elsewhere/tile.cu\nrace tile.cu:7\ninit\n*  kernel=never\n' > unused
expect 3 '' -- warpglass check --suppress unused ./leaves -- "$f"
said '^unused:1: nothing was found that .race-block elsewhere/tile.cu'
said '^unused:4: nothing was found'
echo '*' > all
expect 0 '' -- warpglass check --suppress all --leaks ./leaves -- "$f"
said '^clean, 6 suppressed$'
expect 2 'nowhere: No such file' -- warpglass check --suppress nowhere ./leaves -- "$f"
expect 2 'Is a directory' -- warpglass check --suppress / ./leaves -- "$f"
echo 'race-blok x.cu' > mistyped
expect 2 "mistyped:1: .*did you mean 'race-block'" -- warpglass check --suppress mistyped ./leaves -- "$f"
echo 'race a.cu b.cu' > two
expect 2 "two:1: 'b.cu': a line has one place" -- warpglass check --suppress two ./leaves -- "$f"
printf '"race"\n' > quotes
expect 2 'quotes:1: unknown kind' -- warpglass check --suppress quotes ./leaves -- "$f"
sed 's/"file": "tile.cu"/"file": ".\/my tile.cu"/' "$f" > blanks
printf 'race-block "my tile.cu:2"\r\nmemory kernel=tile(float*, float const*)\ndouble-free\ndeadlock kernel=wait()\n' > quoted
expect 0 '' -- warpglass check --suppress quoted ./leaves -- blanks
said '^clean, 1 benign race, 4 suppressed$'
echo 'race kernel=(' > brackets
expect 2 "brackets:1: 'kernel=\(' is not a regular expression" -- warpglass check --suppress brackets ./leaves -- "$f"
printf 'race\xff\n' > bytes
expect 2 'bytes:1: unknown kind' -- warpglass check --suppress bytes ./leaves -- "$f"
: > nothing
expect 3 '' -- warpglass check --suppress nothing ./leaves -- "$f"

# Files that no report can be made of.
expect 1 'no CUDA call that reached Warpglass, so nothing was checked' -- warpglass check ./leaves -- ''
expect 5 'nothing was checked' -- warpglass check ./leaves -- '' 5
expect 1 'the file is empty' -- warpglass check ./leaves -- nothing
head -c 900 "$f" > cut-off
expect 1 'the file ends too early' -- warpglass check ./leaves -- cut-off
echo '{"format": "warpglass-findings", "version": 7}' > future
expect 1 'its version is 7' -- warpglass check ./leaves -- future
echo '{"format": "warpglass-result", "version": 1}' > other
expect 1 'not a findings file' -- warpglass check ./leaves -- other
sed 's/race-grid/race-moon/' "$f" > moon
expect 1 "findings\[[0-9]\].kind: unknown kind 'race-moon'" -- warpglass check ./leaves -- moon
sed 's/"count": 64/"count": -1/' "$f" > negative
expect 1 'findings\[0\].count: expected a count' -- warpglass check ./leaves -- negative
sed 's/"kernels": \[/"kernels": [],"x": [/; s/"findings": \[/&],"y": [/' "$f" > idle
expect 0 '' -- warpglass check ./leaves -- idle
said 'which launched no kernel'
sed 's/"ended": "exit"/"ended": "running"/' clean > killed
expect 0 '' -- warpglass check ./leaves -- killed
said '^The program ended abruptly'

# What counts comes first, whatever stands first in the source; and accesses of functions that are called count.
cat > order.cu << 'END'
__device__ int flag;
__device__ __noinline__ int twice(const int *x) { return x[threadIdx.x] * 2; }
__global__ void k(int *x) {
    flag = 1;
    x[0] = twice(x) + threadIdx.x;
}
int main() {
    int *x;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    k<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
END
expect 3 '' -- warpglass check order.cu
said ', 1 benign race'
tr '\n' ' ' < "$stdout" | grep -q '32 threads, 3 accesses' || fail "accesses of the function that is called do not count"
[[ $(grep -n '^  order.cu:4' "$stdout" | head -n 1 | cut -d: -f1) -gt $(grep -n '^  order.cu:5' "$stdout" | tail -n 1 | cut -d: -f1) ]] ||
    fail "a benign race stands before one that counts"

# Outputs that cannot be written: said before the program runs, and the status is no success.
expect 1 '/no/such/place.json: No such file' -- warpglass check ./leaves --json /no/such/place.json --sarif good.sarif -- clean
expect 1 '/no/such/place.xml: No such file' -- warpglass check ./leaves --junit /no/such/place.xml -- "$f"
[[ -s $stdout || -e good.sarif ]] && fail "it ran although a file could not be written"
if [[ -w /dev/full ]]; then
    "$WARPGLASS" check ./leaves -- clean > /dev/full 2> "$stderr"
    [[ $? == 1 ]] && grep -q 'No space left' "$stderr" || fail "a full disk is no success"
fi
finish
