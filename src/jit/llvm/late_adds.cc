/* Software pipelining of scattered additions. See late_adds.h. In C++, because LLVM's C API knows no loops.
 */
#include "jit/llvm/late_adds.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <string>

using namespace llvm;

namespace {

constexpr unsigned lanes = 32;

/* One call, and its state across iterations. */
class LateAdd {
  public:
    LateAdd(CallInst *call, uint32_t step);
    void in_place();
    void late(const Loop &loop);

  private:
    Value *place(IRBuilder<> &b, Value *from, Value *index) const;
    void add(IRBuilder<> &b, Value *at, Value *addend);
    void add_row(IRBuilder<> &b, Value *parity, Value *from, Value *addend);
    Value *kept(IRBuilder<> &b, AllocaInst *rows, Value *parity, unsigned bits);
    void keep();
    void flush_before(Instruction *where);
    Function *flush_function();

    CallInst *call_;
    Function &f_;
    Module &m_;
    uint32_t step_;
    Type *i32_, *i64_, *ptr_, *element_;
    bool each_;                                         /* an addend of its own for each lane */
    AllocaInst *places_ = nullptr, *addends_ = nullptr; /* two iterations' */
    AllocaInst *parity_ = nullptr, *from_ = nullptr, *addend_ = nullptr, *pending_ = nullptr;
};

LateAdd::LateAdd(CallInst *call, uint32_t step)
    : call_(call), f_(*call->getFunction()), m_(*call->getModule()), step_(step),
      i32_(Type::getInt32Ty(call->getContext())), i64_(Type::getInt64Ty(call->getContext())),
      ptr_(PointerType::get(call->getContext(), 0)),
      element_(call->getArgOperand(2)->getType()->getScalarType()),
      each_(call->getArgOperand(2)->getType()->isVectorTy()) {}

Value *LateAdd::place(IRBuilder<> &b, Value *from, Value *index) const {
    return b.CreateGEP(b.getIntNTy(step_ * 8), from, index);
}

void LateAdd::add(IRBuilder<> &b, Value *at, Value *addend) {
    b.CreateStore(b.CreateAdd(b.CreateLoad(element_, at), addend), at);
}

void LateAdd::in_place() {
    IRBuilder<> b(call_);
    Value *from = call_->getArgOperand(0), *at = call_->getArgOperand(1), *addend = call_->getArgOperand(2);
    for (unsigned l = 0; l < lanes; l++) {
        Value *index = b.CreateZExt(b.CreateExtractElement(at, l), i64_);
        add(b, place(b, from, index), each_ ? b.CreateExtractElement(addend, l) : addend);
    }
    call_->eraseFromParent();
}

Value *LateAdd::kept(IRBuilder<> &b, AllocaInst *rows, Value *parity, unsigned bits) {
    Type *row = ArrayType::get(b.getIntNTy(bits), lanes);
    return b.CreateGEP(row, rows, parity);
}

/* Loads are volatile, or LLVM would search for stores to forward. */
void LateAdd::add_row(IRBuilder<> &b, Value *parity, Value *from, Value *addend) {
    Value *at = kept(b, places_, parity, 32);
    Value *what = each_ ? kept(b, addends_, parity, element_->getIntegerBitWidth()) : nullptr;
    for (unsigned l = 0; l < lanes; l += 2) {
        Value *pair = b.CreateAlignedLoad(i64_, b.CreateConstGEP1_32(i32_, at, l), Align(8), true), *index[2];
        index[0] = b.CreateAnd(pair, UINT32_MAX);
        index[1] = b.CreateLShr(pair, 32);
        for (unsigned i = 0; i < 2; i++) {
            Value *x = addend;
            if (each_)
                x = b.CreateAlignedLoad(element_, b.CreateConstGEP1_32(element_, what, l + i),
                                        Align(element_->getIntegerBitWidth() / 8), true);
            add(b, place(b, from, index[i]), x);
        }
    }
}

/* (ptr places, ptr addends or iN addend, ptr from): for the loop's exits, where code should be short. */
Function *LateAdd::flush_function() {
    const std::string name = "late.flush." + std::to_string(element_->getIntegerBitWidth()) +
                             (each_ ? ".each." : ".same.") + std::to_string(step_);
    if (Function *known = m_.getFunction(name)) return known;
    LLVMContext &c = m_.getContext();
    Type *args[3] = {ptr_, each_ ? ptr_ : element_, ptr_};
    auto *g = Function::Create(FunctionType::get(Type::getVoidTy(c), args, false), Function::InternalLinkage,
                               name, m_);
    g->addFnAttr(Attribute::NoInline);
    g->addFnAttr(Attribute::NoUnwind);
    auto *entry = BasicBlock::Create(c, "", g), *loop = BasicBlock::Create(c, "lane", g),
         *done = BasicBlock::Create(c, "done", g);
    IRBuilder<> b(entry);
    b.CreateBr(loop);
    b.SetInsertPoint(loop);
    PHINode *lane = b.CreatePHI(i64_, 2);
    lane->addIncoming(b.getInt64(0), entry);
    Value *index = b.CreateZExt(b.CreateLoad(i32_, b.CreateGEP(i32_, g->getArg(0), lane)), i64_);
    Value *x = g->getArg(1);
    if (each_) x = b.CreateLoad(element_, b.CreateGEP(element_, x, lane));
    add(b, place(b, g->getArg(2), index), x);
    Value *next = b.CreateAdd(lane, b.getInt64(1));
    lane->addIncoming(next, loop);
    b.CreateCondBr(b.CreateICmpNE(next, b.getInt64(lanes)), loop, done);
    b.SetInsertPoint(done);
    b.CreateRetVoid();
    return g;
}

void LateAdd::flush_before(Instruction *where) {
    IRBuilder<> b(where);
    Value *pending = b.CreateLoad(b.getInt1Ty(), pending_);
    Instruction *then = SplitBlockAndInsertIfThen(pending, where->getIterator(), false);
    b.SetInsertPoint(then);
    Value *last = b.CreateXor(b.CreateLoad(i64_, parity_), 1);
    Value *what = each_ ? kept(b, addends_, last, element_->getIntegerBitWidth())
                        : static_cast<Value *>(b.CreateLoad(element_, addend_));
    b.CreateCall(flush_function(), {kept(b, places_, last, 32), what, b.CreateLoad(ptr_, from_)});
    b.CreateStore(b.getFalse(), pending_);
}

/* Calls that may read the sums, or publish them. */
bool may_look(const CallInst *c) {
    if (isa<IntrinsicInst>(c)) return false;
    const Function *callee = c->getCalledFunction();
    return !callee || !(callee->getName().starts_with("late.") || callee->getName().starts_with("add."));
}

void LateAdd::keep() {
    IRBuilder<> b(&*f_.getEntryBlock().getFirstInsertionPt());
    places_ = b.CreateAlloca(ArrayType::get(i32_, 2 * lanes), nullptr, "places");
    places_->setAlignment(Align(64));
    if (each_) {
        addends_ = b.CreateAlloca(ArrayType::get(element_, 2 * lanes), nullptr, "addends");
        addends_->setAlignment(Align(64));
    } else {
        addend_ = b.CreateAlloca(element_, nullptr, "addend");
        b.CreateStore(Constant::getNullValue(element_), addend_);
    }
    parity_ = b.CreateAlloca(i64_, nullptr, "parity");
    from_ = b.CreateAlloca(ptr_, nullptr, "from");
    pending_ = b.CreateAlloca(b.getInt1Ty(), nullptr, "pending");
    b.CreateStore(b.getInt64(0), parity_);
    b.CreateStore(Constant::getNullValue(ptr_), from_);
    b.CreateStore(b.getFalse(), pending_);
}

void LateAdd::late(const Loop &loop) {
    SmallVector<std::pair<BasicBlock *, BasicBlock *>, 8> exits;
    SmallVector<Instruction *, 8> watched;
    loop.getExitEdges(exits);
    for (BasicBlock *block : loop.blocks())
        for (Instruction &i : *block)
            if (auto *c = dyn_cast<CallInst>(&i); c && may_look(c)) watched.push_back(c);
    for (auto [last, next] : exits) watched.push_back(SplitEdge(last, next)->getTerminator());
    keep();

    IRBuilder<> b(call_);
    Value *parity = b.CreateLoad(i64_, parity_), *from = call_->getArgOperand(0),
          *addend = call_->getArgOperand(2);
    b.CreateAlignedStore(call_->getArgOperand(1), kept(b, places_, parity, 32), Align(64));
    if (each_)
        b.CreateAlignedStore(addend, kept(b, addends_, parity, element_->getIntegerBitWidth()), Align(64));
    Value *last = b.CreateXor(parity, 1), *pending = b.CreateLoad(b.getInt1Ty(), pending_);
    Value *last_from = b.CreateLoad(ptr_, from_),
          *last_addend = each_ ? nullptr : b.CreateLoad(element_, addend_);
    b.CreateStore(last, parity_);
    b.CreateStore(b.getTrue(), pending_);
    b.CreateStore(from, from_);
    if (!each_) b.CreateStore(addend, addend_);
    b.SetInsertPoint(SplitBlockAndInsertIfThen(pending, call_->getIterator(), false));
    add_row(b, last, last_from, last_addend);
    call_->eraseFromParent();
    for (Instruction *w : watched) flush_before(w);
}

} // namespace

void wg_make_late_adds(const struct wg_late_add *adds, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        auto *call = cast<CallInst>(unwrap(adds[i].call));
        LateAdd add(call, adds[i].step);
        const DominatorTree dominators(*call->getFunction());
        const LoopInfo loops(dominators);
        const Loop *loop = loops.getLoopFor(call->getParent());
        if (loop && loop->getHeader() == unwrap(adds[i].header))
            add.late(*loop);
        else
            add.in_place();
    }
}
