# shellcheck shell=bash
# Sourced by tests of ranks on two hosts, after expect.sh: the hosts one and two, 10.99.0.1 and 10.99.0.2, are network namespaces
# with names of their own and a cable between them, so that there is nothing but TCP from one to the other. Skips where that
# is not permitted.
#     at $one COMMAND...      runs it there
skip() { echo "skipped: $*" && exit 77; }
command -v ip > /dev/null && command -v nsenter > /dev/null || skip "no ip or nsenter"
unshare --net --uts --mount --time true 2> /dev/null || skip "namespaces are not permitted here"

# The second has another clock: as those of two machines, they began to count at different times.
mkfifo one.up two.up
host() { # name, what else unshare takes
    unshare --net --uts --mount "${@:2}" bash -c "hostname $1 && echo up > $1.up && exec sleep 600" &
}
host one; one=$!
host two --time --monotonic 100000; two=$!
trap 'kill $one $two 2> /dev/null; rm -rf "$scratch"' EXIT
read -r _ < one.up; read -r _ < two.up
at() { nsenter -t "$1" -n -u -m -T -W "$PWD" "${@:2}"; }
at $one ip link add wg0 type veth peer name wg0 netns $two 2> /dev/null || skip "no cable between network namespaces (veth)"
wire() { at "$1" ip address add "$2/24" dev wg0 && at "$1" ip link set wg0 up && at "$1" ip link set lo up; }
wire $one 10.99.0.1 && wire $two 10.99.0.2 || fail "the network"
