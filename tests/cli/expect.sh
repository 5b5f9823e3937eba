# Sourced by the tests of the command: a folder of their own, and what a command is expected to do.
#     expect 2 'unknown option' -- warpglass run --halp      status, and a pattern of standard error
#     said 'hello'                                           the last command's standard output holds a line like it
#     warpglass                                              the command under test, from $WARPGLASS
set -u
: "${WARPGLASS:?the path of the command under test}"
WARPGLASS=$(realpath "$WARPGLASS") || exit 1
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/warpglass-test.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
stdout=$scratch/.stdout stderr=$scratch/.stderr # of the last command that was expected something of
export WARPGLASS_CACHE_DIR=$scratch/cache
# Headers that were read once serve all tests of a build.
if [[ -w ${WARPGLASS%/bin/*} ]]; then
    mkdir -p "${WARPGLASS%/bin/*}/headers" cache
    ln -s "${WARPGLASS%/bin/*}/headers" cache/headers
fi
unset GITHUB_ACTIONS WARPGLASS_VERIFY WARPGLASS_ARCH WARPGLASS_DEVICES WARPGLASS_DUMP WARPGLASS_THREADS WARPGLASS_TIMEOUT
failures=0

warpglass() { "$WARPGLASS" "$@"; }

fail() {
    echo "FAILED: $*"
    echo "  output:  $(head -c 2000 "$stdout" 2> /dev/null)"
    echo "  errors:  $(head -c 2000 "$stderr" 2> /dev/null)"
    failures=$((failures + 1))
}

# expect STATUS PATTERN -- COMMAND...: PATTERN is an extended regular expression; '' for nothing on standard error.
expect() {
    local status=$1 pattern=$2 got
    shift 3
    "$@" > "$stdout" 2> "$stderr"
    got=$?
    [[ $got == "$status" ]] || fail "$*: status $got, not $status"
    if [[ -n $pattern ]]; then grep -qE -- "$pattern" "$stderr" || fail "$*: no message like '$pattern'"
    elif [[ -s $stderr ]]; then fail "$*: unexpected messages"; fi
}

said() { grep -qE -- "$1" "$stdout" || fail "no output like '$1'"; }
not_said() { ! grep -qE -- "$1" "$stdout" "$stderr" || fail "unexpected output like '$1'"; }

# Ends the test.
finish() {
    ((failures == 0)) && echo "all as expected"
    exit $((failures != 0))
}
