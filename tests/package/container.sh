#!/bin/bash
# The container file, without a container: its commands are a shell's, what it copies has no build of this machine in it and can be
# configured as it says, and the package that it installs is the one that cpack names.
. "$(dirname "$0")/../cli/expect.sh"
root=$(realpath "$tests/../..")
file=$root/tools/container/Containerfile

sed -e ':join' -e '/\\$/{N;s/\\\n//;b join' -e '}' "$file" | grep -v '^#' > instructions
! grep -vE '^(FROM|COPY|WORKDIR|RUN|ENTRYPOINT) |^$' instructions || fail "unknown instructions"
sed -n 's/^RUN //p' instructions | bash -n || fail "its commands are not a shell's"

# What "COPY ." takes: all that .dockerignore does not name. A build of another folder there, CMake refuses to go on with.
mkdir context
cp "$root/.dockerignore" context
(cd "$root" && git ls-files -z | grep -zv '^tests/' | tar -c --null -T - --ignore-failed-read 2> /dev/null) | tar -x -C context
mkdir -p context/tests context/build/release context/.git
echo '# no tests' > context/tests/CMakeLists.txt
echo 'CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere' > context/build/release/CMakeCache.txt
# shellcheck disable=SC2086
sed '/^#/d; s,^/,,' context/.dockerignore | (cd context && while read -r pattern; do rm -rf -- $pattern; done)
[[ ! -e context/build && ! -e context/.git ]] || fail "builds of this machine are copied"
configured=$(grep -oE 'cmake --preset [a-z]+' instructions)
# shellcheck disable=SC2086
(cd context && $configured > "$stdout" 2> "$stderr") || fail "'$configured' does not work there"
grep -qE 'CPACK_GENERATOR.*DEB' context/build/release/CPackConfig.cmake || fail "cpack makes no Debian package"
while read -r name; do
    [[ -x $root/$name ]] || fail "$name is not there"
done < <(grep -oE 'tools/[a-z_]+\.sh' instructions)
finish
