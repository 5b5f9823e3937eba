#!/bin/sh
# Runs the gallery's programs on the software GPU at small and odd sizes. Each program compares every
# element with plain C and says by its exit status whether all were right.
#
#   run_gallery.sh sizes PROGRAM [SET]           run it at every size of a set: "odd", or "few", which the
#                                                slow reference manages too
#   run_gallery.sh refuse PROGRAM                bad arguments: status 2, a message, and nothing run
#   run_gallery.sh wrong PROGRAM                 a program whose result is wrong: status 1, and it says so
#
# The machine is set from outside, by WARPGLASS_THREADS, WARPGLASS_BACKEND, WARPGLASS_WIDTH ... PLAN=FILE: which forms the
# kernels get in all of these sizes is compared with what FILE has (../plans.sh).
set -u

vectors="1 2 31 32 33 255 256 257 1009 65537"

# One line of arguments for each run: one element, a part of a warp, of a block, primes.
sizes_of() {
    case $1:$2 in
    vector_add:* | array_of_structures:* | reverse:* | divided_shared:* | reduction:*)
        for n in $vectors; do echo "$n"; done ;;
    transpose:*) printf '%s\n' "1" "1 33" "33 1" "31 77" "97 64" "128 128" ;;
    matrix_product:*) printf '%s\n' "1" "1 7 1" "17 33 15" "64 64 64" "77 65 91" ;;
    mean_filter:*) printf '%s\n' "1" "2 5" "3 3" "5 5" "6 4" "130 7" "127 33" "301 45" ;;
    histogram:few) printf '%s\n' "1 1" "1009 257" ;;
    histogram:*) printf '%s\n' "1 1" "1009 1" "257 256" "100003 1009" "65537 49152" "5003 60000" "20011 131071" ;;
    occupancy:few) printf '%s\n' "96" "1000 5000" ;;
    occupancy:*) printf '%s\n' "" "1" "31" "96" "1000 5000" "1024 200000" ;;
    *) echo "run_gallery.sh: no sizes are known for $1" >&2; exit 2 ;;
    esac
}

fail() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

failures=0
case ${1:-} in
sizes)
    program=$2 set=${3:-odd}
    sizes=$(sizes_of "$(basename "$program")" "$set") || exit 2
    runs=0
    said=$(mktemp)
    trap 'rm -f "$said"' EXIT
    [ -z "${PLAN:-}" ] || export WARPGLASS_DUMP=plan
    while IFS= read -r arguments; do
        # shellcheck disable=SC2086 # several sizes are several words
        output=$("$program" $arguments 2>&1)
        status=$?
        if [ -n "${PLAN:-}" ]; then
            echo "$output" >> "$said"
        fi
        runs=$((runs + 1))
        if [ $status -ne 0 ]; then
            echo "$output"
            fail "$program $arguments: status $status"
        elif ! echo "$output" | tail -n 1 | grep -q '\([0-9][0-9]*\) of \1 right$'; then
            echo "$output"
            fail "$program $arguments: status 0, but its last line does not say that all are right"
        elif [ -n "${WARPGLASS_VERIFY:-}" ] && ! echo "$output" | grep -q 'verify: .*: equal'; then
            echo "$output"
            fail "$program $arguments: generated code and the reference differ"
        fi
    done <<END
$sizes
END
    if [ -n "${PLAN:-}" ]; then
        bash "$(dirname "$0")/../plans.sh" "$said" "$PLAN" || fail "$program: other plans"
    fi
    echo "$(basename "$program"): $((runs - failures)) of $runs runs right" ;;
refuse)
    program=$2
    for arguments in 0 -1 9999999999 12x 2^99 --nonsense --repeat "--repeat 0" "--for 0" "1 2 3 4 5" "5 --only nothing"; do
        # shellcheck disable=SC2086
        message=$("$program" $arguments 2>&1 >/dev/null)
        status=$?
        [ $status -eq 2 ] || fail "$program $arguments: status $status, not 2"
        [ -n "$message" ] || fail "$program $arguments: no message"
    done
    "$program" --help | grep -q '^usage: ' || fail "$program --help" ;;
wrong)
    output=$("$2" 2>&1)
    status=$?
    [ $status -eq 1 ] || fail "$2: status $status, not 1"
    echo "$output" | grep -q 'is wrong in 2 of 100 values; the first, number 7 is 8, not 7' || fail "$2 said: $output" ;;
*)
    sed -n '2,/^set -u/{/^set -u/d;s/^# \{0,1\}//;p}' "$0" >&2
    exit 2 ;;
esac
[ $failures -eq 0 ]
