# Sourced by the tests of `warpglass mcp`: a folder for a server, and what to ask it.
. "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
mkdir work outside && cd work || exit 1
echo 'int main() { return 0; }' > ../outside/secret.cu
ln -s ../outside/secret.cu link.cu
echo 'int main() { return 0; }' > nothing.cu

# ask LINE...: the answers, one a line, into $answers.
answers=$scratch/answers
ask() {
    printf '%s\n' "$@" | timeout 900 "$WARPGLASS" mcp --timeout 200 --memory 2G > "$answers" 2> "$stderr" || fail "mcp: status $?"
    [[ ! -s $stderr ]] || fail "messages of the server"
    python3 -c 'import json, sys
for line in sys.stdin: assert json.loads(line)["jsonrpc"] == "2.0"' < "$answers" || fail "no JSON-RPC"
}
# answer PATTERN: some line of the answers is like it. lines N: so many.
answer() { grep -qE -- "$1" "$answers" || fail "no answer like '$1' in $(head -c 400 "$answers")"; }
no_answer() { ! grep -qE -- "$1" "$answers" || fail "an answer like '$1' in $(head -c 400 "$answers")"; }
lines() { [[ $(wc -l < "$answers") == "$1" ]] || fail "$(wc -l < "$answers") answers, not $1: $(head -c 1500 "$answers")"; }
call() { printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s}}' "$1" "$2" "$3"; }
