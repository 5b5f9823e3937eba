#!/bin/bash
# JSON, SARIF and JUnit: valid by their schemas, and with the same findings in each.
. "$(dirname "$0")/stage.sh"
echo 'leak # known' > suppress
expect 3 '' -- warpglass check --leaks ./leaves --json all.json --sarif all.sarif --junit all.xml -- "$data/findings.json" 7
expect 3 '' -- warpglass check --leaks ./leaves --suppress suppress --json some.json --sarif some.sarif --junit some.xml -- "$data/findings.json"
sed 's/"findings": \[/&],"x": [/' "$data/findings.json" > clean.findings
expect 0 '' -- warpglass check ./leaves --json none.json --sarif none.sarif --junit none.xml -- clean.findings
python3 - "$tests/../.." << 'END' || fail "a file is not what it should be"
import json, sys
import xml.etree.ElementTree as tree
import jsonschema
root, wrong = sys.argv[1], 0
def check(good, what):
    global wrong
    if not good:
        print(what)
        wrong += 1
def valid(file, schema):
    jsonschema.Draft202012Validator.check_schema(schema)
    for error in jsonschema.Draft202012Validator(schema).iter_errors(json.load(open(file))):
        check(False, f"{file}: {'/'.join(map(str, error.path))}: {error.message[:200]}")
ours = json.load(open(root + "/docs/check.schema.json"))
sarif = json.load(open(root + "/tests/check/sarif.schema.json"))
for name, found, counting, suppressed, status in ("all", 6, 5, 0, 7), ("some", 6, 4, 1, 0), ("none", 0, 0, 0, 0):
    valid(name + ".json", ours)
    valid(name + ".sarif", sarif)
    j, run = json.load(open(name + ".json")), json.load(open(name + ".sarif"))["runs"][0]
    check(len(j["findings"]) == found and j["counting"] == counting, name + ".json: not the findings it should have")
    check(len(run["results"]) == found, name + ".sarif: not the results it should have")
    rules = [r["id"] for r in run["tool"]["driver"]["rules"]]
    for f, r in zip(j["findings"], run["results"]):
        check(r["ruleId"] == f["kind"] and rules[r["ruleIndex"]] == f["kind"], name + ".sarif: another rule")
        check(r["message"]["text"] == f["message"], name + ".sarif: another message")
        check(bool(r["suppressions"]) == bool(f["suppressed"]), name + ".sarif: another suppression")
        where = r["locations"][0].get("physicalLocation")
        check(bool(where) == bool(f["where"]), name + ".sarif: no place")
        if where: check(where["region"]["startLine"] == f["where"]["line"], name + ".sarif: another line")
    check(run["invocations"][0]["exitCode"] == status, name + ".sarif: another status")
    suite = tree.parse(name + ".xml").getroot()[0]
    cases = suite.findall("testcase")
    failures, skipped, errors = (sum(len(c.findall(k)) for c in cases) for k in ("failure", "skipped", "error"))
    check(int(suite.get("tests")) == len(cases), name + ".xml: not so many tests")
    check(int(suite.get("failures")) == failures == counting, name + ".xml: failures")
    check(int(suite.get("skipped")) == skipped == suppressed, name + ".xml: skipped")
    check(int(suite.get("errors")) == errors == (status != 0), name + ".xml: errors")
    for c in cases: check(c.get("name") and c.get("classname"), name + ".xml: a case without a name")
sys.exit(wrong > 0)
END
finish
