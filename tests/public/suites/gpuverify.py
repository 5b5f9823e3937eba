"""GPUVerify's CUDA tests: kernels with the sizes of their launch in a comment, and what a verifier is to say of them for any
arguments. A program is made around each: its words for the verifier mean nothing, but an assertion is one; parameters have the values
that a test asks for, or else 0, 1, and the number of a block's threads in turn; pointers get memory of their own, full of zeros.
"""
import re
from suites.case import Attempt, Case

PRELUDE = r"""
#include <cassert>
#include <cstdio>
#include <cstring>
#include <cooperative_groups.h>
#include <curand_kernel.h>
#include <type_traits>
#define __assert(...) assert((__VA_ARGS__))
#define __implies(a, b) (!(a) || (b))
#define __enabled() true
#define __no_read(p) true
#define __no_write(p) true
#define __other_int(x) (-1)
#define __mod_pow2(a, b) ((a) % (b))
#define __invariant(...) ((void)0)
#define __global_invariant(...) ((void)0)
#define __requires(...) ((void)0)
#define __ensures(...) ((void)0)
#define __assume(...) ((void)0)
#define __requires_fresh_array(...) ((void)0)
#define __axiom(...) static_assert(true, "")
namespace cooperative_groups {
template <class G> __device__ void synchronize(const G &g) { g.sync(); }
}
"""

MAIN = r"""
static void *fresh() {
    static unsigned char content[1 << 20];
    void *p;
    for (size_t i = 0; i < sizeof content; i++) content[i] = %(fill)s;
    cudaMalloc(&p, 16 << 20);
    cudaMemset(p, 0, 16 << 20);
    cudaMemcpy(p, content, sizeof content, cudaMemcpyHostToDevice);
    return p;
}
template <class T> T make(long value) {
    T x{};
    if constexpr (std::is_pointer_v<T>) {
        if constexpr (!std::is_function_v<std::remove_pointer_t<T>>) x = (T)fresh();
    } else if constexpr (std::is_arithmetic_v<T>) {
        x = (T)value;
    } else {
        void *p[sizeof(T) / 8 + 1];
        for (size_t i = 0; i < sizeof(T) / 8; i++) p[i] = fresh();
        memcpy((void *)&x, p, sizeof(T) / 8 * 8);
    }
    return x;
}
int main() {
%(body)s
    cudaError_t e = cudaDeviceSynchronize();
    puts(cudaGetErrorString(e));
}
"""

FAULTS = {"race", "memory", "init", "barrier", "kernel"}


def knows(root):
    return (root / "testsuite/CUDA").is_dir() and (root / "testsuite/CUDA/warpsync").is_dir()


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)


def split(text):
    """At commas outside of brackets."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c in "(<[") - (c in ")>]")
        if c == "," and not depth:
            parts.append(part)
            part = ""
        else:
            part += c
    return [p.strip() for p in [*parts, part] if p.strip() and p.strip() != "void"]


def bracketed(text, at):
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if not depth:
            return text[at + 1 : i]
    return ""


def kernels(text):
    for m in re.finditer(r"__global__\s+void\s+(\w+)\s*\(", text):
        yield m.group(1), split(bracketed(text, m.end() - 1))


def bodies_of_declared(text):
    """Functions that nobody defines: the verifier takes them to give any value; these give 0."""
    declared = re.findall(r"__device__\s+((?:\w+\s+)+)(\w+)\s*\(([^)]*)\)\s*;", text)
    defined = re.findall(r"__device__\s+(?:\w+\s+)+(\w+)\s*\([^)]*\)\s*\{", text)
    for kind, name, parameters in declared:
        if name not in defined and "always_inline" not in parameters:
            kind = kind.strip()
            yield f"__device__ {kind} {name}({parameters}) {{ return{'' if kind == 'void' else ' 0'}; }}"


def dimensions(options, word):
    m = re.search(rf"--{word}=\[?([\d,]+)\]?", options)
    return [int(n) for n in m.group(1).split(",")] if m else [1]


class Test:
    def __init__(self, path):
        self.text = path.read_text(errors="replace").replace("\r", "")
        self.code = without_comments(self.text)
        lines = self.text.splitlines()
        self.expected, self.options = lines[0].lstrip("/").strip(), lines[1]
        self.block = dimensions(self.options, "blockDim")
        self.grid = dimensions(self.options, "gridDim")
        most = 1024
        for i, n in enumerate(self.block):  # tests of a block that no GPU has
            self.block[i] = min(n, most)
            most = max(most // self.block[i], 1)
        self.defines = re.findall(r"-D\w+(?:=\w+)?", self.options)
        self.asked = {n: v for n, v in re.findall(r"^//\s*(\w+) = (\d+)\s*$", self.text, flags=re.M)}
        for condition in re.findall(r"__requires\((.*?)\);", self.code):
            first = re.match(r"\s*(\w+) == (\w+(?:\.\w+)?)", condition)
            if first and first.group(1) not in self.asked:
                self.asked[first.group(1)] = first.group(2)
            elif re.match(r"\s*(\w+) != 0", condition):
                self.asked.setdefault(condition.split()[0], "1")

    def argument(self, parameter, value, symbols):
        parameter = re.sub(r"\b(__restrict(__)?|volatile)\b", " ", parameter)
        m = re.match(r"(.*?)(\w+)\s*(\[\s*\])?$", parameter.strip())
        kind, name = m.group(1).strip() + ("*" if m.group(3) else ""), m.group(2)
        asked = self.asked.get(name)
        if asked and re.fullmatch(r"\d+", asked):
            return f"make<{kind}>({asked})"
        if asked == "blockDim.x":
            return f"make<{kind}>({self.block[0]})"
        if asked:
            symbols[f"wanted_{asked}"] = f"__device__ {kind} wanted_{asked} = {asked};"
            return f"from_device<{kind}>(wanted_{asked})"
        return f"make<{kind}>({value})"

    def program(self, path, value, fill):
        symbols, body = {}, []
        cooperative = "this_grid" in self.code
        shape = f"dim3({', '.join(map(str, self.grid))}), dim3({', '.join(map(str, self.block))})"
        for name, parameters in kernels(self.code):
            arguments = [self.argument(p, value, symbols) for p in parameters]
            if cooperative:
                body.append("    {")
                body += [f"        auto a{i} = {a};" for i, a in enumerate(arguments)]
                body.append(f"        void *all[] = {{{', '.join(f'&a{i}' for i in range(len(arguments)))}}};")
                body.append(f"        cudaLaunchCooperativeKernel((void *){name}, {shape}, all, 0, 0);\n    }}")
            else:
                body.append(f"    {name}<<<{shape}>>>({', '.join(arguments)});")
        fetch = "template <class T> T from_device(const T &symbol) {\n    T x;\n    cudaMemcpyFromSymbol(&x, symbol, sizeof x);\n    return x;\n}\n"
        return "\n".join([PRELUDE, f'#include "{path}"', *symbols.values(), fetch if symbols else "",
                          MAIN % {"body": "\n".join(body), "fill": fill}])


def source_of(test, path, target):
    """The kernel alone, with bodies for what it only declares, lines as they were."""
    text = test.text.replace('#include "cuda.h"', "#include <cuda.h>")
    declared = "\n".join(bodies_of_declared(test.code))
    target.write_text(f"{text}\n{declared}\n")


SAME = "all write the same there, which is shown and not counted"
# Why no run shows it.
UNSEEN = {
    "annotation_tests/test_axiom": "holds only of the blocks that its axiom names; a run has all",
    "atomics/add_tid": "a run has one order of the additions: the element that two threads may draw is drawn once",
    "curand_tests/fail/init_race": SAME,
    "globalarray/fail": "the host has to change the constant array first, which no program here does",
    "misc/fail/miscfail2": "an invariant that a verifier cannot prove; all of its values are right",
    "ctimeslid": "64 KiB of static shared memory, with which no launch begins",
    "loop_unwind": SAME,
    "memcpy/fail_arrayofstruct": SAME,
    "memcpy/fail_overstep": SAME,
    "memcpy/lentoobig": SAME,
    "memcpy/notexactdiv": SAME,
    "memcpy/unhandled_varlen": SAME,
    "misc/fail/miscfail6": "an array without elements, which no compiler gives an address",
    "misc/fail/miscfail7": "right: a pointer goes by way of a number and back, which the verifier takes for another",
    "warpsync/equality_abstraction_issue": SAME,
}
# What a program of today's CUDA cannot have.
UNBUILT = {
    "atomics/pointer_add": "a host variable in device code",
    "cuda_arch": "a host pass has no __CUDA_ARCH__",
    "memcpy_simplification/i8_element_global_passed_to_call1": "a host variable in device code",
    "memcpy_simplification/i8_element_global_passed_to_call2": "a host variable in device code",
}
# The kernel is right, or as right as one run can be; only the verifier's translation gives up.
RIGHT = {"function_pointers/unknown_function", "memset/unhandled_varlen", "memset/unhandled_varval", "return_val/char",
         "return_val/longlong"}
# Values with which a test is faulty.
VALUES = {"memcpy/unhandled_varlen": [12]}
ASKED = {"function_pointers/funcptr_to_ptr_add": {"i": "0"}}
# What is right for a verifier that knows of warps that go in step, and no CUDA since Volta.
IN_STEP = {"warpsync/2d", "warpsync/intragroup_scan", "warpsync/scan_warp", "warpsync/shuffle"}


def checks_of(name, test):
    if name in IN_STEP:
        return {"race"}
    faulty = test.expected.lower().startswith("xfail") and name not in RIGHT
    return FAULTS if faulty else set()


def kind_of(name, test):
    if name in IN_STEP:
        return "in step"
    m = re.match(r"xfail:(\w+)", test.expected, flags=re.I)
    words = {"NOT_ALL_VERIFIED": "not verified", "BUGLE_ERROR": "not translated", "CLANG_ERROR": "not compiled"}
    return words[m.group(1)] if m else "pass"


def variants(name, test, faulty):
    """Values of numbers, and what memory is full of: what is faulty is so with some."""
    if not faulty:
        return [(1, "0")]
    values = VALUES.get(name, [0, 1, test.block[0]])
    numbers = any("*" not in p for _, parameters in kernels(test.code) for p in parameters)
    return [(v, fill) for v in (values if numbers else values[:1]) for fill in ("0", "i % 251")]


def unbuilt(name, test):
    if re.search(r"\btexture<", test.code):
        return "texture references, which CUDA 12 dropped"
    if "curandStateMtgp32" in test.code:
        return "MTGP32 generators, which are not there"
    return UNBUILT.get(name, "no compiler is to take it" if "CLANG_ERROR" in test.expected else "")


def cases(root, scratch):
    made = scratch / "gpuverify"
    made.mkdir(exist_ok=True)
    for path in sorted((root / "testsuite/CUDA").rglob("kernel.cu")):
        test, name = Test(path), str(path.parent.relative_to(root / "testsuite/CUDA"))
        stem, checks, attempts = name.replace("/", "_"), checks_of(name, test), []
        test.asked.update(ASKED.get(name, {}))
        source_of(test, path, made / f"{stem}.inc")
        for n, (value, fill) in enumerate(variants(name, test, bool(checks))):
            program = made / f"{stem}.{n}.cu"
            program.write_text(test.program(f"{stem}.inc", value, fill))
            attempts.append(Attempt([program], ["-std=c++17", *test.defines], enough=False))
        if checks:  # these are for a verifier that sees them as they stand
            attempts += [Attempt(a.sources, [*a.flags, "-O0"], enough=False) for a in attempts]
        if name in UNSEEN and not checks:
            attempts = []
        yield Case(name, kind_of(name, test), checks, made, attempts, unseen=UNSEEN.get(name, ""), unbuilt=unbuilt(name, test))
