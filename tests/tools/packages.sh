#!/bin/bash
# tools/packages.sh with a stage set for it: apt-get, dpkg-query, id and sudo are stand-ins that write down what
# they were asked.
set -u
tools=$(cd "$(dirname "$0")/../../tools" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/warpglass-test.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/tools"
cd "$scratch" || exit 1
cp "$tools/packages.sh" tools/
printf '# a comment\nfirst run because\nsecond run because\nthird test because\n' > tools/packages.txt
for program in bash dirname mktemp rm tail grep; do ln -s "$(command -v $program)" bin/; done

stand_in() {
    printf '#!/bin/bash\n%s\n' "$2" > "bin/$1"
    chmod +x "bin/$1"
}
failures=0
# expect STATUS PATTERN ASKED GROUPS...: what it ends with, says, and asks of apt-get.
expect() {
    local status=$1 pattern=$2 asked=$3
    shift 3
    : > asked
    PATH=$scratch/bin ASKED=$scratch/asked bash tools/packages.sh "$@" > out 2>&1
    local got=$?
    [[ $got == "$status" ]] && { [[ -z $pattern && ! -s out ]] || grep -q -- "$pattern" out; } && [[ $(tr '\n' ';' < asked) == "$asked" ]] && return
    echo "FAILED: $*: status $got, said '$(cat out)', asked '$(tr '\n' ';' < asked)'"
    failures=$((failures + 1))
}

stand_in dpkg-query '[[ $4 == second ]] || [[ -n ${EVERYTHING:-} ]] && echo -n installed'
stand_in id 'echo 0'
expect 1 "not a Debian system.*" "" run
expect 1 "first third" "" run test
EVERYTHING=1 expect 0 "" "" run test
stand_in apt-get 'echo "$*" >> "$ASKED"'
expect 0 "Installing: first$" "update -q;install -q -y --no-install-recommends first;" run
expect 0 "Installing: first third" "update -q;install -q -y --no-install-recommends first third;" run test
stand_in id 'echo 1000'
expect 1 "neither root nor sudo.*" "" run
expect 1 "apt-get install first third" "" run test
stand_in sudo 'echo sudo >> "$ASKED"; exec "$@"'
expect 0 "Installing: first$" "sudo;update -q;sudo;install -q -y --no-install-recommends first;" run
stand_in apt-get 'echo "E: no network"; exit 100'
expect 1 "E: no network" "sudo;" run
exit $((failures != 0))
