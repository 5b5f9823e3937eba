#!/bin/bash
# A test program of cuBLAS, where the machine has a BLAS.
if ! ldconfig -p | grep -qE 'libopenblas\.so\.0'; then
    echo "skipped: there is no libopenblas.so.0 (libopenblas0-pthread)"
    exit 77
fi
exec "$@"
