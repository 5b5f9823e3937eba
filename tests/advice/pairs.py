"""Holds advice to what programs expect of it: pairs.py PROGRAM.cu REPORT.json [...]

In the program, before a kernel's head:
    //! says KIND "fragment"    there is such advice, and its words or figures have the fragment
    //! not KIND "fragment"     there is none such; without a fragment, none of this kind
    //! once KIND               there is one such, and no other
    //! silent                  there is none at all
    //! headline "fragment"     the sentence on the whole kernel has it; `headline not "fragment"`: it has not
"""
import json
import re
import sys


def expectations(path):
    expected, waiting = {}, []
    for line in open(path, encoding="utf-8"):
        if line.startswith("//! "):
            waiting.append(line[4:].strip())
        head = re.match(r".*__global__ .*?(\w+)\(", line)
        if head:
            expected[head.group(1)] = waiting
            waiting = []
    return expected


def words(advice):
    figures = f"{advice['before']} {advice['unit']} would be {advice['after']}" if advice["unit"] else ""
    return " ".join([advice["title"], advice["text"], figures])


def holds(rule, kernel):
    kind, fragment = re.match(r'(.*?) *(?:"(.*)")?$', rule).groups()
    if kind == "silent":
        return not kernel["advice"]
    if kind.startswith("headline"):
        return (fragment in kernel["statement"]) == (kind == "headline")
    what, kind = kind.split()
    if what == "once":
        return sum(a["kind"] == kind for a in kernel["advice"]) == 1
    found = any(a["kind"] == kind and (not fragment or fragment in words(a)) for a in kernel["advice"])
    return found == (what == "says")


wrong = kernels = 0
for program, report in zip(sys.argv[1::2], sys.argv[2::2]):
    by_name = {k["display"].split("(")[0].split(" ")[-1].split("<")[0]: k for k in json.load(open(report))["kernels"]}
    for name, rules in expectations(program).items():
        kernels += 1
        if name not in by_name or not rules:
            print(f"{program}: {name} was not launched, or expects nothing")
            wrong += 1
            continue
        for a in by_name[name]["advice"]: # of the time that the report gives for the kernel
            if a["seconds"] and abs(a["seconds"] / by_name[name]["model"]["seconds"] - 1) > 0.01:
                wrong += 1
                print(f"{name}: {a['kind']}: {a['seconds']} seconds of {by_name[name]['model']['seconds']}")
        for rule in rules:
            if holds(rule, by_name[name]):
                continue
            wrong += 1
            print(f"{name}: {rule}: but {by_name[name]['statement']}")
            for a in by_name[name]["advice"]:
                print(f"    {a['kind']}: {words(a)}")
print(f"{kernels} kernels, {wrong} expectations not met")
sys.exit(wrong > 0)
