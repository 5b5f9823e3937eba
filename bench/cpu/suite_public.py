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
    ("cuda/*", lambda p: p.parent.parent / "openmp" / p.name),
    ("CUDA/**/*", lambda p: Path(*("OpenMP" if w == "CUDA" else w for w in p.parts))),
]
UNITS = {"s": 1, "sec": 1, "second": 1, "seconds": 1, "ms": 1e-3, "msec": 1e-3, "milliseconds": 1e-3, "us": 1e-6,
         "usec": 1e-6, "microseconds": 1e-6, "ns": 1e-9, "nanoseconds": 1e-9}


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
            if cuda.is_dir() and openmp.is_dir() and openmp != cuda and any(cuda.glob("*.cu")):
                found[re.sub("-cuda$", "", cuda.name)] = (cuda, openmp)
    return found


def executable(folder, name):
    """What was built there: the one called main, or like the program, or the only one."""
    built = [f for f in sorted(folder.iterdir()) if f.is_file() and f.stat().st_mode & 0o111 and
             f.suffix not in (".o", ".so") and open(f, "rb").read(4) == b"\x7fELF"]
    named = [f for f in built if f.stem.lower() in ("main", name.lower())]
    return (named or built or [None])[0] if named or len(built) < 2 else None


def printed_times(text):
    """{what it says before a time: seconds}, of lines about times."""
    times = {}
    unit = "|".join(UNITS)
    for line in text.splitlines():
        said = re.search(rf"^(.*?)([0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)\s*[\[(]?({unit})\b", line) or \
            re.search(rf"^(.*?[\[(]({unit})[\])].*?)([0-9]+(?:\.[0-9]*)?)\s*$", line)
        if not said or "time" not in line.lower():
            continue
        label, value, of = said.groups() if said.group(3) in UNITS else (said.group(1), said.group(3), said.group(2))
        label = " ".join(re.findall("[a-z]+", label.lower()))
        times[label] = times.get(label, 0) + float(value) * UNITS[of]
    return times


def compared(ours, theirs):
    """Seconds of both, and of what: the kernels' time if both print it in the same words, else the processes'."""
    mine, other = printed_times(ours.text), printed_times(theirs.text)
    common = [label for label in mine if other.get(label, 0) > 0 and mine[label] > 0]
    kernels = [label for label in common if "kernel" in label] or common
    if kernels:
        return sum(mine[k] for k in kernels), sum(other[k] for k in kernels), "kernels"
    return ours.seconds, theirs.seconds, "process"


def measure_one(name, folders, arguments, o):
    row = {"program": name, "arguments": " ".join(arguments)}
    programs = [executable(folder, name) for folder in folders]
    for program, folder, kind in zip(programs, folders, ("CUDA", "OpenMP")):
        if not program:
            return dict(row, note=f"{kind}: not built: there is no one executable in {folder}")
    words = [[o.warpglass, "run", programs[0], "--", *arguments], [programs[1], *arguments]]
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
        cuda = found[name][0]
        program = SimpleNamespace(folder=cuda, makefile=tests.Makefile(cuda / "Makefile"))
        rows.append(measure_one(name, found[name], tests.usual_arguments(program), o))
    return ["program", "Warpglass", "OpenMP", "time of", "ratio"], rows
