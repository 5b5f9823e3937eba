#!/bin/bash
# compiled.sh PROGRAM: runs each kernel of bench/compile/kernels.cu, and compares which forms they get with compiled.plan.
set -eu
said=$(mktemp)
trap 'rm -f "$said"' EXIT
for kernel in $("$1"); do
    WARPGLASS_DUMP=plan "$1" "$kernel" 2>> "$said"
done
bash "$(dirname "$0")/../plans.sh" "$said" "$(dirname "$0")/compiled.plan"
