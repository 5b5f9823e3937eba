#!/usr/bin/env python3
"""Which products are fused with sums, against ptxas, on generated kernels: the value of each store, as an expression of
what was loaded, is the same in the IR (wg_irdump) and in the machine code (nvdisasm).

usage: contractions.py WG_IRDUMP [SEED [KERNELS]]
"""
import os, random, re, shutil, subprocess, sys, tempfile

LOADS = 6
SPELLED = {"product": "mul", "sum": "add", "difference": "sub", "product.rn": "mul.rn", "sum.rn": "add.rn"}
WEIGHTS = {"product": 42, "sum": 30, "difference": 20, "negation": 4, "product.rn": 2, "sum.rn": 2, "copy": 3, "barrier": 3,
           "fence": 4, "immediate": 6, "again": 4}


def generate(random, name, type):
    """A kernel of straight-line code that stores some of its values."""
    letter, bytes = ("f", 4) if type == "f32" else ("d", 8)
    one_and_a_half = "0f3FC00000" if type == "f32" else "0d3FF8000000000000"
    text = [f".visible .entry {name}(.param .u64 a, .param .u64 o, .param .{type} scale) {{",
            f" .reg .{type} %{letter}<99>; .reg .b64 %a, %o;",
            " ld.param.u64 %a, [a]; ld.param.u64 %o, [o]; cvta.to.global.u64 %a, %a; cvta.to.global.u64 %o, %o;"]
    text += [f" ld.global.{type} %{letter}{i}, [%a+{i * bytes}];" for i in range(LOADS)]
    text.append(f" ld.param.{type} %{letter}{LOADS}, [scale];")
    values, stored = LOADS + 1, 0
    for _ in range(random.randrange(4, 18)):
        kind = random.choices(list(WEIGHTS), WEIGHTS.values())[0]
        a, b = (f"%{letter}{random.randrange(max(0, values - 6), values) if random.random() < .7 else random.randrange(values)}"
                for _ in "ab")
        to = f"%{letter}{values}"
        values += kind not in ("barrier", "fence", "again")
        if kind == "barrier":
            text.append(" bar.sync 0;")
        elif kind == "fence":
            text.append(" membar.cta;")
        elif kind == "copy":
            text.append(f" mov.{type} {to}, {a};")
        elif kind == "negation":
            text.append(f" neg.{type} {to}, {a};")
        elif kind == "immediate":
            text.append(f" {random.choice(('mul', 'add', 'sub'))}.{type} {to}, {a}, {one_and_a_half};")
        elif kind == "again": # a register that is written more than once
            text.append(f" {random.choice(('mul', 'add'))}.{type} {a}, {b}, {a};")
        else:
            text.append(f" {SPELLED[kind]}.{type} {to}, {a}, {b};")
        if random.random() < .25 and kind not in ("barrier", "fence"):
            text.append(f" st.global.{type} [%o+{stored * bytes}], {a if kind == 'again' else to};")
            stored += 1
    text.append(f" st.global.{type} [%o+{stored * bytes}], %{letter}{values - 1};")
    return "\n".join(without_dead(text) + [" ret; }", ""])


def without_dead(text):
    """Compilers leave no instruction whose result nobody reads."""
    live, kept = set(), []
    for line in reversed(text):
        registers = re.findall(r"%[fd]\d+", line)
        store = line.startswith(" st.")
        if registers and not store and ".reg" not in line:
            if registers[0] not in live:
                continue
            live.discard(registers[0])
            registers = registers[1:]
        live.update(registers)
        kept.append(line)
    return kept[::-1]


# Expressions: ('load', offset), ('const',), ('param',), ('zero',), ('neg', e), ('mul', a, b), ('add', signed terms), ('fma', a, b, sign, c).
# A negation is moved outwards, and what may be swapped is sorted, so that equal values are equal tuples. The one
# constant is 1.5.
CONSTANT, PARAMETER = ("const",), ("param",)
SCALE = "c[0x0][0x220]" # where sm_90 has the third parameter


def negated(e):
    return e[1] if e[0] == "neg" else ("neg", e)


def parts(e):
    return (-1, e[1]) if e[0] == "neg" else (1, e)


def mul(a, b):
    (s, a), (t, b) = parts(a), parts(b)
    e = ("mul",) + tuple(sorted((a, b), key=repr))
    return e if s == t else ("neg", e)


def add(a, b):
    if ("zero",) in (parts(a)[1], parts(b)[1]):
        return b if parts(a)[1] == ("zero",) else a
    terms = sorted((parts(a), parts(b)), key=lambda t: (repr(t[1]), t[0]))
    sign = terms[0][0]
    e = ("add",) + tuple((s * sign, x) for s, x in terms)
    return e if sign > 0 else ("neg", e)


def fma(a, b, c):
    if parts(c)[1] == ("zero",):
        return mul(a, b)
    s, product = parts(mul(a, b))
    t, c = parts(c)
    e = ("fma", product[1], product[2], s * t, c)
    return e if s > 0 else ("neg", e)


def ir_stores(text):
    """By kernel: what is stored, by offset."""
    kernels, values, stores = {}, {}, {}
    for line in text.splitlines():
        line = line.split(";")[0].strip()
        if line.startswith("kernel "):
            stores = kernels[line.split()[1]] = {}
            values = {}
            continue
        offset = int((re.search(r"\+(\d+)\]", line) or [0, 0])[1])
        found = re.match(r"(\S+) = (\S+) (.*)", line)
        value = lambda o: values[o] if o in values else negated(CONSTANT) if o.startswith("0xbf") else CONSTANT
        if line.startswith("st.global"):
            stores[offset] = value(line.split("], ")[1])
        if not found:
            continue
        to, op, operands = found[1], found[2].split("."), found[3].split(", ")
        if op[:2] == ["ld", "param"]:
            values[to] = PARAMETER
        elif op[:2] == ["ld", "global"]:
            values[to] = ("load", offset)
        elif op[-1] in ("f32", "f64", "b32", "b64"):
            x = [value(o) for o in operands]
            match op[0]:
                case "mul": values[to] = mul(*x)
                case "add": values[to] = add(*x)
                case "sub": values[to] = add(x[0], negated(x[1]))
                case "fma": values[to] = fma(*x)
                case "neg": values[to] = negated(x[0])
                case "mov": values[to] = x[0]
    return kernels


def machine_stores(text):
    kernels, values, stores = {}, {}, {}
    for line in text.splitlines():
        section = re.match(r"\.text\.(\w+):", line)
        if section:
            values, stores = {"RZ": ("zero",)}, {}
            kernels[section[1]] = stores
        found = re.match(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:@\S+\s+)?(\S+) (.*?) *;", line)
        if not found:
            continue
        op, operands = found[1].split("."), [o.strip() for o in found[2].replace(".reuse", "").split(",")]

        def value(o):
            e = PARAMETER if o.lstrip("-") == SCALE else values.get(o.lstrip("-"), CONSTANT)
            return negated(e) if o[0] == "-" else e

        offset = int((re.search(r"\+0x([0-9a-f]+)\]", found[2]) or [0, "0"])[1], 16)
        words = 4 if "128" in op else 2 if "64" in op else 1
        if op[0] == "LDG":
            for k in range(words):
                values[f"R{int(operands[0][1:]) + k}"] = ("load", offset + 4 * k)
        elif op[0] == "STG":
            for k in range(words):
                stores[offset + 4 * k] = value(operands[-1] if operands[-1] == "RZ" else f"R{int(operands[-1][1:]) + k}")
        elif op[0] in ("FMUL", "DMUL"):
            values[operands[0]] = mul(value(operands[1]), value(operands[2]))
        elif op[0] in ("FADD", "DADD"):
            values[operands[0]] = add(value(operands[1]), value(operands[2]))
        elif op[0] in ("FFMA", "DFMA"):
            values[operands[0]] = fma(*map(value, operands[1:4]))
        elif op[0] in ("LDC", "ULDC") or (op[0] in ("MOV", "IMAD", "UMOV") and operands[-1] in (SCALE, *values)):
            values[operands[0]] = value(operands[-1])
        elif op[0] in ("MOV", "IMAD", "HFMA2"): # the constant
            values[operands[0]] = CONSTANT
    return kernels


def same_product_twice(e):
    """ptxas finds two equal products, which no compiler leaves, and computes one."""
    if not isinstance(e, tuple):
        return False
    if e[0] == "add" and len(e) == 3 and e[1][1] == e[2][1]:
        return True
    if e[0] == "fma" and e[4][0] == "mul" and e[1:3] == e[4][1:3]:
        return True
    return any(map(same_product_twice, e))


def main():
    irdump, seed, count = sys.argv[1], int((sys.argv + [None, None])[2] or 1), int((sys.argv + ["", "", ""])[3] or 400)
    for tool in ("ptxas", "nvdisasm"):
        if not shutil.which(tool):
            print(f"skipped: there is no {tool}")
            sys.exit(77)
    generator = random.Random(seed)
    kernels = {f"k{i}": generate(generator, f"k{i}", generator.choice(("f32", "f64"))) for i in range(count)}
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = os.path.join(folder, "k.ptx"), os.path.join(folder, "k.cubin")
        with open(ptx, "w") as out:
            out.write(".version 8.0\n.target sm_90\n.address_size 64\n" + "".join(kernels.values()))
        subprocess.run(["ptxas", "-arch=sm_90", ptx, "-o", cubin], check=True)
        run = lambda *command: subprocess.run(command, check=True, capture_output=True, text=True).stdout
        ours, theirs = ir_stores(run(irdump, ptx)), machine_stores(run("nvdisasm", cubin))
    wrong = 0
    for name, text in kernels.items():
        high_words = {o for o in theirs[name] if ".f64" in text and o % 8}
        differ = [o for o, e in theirs[name].items() if o not in high_words and ours[name].get(o) != e
                  and not same_product_twice(e) and not same_product_twice(ours[name].get(o))]
        if differ:
            wrong += 1
            if wrong <= 3:
                print(text)
                for o in differ:
                    print(f"  [{o}]\n    here:  {ours[name].get(o)}\n    ptxas: {theirs[name][o]}")
    print(f"seed {seed}: {count - wrong} of {count} kernels are the same")
    sys.exit(wrong > 0)


main()
