#!/bin/bash
# The gallery's programs are right: nothing is to be found in any of them.
. "$(dirname "$0")/../cli/expect.sh"
sizes_of() {
    case $1 in
    transpose) echo 97 64 ;;
    matrix_product) echo 77 65 91 ;;
    mean_filter) echo 301 45 ;;
    histogram) echo 20011 1009 ;;
    *) echo 65537 ;;
    esac
}
for source in "$tests"/../../kernels/*/*.cu; do
    topic=$(basename "$source" .cu)
    [[ $topic != occupancy ]] || continue # it has nothing to look at
    read -ra sizes <<< "$(sizes_of "$topic")"
    expect 0 '' -- warpglass check "$source" -- "${sizes[@]}"
    said '^clean$'
    not_said 'which launched no kernel'
done
finish
