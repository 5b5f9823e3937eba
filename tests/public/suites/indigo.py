"""Indigo 3: graph algorithms from templates with planted bugs. Its own generator makes the CUDA codes with and without them; of
each algorithm, by edges or vertices, and each bug the first code that has this one alone is taken (one with a thread for each
item, if there is one: with a block for each, as many as there are items, some bugs do nothing), and the first that has none
and is otherwise most like it."""
import re
import shutil
import subprocess
import sys
from suites.case import Attempt, Case

ADDRESS = {"memory", "race", "init", "kernel"}
BUGS = {
    "BoundsBug": ADDRESS, "NbrBoundsBug": ADDRESS, "NborBoundsBug": ADDRESS, "ExcessThreadsBug": ADDRESS, "FieldBug": ADDRESS,
    "RaceBug": {"race"}, "SyncBug": {"race", "barrier"}, "UninitializedBug": {"init"},
    **dict.fromkeys(("LivelockBug", "OverflowBug", "PrecedenceBug"), ADDRESS | {"barrier"}),
}
# The last has more vertices than a block has threads.
INPUTS = ["undirect_power_law_250n_2200e.egr", "undirect_star_500n_998e.egr", "undirected_graph_4n_12e_4095.egr",
          "undirect_simple_planar_1000n_3956e.egr"]
# Why one run of a kernel cannot show it.
LOGIC_REASONS = {
    "LivelockBug": "the host launches again and again; each launch is right",
    "OverflowBug": "a sum of numbers that wraps, which CUDA allows",
    "PrecedenceBug": "a product that wraps from 2^27 edges on, or too few threads: all that runs is right",
}
UNSEEN = {
    ("TC", "E", "NbrBoundsBug"): "what stands behind a list is the next one's first, and of the last list nothing is asked for",
}
# Codes without a planted bug that have one nevertheless, and what it is; the second only with an input that is a star.
FAULTY_ANYWAY = [
    (r"^(BFS|SSSP)_CUDA_E_Data", "uninitialised-use", "a thread for each vertex clears the times of the edges, which are more"),
    (r"^MST_CUDA_V_Data", "out-of-bounds", "a worklist for half of the edges takes all vertices, which a star has more of"),
    (r"^PR_CUDA_Pull.*_Thread_Determ_BlockAdd", "race-block", "threads read the block's sum while others add to it"),
    (r"^PR_CUDA.*_Block_", "race-block", "all threads of a block do one vertex, and read what the others write"),
]


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


def attempts(copy, code):
    source = ["0"] if words(code.stem)[0] in ("BFS", "SSSP") else []
    return [Attempt([code], ["-I", copy / "lib"], arguments=[copy / "inputs" / i, "1", *source], enough=False) for i in INPUTS]


def cases(root, scratch):
    copy = generate(root, scratch)
    codes = {f.stem: f for f in sorted((copy / "generatedCodes/CUDA").rglob("*.cu")) if "CudaAtomic" not in words(f.stem)}
    right = [n for n in codes if not bugs(n)]
    faulty, twins = {}, set()
    for name in sorted(codes, key=lambda n: ("Thread" not in words(n), n)):
        if len(bugs(name)) == 1:
            faulty.setdefault((family(name), bugs(name)[0]), name)
    for (which, bug), name in faulty.items():
        besides = {k for pattern, k, _ in FAULTY_ANYWAY if re.search(pattern, name)} - {"out-of-bounds"}
        reason = LOGIC_REASONS.get(bug) or UNSEEN.get((*which, bug), "")
        yield Case(name, bug, BUGS[bug], copy, attempts(copy, codes[name]), unseen=reason, besides=besides)
        twins.add(max((n for n in right if family(n) == which), key=lambda n: (likeness(name, n), n)))
    for name in sorted(twins):
        anyway = [k for pattern, k, _ in FAULTY_ANYWAY if re.search(pattern, name)]
        kind, checks = ("right, but faulty", set(anyway)) if anyway else ("right", set())
        yield Case(name, kind, checks, copy, attempts(copy, codes[name]))
