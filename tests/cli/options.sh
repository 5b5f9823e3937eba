#!/bin/bash
# The command line: help, the manual page, options that do not exist, commands that do not exist.
. "$(dirname "$0")/expect.sh"
definitions=$tests/../../src/cli/options.def
manual=$tests/../../docs/warpglass.1

expect 0 '' -- warpglass --version
said '^warpglass [0-9]+\.[0-9]+\.[0-9]+$'
expect 0 '' -- warpglass --man
cmp "$stdout" "$manual" || fail "docs/warpglass.1 is not what --man prints: make it anew"

# Help and manual name every option of the list, and help fits a terminal.
expect 0 '' -- warpglass --help
said 'usage: warpglass run'
commands=$(sed -nE 's/^COMMAND\([A-Z]+, "([a-z]+)".*/\1/p' "$definitions")
[[ $(wc -w <<< "$commands") -gt 10 ]] || fail "only found $commands"
for command in $commands; do
    warpglass --help | grep -q "^  $command " || fail "the help does not list $command"
    expect 0 '' -- warpglass "$command" --help
    cp "$stdout" "help.$command"
    awk 'length > 80' "help.$command" | grep . && fail "help of $command is wider than 80 columns"
    expect 0 '' -- warpglass "$command" -h
    cmp -s "$stdout" "help.$command" || fail "-h and --help of $command differ"
    expect 0 '' -- warpglass help "$command"
    cmp -s "$stdout" "help.$command" || fail "help $command and $command --help differ"
    expect 0 '' -- warpglass "$command" --man
    said "^warpglass.-$command .- "
    said '^.B ".-.-help"'
done
expect 0 '' -- warpglass help
warpglass --help | cmp -s - "$stdout" || fail "help and --help differ"
expect 2 "help: unknown command 'rum': did you mean 'run'" -- warpglass help rum
# A page of one command has its options and examples alone.
expect 0 '' -- warpglass explain --man
said '^.B "warpglass explain bank_conflicts"'
not_said 'threads|saxpy'
# Manual pages have nothing that troff warns of.
if command -v groff > /dev/null; then
    for command in '' $commands; do
        # shellcheck disable=SC2086
        groff -man -ww -z <(warpglass $command --man) 2> "$stderr" || fail "groff of '$command --man'"
        [[ ! -s $stderr ]] || fail "the manual page of '$command'"
    done
fi
options=$(grep -oE '^OPTION\([^"]*"[^"]+"' "$definitions" | sed 's/.*"\(.*\)"/\1/')
[[ $(wc -l <<< "$options") -gt 30 ]] || fail "only found $options"
for option in $options; do
    case $option in --version | --man) help=$(warpglass --help) ;; *) help=$(cat help.*) ;; esac
    grep -qE -- "^  $option([^a-z]|[A-Z]|$)" <<< "$help" || fail "no help names $option"
    grep -qF -- ".B \"${option//-/\\-}" "$manual" || fail "the manual does not name $option"
done

expect 2 'which command' -- warpglass
expect 2 "unknown command 'rum': did you mean 'run'" -- warpglass rum x.cu
expect 2 "did you mean 'warpglass run x.cu'" -- warpglass x.cu
expect 2 "unknown command 'frobnicate'$" -- warpglass frobnicate
expect 2 "unknown option '--verison': did you mean '--version'" -- warpglass --verison
expect 2 "unknown option '--treads' of 'run': did you mean '--threads'" -- warpglass run --treads 2 x.cu
expect 2 "unknown option '--time=3' of 'run'" -- warpglass run --time=3 x.cu
expect 2 "unknown option '--grid-points' of 'run': the program's arguments go after '--'" -- warpglass run x.cu --grid-points 3
expect 2 "unknown option '--tread' of 'check': did you mean '--threads'\? If not, the program's arguments go after '--'" -- \
    warpglass check ./x --tread 3
expect 2 "unknown option '--threads' of 'cc'" -- warpglass cc --threads 2 x.cu
expect 2 "warpglass run --help" -- warpglass run --treads 2 x.cu
expect 2 "'--threads' needs a value" -- warpglass run --threads
expect 2 "'-o' needs a value" -- warpglass cc x.cu -o
expect 2 "'--arch' needs a value" -- warpglass cc --arch= x.cu

for wrong in 0 -1 1.5 many 99999999999 ''; do
    expect 2 "threads" -- warpglass run --threads "$wrong" x.cu
done
for wrong in 0 -1 soon ''; do expect 2 "timeout" -- warpglass run --timeout "$wrong" x.cu; done
expect 2 "--dump sass: expected a comma-separated list of ptx, ir, plan, llvm and asm" -- warpglass run --dump ptx,sass x.cu
expect 2 "--opt 2,-jamm: expected a level and names of forms" -- warpglass run --opt 2,-jamm x.cu
expect 2 "--opt 3: expected an optimisation level" -- warpglass run --opt 3 x.cu
expect 2 "--compiler gcc: expected clang or nvcc" -- warpglass cc --compiler gcc x.cu
expect 2 "unknown arch 'sm_91': did you mean 'sm_90'.*There are sm_50 .*sm_90" -- warpglass run --arch sm_91 x.cu
expect 2 "unknown arch 'volta'" -- warpglass run --arch volta x.cu
expect 2 "which program" -- warpglass run
expect 2 "no file to compile" -- warpglass cc
expect 2 "info takes no file argument" -- warpglass info x

expect 0 '' -- warpglass info
said '^  libwarpglass-mpi-calls.so +goes before it'
said '\* sm_90 .*H200'
said 'Compilers'
said 'libcudart.so.13$'
awk 'length > 80' "$stdout" | grep . && fail "info is wider than 80 columns"
expect 0 '' -- env WARPGLASS_CACHE_DIR="$stdout" "$WARPGLASS" info
said 'a file, not a folder: nothing is cached'

# What cannot be printed is said.
full() { "$WARPGLASS" "$@" > /dev/full; }
for words in --help --version --man info "run --help" "occupancy --threads 256 --registers 40"; do
    # shellcheck disable=SC2086
    expect 1 '^warpglass: standard output: No space left on device$' -- full $words
done
# Who reads no further is told nothing, however much there is left.
unread() { (sleep 0.2 && "$WARPGLASS" "$@") | true; }
expect 0 '' -- unread profile "$tests/../report/data/transposes.json"
finish
