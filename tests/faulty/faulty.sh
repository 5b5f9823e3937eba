#!/bin/bash
# Programs with a planted fault, and their twins without it: tests/faulty/README.md says what they look like.
#     faulty.sh FOLDER            all programs of tests/faulty/FOLDER
#     faulty.sh FOLDER NAME...    NAME.cu and NAME.right.cu alone
. "$(dirname "$0")/../cli/expect.sh"
faulty=$tests/../faulty
# Runs are in a folder of their own with the file's name alone, so that reports name it so.
mkdir programs && cp "$faulty/$1"/* programs && cd programs || exit 1
shift
export WARPGLASS COLUMNS=80
python3 "$faulty/faulty.py" "$@" || failures=1
finish
