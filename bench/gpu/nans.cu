/* nans: what a GPU's instructions give for operands that are no numbers, bit by bit.
 *
 *     nvcc -arch=sm_90 -o nans nans.cu -lcuda && ./nans        warpglass run -lcuda nans.cu
 *
 * Each line is an instruction, its operands but the last, and the results for all values of the last one,
 * which stand at the top by type. tests/rows/hopper.tsv is what an H100 printed; docs/nans.md says what the
 * rules are. Each instruction is a kernel of its own, made as the program runs: operands come from memory, so
 * that nothing is known of them when it is compiled.
 */
#include <cuda.h>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        int error_ = (int)(call);                                                                            \
        if (error_ != 0) {                                                                                   \
            fprintf(stderr, "nans: %s: error %d\n", #call, error_);                                          \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

/* ---- values ---- */

enum { UNARY = 12, BINARY = 10, TERNARY = 6 }; /* how many of them operands go through */

/* Quiet and signalling NaNs of either sign, an infinity, 0, -1; further infinities and numbers; all ones; the
 * least. */
static const uint64_t f64[UNARY] = {0x7ff8000012345678, 0xfffc000000000002, 0x7ff0000000000001,
                                    0xfff5a5a5a5a5a5a5, 0x7ff0000000000000, 0x0000000000000000,
                                    0xbff0000000000000, 0xfff0000000000000, 0x8000000000000000,
                                    0x3ff0000000000000, 0x7fffffffffffffff, 0x0000000000000001};
static const uint64_t f32[UNARY] = {0x7fc00001, 0xffe00002, 0x7f800001, 0xffa5a5a5, 0x7f800000, 0x00000000,
                                    0xbf800000, 0xff800000, 0x80000000, 0x3f800000, 0x7fffffff, 0x00000001};
static const uint64_t f16[UNARY] = {0x7e01, 0xff02, 0x7c01, 0xfda5, 0x7c00, 0x0000,
                                    0xbc00, 0xfc00, 0x8000, 0x3c00, 0x7fff, 0x0001};
static const uint64_t bf16[UNARY] = {0x7fc1, 0xffe2, 0x7f81, 0xffa5, 0x7f80, 0x0000,
                                     0xbf80, 0xff80, 0x8000, 0x3f80, 0x7fff, 0x0001};
static const uint64_t s32[UNARY] = {0, 0xffffffff, 1, 0x80000000, 0x7fffffff, 2, 3, 4, 5, 6, 7, 8};
static const uint64_t bytes[UNARY] = {0x7f00, 0xff7e, 0x017f, 0x7dfd, 0x7cfc, 0x80ff,
                                      0xfe40, 0,      0x8080, 0x3c38, 0xfdfd, 1};

static const struct type {
    const char *name;
    uint32_t bits; /* of its register; 1: a predicate */
    const uint64_t *values;
    bool pair; /* of one value and the one behind it */
} types[] = {{"f64", 64, f64, false},      {"f32", 32, f32, false},      {"f16", 16, f16, false},
             {"bf16", 16, bf16, false},    {"f16x2", 32, f16, true},     {"bf16x2", 32, bf16, true},
             {"s32", 32, s32, false},      {"tf32", 32, f32, false},     {"pred", 1, nullptr, false},
             {"e4m3x2", 16, bytes, false}, {"e5m2x2", 16, bytes, false}, {"u8", 16, nullptr, false},
             {"s8", 16, nullptr, false},   {"u16", 16, nullptr, false},  {"s16", 16, nullptr, false},
             {"u32", 32, nullptr, false},  {"u64", 64, nullptr, false},  {"s64", 64, nullptr, false}};

static const type &type_of(const std::string &name) {
    for (const type &t : types)
        if (name == t.name) return t;
    fprintf(stderr, "nans: there is no type %s\n", name.c_str());
    exit(1);
}

static uint64_t value(const type &t, unsigned n) {
    return t.pair ? t.values[n] | t.values[(n + 1) % UNARY] << 16 : t.values[n];
}

/* ---- instructions: result's type, name, operands' types; {a,b} stands for either ---- */

static const char *const instructions[] = {
    "f32 {add,sub,mul}{.rn,.rz}{,.ftz}.f32 f32 f32",
    "f32 {add,mul}.{rm,rp}.f32 f32 f32",
    "f32 {add,sub,mul}{,.ftz}.sat.f32 f32 f32",
    "f32 fma{.rn,.rz,.rm,.rp}.f32 f32 f32 f32",
    "f32 fma.rn.ftz.f32 f32 f32 f32",
    "f32 fma.rn.sat.f32 f32 f32 f32",
    "f32 div{.rn,.rz,.rm,.rp,.full,.approx}.f32 f32 f32",
    "f32 div{.rn,.full,.approx}.ftz.f32 f32 f32",
    "f32 {rcp,sqrt}{.rn,.rz,.rm,.rp,.approx}{,.ftz}.f32 f32",
    "f32 {rsqrt,sin,cos,lg2,ex2}.approx{,.ftz}.f32 f32",
    "f32 tanh.approx.f32 f32",
    "f32 {abs,neg}{,.ftz}.f32 f32",
    "f32 {min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.f32 f32 f32",
    "f64 {add,sub,mul}{.rn,.rz,.rm,.rp}.f64 f64 f64",
    "f64 fma{.rn,.rz}.f64 f64 f64 f64",
    "f64 div{.rn,.rz,.rm,.rp}.f64 f64 f64",
    "f64 {rcp,sqrt}{.rn,.rz,.rm,.rp}.f64 f64",
    "f64 {rcp,rsqrt}.approx.ftz.f64 f64",
    "f64 rsqrt.approx.f64 f64",
    "f64 {abs,neg}.f64 f64",
    "f64 {min,max}.f64 f64 f64",
    "f16 {add,sub,mul}{,.ftz}{,.sat}.f16 f16 f16",
    "f16 fma.rn{,.ftz}{,.sat,.relu}.f16 f16 f16 f16",
    "f16 {abs,neg}{,.ftz}.f16 f16",
    "f16 {min,max}{,.NaN}{,.xorsign.abs}.f16 f16 f16",
    "f16 {ex2,tanh}.approx.f16 f16",
    "f16x2 {add,sub,mul}{,.sat}.f16x2 f16x2 f16x2",
    "f16x2 fma.rn{,.sat,.relu}.f16x2 f16x2 f16x2 f16x2",
    "f16x2 {abs,neg}.f16x2 f16x2",
    "f16x2 {min,max}{,.NaN}{,.xorsign.abs}.f16x2 f16x2 f16x2",
    "f16x2 {ex2,tanh}.approx.f16x2 f16x2",
    "bf16 {add,sub,mul}.bf16 bf16 bf16",
    "bf16 fma.rn{,.relu}.bf16 bf16 bf16 bf16",
    "bf16 {abs,neg}.bf16 bf16",
    "bf16 {min,max}{,.NaN}{,.xorsign.abs}.bf16 bf16 bf16",
    "bf16 ex2.approx.ftz.bf16 bf16",
    "bf16 tanh.approx.bf16 bf16",
    "bf16x2 {add,sub,mul}.bf16x2 bf16x2 bf16x2",
    "bf16x2 fma.rn{,.relu}.bf16x2 bf16x2 bf16x2 bf16x2",
    "bf16x2 {abs,neg}.bf16x2 bf16x2",
    "bf16x2 {min,max}{,.NaN}{,.xorsign.abs}.bf16x2 bf16x2 bf16x2",
    "bf16x2 ex2.approx.ftz.bf16x2 bf16x2",
    "bf16x2 tanh.approx.bf16x2 bf16x2",
    "f32 copysign.f32 f32 f32",
    "f64 copysign.f64 f64 f64",
    "f32 slct{,.ftz}.f32.f32 f32 f32 f32",
    "f64 slct.f64.f32 f64 f64 f32",
    "f32 slct.f32.s32 f32 f32 s32",
    "f32 mov.f32 f32",
    "f64 mov.f64 f64",
    "pred testp.{notanumber,number,finite,infinite,normal,subnormal}.f32 f32",
    "pred testp.{notanumber,number}.f64 f64",
    "pred setp.{eq,ne,lt,ge,equ,neu,ltu,geu,num,nan}.f32 f32 f32",
    "pred setp.{eq,ne,lt,ge,equ,neu,ltu,geu,num,nan}.f64 f64 f64",
    "pred setp.{eq,ne,lt,neu,nan}.f16 f16 f16",
    "pred setp.{eq,ne,lt,neu,nan}.bf16 bf16 bf16",
    "f32 set.{eq,neu,nan}.f32.f32 f32 f32",
    "f16x2 set.{eq,neu,nan}.f16x2.f16x2 f16x2 f16x2",
    "f64 cvt{,.ftz}.f64.f32 f32",
    "f64 cvt.f64.{f16,bf16} {}",
    "f32 cvt{,.sat}.f32.f16 f16",
    "f32 cvt{,.ftz}.f32.bf16 bf16",
    "f32 cvt{,.rni,.rzi,.rmi,.rpi}{,.ftz}{,.sat}.f32.f32 f32",
    "f64 cvt{,.rni,.rzi,.rmi,.rpi}.f64.f64 f64",
    "f16 cvt{,.rni,.rzi,.rmi,.rpi}.f16.f16 f16",
    "bf16 cvt{.rni,.rzi,.rmi,.rpi}.bf16.bf16 bf16",
    "f32 cvt.{rn,rz,rm,rp}{,.ftz}{,.sat}.f32.f64 f64",
    "f16 cvt.{rn,rz,rm,rp}.f16.{f32,f64} {}",
    "f16 cvt.rn.sat.f16.{f32,f64} {}",
    "f16 cvt.rn.relu.f16.f32 f32",
    "bf16 cvt.{rn,rz}{,.relu}.bf16.f32 f32",
    "bf16 cvt.rn.bf16.{f16,f64} {}",
    "f16 cvt.rn.f16.bf16 bf16",
    "f16x2 cvt.{rn,rz}{,.relu}.f16x2.f32 f32 f32",
    "bf16x2 cvt.{rn,rz}{,.relu}.bf16x2.f32 f32 f32",
    "tf32 cvt.{rn,rz}{,.relu}.tf32.f32 f32",
    "tf32 cvt.rna.tf32.f32 f32",
    "e4m3x2 cvt.rn.satfinite{,.relu}.{e4m3x2,e5m2x2}.f32 f32 f32",
    "e4m3x2 cvt.rn.satfinite{,.relu}.{e4m3x2,e5m2x2}.f16x2 f16x2",
    "f16x2 cvt.rn{,.relu}.f16x2.{e4m3x2,e5m2x2} {}",
    "u16 cvt.rni.{u8,s8,u16,s16}.{f16,f32,f64} {}",
    "u16 cvt.rni.{u16,s16}.bf16 bf16",
    "u32 cvt.rzi.{u32,s32}.{f16,bf16,f32,f64} {}",
    "u64 cvt.rzi.{u64,s64}.{f16,bf16,f32,f64} {}",
    "f32 {atom,red}.{global,shared}.add.f32 f32 f32",
    "f64 {atom,red}.{global,shared}.add.f64 f64 f64",
    "f16x2 {atom,red}.{global,shared}.add.noftz.f16x2 f16x2 f16x2",
    "bf16x2 {atom,red}.{global,shared}.add.noftz.bf16x2 bf16x2 bf16x2",
    "f16 atom.{global,shared}.add.noftz.f16 f16 f16",
    "bf16 atom.{global,shared}.add.noftz.bf16 bf16 bf16",
    "f32 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 f16x2 f16x2 f32",
    "f16x2 mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 f16x2 f16x2 f16x2",
    "f32 mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 bf16x2 bf16x2 f32",
    "f32 mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 tf32 tf32 f32",
    "f64 mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 f64 f64 f64",
};

/* All that a line stands for. An empty {} takes the word that the last braces before it gave. */
static void expand(const std::string &text, const std::string &last, std::vector<std::string> &out) {
    size_t open = text.find('{'), close = text.find('}');
    if (open == std::string::npos) return out.push_back(text);
    std::string head = text.substr(0, open), tail = text.substr(close + 1),
                words = text.substr(open + 1, close - open - 1);
    if (words.empty()) return expand(head + last + tail, last, out);
    for (size_t at = 0; at <= words.size();) {
        size_t end = words.find(',', at);
        if (end == std::string::npos) end = words.size();
        std::string word = words.substr(at, end - at);
        expand(head + word + tail, word, out);
        at = end + 1;
    }
}

static std::vector<std::string> split(const std::string &text) {
    std::vector<std::string> words;
    for (size_t at = 0; at < text.size();) {
        size_t end = text.find(' ', at);
        if (end == std::string::npos) end = text.size();
        words.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

/* ---- kernels ---- */

static std::string format(const char *text, ...) __attribute__((format(printf, 1, 2)));
static std::string format(const char *text, ...) {
    char line[512];
    va_list args;
    va_start(args, text);
    vsnprintf(line, sizeof line, text, args);
    va_end(args);
    return line;
}

static std::string register_of(const type &t, const char *name) {
    std::string kind = t.bits == 1 ? "pred" : format("b%u", t.bits);
    return "  .reg ." + kind + " " + name + ";\n";
}

/* Fragments whose registers all hold the same. */
static std::string fragment(const char *name, unsigned n) {
    std::string all = "{";
    for (unsigned i = 0; i < n; i++) all += format("%s%s", i ? ", " : "", name);
    return all + "}";
}
static std::string mma(const std::string &name) {
    const char *d[] = {"%d", "%e", "%f", "%g"};
    unsigned a = 4, b = 2, c = 4;
    if (name.find("m8n8k4") != std::string::npos) a = b = 1, c = 2;
    if (name.find(".f16.f16.f16.f16") != std::string::npos) c = 2;
    std::string text = "  " + name + " {", more;
    for (unsigned i = 0; i < c; i++) text += format("%s%s", i ? ", " : "", d[i]);
    return text + "}, " + fragment("%s0", a) + ", " + fragment("%s1", b) + ", " + fragment("%s2", c) + ";\n";
}

/* Atomics change memory that holds the first operand; what is there afterwards is the result. */
static std::string atomic(const std::string &name, const type &t) {
    bool shared = name.find(".shared") != std::string::npos;
    const char *space = shared ? "shared" : "global", *at = shared ? "%cell" : "%out";
    std::string text = format("  st.%s.b%u [%s], %%s0;\n", space, t.bits, at);
    text += "  " + name + (name[0] == 'a' ? " %d, [" : " [") + at + "], %s1;\n";
    return text + format("  ld.volatile.%s.b%u %%d, [%s];\n", space, t.bits, at);
}

static bool is_mma(const std::string &name) { return name.compare(0, 4, "mma.") == 0; }

/* words: result's type, name, operands' types. A thread (mma: a warp) for each set of operands. */
static std::string kernel(const std::vector<std::string> &words) {
    const std::string &name = words[1];
    const type &result = type_of(words[0]);
    bool atoms = !name.compare(0, 5, "atom.") || !name.compare(0, 4, "red.");
    std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 8 .b8 cells[8192];\n"
                       ".visible .entry one(.param .u64 p_in, .param .u64 p_out, .param .u32 p_step)\n{\n"
                       "  .reg .b64 %in, %out, %step, %wide;\n  .reg .b32 %index, %cell, %flag;\n";
    for (const char *d : {"%d", "%e", "%f", "%g"}) text += register_of(result, d);
    text += format("  mov.u32 %%index, %%%s.x;\n", is_mma(name) ? "ctaid" : "tid");
    text += "  mul.wide.u32 %wide, %index, 8;\n  ld.param.u64 %in, [p_in];\n  ld.param.u64 %out, [p_out];\n"
            "  cvta.to.global.u64 %in, %in;\n  cvta.to.global.u64 %out, %out;\n"
            "  add.s64 %in, %in, %wide;\n  add.s64 %out, %out, %wide;\n"
            "  ld.param.u32 %cell, [p_step];\n  cvt.u64.u32 %step, %cell;\n"
            "  mov.u32 %cell, cells;\n  mad.lo.u32 %cell, %index, 8, %cell;\n";
    std::string operands;
    for (unsigned i = 2; i < words.size(); i++) {
        std::string source = format("%%s%u", i - 2);
        text += register_of(type_of(words[i]), source.c_str());
        text += format("  ld.global.b%u %s, [%%in];\n  add.s64 %%in, %%in, %%step;\n", type_of(words[i]).bits,
                       source.c_str());
        operands += ", " + source;
    }
    text += is_mma(name) ? mma(name) : atoms ? atomic(name, result) : "  " + name + " %d" + operands + ";\n";
    text += result.bits == 1 ? "  selp.b32 %flag, 1, 0, %d;\n  st.global.b32 [%out], %flag;\n"
                             : format("  st.global.b%u [%%out], %%d;\n", result.bits);
    return text + "  ret;\n}\n";
}

/* ---- the table ---- */

/* Numbers that approximate functions give are not the matter here. */
static bool is_approximate(const std::string &name) {
    for (const char *of : {"sin", "cos", "tanh", "rsqrt"})
        if (!name.compare(0, strlen(of), of)) return true;
    return false;
}
static void print(const type &t, uint64_t bits, bool only_nans) {
    unsigned part = t.pair ? 16 : t.bits;
    uint64_t all = part == 64 ? UINT64_MAX : (UINT64_C(1) << part) - 1;
    for (unsigned at = t.bits; at >= part; at -= part) {
        uint64_t x = bits >> (at - part) & all;
        if (only_nans && (x & all >> 1) <= (t.values[4] & all))
            printf("%.*s", part / 4, "----------------");
        else
            printf("%0*llx", part == 1 ? 1 : part / 4, (unsigned long long)x);
    }
}

static unsigned count_of(size_t operands) { return operands == 1 ? UNARY : operands == 2 ? BINARY : TERNARY; }

static void run(const std::vector<std::string> &words, uint64_t *in, uint64_t *out) {
    size_t operands = words.size() - 2;
    unsigned n = count_of(operands), all = operands == 1 ? n : operands == 2 ? n * n : n * n * n;
    for (unsigned k = 0, stride = all / n; k < operands; k++, stride /= n)
        for (unsigned i = 0; i < all; i++) in[k * all + i] = value(type_of(words[2 + k]), i / stride % n);
    memset(out, 0, all * sizeof *out);
    CUmodule module;
    CUfunction function;
    std::string text = kernel(words);
    if (cuModuleLoadData(&module, text.c_str()) != CUDA_SUCCESS) {
        printf("%s\tis not taken\n", words[1].c_str());
        return;
    }
    CHECK(cuModuleGetFunction(&function, module, "one"));
    uint32_t step = all * sizeof *in;
    void *args[] = {&in, &out, &step};
    bool warps = is_mma(words[1]);
    CHECK(cuLaunchKernel(function, warps ? all : 1, 1, 1, warps ? 32 : all, 1, 1, 0, nullptr, args, nullptr));
    CHECK(cuCtxSynchronize());
    CHECK(cuModuleUnload(module));
    for (unsigned i = 0; i < all; i++) {
        if (i % n == 0) {
            printf("%s", words[1].c_str());
            for (unsigned j = 0; j + 1 < operands; j++)
                printf(" %0*llx", type_of(words[2 + j]).bits / 4, (unsigned long long)in[j * all + i]);
        }
        printf(i % n ? " " : "\t");
        print(type_of(words[0]), out[i], is_approximate(words[1]));
        if (i % n == n - 1) printf("\n");
    }
}

int main() {
    uint64_t *in, *out;
    CHECK(cudaMallocManaged(&in, 3 * TERNARY * TERNARY * TERNARY * sizeof *in));
    CHECK(cudaMallocManaged(&out, TERNARY * TERNARY * TERNARY * sizeof *out));
    for (const type &t : types) {
        if (!t.values) continue;
        printf("# %s\t", t.name);
        for (unsigned i = 0; i < UNARY; i++)
            printf("%0*llx%c", t.bits / 4, (unsigned long long)value(t, i), i + 1 < UNARY ? ' ' : '\n');
    }
    std::vector<std::string> all;
    for (const char *line : instructions) expand(line, "", all);
    for (const std::string &line : all) run(split(line), in, out);
    return 0;
}
