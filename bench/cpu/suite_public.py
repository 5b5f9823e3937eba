"""The suite `public`: programs of a clone that have a CUDA version and one with OpenMP, both of them built."""
import importlib.machinery
import importlib.util
import math
import re
import sys
from pathlib import Path
from types import SimpleNamespace

from suite_run import measuring, run

HERE = Path(__file__).resolve().parent
LAYOUTS = [  # pattern of the CUDA versions' folders, what of it names OpenMP's
    ("src/*-cuda", lambda p: p.with_name(re.sub("-cuda$", "-omp", p.name))),
    ("cuda/**/*", lambda p: Path("openmp", *p.parts[1:])),
    ("CUDA/**/*", lambda p: Path("OpenMP", *p.parts[1:])),
]
UNITS = {"s": 1, "sec": 1, "second": 1, "seconds": 1, "ms": 1e-3, "msec": 1e-3, "milliseconds": 1e-3, "us": 1e-6,
         "usec": 1e-6, "microseconds": 1e-6, "ns": 1e-9, "nanoseconds": 1e-9}
SHORT_MS = 200  # of a process, of which to start may be a tenth


def load_tests():
    """What tests/public/run knows of Makefiles."""
    loader = importlib.machinery.SourceFileLoader("public_run", str(HERE.parent.parent / "tests" / "public" / "run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("public_run", loader))
    loader.exec_module(module)
    return module


def pairs(root):
    """{name: (CUDA's folder, OpenMP's)}"""
    found = {}
    for pattern, other in LAYOUTS:
        for cuda in sorted(root.glob(pattern)):
            openmp = root / other(cuda.relative_to(root))
            has = [bool(list(folder.glob("[Mm]akefile"))) for folder in (cuda, openmp)]
            if all(has) and any(cuda.rglob("*.cu")):
                found[re.sub("-cuda$", "", cuda.name)] = (cuda, openmp)
    return found


def executable(folder, name):
    """What was built there: the one called main, or like the program, or the only one."""
    built = [f for f in sorted(folder.iterdir()) if f.is_file() and f.stat().st_mode & 0o111 and
             f.suffix not in (".o", ".so") and open(f, "rb").read(4) == b"\x7fELF"]
    named = [f for f in built if f.stem.lower() in ("main", name.lower())]
    return (named or built or [None])[0] if named or len(built) < 2 else None


NUMBER = r"([0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)"
TIMES = [re.compile(rf"^(?P<what>.*?){NUMBER}\s*[\[(]?(?P<unit>{'|'.join(UNITS)})\b"),  # ... time: 7.5 (us)
         re.compile(rf"^(?P<what>.*?[\[(](?P<unit>{'|'.join(UNITS)})[\])].*?){NUMBER}\s*$")]  # ... time (us): 7.5
ALONE = re.compile(rf"^\s*{NUMBER}\s*$")


def printed_times(text):
    """{what it says before a time: seconds}, of lines about times. PolyBench prints a number of seconds alone on a line,
    its CUDA versions with a line before it that says of what."""
    times, last = {}, ""
    for line in text.splitlines():
        said = next(filter(None, (t.search(line) for t in TIMES)), None)
        if said and "time" in line.lower():
            label = " ".join(re.findall("[a-z]+", said["what"].lower()))
            times[label] = times.get(label, 0) + float(said[2 if said.re is TIMES[0] else 3]) * UNITS[said["unit"]]
        elif ALONE.match(line) and "." in line and (not last or "seconds" in last):
            times.setdefault(last, float(line))
        last = line.lower().strip(" :")
    return times


def compared(ours, theirs):
    """Seconds of both, and of what: the kernels' time if both print it in the same words, else what is all that one prints,
    else the processes'."""
    mine, other = printed_times(ours.text), printed_times(theirs.text)
    common = [label for label in mine if other.get(label, 0) > 0 and mine[label] > 0]
    kernels = [label for label in common if "kernel" in label] or common
    if kernels:
        return sum(mine[k] for k in kernels), sum(other[k] for k in kernels), "kernels"
    if list(other) == [""] and mine:
        return next(iter(mine.values())), other[""], "kernels"
    return ours.seconds, theirs.seconds, "process"


def with_threads(cuda, openmp, threads):
    """The arguments of OpenMP's version: those of CUDA's, unless it has the same ones and others besides, of which a number
    is that of threads."""
    left, arguments = list(cuda), []
    for word in openmp:
        if left and word == left[0]:
            arguments.append(left.pop(0))
        else:
            arguments.append(str(threads) if word.isdigit() else word)
    return cuda if left else arguments


def measure_one(name, folders, arguments, o):
    """`arguments` are those of both versions."""
    row = {"program": name, "arguments": " ".join(arguments[0])}
    programs = [executable(folder, name) for folder in folders]
    for program, folder, kind in zip(programs, folders, ("CUDA", "OpenMP")):
        if not program:
            return dict(row, note=f"{kind}: not built: there is no one executable in {folder}")
    words = [[o.warpglass, "run", programs[0], "--", *arguments[0]], [programs[1], *arguments[1]]]
    for round in range(o.rounds + 1):  # the first warms caches, that of kernels too
        ended = [run(w, o.limit, cwd=folder) for w, folder in zip(words, folders)]
        for one, kind in zip(ended, ("CUDA", "OpenMP")):
            if one.status != 0:
                return dict(row, note=f"{kind}: {one.why(o.limit)}")
        if round == 0:
            continue
        for column, seconds in zip(("Warpglass", "OpenMP"), compared(*ended)):
            row[column] = min(row.get(column, math.inf), seconds * 1e3)
        row["time of"] = compared(*ended)[2]
    if row["time of"] == "process" and min(row["OpenMP"], row["Warpglass"]) < SHORT_MS:
        return dict(row, note="prints no time of kernels, and is too short to compare by the time of the process")
    row["ratio"] = row["OpenMP"] / row["Warpglass"]
    return row


def measure(o):
    if not o.names:
        sys.exit("bench: --suite public needs the folder of a clone: HeCBench, Rodinia or PolyBench-ACC")
    root, wanted = Path(o.names[0]).resolve(), o.names[1:]
    if not root.is_dir():
        sys.exit(f"bench: there is no folder '{o.names[0]}'")
    found = pairs(root)
    if not found:
        sys.exit(f"bench: '{o.names[0]}' has no pairs of CUDA and OpenMP: neither src/NAME-cuda and src/NAME-omp, nor "
                 "cuda/NAME and openmp/NAME, nor CUDA/ and OpenMP/ with the same folders")
    for name in wanted:
        if name not in found:
            sys.exit(f"bench: '{o.names[0]}' has no pair named '{name}'")
    if o.list:
        return [], [{"program": n} for n in wanted or found]
    tests, rows = load_tests(), []
    for name in wanted or found:
        measuring(name)
        cuda, openmp = (tests.shrunk(tests.usual_arguments(SimpleNamespace(folder=f, makefile=tests.Makefile(f / "Makefile"))),
                                     o.shrink) for f in found[name])
        rows.append(measure_one(name, found[name], (cuda, with_threads(cuda, openmp, o.threads)), o))
    return ["program", "Warpglass", "OpenMP", "time of", "ratio"], rows
