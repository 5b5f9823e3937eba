# Of `--dump plan` on standard input: a line for each kernel's code, with the width, the forms that it has and on which
# lines. Sorted by who calls it; text that is no plan is passed over.
#     512 saxpy(int, float, float const*, float*) [CONVERGED, whole blocks]: whole, all_lanes 4, idle 4
function finish() {
    if (head != "") print head ":" forms
    head = forms = ""
}
/^plan of / {
    finish()
    n = match($0, /: [A-Z][^:]*, [0-9]+ bits, level [0-9]$/)
    version = substr($0, n + 2)
    split(version, part, /, /)
    width = version
    sub(/ bits, level [0-9]$/, "", width)
    sub(/.*, /, "", width)
    sub(/, [0-9]+ bits, level [0-9]$/, "", version)
    head = width " " substr($0, 9, n - 9) " [" version "]"
    next
}
head != "" && /^  [a-z_]+ / {
    if ($0 !~ /  yes( |$)/) next
    name = $1
    lines = ""
    if (match($0, /  yes   lines? .*/)) {
        lines = substr($0, RSTART, RLENGTH)
        sub(/  yes   lines? /, " ", lines)
        gsub(/,/, "", lines)
    }
    forms = forms (forms == "" ? " " : ", ") name lines
    next
}
{ finish() }
END { finish() }
