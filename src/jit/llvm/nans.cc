/* NaN canonicalization. See nans.h. In C++, because LLVM's C API splits no edges.
 *
 * For each format, values are classified as: arithmetic results ("made"); results of instructions that only
 * move bits ("moves": bitcasts, phis, selects, shuffles); anything else. A move all of whose sources are
 * made, or constants that are no other NaN, is "pure" and may be canonicalized later; any other move is
 * "mixed".
 */
#include "jit/llvm/nans.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace {

/* ---- what instructions do with NaNs ---- */

bool calculates(Intrinsic::ID id) {
    switch (id) {
    case Intrinsic::fma:
    case Intrinsic::sqrt:
    case Intrinsic::fabs:
    case Intrinsic::floor:
    case Intrinsic::ceil:
    case Intrinsic::trunc:
    case Intrinsic::roundeven: return true;
    default: return false;
    }
}

/* AVX-512's arithmetic, and pieces of assembly that are one operation (lower_round.c). */
bool calculates(const CallBase &call) {
    static constexpr StringLiteral of_512[] = {"add.p",  "sub.p",   "mul.p",        "div.p",
                                               "sqrt.p", "vfmadd.", "mask.range.p", "mask.cvtp"};
    if (call.isInlineAsm()) return call.getType()->isFPOrFPVectorTy();
    const Function *f = call.getCalledFunction();
    if (!f || !f->isIntrinsic()) return false;
    StringRef name = f->getName();
    if (!name.consume_front("llvm.x86.avx512.")) return calculates(f->getIntrinsicID());
    return any_of(of_512, [&](StringRef start) { return name.starts_with(start); });
}

/* An arithmetic result; it does not depend on which NaN the operands are. */
bool calculates(const Instruction &i) {
    switch (i.getOpcode()) {
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
    case Instruction::FDiv:
    case Instruction::FNeg:
    case Instruction::FPExt:
    case Instruction::FPTrunc: return !i.hasMetadata(WG_NAN_KEPT);
    case Instruction::Select: return i.hasMetadata(WG_NAN_MADE);
    case Instruction::Call: return calculates(cast<CallBase>(i));
    default: return false;
    }
}

bool looks_at_no_bits(const Instruction &i) {
    switch (i.getOpcode()) {
    case Instruction::FCmp:
    case Instruction::FPToSI:
    case Instruction::FPToUI: return true;
    case Instruction::BitCast: return i.hasMetadata(WG_NAN_ANY);
    default: return calculates(i);
    }
}

/* ---- one format in one function ---- */

class Format {
  public:
    Format(Function &f, Type *format) : f_(f), format_(format), bits_(format->getScalarSizeInBits()) {}
    bool run();

  private:
    bool is_made(const Value *v) const;
    bool is_move(const Value *v) const;
    bool is_harmless(const Constant *c) const;
    bool is_late(const Value *v) const { return is_made(v) || (moves_.contains(v) && !mixed_.contains(v)); }
    bool has_other_source(const Instruction &move) const;
    void find_moves();
    void find_mixed();
    void find_looked_at();
    bool needs_it(const Use &use) const;
    Instruction *place_of(const Use &use);
    Value *set_right(Value *v, Instruction *before) const;
    void replace(Use &use);

    Function &f_;
    Type *format_;
    unsigned bits_;
    SetVector<Instruction *> made_;
    SetVector<const Value *> moves_;
    DenseSet<const Value *> mixed_, looked_at_;
    DominatorTree dominators_;
    LoopInfo loops_;
};

bool Format::is_made(const Value *v) const {
    auto *i = dyn_cast<Instruction>(v);
    return i && i->getType()->getScalarType() == format_ && calculates(*i);
}

bool Format::is_move(const Value *v) const {
    auto *i = dyn_cast<Instruction>(v);
    if (!i || i->getType()->getScalarSizeInBits() == 0 || i->getType()->getScalarSizeInBits() % bits_)
        return false;
    switch (i->getOpcode()) {
    case Instruction::BitCast: return !i->hasMetadata(WG_NAN_ANY);
    case Instruction::Select: return !i->hasMetadata(WG_NAN_MADE);
    case Instruction::PHI:
    case Instruction::ShuffleVector:
    case Instruction::InsertElement:
    case Instruction::ExtractElement:
    case Instruction::Freeze: return true;
    case Instruction::Call: {
        const Function *callee = cast<CallBase>(i)->getCalledFunction();
        return callee && callee->getIntrinsicID() == Intrinsic::arithmetic_fence;
    }
    default: return false;
    }
}

/* It contains no NaN but the canonical one. */
bool Format::is_harmless(const Constant *c) const {
    if (isa<UndefValue>(c) || c->isNullValue()) return true;
    if (auto *type = dyn_cast<FixedVectorType>(c->getType())) {
        for (unsigned i = 0; i < type->getNumElements(); i++) {
            const Constant *element = c->getAggregateElement(i);
            if (!element || !is_harmless(element)) return false;
        }
        return true;
    }
    APInt all;
    if (auto *x = dyn_cast<ConstantInt>(c))
        all = x->getValue();
    else if (auto *x = dyn_cast<ConstantFP>(c))
        all = x->getValueAPF().bitcastToAPInt();
    else
        return false;
    for (unsigned at = 0; at < all.getBitWidth(); at += bits_) {
        APInt part = all.extractBits(bits_, at);
        if (APFloat(format_->getFltSemantics(), part).isNaN() && !part.isMaxSignedValue()) return false;
    }
    return true;
}

bool Format::has_other_source(const Instruction &move) const {
    for (const Use &use : move.operands()) {
        const Value *v = use.get();
        if (isa<SelectInst>(move) && use.getOperandNo() == 0) continue;
        if (isa<InsertElementInst>(move) && use.getOperandNo() == 2) continue;
        if (isa<ExtractElementInst>(move) && use.getOperandNo() == 1) continue;
        if (isa<CallBase>(move) && use.getOperandNo() > 0) continue; /* the callee */
        auto *c = dyn_cast<Constant>(v);
        if (c ? !is_harmless(c) : !is_late(v)) return true;
    }
    return false;
}

void Format::find_moves() {
    for (Instruction &i : instructions(f_))
        if (is_made(&i)) made_.insert(&i);
    for (Instruction *i : made_)
        for (User *user : i->users())
            if (is_move(user)) moves_.insert(user);
    for (size_t k = 0; k < moves_.size(); k++)
        for (const User *user : moves_[k]->users())
            if (is_move(user)) moves_.insert(user);
}

void Format::find_mixed() {
    for (bool changed = true; changed;) {
        changed = false;
        for (const Value *v : moves_)
            if (!mixed_.contains(v) && has_other_source(*cast<Instruction>(v)))
                changed = mixed_.insert(v).second;
    }
}

/* Moves whose bits are observed, there or through other moves. */
void Format::find_looked_at() {
    SmallVector<const Value *, 64> todo;
    for (const Value *v : moves_)
        for (const User *user : v->users())
            if (!moves_.contains(user) && !looks_at_no_bits(*cast<Instruction>(user))) todo.push_back(v);
    while (!todo.empty()) {
        const Value *v = todo.pop_back_val();
        if (!looked_at_.insert(v).second) continue;
        for (const Value *from : cast<Instruction>(v)->operands())
            if (moves_.contains(from)) todo.push_back(from);
    }
}

/* Whether the use is the last place to canonicalize a late value. */
bool Format::needs_it(const Use &use) const {
    auto *user = cast<Instruction>(use.getUser());
    if (moves_.contains(user)) return mixed_.contains(user) && looked_at_.contains(user);
    return !looks_at_no_bits(*user);
}

/* For a phi: the end of the incoming block, or the edge if that block is in a loop and the phi is not. */
Instruction *Format::place_of(const Use &use) {
    auto *phi = dyn_cast<PHINode>(use.getUser());
    if (!phi) return cast<Instruction>(use.getUser());
    BasicBlock *from = phi->getIncomingBlock(use);
    if (loops_.getLoopDepth(from) > loops_.getLoopDepth(phi->getParent()))
        if (BasicBlock *between = SplitCriticalEdge(
                from, phi->getParent(),
                CriticalEdgeSplittingOptions(&dominators_, &loops_).unsetPreserveLoopSimplify()))
            from = between;
    return from->getTerminator();
}

Value *Format::set_right(Value *v, Instruction *before) const {
    IRBuilder<> b(before);
    Type *type = v->getType();
    unsigned lanes = unsigned(type->getPrimitiveSizeInBits().getFixedValue() / bits_);
    const auto of = [&](Type *t) { return lanes == 1 ? t : FixedVectorType::get(t, lanes); };
    Type *integers = of(b.getIntNTy(bits_));
    Value *word = b.CreateBitCast(v, integers), *is;
    Constant *right = ConstantInt::get(integers, APInt::getSignedMaxValue(bits_));
    if (format_->isFloatTy()) {
        Value *x = b.CreateBitCast(v, of(format_));
        is = b.CreateFCmpUNO(x, x);
    } else {
        APInt infinite = APFloat::getInf(format_->getFltSemantics()).bitcastToAPInt();
        is = b.CreateICmpUGT(b.CreateAnd(word, right), ConstantInt::get(integers, infinite));
    }
    return b.CreateBitCast(b.CreateSelect(is, right, word), type);
}

/* A phi has the same value for all edges from one block. */
void Format::replace(Use &use) {
    Value *v = use.get(), *right = set_right(v, place_of(use));
    auto *phi = dyn_cast<PHINode>(use.getUser());
    if (!phi) return use.set(right);
    const BasicBlock *from = phi->getIncomingBlock(use);
    for (unsigned i = 0; i < phi->getNumIncomingValues(); i++)
        if (phi->getIncomingBlock(i) == from) phi->setIncomingValue(i, right);
}

bool Format::run() {
    find_moves();
    if (made_.empty()) return false;
    find_mixed();
    find_looked_at();
    SmallVector<std::pair<Use *, Value *>, 64> uses;
    const auto collect = [&](Value *v) {
        for (Use &use : v->uses())
            if (needs_it(use)) uses.push_back({&use, v});
    };
    for (Instruction *i : made_) collect(i);
    for (const Value *v : moves_)
        if (!mixed_.contains(v)) collect(const_cast<Value *>(v));
    if (uses.empty()) return false;
    dominators_.recalculate(f_);
    loops_.analyze(dominators_);
    for (auto [use, v] : uses)
        if (use->get() == v) replace(*use);
    return true;
}

} // namespace

extern "C" void wg_nans(LLVMModuleRef module) {
    LLVMContext &c = unwrap(module)->getContext();
    for (Function &f : *unwrap(module)) {
        if (f.isDeclaration()) continue;
        Format(f, Type::getFloatTy(c)).run();
        Format(f, Type::getHalfTy(c)).run();
    }
}
