/* For `warpglass check`, device code is compiled so that faults stay where they were written, even without an observable
 * result (WARPGLASS_AS_WRITTEN in the environment; dialect.cc has these passes run): stores to shared and static variables
 * that are never read, stores to constants, accesses past the end of a thread's own variables, reads of uninitialized arrays
 * and structures, and of variables whose scope has ended, and what is done with memory of malloc and new. A float4 is loaded
 * whole.
 *
 * At the beginning of the pipeline such accesses are made opaque to the optimiser, at its end what is known to be right by
 * then is made plain again.
 */
#include "jit/llvm/as_written.h"
#include "jit/llvm/records.h"
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LowerMemIntrinsics.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

using namespace llvm;

namespace {

constexpr unsigned global_space = 1, shared_space = 3, constant_space = 4;

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

constexpr const char *kept_number_code[] = {"mov.b32 $0, $1;", "mov.b64 $0, $1;"};

/* An equal number that is opaque. */
CallInst *kept_number(IRBuilder<> &b, Value *number) {
    auto *type = FunctionType::get(number->getType(), {number->getType()}, false);
    bool wide = number->getType()->getIntegerBitWidth() == 64;
    CallInst *opaque =
        b.CreateCall(InlineAsm::get(type, kept_number_code[wide], wide ? "=l,l" : "=r,r", false), {number});
    opaque->setDoesNotAccessMemory();
    opaque->setDoesNotThrow();
    opaque->addFnAttr(Attribute::WillReturn);
    return opaque;
}

/* `index`, or an equal number that is opaque where there are not so many elements. */
Value *kept_index(IRBuilder<> &b, Value *index, uint64_t elements) {
    return b.CreateSelect(b.CreateICmpULT(index, ConstantInt::get(index->getType(), elements)), index,
                          kept_number(b, index));
}

bool is_number_below(const Value *index, uint64_t most) {
    auto *number = dyn_cast<ConstantInt>(index);
    return number && number->getValue().ult(most);
}

/* How many elements a step of an address's computation may choose from; 0: that is not known. */
uint64_t elements_of(const GetElementPtrInst &part, Type *in) {
    if (auto *array = dyn_cast_or_null<ArrayType>(in)) return array->getNumElements();
    auto *variable = dyn_cast<AllocaInst>(part.getPointerOperand());
    if (in || !variable || !variable->getAllocatedType()->isArrayTy()) return 0;
    const DataLayout &layout = part.getDataLayout();
    auto all = variable->getAllocationSize(layout);
    uint64_t one = layout.getTypeAllocSize(part.getSourceElementType()).getFixedValue();
    return all && one ? all->getFixedValue() / one : 0;
}

/* An access behind the end of a thread's own array is undefined once its index is known, as in an unrolled loop, and would
 * be removed. */
bool keep_index(Instruction &i) {
    auto *part = dyn_cast<GetElementPtrInst>(&i);
    if (!part || !isa<AllocaInst>(getUnderlyingObject(part)) || !is_only_accessed(part)) return false;
    Type *in = nullptr; /* what the index before chose */
    for (unsigned k = 1; k < part->getNumOperands(); k++) {
        Value *index = part->getOperand(k);
        uint64_t elements = elements_of(*part, in);
        bool fits = index->getType()->isIntegerTy(32) || index->getType()->isIntegerTy(64);
        if (fits && elements && !is_number_below(index, elements)) {
            IRBuilder<> b(part);
            part->setOperand(k, kept_index(b, index, elements));
        }
        in = in ? GetElementPtrInst::getTypeAtIndex(in, index) : part->getSourceElementType();
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
        if (!code || !is_contained(kept_number_code, StringRef(code->getAsmString())) ||
            call->getArgOperand(0) != other)
            continue;
        i.replaceAllUsesWith(other);
        i.eraseFromParent();
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

/* Reads and writes a variable, as far as the optimiser knows. */
void touch_opaquely(AllocaInst &variable, Instruction *before) {
    IRBuilder<> b(before);
    auto *type = FunctionType::get(b.getVoidTy(), {variable.getType()}, false);
    b.CreateCall(InlineAsm::get(type, "", "l,~{memory}", true), {&variable});
}

/* An array or a structure that is never written holds opaque bytes. */
bool keep_variable(Instruction &i) {
    auto *variable = dyn_cast<AllocaInst>(&i);
    if (!variable || !variable->getAllocatedType()->isAggregateType()) return false;
    if (variable->use_empty() || !is_only_read(variable)) return false;
    touch_opaquely(*variable, variable->getNextNode());
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
        if (layout.getTypeSizeInBits(type).getFixedValue() == bits) x = b.CreateBitOrPointerCast(x, type);
        Value *there = at ? b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), &variable, at) : &variable;
        b.CreateAlignedStore(x, there, commonAlignment(variable.getAlign(), at), ended);
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

/* Of an access at a fixed distance from a thread's own variable that is not within it, the variable; otherwise NULL. */
AllocaInst *is_beyond(Value *address, uint64_t bytes, const DataLayout &layout, APInt &at) {
    at = APInt(layout.getIndexTypeSizeInBits(address->getType()), 0);
    auto *variable = dyn_cast<AllocaInst>(
        address->stripAndAccumulateConstantOffsets(layout, at, /*AllowNonInbounds=*/true));
    auto size = variable ? variable->getAllocationSize(layout) : std::nullopt;
    if (!size || (!at.isNegative() && at.getZExtValue() + bytes <= size->getFixedValue())) return nullptr;
    return variable;
}

/* Such an access is undefined, and would be removed with all that depends on it. */
bool keep_beyond(Instruction &i) {
    const DataLayout &layout = i.getDataLayout();
    IRBuilder<> b(&i);
    APInt at;
    if (auto *set = dyn_cast<MemIntrinsic>(&i)) {
        auto *length = dyn_cast<ConstantInt>(set->getLength());
        auto *copy = dyn_cast<MemTransferInst>(&i);
        uint64_t bytes = length ? length->getZExtValue() : 0;
        if (!is_beyond(set->getRawDest(), bytes, layout, at) &&
            !(copy && is_beyond(copy->getRawSource(), bytes, layout, at)))
            return false;
        if (length) set->setLength(kept_number(b, length));
        return true;
    }
    Value *address = getLoadStorePointerOperand(&i);
    if (!address) return false;
    uint64_t bytes = layout.getTypeStoreSize(getLoadStoreType(&i)).getFixedValue();
    AllocaInst *variable = is_beyond(address, bytes, layout, at);
    if (!variable) return false;
    Value *there = b.CreatePtrAdd(variable, kept_number(b, b.getInt64(at.getZExtValue())));
    if (auto *store = dyn_cast<StoreInst>(&i))
        store->setOperand(StoreInst::getPointerOperandIndex(), there), store->setVolatile(true);
    if (auto *load = dyn_cast<LoadInst>(&i))
        load->setOperand(LoadInst::getPointerOperandIndex(), there), load->setVolatile(true);
    return true;
}

/* Whether the address is only stored to, and somewhere at an index that is not a number. */
bool is_only_written(const Value *address, bool &by_index) {
    return all_of(address->uses(), [&](const Use &u) {
        auto *call = dyn_cast<IntrinsicInst>(u.getUser());
        auto *set = dyn_cast<MemIntrinsic>(u.getUser());
        if (auto *part = dyn_cast<GetElementPtrInst>(u.getUser())) {
            by_index = by_index || !part->hasAllConstantIndices();
            return is_only_written(part, by_index);
        }
        return (isa<StoreInst>(u.getUser()) && is_access(u)) || (call && call->isLifetimeStartOrEnd()) ||
               (set && &set->getRawDestUse() == &u);
    });
}

/* What is stored in an array that nobody reads may be behind its end. */
bool keep_written(AllocaInst &variable) {
    bool by_index = false;
    if (!variable.getAllocatedType()->isAggregateType() || !is_only_written(&variable, by_index) || !by_index)
        return false;
    SmallVector<Instruction *> ends;
    for (Instruction &i : instructions(*variable.getFunction()))
        if (isa<ReturnInst>(i)) ends.push_back(&i);
    for (User *user : variable.users())
        if (auto *call = dyn_cast<IntrinsicInst>(user);
            call && call->getIntrinsicID() == Intrinsic::lifetime_end)
            ends.push_back(call);
    for (Instruction *end : ends) touch_opaquely(variable, end);
    return true;
}

/* What is allocated, used and freed without a trace would be removed. */
bool keep_allocation(Instruction &i) {
    auto *call = dyn_cast<CallBase>(&i);
    const Function *f = call ? call->getCalledFunction() : nullptr;
    if (!f || !f->isDeclaration()) return false;
    StringRef name = f->getName();
    if (name != "malloc" && name != "free" && !name.starts_with("_Zn") && !name.starts_with("_Zd"))
        return false;
    call->removeFnAttr(Attribute::Builtin);
    call->addFnAttr(Attribute::NoBuiltin);
    return true;
}

/* What pointers and indices are is seen where they are used. */
void promote_variables(Function &f) {
    std::vector<AllocaInst *> variables;
    if (f.hasOptNone()) return;
    for (Instruction &i : instructions(f))
        if (auto *variable = dyn_cast<AllocaInst>(&i); variable && isAllocaPromotable(variable))
            variables.push_back(variable);
    for (AllocaInst *variable : variables) keep_undefined(*variable);
    erase_if(variables, [](const AllocaInst *variable) { return !isAllocaPromotable(variable); });
    if (variables.empty()) return;
    DominatorTree order(f);
    PromoteMemToReg(variables, order);
}

/* Whether a function of few instructions is called with the address of an array, by a pointer: then it is the array's
 * elements that it accesses. References come with how many bytes are there. memset and its like are such functions, which
 * access structures as well. */
bool is_given_array(const CallInst &call) {
    enum : unsigned { FEW = 100 };
    const Function *f = call.getCalledFunction();
    if (!f || f->isDeclaration() || f->isInterposable() || f == call.getFunction()) return false;
    if (f->hasFnAttribute(Attribute::NoInline) || f->getInstructionCount() > FEW) return false;
    bool copies = any_of(instructions(*f), [](const Instruction &i) { return isa<MemIntrinsic>(i); });
    for (unsigned k = 0; k < call.arg_size(); k++) {
        if (!call.getArgOperand(k)->getType()->isPointerTy() || call.getParamDereferenceableBytes(k))
            continue;
        auto *array = dyn_cast<AllocaInst>(getUnderlyingObject(call.getArgOperand(k)));
        if (array && (copies || array->getAllocatedType()->isArrayTy())) return true;
    }
    return false;
}

/* What such functions access is seen where the array is. */
void inline_uses_of_arrays(Function &f) {
    enum { DEPTH = 3 };
    for (int depth = 0; depth < DEPTH; depth++) {
        SmallVector<CallInst *> calls;
        for (Instruction &i : instructions(f))
            if (auto *call = dyn_cast<CallInst>(&i); call && is_given_array(*call)) calls.push_back(call);
        for (CallInst *call : calls) {
            InlineFunctionInfo how;
            InlineFunction(*call, how);
        }
        if (calls.empty()) return;
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

/* Variables of the module that nobody outside it sees: what only stores to them would be removed with them. */
void keep_variables(Module &m) {
    SmallVector<GlobalValue *> kept;
    for (GlobalVariable &v : m.globals()) {
        bool is_global = v.getAddressSpace() == global_space && !v.isConstant();
        if (v.hasLocalLinkage() && (is_global || v.getAddressSpace() == shared_space)) kept.push_back(&v);
    }
    appendToCompilerUsed(m, kept);
}

/* The loop that stands for a copy or a fill has its line. The back end's has none. */
void expand(MemIntrinsic &x, const TargetTransformInfo &target) {
    Function &f = *x.getFunction();
    const DebugLoc where = x.getDebugLoc();
    SmallPtrSet<Instruction *, 32> old;
    for (Instruction &i : instructions(f)) old.insert(&i);
    if (auto *copy = dyn_cast<MemCpyInst>(&x)) expandMemCpyAsLoop(copy, target);
    if (auto *move = dyn_cast<MemMoveInst>(&x))
        if (!expandMemMoveAsLoop(move, target)) return;
    if (auto *set = dyn_cast<MemSetInst>(&x)) expandMemSetAsLoop(set);
    for (Instruction &i : instructions(f))
        if (!old.contains(&i)) i.setDebugLoc(where);
    x.eraseFromParent();
}

} // namespace

void wg_keep_as_written(Module &m) {
    keep_variables(m);
    wg_say_records(m);
    for (Function &f : m) {
        end_undefined(f);
        promote_variables(f);
    }
    for (Function &f : m) {
        inline_uses_of_arrays(f);
        for (Instruction &i : make_early_inc_range(instructions(f))) {
            if (keep_whole_load(i) || keep_beyond(i) || keep_store_to_constant(i) ||
                keep_address_of_constant(i) || keep_variable(i) || keep_index(i) || keep_allocation(i))
                continue;
            if (auto *variable = dyn_cast<AllocaInst>(&i)) keep_written(*variable), keep_undefined(i);
        }
    }
}

void wg_drop_kept(Function &f, const TargetTransformInfo &target) {
    enum : uint64_t { INLINE = 128 }; /* bytes that the back end copies without a loop */
    SmallVector<MemIntrinsic *> loops;
    for (Instruction &i : make_early_inc_range(instructions(f))) {
        if (drop_kept_index(i)) continue;
        auto *x = dyn_cast<MemIntrinsic>(&i);
        auto *length = x ? dyn_cast<ConstantInt>(x->getLength()) : nullptr;
        if (x && (!length || length->uge(INLINE))) loops.push_back(x);
    }
    for (MemIntrinsic *x : loops) expand(*x, target);
}
