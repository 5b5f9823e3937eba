"""Programs of a suite under NVIDIA's compute-sanitizer, on a GPU, for the comparison in docs/check.md: built by nvcc, each run
once under each of the four tools, with the tool's own defaults."""
import re
import shlex
import subprocess

TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]
# What the tools call their count. A hazard that racecheck calls a warning counts.
COUNT = re.compile(r"(?:ERROR SUMMARY: (\d+) error|RACECHECK SUMMARY: (\d+) hazard|LEAK SUMMARY: .*?(\d+) bytes? leaked)")


def errors(text):
    return sum(int(next(n for n in m.groups() if n)) for m in COUNT.finditer(text))


def architecture():
    """Of the GPU that is there, as nvcc's -arch has it."""
    asked = subprocess.run(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"], capture_output=True, text=True)
    numbers = asked.stdout.split("\n")[0].strip().replace(".", "")
    return "sm_" + numbers if numbers.isdigit() else "native"


class Sanitizer:
    """Builds an attempt and runs it under the tools, on behalf of a Runner, which runs commands with a limit."""

    def __init__(self, runner):
        self.runner, self.arch = runner, architecture()

    def flags(self, c):
        """What of the options for `warpglass check` is for the compiler. Some of sm_90a is in no other target."""
        words = shlex.split(" ".join(map(str, c.options)))
        asked = [w for o, w in zip(words, words[1:]) if o == "--arch"]
        passed = [w for o, v in zip(words, words[1:]) if o == "-Xcompiler" for w in (o, v)]
        arch = (asked or [self.arch])[0].replace("sm_", "")
        return [f"-gencode=arch=compute_{arch},code=sm_{arch}", *passed]

    def once(self, c, attempt, base):
        """Status (3: something was found, None: it took too long), seconds, what was printed, and findings as `warpglass check`
        has them, with the tool for their kind; None for them where it was not built."""
        program = f"{base}.out"
        words = ["nvcc", "-w", "-O3", "-lineinfo", "-std=c++17", *self.flags(c), *attempt.flags, *attempt.sources, "-o", program]
        status, total, text = self.runner.command([*words, *attempt.libraries], f"{base}.log", c.folder)
        if status != 0:
            return status, total, text, None
        findings, late = [], False
        for tool in TOOLS:
            leaks = ["--leak-check", "full"] if tool == "memcheck" and "--leaks" in c.options else []
            words = ["compute-sanitizer", "--tool", tool, *leaks, program, *attempt.arguments]
            status, seconds, said = self.runner.command(words, f"{base}.{tool}.log", c.folder, attempt.input, besides=0)
            total, text, late = total + seconds, text + said, late or status is None
            if errors(said):
                findings.append({"check": tool, "kind": tool, "benign": False})
        return 3 if findings else None if late else 0, total, text, findings
