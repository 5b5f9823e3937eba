/* A clang plugin: passes that give device code nvcc's semantics where C++ has undefined behaviour. clang
 * loads this library when it compiles device code (cli/dialect.h).
 *
 * At the start of the pipeline, before anything is inferred from undefined behaviour:
 *   - a number that becomes a char or short of its own goes by way of an int, as in nvcc's code: 40000.f is
 *     the short -25536 and not 32767. clang has been told to ask for saturation
 *     (-fno-strict-float-cast-overflow), so that `int most = 1e10` is the greatest int and not whatever makes
 *     the program shorter;
 *   - products with numbers of more than 16 bits wrap: they are random numbers and hashes, not indices. From
 *     a product that does not wrap clang infers that it has its factors' sign;
 *   - a bool is true when its byte is not zero, whatever else it is;
 *   - a value that clang itself found undefined, as 1 << 32 is, is an error.
 *
 * A loop in which lanes synchronise is not peeled: lanes in the peeled iteration and lanes in a later one
 * would wait at two votes, each for the others.
 *
 * At the end of the pipeline what is left of saturation is removed: PTX's cvt saturates by itself, and what an
 * __int128 too small for the number becomes is not said.
 *
 * For NVRTC (WARPGLASS_RTC in the environment) static variables and kernels are the program's to find by name.
 *
 * For `warpglass check` (WARPGLASS_AS_WRITTEN in the environment) faults stay where they were written (as_written.h).
 *
 * In C++, because LLVM's C API has no plugins.
 */
#include "jit/llvm/as_written.h"
#include <cstdlib>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;

namespace {

constexpr unsigned int_bits = 32, index_bits = 16;

/* A conversion of one number to an integer that saturates. */
IntrinsicInst *as_saturating(Instruction &i) {
    auto *x = dyn_cast<IntrinsicInst>(&i);
    bool is =
        x && (x->getIntrinsicID() == Intrinsic::fptosi_sat || x->getIntrinsicID() == Intrinsic::fptoui_sat);
    return is && x->getType()->isIntegerTy() ? x : nullptr;
}

void replace(Instruction &i, Value *by) {
    i.replaceAllUsesWith(by);
    i.eraseFromParent();
}

bool convert_by_int(Instruction &i) {
    IntrinsicInst *x = as_saturating(i);
    if (!x || x->getType()->getIntegerBitWidth() >= int_bits) return false;
    IRBuilder<> b(&i);
    Value *from = x->getArgOperand(0);
    Value *wide = b.CreateIntrinsic(x->getIntrinsicID(), {b.getInt32Ty(), from->getType()}, {from});
    replace(i, b.CreateTrunc(wide, x->getType()));
    return true;
}

bool let_wrap(Instruction &i) {
    if (i.getOpcode() != Instruction::Mul || !i.hasNoSignedWrap()) return false;
    auto *factor = dyn_cast<ConstantInt>(i.getOperand(1));
    if (!factor) factor = dyn_cast<ConstantInt>(i.getOperand(0));
    if (!factor || factor->getValue().abs().getActiveBits() <= index_bits) return false;
    i.setHasNoSignedWrap(false);
    return true;
}

/* clang loads a byte that is said to be 0 or 1 and takes its lowest bit. */
bool test_bool(Instruction &i) {
    auto *load = i.getOpcode() == Instruction::Trunc ? dyn_cast<LoadInst>(i.getOperand(0)) : nullptr;
    if (!load || !i.getType()->isIntegerTy(1) || !load->hasMetadata(LLVMContext::MD_range)) return false;
    load->setMetadata(LLVMContext::MD_range, nullptr);
    IRBuilder<> b(&i);
    replace(i, b.CreateIsNotNull(load));
    return true;
}

bool refuse_undefined(Instruction &i) {
    if (isa<PHINode>(i)) return false;
    for (Value *x : i.operand_values())
        if (isa<PoisonValue>(x) && x->getType()->isIntegerTy()) {
            Function &f = *i.getFunction();
            f.getContext().diagnose(DiagnosticInfoUnsupported(
                f,
                "this value is undefined: a number is shifted by at least as many bits as it has. Such a "
                "shift gives 0 with nvcc: write 0, or shift a wider type",
                i.getDebugLoc()));
            return true;
        }
    return false;
}

struct Begin : PassInfoMixin<Begin> {
    static bool isRequired() { return true; }
    PreservedAnalyses run(Function &f, FunctionAnalysisManager &) {
        bool changed = false, refused = false;
        for (Instruction &i : make_early_inc_range(instructions(f))) {
            refused = refused || refuse_undefined(i);
            if (convert_by_int(i) || test_bool(i) || let_wrap(i)) changed = true;
        }
        return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
};
/* Static variables and kernels of a file, "_ZL1a" and "_ZL1kPi", as NVRTC has them: a variable by its plain name, a kernel as if
 * it were not static. The program writes such variables, so nothing is known of their values. */
void let_find(GlobalValue &v, bool variable) {
    constexpr StringRef begin = "_ZL";
    StringRef name = v.getName();
    size_t length = 0;
    if ((variable && !v.hasLocalLinkage()) || !name.consume_front(begin) || name.empty() ||
        !isDigit(name.front()))
        return;
    std::string other = ("_Z" + name).str();
    if (variable) {
        if (name.consumeInteger(10, length) || length != name.size())
            return; /* of a template, or of a function */
        other = name.str();
    }
    if (v.getParent()->getNamedValue(other)) return;
    v.setLinkage(GlobalValue::ExternalLinkage);
    v.setName(other);
}
struct Findable : PassInfoMixin<Findable> {
    static bool isRequired() { return true; }
    PreservedAnalyses run(Module &m, ModuleAnalysisManager &) {
        constexpr unsigned global = 1, constant = 4;
        for (GlobalVariable &v : m.globals())
            if (v.getAddressSpace() == global || v.getAddressSpace() == constant) let_find(v, true);
        NamedMDNode *kernels = m.getNamedMetadata("nvvm.annotations");
        for (unsigned i = 0; kernels && i < kernels->getNumOperands(); i++)
            if (auto *f = mdconst::dyn_extract_or_null<Function>(kernels->getOperand(i)->getOperand(0)))
                let_find(*f, false);
        return PreservedAnalyses::none();
    }
};
struct AsWritten : PassInfoMixin<AsWritten> {
    static bool isRequired() { return true; }
    PreservedAnalyses run(Module &m, ModuleAnalysisManager &) {
        wg_keep_as_written(m);
        return PreservedAnalyses::none();
    }
};

/* At the end, when loops are unrolled. */
struct AsWrittenToTheEnd : PassInfoMixin<AsWrittenToTheEnd> {
    static bool isRequired() { return true; }
    PreservedAnalyses run(Function &f, FunctionAnalysisManager &analyses) {
        wg_drop_kept(f, analyses.getResult<TargetIRAnalysis>(f));
        return PreservedAnalyses::none();
    }
};

bool lanes_meet_in(const Loop &loop) {
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &i : *block) {
            auto *call = dyn_cast<CallBase>(&i);
            if (call && call->isConvergent()) return true;
        }
    return false;
}

/* LLVM does not peel a loop of which it has peeled that many iterations. */
struct KeepWhole : PassInfoMixin<KeepWhole> {
    PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &, LPMUpdater &) {
        if (lanes_meet_in(loop)) addStringMetadataToLoop(&loop, "llvm.loop.peeled.count", INT16_MAX);
        return PreservedAnalyses::all();
    }
};

struct End : PassInfoMixin<End> {
    static bool isRequired() { return true; }
    PreservedAnalyses run(Function &f, FunctionAnalysisManager &) {
        bool changed = false;
        for (Instruction &i : make_early_inc_range(instructions(f))) {
            IntrinsicInst *x = as_saturating(i);
            if (!x || isa<Constant>(x->getArgOperand(0))) continue;
            unsigned bits = x->getType()->getIntegerBitWidth();
            if (bits != int_bits && bits != 2 * int_bits && bits != 4 * int_bits) continue;
            IRBuilder<> b(&i);
            bool is_signed = x->getIntrinsicID() == Intrinsic::fptosi_sat;
            replace(i, b.CreateCast(is_signed ? Instruction::FPToSI : Instruction::FPToUI,
                                    x->getArgOperand(0), x->getType()));
            changed = true;
        }
        return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
};

void add_passes(PassBuilder &b) {
    b.registerPipelineStartEPCallback([](ModulePassManager &m, OptimizationLevel) {
        if (std::getenv("WARPGLASS_RTC")) m.addPass(Findable());
        if (std::getenv("WARPGLASS_AS_WRITTEN")) m.addPass(AsWritten());
        m.addPass(createModuleToFunctionPassAdaptor(Begin()));
    });
    b.registerLateLoopOptimizationsEPCallback(
        [](LoopPassManager &m, OptimizationLevel) { m.addPass(KeepWhole()); });
    b.registerOptimizerLastEPCallback([](ModulePassManager &m, OptimizationLevel) {
        if (std::getenv("WARPGLASS_AS_WRITTEN"))
            m.addPass(createModuleToFunctionPassAdaptor(AsWrittenToTheEnd()));
        m.addPass(createModuleToFunctionPassAdaptor(End()));
    });
}

} // namespace

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo llvmGetPassPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "warpglass-dialect", LLVM_VERSION_STRING, add_passes};
}
