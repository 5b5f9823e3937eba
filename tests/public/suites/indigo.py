"""Indigo 3: graph algorithms from templates with planted bugs. Its own generator makes the CUDA codes with and without them; of
each algorithm, by edges or vertices, and each bug the first code that has this one alone is taken, and the first that has
none and is otherwise most like it."""
import re
import shutil
import subprocess
import sys
from suites.case import Attempt, Case

ADDRESS, LOGIC = {"memory", "race", "init", "kernel"}, {"memory", "race", "init", "barrier", "kernel"}
BUGS = {
    "BoundsBug": ADDRESS, "NbrBoundsBug": ADDRESS, "NborBoundsBug": ADDRESS, "ExcessThreadsBug": ADDRESS, "FieldBug": ADDRESS,
    "RaceBug": {"race"}, "SyncBug": {"race", "barrier"}, "UninitializedBug": {"init"},
    "LivelockBug": LOGIC, "OverflowBug": LOGIC, "PrecedenceBug": LOGIC,
}
INPUTS = ["undirect_power_law_250n_2200e.egr", "undirect_star_500n_998e.egr", "undirected_graph_4n_12e_4095.egr"]
# Choices that name the right way instead of "No" and the bug.
RIGHT = {"RaceBug": {"Atomic", "NoRaceBug"}, "UninitializedBug": {"Init", "NoUninitializedBug"}}


def knows(root):
    return (root / "codeGen/configure.txt").is_file() and (root / "lib/cuda_atomic.h").is_file()


def generate(root, scratch):
    """All CUDA codes, in a copy, as the generator writes beside itself."""
    copy = scratch / "indigo"
    if (copy / "generated").exists():
        return copy
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns(".git"))
    configure = copy / "codeGen/configure.txt"
    head, mark, choice = configure.read_text().rpartition("CODE:")
    configure.write_text(head + mark + choice.replace("{nobug}", "{all}"))
    subprocess.run([sys.executable, "generate_all_codes.py", "cuda"], cwd=copy, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True)
    (copy / "generated").touch()
    return copy


def words(name):
    return name.split("_")


def bugs(name):
    return [w for w in words(name) if w in BUGS]


def family(name):
    """The algorithm, by edges or vertices (pull or push, where it knows no other)."""
    w = words(name)
    return w[0], w[2]


def likeness(name, other):
    return len(set(words(name)) & set(words(other)))


def cases(root, scratch):
    copy = generate(root, scratch)
    codes = {f.stem: f for f in sorted((copy / "generatedCodes/CUDA").rglob("*.cu")) if "CudaAtomic" not in words(f.stem)}
    right = [n for n in codes if not bugs(n)]
    faulty, twins = {}, {}
    for name in codes:
        if len(bugs(name)) == 1:
            faulty.setdefault((family(name), bugs(name)[0]), name)
    for (which, bug), name in faulty.items():
        twin = max((n for n in right if family(n) == which), key=lambda n: (likeness(name, n), n))
        twins.setdefault(twin, bug)
    for name, checks, kind in [(n, BUGS[b], b) for (_, b), n in faulty.items()] + [(n, set(), "right") for n in twins]:
        source = 0 if words(name)[0] in ("BFS", "SSSP") else None
        attempts = [Attempt([codes[name]], ["-I", copy / "lib"],
                            arguments=[copy / "inputs" / i, "1", *([str(source)] if source is not None else [])],
                            enough=False) for i in INPUTS]
        yield Case(name, kind, checks, copy, attempts)
