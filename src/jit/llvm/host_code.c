/* Liveness of a call's result in host machine code. See host_code.h. Instructions are read as LLVM's
 * disassembler prints them, in AT&T syntax: the last operand is the destination.
 *
 *     call cudaMemcpy             call cudaMemcpy
 *     test %eax, %eax    looked   mov  16(%rsp), %rax    dropped
 */
#include "jit/llvm/host_code.h"

#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INSTRUCTIONS = 256, MOST_WAYS = 16, LONGEST = 15, TEXT = 128 };

enum fate { GOES_ON, DROPPED, LOOKED_AT };

struct walk {
    LLVMDisasmContextRef disassembler;
    uint64_t end;
    uint64_t todo[MOST_WAYS];
    uint64_t begun[MOST_WAYS]; /* where paths begin: none is walked twice */
    uint32_t ntodo, nbegun, instructions;
    bool too_many;
};

static bool starts(const char *s, const char *with) { return strncmp(s, with, strlen(with)) == 0; }

/* EAX or an alias of it. */
static bool names_result(const char *s) {
    static const char *const names[] = {"%rax", "%eax", "%ax", "%al", "%ah"};
    for (int i = 0; i < 5; i++)
        if (strstr(s, names[i])) return true;
    return false;
}

/* "movl $1, %eax", "leaq 8(%rsp), %rax", "xorl %eax, %eax": written without being read. A part of it that is
 * written leaves the rest, but nobody looks at the rest alone. */
static bool only_writes(const char *op, const char *operands) {
    const char *last = strrchr(operands, ',');
    if (starts(op, "pop")) return true;
    if (!last || !names_result(last) || strchr(last, '(')) return false;
    if (starts(op, "xorl") || starts(op, "xorq"))
        return starts(operands, "%eax, %eax") || starts(operands, "%rax, %rax");
    if (!starts(op, "mov") && !starts(op, "lea")) return false;
    char sources[TEXT];
    size_t n = (size_t)(last - operands);
    memcpy(sources, operands, n);
    sources[n] = 0;
    return !names_result(sources);
}

static void begin_way(struct walk *w, uint64_t at) {
    for (uint32_t i = 0; i < w->nbegun; i++)
        if (w->begun[i] == at) return;
    if (w->nbegun == MOST_WAYS) {
        w->too_many = true;
        return;
    }
    w->begun[w->nbegun++] = at;
    w->todo[w->ntodo++] = at;
}

/* Jumps: "jne -23", from the next instruction on; "jmpq *8(%rip)", a call of another library's function that
 * does not come back here; "jmpq *%rcx" goes nobody knows where. */
static enum fate jump(struct walk *w, const char *op, const char *operands, uint64_t next) {
    char *rest;
    long offset = strtol(operands, &rest, 0);
    if (rest == operands) return strstr(operands, "(%rip)") ? DROPPED : LOOKED_AT;
    begin_way(w, next + (uint64_t)offset);
    return starts(op, "jmp") ? DROPPED : GOES_ON; /* this path ends here */
}

static enum fate step(struct walk *w, uint64_t *at) {
    char text[TEXT], *op = text;
    if (*at >= w->end || w->instructions++ == MOST_INSTRUCTIONS) return LOOKED_AT;
    uint64_t room = w->end - *at;
    size_t n = LLVMDisasmInstruction(w->disassembler, (uint8_t *)(uintptr_t)*at,
                                     room < LONGEST ? room : LONGEST, 0, text, sizeof text);
    if (!n) return LOOKED_AT;
    while (*op == '\t' || *op == ' ') op++;
    char *operands = op + strcspn(op, "\t ");
    operands += strspn(operands, "\t ");
    *at += n;
    if (starts(op, "call")) return names_result(operands) ? LOOKED_AT : DROPPED;
    if (op[0] == 'j') return jump(w, op, operands, *at);
    if (starts(op, "ret") || starts(op, "ud2") || starts(op, "syscall") || starts(op, "lock") ||
        starts(op, "rep"))
        return LOOKED_AT;
    if (starts(op, "cltq") || starts(op, "cltd") || starts(op, "cqto") || starts(op, "cwtl") ||
        starts(op, "div") || starts(op, "idiv") || starts(op, "mul") || starts(op, "cmpxchg"))
        return LOOKED_AT; /* they read it without naming it */
    if (!names_result(operands)) return GOES_ON;
    return only_writes(op, operands) ? DROPPED : LOOKED_AT;
}

bool wg_host_drops_result(uint64_t at, uint64_t end) {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
    struct walk w = {.disassembler = LLVMCreateDisasm("x86_64-linux-gnu", NULL, 0, NULL, NULL), .end = end};
    bool dropped = w.disassembler != NULL;
    if (dropped) begin_way(&w, at);
    while (dropped && w.ntodo) {
        uint64_t here = w.todo[--w.ntodo];
        enum fate f;
        while ((f = step(&w, &here)) == GOES_ON) continue;
        dropped = f == DROPPED && !w.too_many;
    }
    if (w.disassembler) LLVMDisasmDispose(w.disassembler);
    return dropped;
}
