#!/bin/bash
# Programs whose blocks, streams and host communicate, run again and again: what they print, what is counted of them and
# what is found has to be the same, byte for byte, at any number of threads and at each width of vectors.
#
#     same.sh RUNS [PROGRAM...]      RUNS of each program, each by `run --deterministic`, `profile` and `check`, taking turns,
#                                    and where no order of blocks is to matter by itself
#     SAME_LOAD=N                    beside so many processes that do nothing but work
#     SAME_WIDTHS="256 512"          vector widths; those of this CPU if not given
#     SAME_THREADS="1 2 3"           numbers of threads
#     SAME_BUILT=FOLDER              programs that are built already, for a machine without compilers
set -eu
here=$(cd "$(dirname "$0")" && pwd)
runs=$1
shift
programs=("$@")
[[ ${#programs[@]} != 0 ]] || programs=(clusters float_sums grid_barrier last_block look_back pipeline spin_lock streams tickets
    work_queue)
read -ra threads <<< "${SAME_THREADS:-1 2 3 8 32}"
widths=(256)
! grep -q avx512vl /proc/cpuinfo || widths=(256 512)
[[ -z ${SAME_WIDTHS-} ]] || read -ra widths <<< "$SAME_WIDTHS"
warpglass=${WARPGLASS:-warpglass}
unset WARPGLASS_DETERMINISTIC WARPGLASS_THREADS WARPGLASS_WIDTH

folder=$(mktemp -d)
load=()
trap '[[ ${#load[@]} == 0 ]] || kill "${load[@]}" 2> /dev/null; rm -rf "$folder"' EXIT
cd "$folder"
for ((i = 0; i < ${SAME_LOAD:-0}; i++)); do
    (while :; do :; done) &
    load+=($!)
done

# What is left out of a report: when it was, and how long it took.
plain() {
    sed -E 's/"(start_ns|end_ns)": [0-9]+/"\1": 0/g' "$1"
}

# One run: all of what it says to standard output.
once() { # program mode
    case $2 in
    run) timeout 120 "$warpglass" run --deterministic "./$1" ;;
    profile)
        timeout 120 "$warpglass" profile --json report.json "./$1" > report.txt || return
        sed -n '/^[a-z]* [0-9a-f]\{16\}$/p' report.txt
        plain report.json
        ;;
    check)
        timeout 240 "$warpglass" check --json findings.json "./$1" > findings.txt || [[ $? == 3 ]] || return
        cat findings.txt findings.json
        ;;
    *) timeout 120 "./$1" ;;
    esac
}

failed=0
try() { # program mode threads width
    local was=$1.${2/plain/run}.first now=$1.$2.now
    WARPGLASS_THREADS=$3 WARPGLASS_WIDTH=$4 once "$1" "$2" > "$now" 2> "$now.err" || {
        echo "$1, $2, $3 threads, $4 bits: status $?"
        cat "$now.err"
        failed=1
        return
    }
    [[ -e $was ]] || cp "$now" "$was"
    cmp -s "$was" "$now" || {
        echo "$1, $2, $3 threads, $4 bits: not what it was in the first run"
        diff "$was" "$now" | head -n 12
        failed=1
    }
}

for program in "${programs[@]}"; do
    if [[ -n ${SAME_BUILT-} ]]; then
        cp "$SAME_BUILT/$program" .
        continue
    fi
    "$warpglass" cc -O2 -lineinfo "$here/$program.cu" -o "$program"
done
for ((run = 0; run < runs; run++)); do
    for program in "${programs[@]}"; do
        # Each program comes to each number of threads at each width before any of them a second time.
        at=$((run % (${#threads[@]} * ${#widths[@]})))
        modes=(run profile check)
        case $program in float_sums | look_back | grid_barrier | pageable) modes+=(plain) ;; esac
        for mode in "${modes[@]}"; do
            try "$program" $mode "${threads[at % ${#threads[@]}]}" "${widths[at / ${#threads[@]}]}"
        done
    done
    [[ $failed == 0 ]] || exit 1
done
