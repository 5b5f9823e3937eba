#!/bin/bash
# JSON reports are what docs/report.schema.json says: of recorded results, and of a program that runs here.
. "$(dirname "$0")/../cli/expect.sh"
data=$tests/../report/data
expect 0 '' -- warpglass profile "$data/transposes.json" --json recorded.json
expect 0 '' -- warpglass profile "$data/no_lines.json" --json no_lines.json
expect 0 '' -- warpglass profile "$tests/../../kernels/transpose/transpose.cu" --json run.json -- 64
python3 - "$tests/../../docs/report.schema.json" recorded.json no_lines.json run.json << 'END' || fail "a report is not what its schema says"
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
wrong = 0
for file in sys.argv[2:]:
    for error in jsonschema.Draft202012Validator(schema).iter_errors(json.load(open(file))):
        print(file, "/".join(map(str, error.path)), error.message[:200])
        wrong += 1
sys.exit(wrong > 0)
END
finish
