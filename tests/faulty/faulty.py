#!/usr/bin/env python3
"""Runs and judges programs with a planted fault, for faulty.sh: in a folder where they lie, with NAME... for NAME.cu and
NAME.right.cu, which are otherwise all of that folder."""
import json, os, pathlib, re, subprocess, sys

# How programs run: generated code and the reference, one thread and three. To save time one program in four goes all
# ways, and all do where FAULTY_ALL is set (the long tier).
ALL_WAYS = [("jit", 3), ("jit", 1), ("ref", 1), ("ref", 3)]
ONE_WAY = ALL_WAYS[:1]


class Expected:
    """What the comment says that a file opens with."""

    def __init__(self, file):
        self.findings, self.says, self.status, self.options, self.arguments = [], [], None, [], []
        self.causes = None
        for line in open(file):
            if not line.startswith("//"):
                break
            m = re.match(r"// (expect|says|status|causes|options|arguments): (.*\S)", line)
            if not m:
                continue
            if m[1] == "says":
                self.says.append(" ".join(m[2].split()))
            elif m[1] in ("status", "causes"):
                setattr(self, m[1], int(m[2]))
            elif m[1] == "expect":
                self.findings.append(self.finding(file, m[2].split()))
            else:
                getattr(self, m[1]).extend(m[2].split())
        if self.status is None:
            self.status = 3 if self.faults() else 0

    def faults(self):
        return any(not benign for *_, benign in self.findings)

    @staticmethod
    def finding(file, words):
        place, other, where, benign = 0, 0, file, False
        rest = iter(words[1:])
        for word in rest:
            if word == "benign":
                benign = True
            elif word == "line":
                place = int(next(rest))
            elif word == "other":
                other = int(next(rest))
            elif word == "in":
                where = next(rest)
            else:
                sys.exit(f"{file}: what is '{word}' in '{' '.join(words)}'?")
        return words[0], where if place else "", place, other, benign


def run(file, expected, way):
    """The report as text and as JSON (None: there is none), the status, and what was said beside it."""
    backend, threads = way
    report = f"{file}.json"
    if os.path.exists(report):
        os.unlink(report)
    command = [os.environ["WARPGLASS"], "check", "--timeout", "60", *expected.options, "--threads", str(threads)]
    done = subprocess.run([*command, "--json", report, file, "--", *expected.arguments], capture_output=True, text=True,
                          errors="replace", env={**os.environ, "WARPGLASS_BACKEND": backend})
    text = re.sub(r" at 0x[0-9a-f]{12}\b", " at 0xADDRESS", done.stdout)  # of the host's memory, in each run another one
    found = json.load(open(report))["findings"] if os.path.exists(report) else None
    return text, found, done.returncode, done.stderr


def other_line(finding):
    if not finding["other"] or finding["check"] not in ("race", "barrier"):
        return 0
    frames = finding["other"]["frames"]
    return next((f["line"] for f in frames if "/include/" not in f["file"] and not f["file"].startswith("/usr/")), 0)


def shown(findings):
    return "\n".join("    " + " ".join(map(str, f)) for f in findings) or "    nothing"


def problems(expected, text, found, status):
    if found is None:
        yield "no report"
    else:
        if expected.causes not in (None, len(found)):
            yield f"{len(found)} findings, not {expected.causes}"
        got = [(f["kind"], f["where"]["file"] if f["where"] else "", f["where"]["line"] if f["where"] else 0,
                other_line(f), f["benign"]) for x in found for f in (x, *x.get("pairs", []))]
        if sorted(got) != sorted(expected.findings):
            yield "found:\n" + shown(got) + "\n  expected:\n" + shown(expected.findings)
    for says in expected.says:
        if says not in " ".join(text.split()):
            yield f"the report does not say: {says}"
    if status != expected.status:
        yield f"status {status}, not {expected.status}"


def judge(file, twin, ways):
    """Whether all is as expected."""
    if not os.path.exists(file):
        sys.exit(f"{file} is missing: each program has a twin, NAME.cu and NAME.right.cu")
    expected = Expected(file)
    if twin and expected.faults():
        sys.exit(f"{file}: the twin is to be clean")
    if not twin and not expected.findings:
        sys.exit(f"{file}: no '// expect:' in the comment it opens with")
    text, found, status, said = run(file, expected, ways[0])
    wrong = list(problems(expected, text, found, status))
    for way in ways[1:]:
        other, _, another, _ = run(file, expected, way)
        if (other, another) != (text, status):
            wrong.append(f"with {way} not as with {ways[0]}: status {another}, not {status}; the report is\n{other}")
    if wrong:
        print(f"FAILED: {file}: " + "\n  ".join(wrong))
        print("".join(f"  | {line}\n" for line in said.splitlines()[:15] + text.splitlines()[:40]))
    return not wrong


def main(*names):
    names = names or sorted(f.stem for f in pathlib.Path().glob("*.cu") if not f.name.endswith(".right.cu"))
    right = bool(names)
    for i, name in enumerate(names):
        ways = ALL_WAYS if "FAULTY_ALL" in os.environ or i % 4 == 0 else ONE_WAY
        right &= judge(f"{name}.cu", False, ways)
        right &= judge(f"{name}.right.cu", True, ways)
    print(f"{len(names)} programs and their twins")
    return not right


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
