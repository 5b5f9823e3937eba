#!/bin/bash
# nvcc's options about a compilation as a whole: -dryrun, -run, -clean, -time and the like.
. "$(dirname "$0")/expect.sh"
eval "$(warpglass env)"
cat > p.cu << 'END'
#include <cstdio>
__global__ void k(int *x) { *x = 7; }
int main(int n, char **words) {
    int *x, y = 0;
    cudaMalloc(&x, 4);
    k<<<1, 1>>>(x);
    cudaMemcpy(&y, x, 4, cudaMemcpyDeviceToHost);
    printf("%d %s\n", y, n > 1 ? words[n - 1] : "");
    return n;
}
END
files() { echo *; }

# -dryrun: lines that begin with "#$ ", nothing written, and no file needs to be there.
before=$(files)
for call in 'nvcc -dryrun p.cu' 'nvcc --dryrun -c -MD -keep p.cu' 'nvcc -dryrun -lib p.cu' 'nvcc -dryrun -rdc=true -c nowhere.cu' \
    'nvcc -dryrun -dlink nowhere.o' 'nvcc -dryrun -fatbin p.cu' 'nvcc -dryrun -E p.cu' 'nvcc -dryrun -M p.cu' 'nvcc -dryrun -clean p.cu' \
    'warpglass cc -dryrun p.cu'; do
    # shellcheck disable=SC2086
    expect 0 '^#\$ ' -- $call
    ! grep -qv '^#\$ ' "$stderr" || fail "$call: lines of another form"
    [[ ! -s $stdout ]] || fail "$call: output"
    [[ $(files) == "$before" ]] || fail "$call wrote $(files)"
done
# The last line is the command that makes the product: build systems read from it what is linked (SHOC's configure).
for call in '-o prog p.cu' '-shared -o prog p.cu' '-c -o prog p.cu' '-lib -o prog p.cu'; do
    # shellcheck disable=SC2086
    expect 0 '^#\$ ' -- nvcc -dryrun $call
    tail -n 1 "$stderr" | grep -q ' prog\b' || fail "nvcc -dryrun $call ends with $(tail -n 1 "$stderr")"
done
expect 0 '^#\$ ' -- nvcc -dryrun p.cu
tail -n 1 "$stderr" | grep -q -- ' -L[^ ]*lib64 .*-lcudart_static' || fail "no libraries in $(tail -n 1 "$stderr")"
expect 2 'no file to compile' -- nvcc -dryrun
# What it shows does what it says.
expect 0 '' -- bash -c 'nvcc -dryrun -keep p.cu -o "it'"'"'s p" 2>&1 | sed "s/^#\\$ //; /^LIBRARIES=/d" > commands'
expect 0 '' -- sh -e commands
expect 2 '' -- "./it's p" one
said '^7 one$'
grep -q '^.target sm_90' p.ptx || fail "the commands of -keep keep nothing"
rm -f p.ptx "it's p"
expect 0 '' -- bash -c 'nvcc -dryrun -lib p.cu -o l.a 2>&1 | sed "s/^#\\$ //; /^LIBRARIES=/d" > commands'
expect 0 '' -- sh -e commands
[[ $(ar t l.a) == p.o ]] || fail "-dryrun -lib: $(ar t l.a)"
touch l.a
expect 0 '#\$ rm -f l.a' -- nvcc -dryrun -lib p.cu -o l.a
[[ -e l.a ]] || fail "-dryrun deleted a library"
rm l.a

# -run and -run-args: the program's own status; what is no program does not run.
expect 3 '' -- nvcc -run p.cu -run-args one,two
said '^7 two$'
expect 1 '' -- warpglass cc --run p.cu -o made
said '^7 $'
# A program in place of sources, in quotes, as Meson has it.
cp a.out any.exe
expect 2 '' -- nvcc --run "\"$PWD/any.exe\"" --run-args three
said '^7 three$'
expect 1 'p.txt: unknown type of file' -- bash -c 'echo > p.txt; nvcc -run p.txt'
expect 0 '' -- nvcc -run -c p.cu
[[ ! -s $stdout ]] || fail "-run -c ran something"
expect 1 'p2.cu: no such file' -- nvcc -run p2.cu

# -clean: what the same command made, and no more.
expect 0 '' -- nvcc -keep -c p.cu -o made.o -MD -MF made.d
expect 0 '' -- nvcc -clean -keep -c p.cu -o made.o -MD -MF made.d
[[ ! -e made.o && ! -e p.ptx && ! -e made.d && -e p.cu && -e p.o ]] || fail "-clean left $(files)"
expect 0 '' -- nvcc -clean p.cu
expect 0 '' -- nvcc --clean-targets p.cu -o made
[[ ! -e a.out && ! -e made ]] || fail "-clean left $(files)"
mkdir folder
expect 1 'folder: this is a folder' -- nvcc -clean p.cu -o folder

# -time: a table, with its headings once.
expect 0 '' -- nvcc -time times.csv -c p.cu
expect 0 '' -- nvcc --time=times.csv p.cu -o made
[[ $(grep -c '^source file name , phase name ,' times.csv) == 1 ]] || fail "-time: $(cat times.csv)"
[[ $(grep -cE '^p.cu , clang[^,]* \((device|host)\) , p.cu , [^,]+ , sm_90 , nvcc , [0-9.]+ , ms$' times.csv) == 4 ]] ||
    fail "-time: $(cat times.csv)"
grep -qE '^ , [^,]* \(link\) , .* , made , ' times.csv || fail "-time: $(cat times.csv)"
expect 0 '' -- nvcc -time - -c p.cu
said '^source file name'
expect 1 '-time: cannot write nowhere/t: No such file' -- nvcc -time nowhere/t -c p.cu
expect 0 '' -- nvcc -fdevice-time-trace=trace -c p.cu
grep -q traceEvents trace.json || fail "-fdevice-time-trace"

# -fsyntax-only: errors of host and device code are found; nothing is linked or written, with or without -c.
mkdir checked
for words in '' -c; do
    (cd checked && expect 0 '' -- nvcc -fsyntax-only $words ../p.cu)
    (cd checked && expect 0 '' -- warpglass cc -fsyntax-only $words ../p.cu)
done
echo 'int main() { return host_only; }' > host_wrong.cu
expect 1 "undeclared identifier 'host_only'" -- warpglass cc -fsyntax-only host_wrong.cu p.cu
[[ -z $(ls checked) && ! -e a.out ]] || fail "-fsyntax-only wrote $(ls checked)"

# -fdevice-syntax-only: errors of device code are found; no code is made.
expect 0 '' -- nvcc -fdevice-syntax-only -ptx p.cu
! grep -q entry p.ptx || fail "-fdevice-syntax-only made code"
sed 's/\*x = 7/*x = y/' p.cu > wrong.cu
expect 1 "undeclared identifier 'y'" -- nvcc -fdevice-syntax-only -c wrong.cu

# Spellings that nvcc has and compilers for C do not, and the oldest language.
expect 0 '' -- nvcc -O 3 -c p.cu
expect 0 '' -- nvcc -O=2 -t4 -Xcicc -x --cudafe-options --x --cicc-options -x -arch=lto_90 -c p.cu
expect 0 '' -- nvcc -O4 -c p.cu
expect 2 '-O20: the levels are' -- nvcc -O20 -c p.cu
expect 2 '-t ile: expected a number' -- nvcc -tile -c p.cu
printf '#if __cplusplus >= 201103L\n#error "too new"\n#endif\n' > old.cu
cat p.cu >> old.cu
expect 1 '' -- nvcc -std=c++03 -run old.cu
said '^7 $'
finish
