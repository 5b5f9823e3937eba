#!/bin/bash
# Installs Warpglass for action.yml, from the source that the action came with: install.sh PREFIX WHETHER-IT-IS-BUILT
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
if [[ $2 == true ]]; then
    "$source/tools/packages.sh" run
else
    "$source/tools/packages.sh" run build
    cmake -S "$source" -B "$1.build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWG_TESTS=OFF
    cmake --build "$1.build"
    # The archive has the libraries with it that a later machine may lack.
    cpack --config "$1.build/CPackConfig.cmake" -G TGZ -B "$1.package"
    mkdir -p "$1"
    tar xzf "$1.package"/*.tar.gz -C "$1" --strip-components 1
fi
echo "$1/bin" >> "$GITHUB_PATH"
