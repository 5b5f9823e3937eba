#!/bin/bash
# What action.yml keeps an installed Warpglass by: a hash of all that it is built from, and of how.
set -eu
cd "$(dirname "$0")/../.."
find CMakeLists.txt src device include tools -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-32
