#!/bin/bash
# bench/cpu/programs: CUDA and plain C give the right answers at small and odd sizes.
. "$(dirname "$0")/../cli/expect.sh"
suite=$tests/../../bench/cpu
sizes_of() { # of a program; one line for each run
    case $1 in
    queens) printf '%s\n' '4 4' '7 2' ;;
    bfs | sparse) printf '%s\n' '1 0' '517 3' ;;
    jacobi) printf '%s\n' '3 0' '45 3' ;;
    *) printf '%s\n' '1 1' '37 21' ;;
    esac
}
common=()
for source in programs/programs programs/answers_whole programs/answers_real problem; do
    cc -std=gnu17 -O1 -Wall -Wextra -Werror -c "$suite/$source.c" -o "${source##*/}.o" || fail "$source.c does not compile"
    common+=("${source##*/}.o")
done
cc -std=gnu17 -O1 -Wall -Wextra -Werror -fopenmp "${common[@]}" "$suite"/programs/plain/*.c -o plain -lm || fail "plain C does not compile"
sources=("$suite"/programs/*.cu)
printf '%s\n' "${sources[@]}" | xargs -P 2 -I{} sh -c '"$0" cc -O3 "$1" programs.o answers_whole.o answers_real.o problem.o \
    -o "$(basename "$1" .cu)" -lm || echo "$1 does not compile"' "$WARPGLASS" {} > compiled 2>&1
[[ ! -s compiled ]] || fail "$(cat compiled)"
((${#sources[@]} == 20)) || fail "${#sources[@]} programs"
for source in "${sources[@]}"; do
    name=$(basename "$source" .cu)
    while IFS= read -r sizes; do
        # shellcheck disable=SC2086
        expect 0 '' -- ./$name $sizes
        said '^'$name': 1 of 1 right$'
        # shellcheck disable=SC2086
        expect 0 '' -- ./plain --repeat 1 $name $sizes
        said "^time $name "
    done < <(sizes_of "$name")
done
expect 2 'penalty of a gap: from 0 to 100, not .101.' -- ./plain align 1 101
expect 2 'usage' -- ./plain nosuch
finish
