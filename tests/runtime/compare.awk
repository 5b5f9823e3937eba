# Compares what a conformance probe printed with the truth measured on a GPU, but for a reviewed list of differences.
#
#     awk -f compare.awk differences truth ours
#
# A line is "probe: call = code". Where the truth says "signal", the real library crashed: there only the lines before
# it are compared, and ours must not crash. The list has, after a comment that says why,
#     @ probe 3              the third line of that probe
#     - what the truth says
#     + what ours says       (none, or several)
# A difference that is listed and not there any more fails too.
FILENAME == ARGV[1] {
    if ($0 ~ /^@ /) { key = $2 SUBSEP $3; listed[key] = 1 }
    else if ($0 ~ /^- /) { was[key] = substr($0, 3) }
    else if ($0 ~ /^\+ /) { becomes[key] = becomes[key] substr($0, 3) "\n" }
    next
}
{
    gsub(/\( +/, "(")         # where a formatter broke a line of the probe
    gsub(/void\*/, "void *") # NULL, as clang's header spells it
    probe = $1
    sub(/:$/, "", probe)
}
FILENAME == ARGV[2] {
    if (!(probe in known)) { known[probe] = 1; order[++norder] = probe }
    if ($2 == "signal") { crashed[probe] = 1; next }
    line = ++at[probe]
    key = probe SUBSEP line
    if (key in listed) {
        used[key] = 1
        if (was[key] != $0) { print "the list of differences does not match the truth: " $0; bad++ }
        expected[probe] = expected[probe] becomes[key]
    } else {
        expected[probe] = expected[probe] $0 "\n"
    }
    next
}
{
    if (!(probe in known)) { print "not in the truth: " $0; bad++; next }
    if ($2 == "signal") { print "crashed: " $0; bad++ }
    ours[probe] = ours[probe] $0 "\n"
}
END {
    for (i = 1; i <= norder; i++) {
        p = order[i]
        got = crashed[p] ? substr(ours[p], 1, length(expected[p])) : ours[p]
        if (got == expected[p]) continue
        n = split(expected[p], e, "\n")
        m = split(got, o, "\n")
        for (k = 1; k <= n || k <= m; k++)
            if (e[k] != o[k]) { print "expected " e[k] "\n     got " o[k]; bad++ }
    }
    for (k in listed) if (!(k in used)) { split(k, part, SUBSEP); print "listed, but not in the truth: " part[1] " " part[2]; bad++ }
    print bad ? bad " differences" : "as on the GPU, but for the reviewed differences"
    exit bad > 0
}
