# GOLDEN, then the plans of this run: prints the latter, without what differs from run to run:
# - Whether addresses are tested can hang on what lies in the padding of a launch's parameters. A plan that GOLDEN has not in
#   that way is not compared: GOLDEN's of the other way is printed in its place.
# - Code for lanes that have parted (GENERAL) is made where some do, which in kernels whose blocks wait for one another hangs on
#   time. It is compared where both have it.
function head_of(line) { return substr(line, 1, match(line, /\]:/)) }
function other(head) {
    if (sub(/, testing addresses\]$/, "]", head)) return head
    sub(/\]$/, ", testing addresses]", head)
    return head
}
NR == FNR { golden[head_of($0)] = $0; next }
{
    head = head_of($0)
    said[head]
    if (!(head in golden) && other(head) in golden) $0 = golden[other(head)]
    else if (!(head in golden) && head ~ / \[GENERAL/) next
    print
}
END { for (head in golden) if (head ~ / \[GENERAL/ && !(head in said)) print golden[head] }
