#!/usr/bin/env python3
"""Programs with a planted fault, and their twins without it: README.md says what they look like.

    WARPGLASS=build/dev/bin/warpglass python3 tests/faulty/faulty.py FOLDER [NAME...]

FOLDER is one of those here; NAME stands for NAME.cu and NAME.right.cu, which are otherwise all in it."""
import json, os, pathlib, re, shutil, subprocess, sys, tempfile

# How programs run: generated code and the reference, one thread and three. To save time one program in four goes all
# ways, and all do where FAULTY_ALL is set (the long tier); the others run in code that was made in the quickest way, in
# which the same is asked and told.
ALL_WAYS = [("jit", 3, {}), ("jit", 1, {}), ("ref", 1, {}), ("ref", 3, {})]
ONE_WAY = [("jit", 3, {"WARPGLASS_OPT": "0"})]


class Expected:
    """What the comment says that a file opens with."""

    def __init__(self, file):
        self.findings, self.says, self.status, self.options, self.arguments = [], [], None, [], []
        for line in open(file):
            if not line.startswith("//"):
                break
            m = re.match(r"// (expect|says|status|options|arguments): (.*\S)", line)
            if not m:
                continue
            if m[1] == "says":
                self.says.append(" ".join(m[2].split()))
            elif m[1] == "status":
                self.status = int(m[2])
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
    backend, threads, more = way
    report = f"{file}.json"
    if os.path.exists(report):
        os.unlink(report)
    command = [os.environ["WARPGLASS"], "check", "--timeout", "60", *expected.options, "--threads", str(threads)]
    done = subprocess.run([*command, "--json", report, file, "--", *expected.arguments], capture_output=True, text=True,
                          errors="replace", env={**os.environ, "WARPGLASS_BACKEND": backend, **more})
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
        got = [(f["kind"], f["where"]["file"] if f["where"] else "", f["where"]["line"] if f["where"] else 0,
                other_line(f), f["benign"]) for f in found]
        if sorted(got) != sorted(expected.findings):
            yield "found:\n" + shown(got) + "\n  expected:\n" + shown(expected.findings)
    for says in expected.says:
        if says not in " ".join(text.split()):
            yield f"the report does not say: {says}"
    if status != expected.status:
        yield f"status {status}, not {expected.status}"


def judge(file, twin, ways):
    """Whether all is as expected."""
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
            wrong.append(f"with {way[:2]} not as with {ways[0][:2]}: status {another}, not {status}; the report is\n{other}")
    if wrong:
        print(f"FAILED: {file}: " + "\n  ".join(wrong))
        print("".join(f"  | {line}\n" for line in said.splitlines()[:15] + text.splitlines()[:40]))
    return not wrong


def surroundings(scratch):
    """A cache of the test's own; headers that were read once serve all tests of a build (../cli/expect.sh)."""
    build = pathlib.Path(os.environ["WARPGLASS"]).parents[1]
    (scratch / "cache").mkdir()
    if os.access(build, os.W_OK):
        (build / "headers").mkdir(exist_ok=True)
        (scratch / "cache/headers").symlink_to(build / "headers")
    for name in "ARCH", "DUMP", "THREADS", "TIMEOUT":
        os.environ.pop(f"WARPGLASS_{name}", None)
    os.environ.update(WARPGLASS_CACHE_DIR=str(scratch / "cache"), COLUMNS="80")


def main(folder, *names):
    os.environ["WARPGLASS"] = os.path.realpath(os.environ["WARPGLASS"])
    folder = pathlib.Path(__file__).parent.resolve() / folder
    names = names or sorted(f.stem for f in folder.glob("*.cu") if not f.name.endswith(".right.cu"))
    right = bool(names)
    with tempfile.TemporaryDirectory(prefix="warpglass-test.") as scratch:
        surroundings(pathlib.Path(scratch))
        # Runs are in this folder with the file's name alone, so that reports name it so.
        shutil.copytree(folder, scratch, dirs_exist_ok=True)
        os.chdir(scratch)
        for i, name in enumerate(names):
            ways = ALL_WAYS if "FAULTY_ALL" in os.environ or i % 4 == 0 else ONE_WAY
            right &= judge(f"{name}.cu", False, ways)
            right &= judge(f"{name}.right.cu", True, ways)
        os.chdir("/")
    print(f"{len(names)} programs and their twins")
    return not right


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
