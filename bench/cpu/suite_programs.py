"""The suite `programs`: twenty CUDA programs of our own beside plain C and OpenMP for the same problems."""
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from suite_run import measuring, run

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
COMMON = [PROGRAMS / "programs.c", PROGRAMS / "answers_whole.c", PROGRAMS / "answers_real.c", HERE / "problem.c"]
PLAIN = {"plain gcc": ("gcc-12", "gcc-12"), "plain clang": ("clang-19", "clang-19 libomp-19-dev")}
ENOUGH_MS = 40  # of launches in a round, as in measure.c


def table():
    """{name: its full sizes} of programs.h."""
    rows = re.findall(r'P\((\w+), ("[^"]*"), ([^",]+), [^"]*("[^"]*"), ([^",]+),', (PROGRAMS / "programs.h").read_text())
    return {name: f"{first} {what.strip(chr(34))}, {second} {other.strip(chr(34))}" for name, what, first, other, second in rows}


def compiled(words, folder, log):
    log = folder / f"{log}.log"
    with open(log, "w") as f:
        done = subprocess.run([str(w) for w in words], stdout=f, stderr=subprocess.STDOUT, check=False).returncode == 0
    return "" if done else f"{words[0]} failed, see {log}"


def build_plain(folder):
    """{column: its program, or why there is none}"""
    flags = shlex.split(os.environ.get("BENCH_CFLAGS", "-O3 -march=native"))
    columns, missing = {}, {}
    for column, (compiler, package) in PLAIN.items():
        program = folder / f"programs-{compiler}"
        if not shutil.which(compiler):
            missing[column] = f"there is no {compiler}; install: apt-get install {package}"
            continue
        words = [compiler, "-std=gnu17", "-Wno-pass-failed", *flags, "-fopenmp", *COMMON, *sorted((PROGRAMS / "plain").glob("*.c"))]
        why = compiled([*words, "-o", program, "-lm"], folder, program.name)
        if why:
            missing[column] = f"{why}; needed: apt-get install {package}"
        else:
            columns[column] = program
    return columns, missing


def build_cuda(names, warpglass, folder):
    """{name: why it was not built}"""
    objects, why = [], {}
    for source in COMMON:
        objects.append(folder / f"{source.stem}.o")
        failed = compiled(["cc", "-std=gnu17", "-O2", "-c", source, "-o", objects[-1]], folder, source.stem)
        if failed:
            sys.exit(f"bench: {failed}")
    for name in names:
        failed = compiled([warpglass, "cc", "-O3", PROGRAMS / f"{name}.cu", *objects, "-o", folder / name, "-lm"], folder, name)
        if failed:
            why[name] = failed
    return why


def time_of(words, limit):
    """Milliseconds, and what went wrong."""
    ended = run(words, limit)
    said = re.search(r"^time \S+ (\S+) ms", ended.text, flags=re.M)
    return (float(said.group(1)), "") if said and ended.status == 0 else (None, ended.why(limit) or "printed no time")


def measure_one(name, commands, o):
    row, notes = {"program": name}, []
    for _ in range(o.rounds):
        for column, words in commands.items():
            if row.get(column, 0) is None:
                continue  # failed once, which it would do again
            ms, why = time_of([*words[:1], "--repeat", o.repeat, "--for", ENOUGH_MS, *words[1:]], o.limit)
            if why:
                notes.append(f"{column}: {why}")
            row[column] = ms if ms is None else min(ms, row.get(column, ms))
    plain = [row[c] for c in PLAIN if row.get(c)]
    row["ratio"] = min(plain) / row["Warpglass"] if plain and row.get("Warpglass") else None
    row["note"], row["failed"] = "; ".join(notes), bool(notes)
    return row


def measure(o):
    known = table()
    for name in o.names:
        if name not in known:
            sys.exit(f"bench: no program is named '{name}'; there are {', '.join(known)}")
    names = o.names or list(known)
    if o.list:
        return [], [{"program": n, "sizes": known[n]} for n in names]
    folder = Path(os.environ.get("BENCH_BUILD", HERE.parent.parent / "build" / "bench-cpu")).resolve() / "programs"
    folder.mkdir(parents=True, exist_ok=True)
    plain, missing = build_plain(folder)
    unbuilt = build_cuda(names, o.warpglass, folder)
    rows = []
    for name in names:
        commands = {} if name in unbuilt else {"Warpglass": [folder / name]}
        commands.update({column: [program, name] for column, program in plain.items()})
        measuring(name)
        rows.append(measure_one(name, commands, o))
        if name in unbuilt:
            rows[-1].update(note=unbuilt[name], failed=True)
    for column, why in missing.items():
        print(f"{column}: missing: {why}")
    return ["program", "Warpglass", *PLAIN, "ratio"], rows
