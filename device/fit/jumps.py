#!/usr/bin/env python3
"""jumps.py: makes include/warpglass/random/jumps.h, what the generator XORWOW needs to jump far ahead.

Its five words of 32 bits are a vector of 160 bits, and one step is a linear map A of it. By Cayley and Hamilton A**n is a
polynomial of A of degree below 160: x**n modulo the characteristic polynomial of A. Jumping is then 160 ordinary steps, and the
sum of those states whose coefficient is 1. Each table has, for every hexadecimal digit of n, the polynomials of its 15 values.

    python3 jumps.py > ../include/warpglass/random/jumps.h
"""
BITS = 160
WORD = 0xFFFFFFFF


def step(v):
    t = v[0] ^ (v[0] >> 2)
    return [v[1], v[2], v[3], v[4], (v[4] ^ (v[4] << 4) ^ t ^ (t << 1)) & WORD]


def characteristic_polynomial():
    """Berlekamp and Massey, from the lowest bits of as many states as it takes."""
    v, bits = [1, 2, 3, 4, 5], []
    for _ in range(2 * BITS):
        bits.append(v[4] & 1)
        v = step(v)
    c, b, length, gap = 1, 1, 0, 1
    for n in range(len(bits)):
        if sum(bits[n - i] for i in range(length + 1) if c >> i & 1) % 2 == 0:
            gap += 1
        elif 2 * length <= n:
            c, b, length, gap = c ^ b << gap, c, n + 1 - length, 1
        else:
            c, gap = c ^ b << gap, gap + 1
    assert length == BITS
    return sum(1 << BITS - i for i in range(BITS + 1) if c >> i & 1)


MODULUS = characteristic_polynomial()


def product(a, b):
    result = 0
    while b:
        if b & 1:
            result ^= a
        b >>= 1
        a <<= 1
        if a >> BITS & 1:
            a ^= MODULUS
    return result


def table(name, power, what):
    """`power`: x to the number of steps that 1 stands for."""
    print(f"/* {what} */")
    print(f"static __device__ const unsigned int {name}[16][15][5] = {{")
    for _ in range(16):
        value = power
        for digit in range(1, 16):
            words = ", ".join(f"0x{value >> 32 * i & WORD:08x}" for i in range(5))
            print(f"{'{' if digit == 1 else ''}{{{words}}},{'},' if digit == 15 else ''}")
            value = product(value, power)
        power = value
    print("};\n")


ahead = 2
for _ in range(67):
    ahead = product(ahead, ahead)
print("/* jumps.h: polynomials by which XORWOW jumps ahead. Made by device/fit/jumps.py, which says how. */")
print("#ifndef WARPGLASS_RANDOM_JUMPS_H\n#define WARPGLASS_RANDOM_JUMPS_H\n")
print("#include \"../../host_defines.h\"\n\n/* clang-format off */")
table("wg_jump_steps", 2, "n steps")
table("wg_jump_sequences", ahead, "n times 2**67 steps")
print("/* clang-format on */\n#endif")
