#!/bin/bash
# Every option of "nvcc --help" of CUDA 13.0: it does what it says, is taken though there is nothing for it to do, is taken with a
# note, or is refused by name; by its long and by its short name, its value behind "=" of the first, and the next word of the second.
. "$(dirname "$0")/expect.sh"
eval "$(warpglass env)"
echo '__global__ void k(int *x) { *x = 1; } int main() { return 0; }' > one.cu
echo 'int given(void) { return 0; }' > given.c
expect 0 '' -- nvcc -c given.c -o given.o
ar qc libgiven.a given.o
echo '#define GIVEN 1' > given.h
echo '-DGIVEN' > given.options
mkdir -p keep out

# long name, short name, value (- for none), what becomes of it: yes, says (yes, with a message), joined (yes, beside others), taken, note or no; and
# the words that it needs beside.
cat > table << 'END'
cuda cuda - no
cubin cubin - yes
fatbin fatbin - yes
ptx ptx - yes
optix-ir optix-ir - no
ltoir ltoir - no
preprocess E - yes
generate-dependencies M - yes
generate-nonsystem-dependencies MM - yes
generate-dependencies-with-compile MD - yes
generate-nonsystem-dependencies-with-compile MMD - yes
dependency-output MF out/rule yes -MD
generate-dependency-targets MP - yes -MD
compile c - yes
device-c dc - yes
device-w dw - yes
device-link dlink - yes OBJECT
link link - taken
lib lib - yes
run run - yes
output-file o out/file yes
pre-include include given.h joined
objdir-as-tempdir objtemp - taken
library l given joined -L.
define-macro D A=1 joined
undefine-macro U A joined
include-path I . joined
system-include isystem . joined
library-path L . joined
output-directory odir out yes -c
compiler-bindir ccbin g++ note
allow-unsupported-compiler allow-unsupported-compiler - taken
archiver-binary arbin ar yes -lib
cudart cudart shared joined
cudadevrt cudadevrt none taken
libdevice-directory ldir . taken
target-directory target-dir x taken
use-local-env use-local-env - taken
force-cl-env-setup force-cl-env-setup - taken
profile pg - yes
debug g - joined
device-debug G - note
generate-line-info lineinfo - taken
optimization-info opt-info inline taken
optimize O 2 yes
Ofast-compile Ofc max taken
dopt dopt on taken
dlink-time-opt dlto - note
lto lto - note
gen-opt-lto gen-opt-lto - note
ftemplate-backtrace-limit ftemplate-backtrace-limit 9 joined
ftemplate-depth ftemplate-depth 99 joined
no-exceptions noeh - joined
shared shared - yes
x x cu yes
std std c++14 joined
no-host-device-initializer-list nohdinitlist - taken
no-host-device-move-forward nohdmoveforward - taken
expt-relaxed-constexpr expt-relaxed-constexpr - joined
extended-lambda extended-lambda - joined
expt-extended-lambda expt-extended-lambda - joined
machine - 64 taken
m64 m64 - taken
compiler-options Xcompiler -Wall joined
linker-options Xlinker --as-needed joined
archive-options Xarchive -v yes -lib
ptxas-options Xptxas -dlcm=ca note
nvlink-options Xnvlink -v taken
static-global-template-stub static-global-template-stub true taken
device-entity-has-hidden-visibility device-entity-has-hidden-visibility true taken
forward-unknown-to-host-compiler forward-unknown-to-host-compiler - joined
forward-unknown-to-host-linker forward-unknown-to-host-linker - taken
forward-unknown-opts forward-unknown-opts - joined
dont-use-profile noprof - taken
dryrun dryrun - note
verbose v - note
threads t 2 taken
split-compile split-compile 2 taken
split-compile-extended split-compile-extended 2 taken
fdevice-syntax-only fdevice-syntax-only - yes
fdevice-time-trace fdevice-time-trace out/x joined
keep keep - yes
keep-dir keep-dir keep yes -keep
save-temps save-temps - yes
clean-targets clean - yes
time time out/x yes
run-args run-args x joined
input-drive-prefix idp x taken
dependency-drive-prefix ddp x taken
drive-prefix dp x taken
dependency-target-name MT target yes -MD
no-align-double - - taken
no-device-link nodlink - taken
gpu-architecture arch sm_80 joined
gpu-code code sm_80 taken
generate-code gencode arch=compute_80,code=sm_80 yes
relocatable-device-code rdc true joined
entries e k taken
maxrregcount maxrregcount 32 note
use_fast_math use_fast_math - joined
ftz ftz true joined
prec-div prec-div false joined
prec-sqrt prec-sqrt false joined
fmad fmad false joined
extra-device-vectorization extra-device-vectorization - taken
default-stream default-stream legacy joined
disable-warnings w - joined
keep-device-functions keep-device-functions - taken
source-in-ptx src-in-ptx - taken
restrict restrict - taken
Wreorder Wreorder - joined
Wdefault-stream-launch Wdefault-stream-launch - joined
Wmissing-launch-bounds Wmissing-launch-bounds - joined
Wext-lambda-captures-this Wext-lambda-captures-this - joined
Wno-deprecated-declarations Wno-deprecated-declarations - joined
Wno-deprecated-gpu-targets Wno-deprecated-gpu-targets - joined
Werror Werror reorder joined
resource-usage res-usage - says
extensible-whole-program ewp - taken
no-compress no-compress - taken
qpp-config qpp-config - taken
compile-as-tools-patch astoolspatch - no
list-gpu-code code-ls - yes
list-gpu-arch arch-ls - yes
display-error-number err-no - taken
no-display-error-number no-err-no - taken
diag-error diag-error 20 taken
diag-suppress diag-suppress 20 taken
diag-warn diag-warn 20 taken
host-linker-script hls gen-lcs no
augment-host-linker-script aug-hls - no
relocatable-link r - no
brief-diagnostics brief-diag true taken
jump-table-density jtd 10 taken
relocatable-ptx reloc-ptx - taken
device-stack-protector device-stack-protector true taken
compress-mode compress-mode size taken
frandom-seed frandom-seed 7 taken
sanitize sanitize memcheck note
jobserver jobserver - taken
help h - yes
version V - yes
options-file optf given.options joined
END

taken=() joined=()
# try WHAT WORD...: what becomes of an option.
try() {
    local what=$1 source=one.cu
    shift
    [[ " $* " == *" OBJECT "* ]] && source=given.o
    set -- "${@/#OBJECT/given.o}"
    case $what in
        taken) taken+=("$@") ;; # all of them in one call
        joined) joined+=("$@") ;;
        yes) expect 0 '' -- nvcc "$@" $source ;;
        says) expect 0 '^ptxas info ' -- nvcc "$@" $source ;;
        note) expect 0 'note: |^#\$ ' -- nvcc "$@" $source ;;
        no) expect 2 "option '${1%%=*}' of 'nvcc': " -- nvcc "$@" $source ;;
    esac
}
while read -r long short value what beside; do
    for name in "--$long" "-$short"; do
        [[ $name == -- ]] && continue # it has no short name
        if [[ $value == - ]]; then
            # shellcheck disable=SC2086
            try "$what" "$name" $beside
        else
            # shellcheck disable=SC2086
            [[ $name == --* ]] && try "$what" "$name=$value" $beside
            # shellcheck disable=SC2086
            [[ $name == --* || $name == -O ]] || try "$what" "$name" "$value" $beside
        fi
    done
done < table
expect 0 '' -- nvcc "${taken[@]}" one.cu
expect 0 '' -- nvcc "${joined[@]}" one.cu
[[ ${#joined[@]} -gt 80 ]] || fail "only ${joined[*]} are joined"
[[ ${#taken[@]} -gt 100 ]] || fail "only ${taken[*]} are taken"

# Where nvcc is installed: the table has all that it tells of, and nothing else.
real=/usr/local/cuda/bin/nvcc
if [[ -x $real ]] && $real --version | grep -q 'release 13.0'; then
    diff <($real --help | grep -oE '^--[A-Za-z0-9_-]+' | sort -u) <(sed 's/^/--/; s/ .*//' table | sort -u) ||
        fail "the table is not what nvcc --help tells"
fi

# What a container of PTX is for.
cat > load.cu << 'END'
#include <cuda.h>
int main() {
    CUdevice d;
    CUcontext c;
    int bad = cuInit(0) || cuDeviceGet(&d, 0) || cuDevicePrimaryCtxRetain(&c, d) || cuCtxSetCurrent(c);
    for (const char *file : {"loaded.fatbin", "loaded.cubin", "loaded.ptx"}) {
        CUmodule m;
        CUfunction f;
        bad = bad || cuModuleLoad(&m, file) || cuModuleGetFunction(&f, m, "loaded") || cuModuleUnload(m);
    }
    return bad;
}
END
echo 'extern "C" __global__ void loaded(int *x) { *x = 1; }' > loaded.cu
expect 0 '' -- nvcc -fatbin loaded.cu
expect 0 '' -- nvcc -cubin -arch=sm_80 loaded.cu
expect 0 '' -- nvcc -ptx loaded.cu
expect 0 '' -- nvcc load.cu -lcuda -o load
expect 0 '' -- ./load
expect 0 '' -- nvcc -odir out -fatbin loaded.cu
cmp -s loaded.fatbin out/loaded.fatbin || fail "-odir"
finish
