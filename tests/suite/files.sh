#!/bin/bash
# Suite files: what is refused, with the line; nothing has run then.
. "$(dirname "$0")/../cli/expect.sh"
printf '#!/bin/sh\necho ran >> %q\n' "$scratch/ran" > yes && chmod +x yes

refused() { # message, the file's text
    printf '%b' "$2" > a.suite
    expect 2 "^warpglass: $1" -- warpglass suite a.suite
}
expect 2 'which suite\?' -- warpglass suite
expect 2 'one file, which lists all programs' -- warpglass suite a b
expect 2 '^warpglass: none.suite: No such file' -- warpglass suite none.suite
expect 2 '^warpglass: \.: Is a directory' -- warpglass suite .
refused 'a.suite: no programs' ''
refused 'a.suite: no programs' '# nothing\n\n  # indented\n'
refused 'a.suite: not a text file' 'a: run ./yes\n\0'
refused 'a.suite:2: expected NAME: COMMAND' 'a: run ./yes\nrun ./yes\n'
refused 'a.suite:1: a name has letters' 'a/b: run ./yes\n'
refused 'a.suite:1: a name has letters' '.a: run ./yes\n'
refused 'a.suite:1: a name has letters' ': run ./yes\n'
refused 'a.suite:1: a name has letters' "$(printf 'x%.0s' {1..101}): run ./yes"
refused "a.suite:3: program 'a' is already on line 1" 'a: run ./yes\n\na: run ./yes\n'
refused 'a.suite:1: the command is missing' 'a:\n'
for bad in '(status)' '(status -1)' '(status 256)' '(status 1' '(state 1)' 'status 1' '(status 1) x' '(status 1x)'; do
    refused 'a.suite:1: expected nothing but' "a $bad: run ./yes"
done
refused "a.suite:2: a: unknown option '--treads' of 'run': did you mean '--threads'" 'b: run ./yes\na: run --treads 3 ./yes\n'
refused "a.suite:1: a: unknown command 'rum': did you mean 'run'" 'a: rum ./yes\n'
refused 'a.suite:1: a: the command is run, check or profile' 'a: info\n'
refused 'a.suite:1: a: the command is run, check or profile' 'a: suite a.suite\n'
refused 'a.suite:1: a: the suite itself has the program write a JSON report' 'a: check --json x ./yes\n'
refused 'a.suite:1: a: which program' 'a: run --threads 2\n'
# All wrong lines are named at once.
refused 'a.suite:1: a: which program' 'a: run\nb: run\n'
grep -q 'a.suite:2: b: which program' "$stderr" || fail "the second line is not named"
printf 'a: run ./yes\n' > a.suite
for bad in 0 -1 x 1.5 5000; do expect 2 "--jobs $bad: expected a whole number" -- warpglass suite --jobs "$bad" a.suite; done
expect 2 '--timeout x: expected' -- warpglass suite --timeout x a.suite
[[ ! -e ran && ! -e a.suite.results ]] || fail "something ran"
touch plain
expect 1 'plain/lock: Not a directory|plain: Not a directory' -- warpglass suite --results plain a.suite
expect 1 '/no/such' -- warpglass suite --results /no/such/folder a.suite
expect 1 '--json /no/such/file' -- warpglass suite --json /no/such/file a.suite
[[ ! -e ran ]] || fail "something ran"

# Continued lines, quotes, names; commands run in the suite's folder.
mkdir -p deep
cat > deep/words <<'END'
#!/bin/sh
printf '<%s>' "$@"
exit $#
END
chmod +x deep/words
cat > deep/a.suite <<'END'
# a comment \
a.b_c+d-1 (status 3) : run \
    ./words -- 'one two' \
    "three" four
E: run ./words
END
expect 0 '' -- warpglass suite deep/a.suite
said '^2 programs: 2 as expected'
[[ $(cat deep/a.suite.results/run-1/output/a.b_c+d-1.txt) == '<one two><three><four>' ]] ||
    fail "the words are not as written"
# What a result file holds is not believed; the program runs again.
printf 'a: run ./yes\nb: run ./yes\n' > a.suite
expect 0 '' -- warpglass suite a.suite
rm a.suite.results/run-1/complete
echo '{' > a.suite.results/run-1/results/a.json
expect 0 'results/a.json:2: .*the program runs again' -- warpglass suite a.suite
[[ $(wc -l < ran) == 3 ]] || fail "$(wc -l < ran) runs"
finish
