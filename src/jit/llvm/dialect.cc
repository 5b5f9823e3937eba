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
 * At the end of the pipeline what is left of saturation is removed: PTX's cvt saturates by itself.
 *
 * For `warpglass check` (WARPGLASS_AS_WRITTEN in the environment) faults stay where they were written, even
 * without an observable result: stores to shared variables that are never read, stores to constants, accesses behind
 * the end of local arrays, reads of uninitialized arrays and structures, and of variables
 * whose scope has ended. A float4 is loaded whole.
 *
 * In C++, because LLVM's C API has no plugins.
 */
#include "jit/llvm/records.h"
#include <cstdlib>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

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

constexpr unsigned shared_space = 3, constant_space = 4;

/* An address that is opaque to the optimiser. */
Value *hidden(IRBuilder<> &b, Value *address) {
    auto *type = FunctionType::get(b.getInt64Ty(), {b.getInt64Ty()}, false);
    Value *in = b.CreatePtrToInt(address, b.getInt64Ty());
    CallInst *out = b.CreateCall(InlineAsm::get(type, "mov.b64 $0, $1;", "=l,l", false), {in});
    return b.CreateIntToPtr(out, address->getType());
}

bool is_constant_space(Value *address) {
    auto *variable = dyn_cast<GlobalVariable>(getUnderlyingObject(address));
    return variable && variable->getAddressSpace() == constant_space;
}

/* The back end takes a store to a constant for one that never happens. */
bool keep_store_to_constant(Instruction &i) {
    auto *store = dyn_cast<StoreInst>(&i);
    if (!store || store->getPointerAddressSpace() != 0 || !is_constant_space(store->getPointerOperand()))
        return false;
    IRBuilder<> b(&i);
    store->setOperand(StoreInst::getPointerOperandIndex(), hidden(b, store->getPointerOperand()));
    return true;
}

bool is_access(const Use &u) {
    auto *store = dyn_cast<StoreInst>(u.getUser());
    return isa<LoadInst>(u.getUser()) ||
           (store && &u == &store->getOperandUse(StoreInst::getPointerOperandIndex()));
}

/* Whether the function stores anywhere else than in its own variables. */
bool stores(const Function &f) {
    return f.isDeclaration() || any_of(instructions(f), [](const Instruction &i) {
               auto *store = dyn_cast<StoreInst>(&i);
               return store && !isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand()));
           });
}

/* The same where the address of a constant is passed on, to a function that is inlined later, or kept. */
bool keep_address_of_constant(Instruction &i) {
    auto *call = dyn_cast<CallInst>(&i);
    const Function *f = call ? call->getCalledFunction() : nullptr;
    if (call ? isa<IntrinsicInst>(call) || call->isInlineAsm() || (f && !stores(*f)) : !isa<StoreInst>(i))
        return false;
    bool changed = false;
    for (Use &u : call ? call->args() : i.operands()) {
        if (!u->getType()->isPointerTy() || u->getType()->getPointerAddressSpace() != 0 || is_access(u))
            continue;
        if (!is_constant_space(u)) continue;
        IRBuilder<> b(&i);
        u.set(hidden(b, u));
        changed = true;
    }
    return changed;
}

/* Whether all that is done with the address is to load and to store there, or at a fixed distance from there. */
bool is_only_accessed(const Value *address) {
    return all_of(address->uses(), [](const Use &u) {
        auto *part = dyn_cast<GetElementPtrInst>(u.getUser());
        return is_access(u) || (part && is_only_accessed(part));
    });
}

constexpr const char *kept_index_code[] = {"mov.b32 $0, $1;", "mov.b64 $0, $1;"};

/* `index`, or an equal number that is opaque where there are not so many elements. */
Value *kept_index(IRBuilder<> &b, Value *index, uint64_t elements) {
    auto *type = FunctionType::get(index->getType(), {index->getType()}, false);
    bool wide = index->getType()->getIntegerBitWidth() == 64;
    CallInst *opaque =
        b.CreateCall(InlineAsm::get(type, kept_index_code[wide], wide ? "=l,l" : "=r,r", false), {index});
    opaque->setDoesNotAccessMemory();
    opaque->setDoesNotThrow();
    opaque->addFnAttr(Attribute::WillReturn);
    return b.CreateSelect(b.CreateICmpULT(index, ConstantInt::get(index->getType(), elements)), index,
                          opaque);
}

/* An access behind the end of a thread's own array is undefined once its index is known, as in an unrolled loop, and would
 * be removed. */
bool keep_index(Instruction &i) {
    auto *part = dyn_cast<GetElementPtrInst>(&i);
    if (!part || !isa<AllocaInst>(getUnderlyingObject(part)) || !is_only_accessed(part)) return false;
    Type *in = part->getSourceElementType();
    for (unsigned k = 2; k < part->getNumOperands();
         in = GetElementPtrInst::getTypeAtIndex(in, part->getOperand(k++))) {
        Value *index = part->getOperand(k);
        auto *array = dyn_cast<ArrayType>(in);
        auto *number = dyn_cast<ConstantInt>(index);
        if (!array || !(index->getType()->isIntegerTy(32) || index->getType()->isIntegerTy(64))) continue;
        if (number && number->getValue().ult(array->getNumElements())) continue;
        IRBuilder<> b(part);
        part->setOperand(k, kept_index(b, index, array->getNumElements()));
    }
    return true;
}

/* The index itself again, where it is not known. */
bool drop_kept_index(Instruction &i) {
    auto *choice = dyn_cast<SelectInst>(&i);
    if (!choice) return false;
    for (Value *arm : {choice->getTrueValue(), choice->getFalseValue()}) {
        auto *call = dyn_cast<CallInst>(arm);
        auto *code = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
        Value *other = arm == choice->getTrueValue() ? choice->getFalseValue() : choice->getTrueValue();
        if (!code || !is_contained(kept_index_code, StringRef(code->getAsmString())) ||
            call->getArgOperand(0) != other)
            continue;
        replace(i, other);
        return true;
    }
    return false;
}

/* Whether the address is only loaded from or copied from. */
bool is_only_read(Value *address) {
    for (Use &u : address->uses()) {
        Value *user = u.getUser();
        auto *call = dyn_cast<IntrinsicInst>(user);
        auto *copy = dyn_cast<MemTransferInst>(user);
        if (isa<GetElementPtrInst>(user) || isa<AddrSpaceCastInst>(user)) {
            if (!is_only_read(user)) return false;
        } else if (!isa<LoadInst>(user) && !(call && call->isLifetimeStartOrEnd()) &&
                   !(copy && &copy->getRawSourceUse() == &u)) {
            return false;
        }
    }
    return true;
}

/* An array or a structure that is never written holds opaque bytes. */
bool keep_variable(Instruction &i) {
    auto *variable = dyn_cast<AllocaInst>(&i);
    if (!variable || !variable->getAllocatedType()->isAggregateType()) return false;
    if (variable->use_empty() || !is_only_read(variable)) return false;
    IRBuilder<> b(variable->getNextNode());
    auto *type = FunctionType::get(b.getVoidTy(), {variable->getType()}, false);
    b.CreateCall(InlineAsm::get(type, "", "l,~{memory}", true), {variable});
    return true;
}

/* The members of a type that are no structures, vectors or arrays. False: there are more than `most`. */
bool find_leaves(Type *type, const DataLayout &layout, uint64_t at, size_t most,
                 SmallVectorImpl<std::pair<uint64_t, Type *>> &leaves) {
    if (auto *structure = dyn_cast<StructType>(type)) {
        for (unsigned i = 0; i < structure->getNumElements(); i++) {
            uint64_t offset = layout.getStructLayout(structure)->getElementOffset(i);
            if (!find_leaves(structure->getElementType(i), layout, at + offset, most, leaves)) return false;
        }
        return true;
    }
    auto *array = dyn_cast<ArrayType>(type);
    auto *vector = dyn_cast<FixedVectorType>(type);
    if (!array && !vector) {
        leaves.emplace_back(at, type);
        return leaves.size() <= most;
    }
    Type *element = array ? array->getElementType() : vector->getElementType();
    uint64_t n = array ? array->getNumElements() : vector->getNumElements(),
             bytes = layout.getTypeAllocSize(element).getFixedValue();
    for (uint64_t i = 0; i < n; i++)
        if (!find_leaves(element, layout, at + i * bytes, most, leaves)) return false;
    return true;
}

/* A register that nobody writes, opaque to the optimiser. `check` knows those that are named so of variables whose scope
 * has ended (machine/watch/check_source.c). */
Value *never_written(IRBuilder<> &b, unsigned bits, bool ended) {
    static const char *const codes[2][2] = {
        {"{ .reg .b32 never; mov.b32 $0, never; }", "{ .reg .b64 never; mov.b64 $0, never; }"},
        {"{ .reg .b32 ended; mov.b32 $0, ended; }", "{ .reg .b64 ended; mov.b64 $0, ended; }"}};
    auto *type = FunctionType::get(b.getIntNTy(bits), false);
    CallInst *x =
        b.CreateCall(InlineAsm::get(type, codes[ended][bits == 64], bits == 64 ? "=l" : "=r", false));
    x->setDoesNotAccessMemory(); /* or accesses on either side of it would not be joined */
    x->setDoesNotThrow();
    x->addFnAttr(Attribute::WillReturn); /* or it would stay where nobody reads it */
    return x;
}

/* A variable of a thread begins with what was never written: to the optimiser it would be anything, such as what it is
 * given on another path. Where a value comes first in any case, nothing is left of this. */
void make_undefined(AllocaInst &variable, Instruction *where, bool ended) {
    enum : size_t { MOST = 64 };
    const DataLayout &layout = variable.getDataLayout();
    SmallVector<std::pair<uint64_t, Type *>> leaves;
    if (variable.isArrayAllocation()) return;
    if (!find_leaves(variable.getAllocatedType(), layout, 0, MOST, leaves)) return;
    IRBuilder<> b(where);
    b.SetCurrentDebugLocation(where->getDebugLoc());
    for (const auto &[at, type] : leaves) {
        uint64_t bits = layout.getTypeStoreSizeInBits(type).getFixedValue();
        if (bits > 64) continue;
        Value *x = never_written(b, bits > 32 ? 64 : 32, ended);
        x = b.CreateTrunc(x, b.getIntNTy(static_cast<unsigned>(bits)));
        b.CreateAlignedStore(x, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), &variable, at),
                             commonAlignment(variable.getAlign(), at), ended);
    }
}

/* At the beginning of each of its lives, or of the function. */
bool keep_undefined(Instruction &i) {
    auto *variable = dyn_cast<AllocaInst>(&i);
    if (!variable) return false;
    SmallVector<Instruction *> lives;
    for (User *user : variable->users()) {
        auto *call = dyn_cast<IntrinsicInst>(user);
        if (call && call->getIntrinsicID() == Intrinsic::lifetime_start) lives.push_back(call->getNextNode());
    }
    if (lives.empty()) lives.push_back(variable->getNextNode());
    for (Instruction *life : lives) make_undefined(*variable, life, false);
    return true;
}

using Ends = SmallVector<IntrinsicInst *>;

Ends ends_of(const AllocaInst &variable) {
    Ends ends;
    for (User *user : const_cast<AllocaInst &>(variable).users()) {
        auto *call = dyn_cast<IntrinsicInst>(user);
        if (call && call->getIntrinsicID() == Intrinsic::lifetime_end) ends.push_back(call);
    }
    return ends;
}

/* Where an address goes: the variables that it is stored in. False: it is returned, or stored elsewhere. */
bool find_holders(Value *address, SmallPtrSetImpl<Value *> &seen, SmallPtrSetImpl<AllocaInst *> &holders) {
    if (!seen.insert(address).second) return true;
    for (Use &u : address->uses()) {
        Instruction *user = cast<Instruction>(u.getUser());
        auto *store = dyn_cast<StoreInst>(user);
        if (isa<GetElementPtrInst, AddrSpaceCastInst, PHINode, SelectInst, InsertValueInst>(user)) {
            if (!find_holders(user, seen, holders)) return false;
        } else if (isa<ReturnInst>(user)) {
            return false;
        } else if (store && &u == &store->getOperandUse(0)) {
            auto *holder = dyn_cast<AllocaInst>(getUnderlyingObject(store->getPointerOperand()));
            if (!holder) return false;
            holders.insert(holder);
        }
    }
    return true;
}

bool has_pointer(const Type *type) {
    return type->isPointerTy() || any_of(type->subtypes(), [](const Type *t) { return has_pointer(t); });
}

/* Whether what holds the variable's address may still be there when the variable is not. */
bool is_outlived(AllocaInst &variable, const Ends &ends, const DominatorTree &order) {
    SmallPtrSet<Value *, 8> seen;
    SmallPtrSet<AllocaInst *, 4> holders;
    if (!find_holders(&variable, seen, holders)) return true;
    holders.erase(&variable);
    if (!holders.empty() && has_pointer(variable.getFunction()->getReturnType())) return true;
    return any_of(holders, [&](AllocaInst *holder) {
        Ends others = ends_of(*holder);
        return any_of(ends, [&](const IntrinsicInst *end) {
            return none_of(others, [&](const IntrinsicInst *other) {
                return other->getParent() == end->getParent() || order.dominates(other, end);
            });
        });
    });
}

/* When the variable's scope ends, what it held was never written: to the optimiser whoever still reads it would read
 * anything. */
void end_undefined(Function &f) {
    SmallVector<AllocaInst *> variables;
    for (Instruction &i : instructions(f))
        if (auto *variable = dyn_cast<AllocaInst>(&i)) variables.push_back(variable);
    if (variables.empty()) return;
    const DominatorTree order(f);
    SmallVector<std::pair<AllocaInst *, Ends>> outlived;
    for (AllocaInst *variable : variables) {
        Ends ends = ends_of(*variable);
        if (!ends.empty() && is_outlived(*variable, ends, order)) outlived.emplace_back(variable, ends);
    }
    for (const auto &[variable, ends] : outlived)
        for (IntrinsicInst *end : ends) {
            make_undefined(*variable, end, true);
            end->eraseFromParent();
        }
}

/* A float4 is loaded whole, whichever of its members are read: at an address that is not aligned for it, that fails.
 * clang's copy becomes loads of its members otherwise. */
bool keep_whole_load(Instruction &i) {
    auto *copy = dyn_cast<MemCpyInst>(&i);
    auto *length = copy ? dyn_cast<ConstantInt>(copy->getLength()) : nullptr;
    if (!length || copy->isVolatile() || isa<AllocaInst>(getUnderlyingObject(copy->getSource())))
        return false;
    const uint64_t bytes = length->getZExtValue();
    if ((bytes != 8 && bytes != 16) || copy->getSourceAlign().valueOrOne() < bytes) return false;
    IRBuilder<> b(copy);
    auto *type = FixedVectorType::get(b.getInt32Ty(), static_cast<unsigned>(bytes / sizeof(uint32_t)));
    Value *x = b.CreateAlignedLoad(type, copy->getSource(), Align(bytes));
    b.CreateAlignedStore(x, copy->getDest(), copy->getDestAlign().valueOrOne());
    copy->eraseFromParent();
    return true;
}

struct AsWritten : PassInfoMixin<AsWritten> {
    static bool isRequired() { return true; }
    PreservedAnalyses run(Module &m, ModuleAnalysisManager &) {
        SmallVector<GlobalValue *> shared;
        for (GlobalVariable &v : m.globals())
            if (v.getAddressSpace() == shared_space && v.hasLocalLinkage()) shared.push_back(&v);
        appendToCompilerUsed(m, shared);
        wg_say_records(m);
        for (Function &f : m) {
            if (!f.isDeclaration()) end_undefined(f);
            for (Instruction &i : make_early_inc_range(instructions(f)))
                if (!keep_whole_load(i) && !keep_store_to_constant(i) && !keep_address_of_constant(i) &&
                    !keep_variable(i) && !keep_index(i))
                    keep_undefined(i);
        }
        return PreservedAnalyses::none();
    }
};

/* At the end, when loops are unrolled. */
struct AsWrittenToTheEnd : PassInfoMixin<AsWrittenToTheEnd> {
    static bool isRequired() { return true; }
    PreservedAnalyses run(Function &f, FunctionAnalysisManager &) {
        for (Instruction &i : make_early_inc_range(instructions(f))) drop_kept_index(i);
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
            if (bits != int_bits && bits != 2 * int_bits) continue;
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
