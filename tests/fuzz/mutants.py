#!/usr/bin/env python3
"""Mutants of the gallery, of tests/programs and of the right twins of tests/faulty: every launch by generated code and by
the reference (warpglass run --verify).

    mutants.py --warpglass FILE --fuzz FUZZ_KERNELS [--from SEED] [--count N | --seconds S] [--only PATTERN] [--keep FOLDER]
    mutants.py --warpglass FILE --fuzz FUZZ_KERNELS --replay FILE...       kept ones, at every width and level
    mutants.py --print SEED [--only PATTERN]                                the mutant's source

A mutant has numbers, types, operators, statements and their order, unroll pragmas, qualifiers, instances and shapes of
launches changed (edits.py), its device code is compiled by clang at -O0 to -O3 or by nvcc where it is, and the PTX may have
its statements in another order. One that does not compile, that has no kernel of its own, that launches nothing, or of which
`warpglass check` finds anything or has not come to an end counts for nothing; a program that differs counts as one kernel. What differs is cut down and kept.
"""
import argparse
import hashlib
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cuda
import edits

ROOT = Path(__file__).resolve().parents[2]
OUT = {  # which programs have no mutants, and why
    "programs/clocks": "prints what clocks say",
    "programs/graphs": "the order of its queues is that of atomics",
    "programs/capture_reset": "launches nothing that is compared",
    "programs/faults": "faults by design",
    "programs/added_faults": "faults by design",
    "programs/locks": "the reference takes minutes for locks that thousands of threads spin on",
    "programs/cub": "a minute of compiling for kernels of a library",
    "programs/thrust": "a minute of compiling for kernels of a library",
    "programs/last_block": "which block is the last is for atomics to decide",
    "programs/long_kernels": "a minute of compiling",
}
ARGUMENTS = {  # of the gallery: what the reference manages, and no multiples of anything
    "vector_add": "1009", "array_of_structures": "1009", "reverse": "1009", "divided_shared": "1009", "reduction": "1009",
    "transpose": "97 64", "matrix_product": "77 65 91", "mean_filter": "127 33", "histogram": "1009 257", "occupancy": "1000 5000"}


class Program:
    def __init__(self, path):
        self.path, self.folder = path, path.parent
        self.name = str(path.relative_to(ROOT)).removesuffix(".cu").removesuffix(".right").removeprefix("tests/")
        self.text = path.read_text()
        said = re.search(r"^// arguments: (.*)$", self.text, flags=re.M)
        self.arguments = (said.group(1) if said else ARGUMENTS.get(path.stem, "") if "kernels" in path.parts else "").split()
        self.plain = None  # its own kernels' hashes, for each compiler


def programs(only):
    found = sorted(ROOT.glob("kernels/*/*.cu")) + sorted(ROOT.glob("tests/programs/*.cu"))
    found += [f for f in sorted(ROOT.glob("tests/faulty/*/*.right.cu")) if "// options:" not in f.read_text()]
    all_of_them = [Program(f) for f in found]
    return [p for p in all_of_them if p.name not in OUT and re.search(only, p.name)]


class How:
    """What is drawn beside the changes: the compiler, the order of PTX, the machine."""

    def __init__(self, r, widths):
        self.compiler = r.choice(["-O3"] * 4 + ["-O1", "-O2", "-O0"] + ["nvcc"] * 2 * bool(shutil.which("nvcc")))
        self.order = r.randrange(1, 1 << 30) if r.random() < 0.4 else 0
        self.width = r.choice([w for w in (512, 512, 256, 256, 128) if w in widths])
        self.level = r.choice([2] * 8 + [1, 0])
        self.threads = r.choice([1, 3])

    def __str__(self):
        return f"compiler {self.compiler}, order {self.order}, width {self.width}, level {self.level}, threads {self.threads}"

    @staticmethod
    def read(words):
        how = How(random.Random(1), [128])
        m = re.search(r"compiler (\S+), order (\d+), width (\d+), level (\d+), threads (\d+)", words)
        how.compiler = m.group(1)
        how.order, how.width, how.level, how.threads = map(int, m.groups()[1:])
        return how


class Outcome:
    def __init__(self, what, said="", kernels=()):
        self.what, self.said, self.kernels = what, said, kernels


WRONG = ("differs", "crash", "checked", "endless")


class Bench:
    """Compiles and runs in a folder of its own."""

    def __init__(self, options):
        self.warpglass, self.fuzz = os.path.abspath(options.warpglass), os.path.abspath(options.fuzz)
        self.dir = tempfile.mkdtemp()
        said = self.run([self.warpglass, "info"], 10)[1]
        bits = re.search(r"\b(512|256|128)[- ]bit", said)
        self.widths = [w for w in (512, 256, 128) if w <= (int(bits.group(1)) if bits else 128)]
        self.commands = self.find_commands()

    def run(self, command, limit, env=()):
        """Status (negative: a signal; None: too long), standard error and output together."""
        def limits():
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 2))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))

        with tempfile.TemporaryFile() as out:
            p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, cwd=self.dir,
                                 env={**os.environ, "WARPGLASS_CACHE_DIR": os.path.join(self.dir, "cache"), **dict(env)},
                                 start_new_session=True, preexec_fn=limits)
            try:
                p.wait(6 * limit)
            except subprocess.TimeoutExpired:
                os.killpg(p.pid, signal.SIGKILL)
                p.wait()
            out.seek(0)
            said = out.read().decode(errors="replace")
        late = p.returncode in (-signal.SIGXCPU, -signal.SIGKILL, 124)
        return (None if late else p.returncode), said

    def find_commands(self):
        """What `warpglass cc` runs: for the device, for the host, and to link."""
        Path(self.dir, "plain.cu").write_text("__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n")
        said = self.run([self.warpglass, "cc", "-w", "--verbose", "-Xcompiler", "-O1", "plain.cu", "-o", "program"], 60)[1]
        lines = [x for x in re.findall(r"^warpglass: run (.*)$", said, flags=re.M) if "-emit-pch" not in x]
        found = []
        for line in lines:
            line = re.sub(r" -MD -MF \S+", "", line)
            line = re.sub(r"/tmp/warpglass\.\w+/(device\.ptx|0\.o)", r"\1", line)
            found.append(shlex.split(line.replace("plain.cu", "mutant.cu").replace("-o " + self.dir, "-o ")))
        return found

    def device(self, program, text, how):
        Path(self.dir, "mutant.cu").write_text(text)
        if how.compiler == "nvcc":
            command = ["nvcc", "-ptx", "-arch=sm_90", "-std=c++17", "-w", "-O3", "-lineinfo", "--extended-lambda", "mutant.cu", "-o",
                       "device.ptx"]
        else:
            command = [how.compiler if w == "-O3" else w for w in self.commands[0]] + ["-Xclang", "-fno-validate-pch", "-w"]
        status, said = self.run(command + ["-I", str(program.folder)], 40)
        if status:
            return None, said
        ptx = Path(self.dir, "device.ptx").read_text()
        if how.order:
            Path(self.dir, "ordered.ptx").write_text(cuda.bare(ptx))
            with open(os.path.join(self.dir, "device.ptx"), "w") as out:
                subprocess.run([self.fuzz, "--reorder", os.path.join(self.dir, "ordered.ptx"), str(how.order)], stdout=out, check=True)
        return hashes(ptx), said

    def host(self, program):
        with open(os.path.join(self.dir, "device.ptx"), "a") as out:
            out.write("\0")  # where text ends in a program
        for command in self.commands[1:]:
            host = command[0].endswith("++") or "clang" in command[0]
            extra = ["-I", str(program.folder), "-w", "-Xclang", "-fno-validate-pch"] if host else []
            status, said = self.run(command + extra, 40)
            if status:
                return said
        return None

    def checked(self, program, limit):
        """What `check` makes of it by the reference, which has nothing to compile: clean, racy, or too long."""
        status, said = self.run([self.warpglass, "check", "--timeout", str(limit), "program", "--", *program.arguments], limit + 4,
                                {"WARPGLASS_BACKEND": "ref", "WARPGLASS_THREADS": "1"}.items())
        return ("unknown" if status is None else "racy" if status == 3 or status < 0 or status > 100 else "clean"), said

    def verify(self, program, how, limit=25):
        env = {"WARPGLASS_WIDTH": how.width, "WARPGLASS_OPT": how.level, "WARPGLASS_THREADS": how.threads, "WARPGLASS_DUMP": "plan",
               "WARPGLASS_CACHE_DIR": "none"}
        return self.run([self.warpglass, "run", "--verify", "--timeout", str(limit), "program", "--", *program.arguments], limit + 10,
                        {k: str(v) for k, v in env.items()}.items())

    def judge(self, program, text, how, known=()):
        """One mutant. `known`: hashes of kernels that count for nothing."""
        found, said = self.device(program, text, how)
        if found is None:
            return Outcome("not compiled", said)
        own = {name for name, h in found.items() if h not in known}
        if not own:
            return Outcome("nothing new")
        said = self.host(program)
        if said is not None:
            return Outcome("not compiled", said)
        clean, said = self.checked(program, 6)
        if clean == "racy":
            return Outcome("racy", said)
        status, said = self.verify(program, how)
        if status is None and clean == "clean":
            status, said = self.verify(program, how, 300)  # slow, or without end
        ran = {squeezed(n) for n in re.findall(r"^plan of (.*): (?:CONVERGED|GENERAL)", said, flags=re.M)}
        said = "\n".join(x for x in said.splitlines() if not re.match(r"^(plan of |---- plan|  \w+ +.* (yes|no) )", x))
        kernels = {n for n in own if n in ran}
        what = "differs" if status == 4 else "checked" if "a check of its code failed" in said else "equal"
        if status is None:
            what = "endless" if clean == "clean" else "too long"
        elif status < 0 or status > 128:
            what = "crash"
        elif what == "equal" and not re.search(r"verify: .*: equal", said):
            what = "no launch"
        if clean == "unknown" and what == "equal":
            what = "equal but not checked"
        elif clean == "unknown" and what in WRONG and self.checked(program, 200)[0] != "clean":
            what = "racy"
        return Outcome(what, said, {found[n] for n in kernels})

    def close(self):
        shutil.rmtree(self.dir, ignore_errors=True)


def squeezed(name):
    return re.sub(r"\s|\(anonymous namespace\)::", "", name)


def hashes(ptx):
    """Kernels by their names as people read them, and what their code is."""
    found = {}
    for name, body in re.findall(r"\.entry (\w+)\((.*?)^\}", cuda.bare(ptx), flags=re.M | re.S):
        found[name] = hashlib.sha1(re.sub(r"\$L_*\w+|" + name, "", body).encode()).hexdigest()
    plain = subprocess.run(["c++filt"], input="\n".join(found), capture_output=True, text=True).stdout.splitlines()
    return {squeezed(n): h for n, h in zip(plain, found.values())}


def without_errors(drawn, text, said):
    """The changes but for those on lines that the compiler complains of."""
    bad = {int(n) for n in re.findall(r"mutant\.cu[:(](\d+)", said)}
    lines = edits.apply(text, drawn)[1]
    kept = [e for e, (a, b) in zip(sorted(drawn), lines) if not any(a <= n <= b for n in bad)]
    return kept if len(kept) < len(drawn) else kept[: len(kept) // 2]


def without_findings(drawn, text, said):
    """The changes but for those in kernels of which `check` found something, or but for those of shapes and sizes."""
    source = edits.Source(text)
    named = {m.split("<")[0].split("(")[0].split()[-1] for m in re.findall(r"^  \S+ in (.*?)(?:, (?:launch|earlier)|$)", said, flags=re.M)
             if m.split("<")[0].split("(")[0].split()}
    bad = [f for f in source.functions if any(re.search(r"\b%s\b" % re.escape(n), source.code[f[0]:f[1]]) for n in named)]
    kept = [e for e in drawn if not any(f[0] <= e[0] < f[2] for f in bad)]
    if len(kept) == len(drawn):
        kept = [e for e in drawn if e[3] not in ("shape", "tile", "instance", "types")]
    return kept if len(kept) < len(drawn) else kept[: len(kept) // 2]


class Hunt:
    def __init__(self, options):
        self.o, self.bench = options, Bench(options)
        self.programs = programs(options.only)
        self.count, self.kernels, self.compared, self.bad = {}, set(), 0, 0

    def draw(self, seed):
        r = random.Random(seed)
        kind = r.choice(["programs/"] * 7 + ["kernels/"] * 2 + ["faulty/"])
        program = r.choice([p for p in self.programs if p.name.startswith(kind)] or self.programs)
        return program, edits.draw(edits.Source(program.text), r), How(r, self.bench.widths)

    def known(self, program, how):
        if program.plain is None:
            program.plain = {}
        if how.compiler not in program.plain:
            program.plain[how.compiler] = set((self.bench.device(program, program.text, how)[0] or {}).values())
        return program.plain[how.compiler]

    def one(self, seed):
        program, drawn, how = self.draw(seed)
        known = self.known(program, how) if not how.order else ()
        for _ in range(6):
            text = edits.apply(program.text, drawn)[0]
            outcome = self.bench.judge(program, text, how, known)
            if outcome.what not in ("not compiled", "racy") or not drawn:
                break
            without = without_errors if outcome.what == "not compiled" else without_findings
            drawn = without(drawn, program.text, outcome.said)
        self.count[outcome.what] = self.count.get(outcome.what, 0) + 1
        if outcome.what == "equal":
            way = (how.width, how.level, how.threads, how.order)
            new = {(k, way) for k in outcome.kernels} - self.kernels
            self.kernels |= new
            self.compared += len(new)
        if self.o.verbose:
            print(f"{seed} {program.name} ({how}): {outcome.what}, {len(outcome.kernels)} kernels", flush=True)
            if outcome.what in ("no launch", "not compiled"):
                print(outcome.said[-400:])
        if outcome.what in WRONG:
            self.bad += 1
            self.keep(seed, program, drawn, how, outcome)

    def keep(self, seed, program, drawn, how, outcome):
        print(f"mutants.py --print {seed}: {program.name} ({how}): {outcome.what}\n{outcome.said[-1500:]}", flush=True)
        end = time.time() + self.o.cut

        def still(text):
            return time.time() < end and self.bench.judge(program, text, how).what == outcome.what

        text = edits.apply(program.text, fewer(drawn, lambda e: still(edits.apply(program.text, e)[0])))[0]
        text = edits.masked_comments(text)
        if still(text):
            for unit in (edits.functions, edits.lines):
                pieces = unit(text)
                text = "".join(fewer(pieces, lambda p: still("".join(p))))
        name = f"mutant-{program.path.name.split('.')[0]}-{seed}.cu"
        Path(self.o.keep, name).write_text(f"// Of {program.path.relative_to(ROOT)}, seed {seed}: {how}\n{text}")
        print(f"kept as {name}", flush=True)

    def summary(self, first):
        said = ", ".join(f"{n} {what}" for what, n in sorted(self.count.items(), key=lambda x: -x[1]))
        print(f"mutants: {sum(self.count.values())} programs: {said}")
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"mutants: {(used.ru_utime + used.ru_stime) / max(self.compared, 1):.2f} s of a core each")
        print(f"{self.compared + self.bad} kernels from seed {first} on: {self.compared} same, in mutants of programs")


def fewer(pieces, still):
    """Few of the pieces for which it is still so."""
    size = max(len(pieces) // 2, 1)
    while pieces:
        at = 0
        while at < len(pieces):
            rest = pieces[:at] + pieces[at + size:]
            if still(rest):
                pieces = rest
            else:
                at += size
        if size == 1:
            break
        size //= 2
    return pieces


def replay(options):
    bench, wrong = Bench(options), 0
    for file in options.replay:
        text = Path(file).read_text()
        head = text.splitlines()[0]
        program = Program(ROOT / re.match(r"// Of (\S+),", head).group(1))
        how = How.read(head)
        for how.width in bench.widths:
            for how.level in (2, 1, 0):
                outcome = bench.judge(program, text, how)
                if outcome.what != "equal":
                    print(f"{file}, {how.width} bits, level {how.level}: {outcome.what}\n{outcome.said[-1500:]}")
                    wrong += 1
    bench.close()
    print(f"{len(options.replay)} kept programs, {wrong} runs differ")
    return wrong != 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--warpglass", default=str(ROOT / "build/dev/bin/warpglass"))
    parser.add_argument("--fuzz", default=str(ROOT / "build/dev/tests/fuzz/fuzz_kernels_quick"))
    parser.add_argument("--from", type=int, default=1, dest="first")
    parser.add_argument("--count", type=int, default=1 << 60)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", default=".")
    parser.add_argument("--cut", type=float, default=300, help="seconds that cutting down may take")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--print", type=int)
    parser.add_argument("--replay", nargs="*")
    options = parser.parse_args()
    if options.replay is not None:
        return replay(options)
    hunt = Hunt(options)
    try:
        if options.print is not None:
            program, drawn, how = hunt.draw(options.print)
            print(f"// Of {program.path.relative_to(ROOT)}, seed {options.print}: {how}")
            print(edits.apply(program.text, drawn)[0])
            return 0
        end = time.time() + options.seconds
        for seed in range(options.first, options.first + options.count):
            if time.time() >= end:
                break
            hunt.one(seed)
        hunt.summary(options.first)
    finally:
        hunt.bench.close()
    return hunt.bad > 0


if __name__ == "__main__":
    sys.exit(main())
