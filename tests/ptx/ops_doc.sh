#!/bin/bash
# docs/ops.md is what wg_opsdoc prints: ops_doc.sh PROGRAM PAGE
set -eu
if ! "$1" | diff -u "$2" -; then
    echo "docs/ops.md is out of date: run $1 > docs/ops.md"
    exit 1
fi
