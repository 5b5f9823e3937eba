#!/bin/bash
# `warpglass completion`: what a shell offers for words of the command. bash's is asked here; zsh and fish where they are
# installed.
. "$(dirname "$0")/expect.sh"
definitions=$tests/../../src/cli/options.def
[[ -s $definitions ]] || fail "no $definitions"
for shell in bash zsh fish; do
    expect 0 '' -- warpglass completion $shell
    cp "$stdout" words.$shell
    for option in $(grep -oE '^OPTION\([^"]*"[^"]+"' "$definitions" | sed 's/.*"-*\(.*\)"/\1/'); do
        grep -qF -- "$option" words.$shell || fail "$shell is not told of $option"
    done
done
expect 2 'for which shell\? bash, zsh or fish' -- warpglass completion tcsh
expect 2 'for which shell\?' -- warpglass completion
full() { "$WARPGLASS" completion bash > /dev/full; }
expect 1 'No space left' -- full

# offers WORD...: the last of them is the one that is completed; bash splits at "=".
. ./words.bash
offers() {
    COMP_WORDS=(warpglass "$@")
    COMP_CWORD=$#
    _warpglass
    echo "${COMPREPLY[*]}"
}
is() { [[ $1 == "$2" ]] || fail "bash offers '$1', not '$2'"; }
has() { [[ " $1 " == *" $2 "* ]] || fail "bash offers '$1', without '$2'"; }
has_no() { [[ " $1 " != *" $2 "* ]] || fail "bash offers '$1', with '$2'"; }
is "$(offers pro)" profile
is "$(offers comp)" 'compare completion'
has "$(offers --)" --version
has "$(offers run --)" --threads
has_no "$(offers run --)" --html
has "$(offers profile --h)" --html
is "$(offers run --schedule)" --schedule
is "$(offers cc --fm)" --fmad=
is "$(offers cc --fmad = t)" true
is "$(offers profile --sort ti)" time
is "$(offers profile --sort = '=')" ''
is "$(offers profile --sort =)" "$(offers profile --sort '')"
has "$(offers run --arch '')" sm_90
has "$(offers check --only '')" race
is "$(offers run x.cu)" '' # bash itself completes files
is "$(offers run x.cu -- --t)" '' # the program's
is "$(offers profile --html --)" '' # its value is a file
is "$(offers help occ)" occupancy
mkdir folder && : > file
is "$(offers cc -I f)" folder

if command -v fish > /dev/null; then
    export XDG_CONFIG_HOME=$scratch XDG_DATA_HOME=$scratch
    fish_offers() { fish --no-config -c "source words.fish; complete -C '$1'" | cut -f 1 | paste -sd' '; }
    fish_is() { [[ $(fish_offers "$1") == "$2" ]] || fail "fish offers '$(fish_offers "$1")' for '$1', not '$2'"; }
    fish_is 'warpglass pro' profile
    fish_is 'warpglass profile --htm' --html
    fish_is 'warpglass run --htm' ''
    fish_is 'warpglass check --only ra' race
    fish_is 'warpglass help occ' occupancy
    fish_is 'warpglass cc --fmad=t' --fmad=true
else
    echo "fish is not installed: its words were only written"
fi
if command -v zsh > /dev/null; then
    zsh -n words.zsh || fail "zsh cannot read its words"
else
    echo "zsh is not installed: its words were only written"
fi
finish
