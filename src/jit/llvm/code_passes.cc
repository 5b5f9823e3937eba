/* See code_passes.h. In C++, because LLVM's C API has no word for any of it. */
#include "jit/llvm/code_passes.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/CodeGen/LivePhysRegs.h>
#include <llvm/CodeGen/MachineFrameInfo.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/SchedulerRegistry.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <vector>

using namespace llvm;

namespace {

/* ---- liveness ---- */

class Liveness {
  public:
    Liveness(const Function &f, uint32_t vector_bits);
    uint32_t most() const { return most_; }

  private:
    uint32_t registers(const Type *type) const;
    BitVector at_end(const BasicBlock &block) const;
    BitVector at_start(const BasicBlock &block);
    uint32_t vector_bits_, most_ = 0;
    DenseMap<const Value *, uint32_t> index_;
    std::vector<uint32_t> width_; /* [value] in registers */
    DenseMap<const BasicBlock *, BitVector> in_;
};

/* Masks have a register class of their own. */
uint32_t Liveness::registers(const Type *type) const {
    if (type->isFloatingPointTy()) return 1;
    const auto *v = dyn_cast<FixedVectorType>(type);
    if (!v || v->getScalarSizeInBits() == 1) return 0;
    return (v->getNumElements() * v->getScalarSizeInBits() + vector_bits_ - 1) / vector_bits_;
}

BitVector Liveness::at_end(const BasicBlock &block) const {
    BitVector live(width_.size());
    for (const BasicBlock *to : successors(&block)) {
        live |= in_.find(to)->second;
        for (const PHINode &phi : to->phis()) {
            const auto x = index_.find(phi.getIncomingValueForBlock(&block));
            if (x != index_.end()) live.set(x->second);
        }
    }
    return live;
}

BitVector Liveness::at_start(const BasicBlock &block) {
    BitVector live = at_end(block);
    uint32_t now = 0;
    for (const uint32_t x : live.set_bits()) now += width_[x];
    most_ = std::max(most_, now);
    for (const Instruction &in : reverse(block)) {
        const auto def = index_.find(&in);
        if (def != index_.end() && live.test(def->second)) {
            live.reset(def->second);
            now -= width_[def->second];
        }
        if (isa<PHINode>(in)) continue;
        for (const Value *operand : in.operands()) {
            const auto use = index_.find(operand);
            if (use == index_.end() || live.test(use->second)) continue;
            live.set(use->second);
            now += width_[use->second];
        }
        most_ = std::max(most_, now);
    }
    return live;
}

Liveness::Liveness(const Function &f, uint32_t vector_bits) : vector_bits_(vector_bits) {
    for (const BasicBlock &block : f)
        for (const Instruction &in : block)
            if (const uint32_t width = registers(in.getType())) {
                index_[&in] = width_.size();
                width_.push_back(width);
            }
    for (const BasicBlock &block : f) in_[&block] = BitVector(width_.size());
    const std::vector<const BasicBlock *> order(po_begin(&f.getEntryBlock()), po_end(&f.getEntryBlock()));
    for (bool grew = true; grew;) {
        grew = false;
        for (const BasicBlock *block : order) {
            BitVector live = at_start(*block);
            if (live == in_[block]) continue;
            in_[block] = std::move(live);
            grew = true;
        }
    }
}

/* ---- constants into whole registers ---- */

class WholeMoves final : public MachineFunctionPass {
  public:
    static char ID;
    WholeMoves() : MachineFunctionPass(ID) {}
    StringRef getPassName() const override { return "Constants into whole registers"; }
    void getAnalysisUsage(AnalysisUsage &usage) const override {
        usage.setPreservesAll();
        MachineFunctionPass::getAnalysisUsage(usage);
    }
    bool runOnMachineFunction(MachineFunction &f) override;

  private:
    MCRegister whole_of(MCRegister part) const;
    bool is_wanted(const MachineInstr &in, MCRegister whole, const LivePhysRegs &after) const;
    const TargetRegisterInfo *registers_ = nullptr;
};
char WholeMoves::ID = 0;

struct Moves {
    unsigned of8 = 0, of16 = 0, of32 = 0;
    explicit Moves(const TargetInstrInfo &instrs) {
        for (unsigned op = 0; op < instrs.getNumOpcodes(); op++) {
            const StringRef name = instrs.getName(op);
            if (name == "MOV8ri") of8 = op;
            if (name == "MOV16ri") of16 = op;
            if (name == "MOV32ri") of32 = op;
        }
    }
};

/* The 32 bits whose lowest part it writes; 0: it is not the lowest. */
MCRegister WholeMoves::whole_of(MCRegister part) const {
    for (const MCPhysReg whole : registers_->superregs(part)) {
        if (registers_->getRegSizeInBits(*registers_->getMinimalPhysRegClass(whole)) != 32) continue;
        return registers_->getSubRegIdxOffset(registers_->getSubRegIndex(whole, part)) == 0 ? whole : 0;
    }
    return 0;
}

/* Whether the rest of the whole register is live. */
bool WholeMoves::is_wanted(const MachineInstr &in, MCRegister whole, const LivePhysRegs &after) const {
    const MCRegister part = in.getOperand(0).getReg();
    for (const MachineOperand &x : drop_begin(in.operands(), 2)) {
        if (!x.isReg() || !registers_->regsOverlap(x.getReg(), whole)) continue;
        return x.isUse() || !registers_->isSuperRegisterEq(whole, x.getReg());
    }
    return any_of(registers_->subregs_inclusive(whole),
                  [&](MCPhysReg x) { return after.contains(x) && !registers_->isSubRegisterEq(part, x); });
}

bool WholeMoves::runOnMachineFunction(MachineFunction &f) {
    const TargetInstrInfo &instrs = *f.getSubtarget().getInstrInfo();
    static const Moves moves(instrs);
    registers_ = f.getSubtarget().getRegisterInfo();
    bool changed = false;
    LivePhysRegs alive(*registers_);
    const auto is_part = [](const MachineInstr &in) {
        const unsigned op = in.getOpcode();
        return (op == moves.of8 || op == moves.of16) && in.getOperand(1).isImm();
    };
    for (MachineBasicBlock &block : f) {
        if (none_of(block, is_part)) continue;
        alive.clear();
        alive.addLiveOuts(block);
        for (MachineInstr &in : reverse(block)) {
            const MCRegister whole = is_part(in) ? whole_of(in.getOperand(0).getReg()) : MCRegister();
            if (whole && !is_wanted(in, whole, alive)) {
                const int64_t mask = in.getOpcode() == moves.of8 ? 0xff : 0xffff;
                in.setDesc(instrs.get(moves.of32));
                in.getOperand(0).setReg(whole);
                in.getOperand(1).setImm(in.getOperand(1).getImm() & mask);
                changed = true;
            }
            alive.stepBackward(in);
        }
    }
    return changed;
}

/* ---- products in pairs ---- */

class ProductPairs final : public MachineFunctionPass {
  public:
    static char ID;
    ProductPairs() : MachineFunctionPass(ID) {}
    StringRef getPassName() const override { return "Products in pairs"; }
    void getAnalysisUsage(AnalysisUsage &usage) const override {
        usage.setPreservesCFG();
        MachineFunctionPass::getAnalysisUsage(usage);
    }
    bool runOnMachineFunction(MachineFunction &f) override;

  private:
    static constexpr size_t most_apart = 12; /* instructions between the two products */
    bool see(MachineInstr &in);
    bool reads_held(const MachineInstr &in) const;
    void leave();
    bool put_behind(MachineInstr &product);
    std::vector<MachineInstr *> held_; /* additions since the first product */
    bool open_ = false;                /* the first product of a pair has been seen */
    size_t apart_ = 0;
};
char ProductPairs::ID = 0;

/* Which instructions are products and sums of sixteen words. */
struct WordOps {
    BitVector product, sum;
    explicit WordOps(const TargetInstrInfo &instrs)
        : product(instrs.getNumOpcodes()), sum(instrs.getNumOpcodes()) {
        for (unsigned op = 0; op < instrs.getNumOpcodes(); op++) {
            const StringRef name = instrs.getName(op);
            product[op] = name == "VPMULLDZrr" || name == "VPMULLDZrm" || name == "VPMULLDZrmb";
            sum[op] = name == "VPADDDZrr" || name == "VPADDDZrm";
        }
    }
};

bool ProductPairs::reads_held(const MachineInstr &in) const {
    return any_of(held_, [&](const MachineInstr *sum) {
        return in.readsRegister(sum->getOperand(0).getReg(), /*TRI=*/nullptr);
    });
}

void ProductPairs::leave() {
    held_.clear();
    open_ = false;
}

bool ProductPairs::put_behind(MachineInstr &product) {
    MachineBasicBlock &block = *product.getParent();
    MachineRegisterInfo &registers = block.getParent()->getRegInfo();
    const auto behind = std::next(product.getIterator());
    for (MachineInstr *sum : held_) {
        for (const MachineOperand &x : sum->uses())
            if (x.isReg() && x.getReg().isVirtual()) registers.clearKillFlags(x.getReg());
        block.splice(behind, &block, sum->getIterator());
    }
    return !held_.empty();
}

/* Visits the next instruction of a block; true: others were moved after it. */
bool ProductPairs::see(MachineInstr &in) {
    static const WordOps ops(*in.getMF()->getSubtarget().getInstrInfo());
    if (ops.product[in.getOpcode()]) {
        const bool second = open_ && !reads_held(in);
        const bool moved = second && put_behind(in);
        leave();
        open_ = !second;
        apart_ = 0;
        return moved;
    }
    if (!open_) return false;
    if (ops.sum[in.getOpcode()])
        held_.push_back(&in);
    else if (in.mayStore() || in.isCall() || in.hasUnmodeledSideEffects() || reads_held(in))
        leave();
    if (++apart_ > most_apart) leave();
    return false;
}

bool ProductPairs::runOnMachineFunction(MachineFunction &f) {
    bool changed = false;
    for (MachineBasicBlock &block : f) {
        leave();
        for (MachineInstr &in : make_early_inc_range(block)) changed |= see(in);
    }
    leave();
    return changed;
}

/* ---- stack ---- */

class StackUse final : public MachineFunctionPass {
  public:
    static char ID;
    explicit StackUse(uint64_t &most) : MachineFunctionPass(ID), most_(most) {}
    StringRef getPassName() const override { return "Stack use"; }
    void getAnalysisUsage(AnalysisUsage &usage) const override {
        usage.setPreservesAll();
        MachineFunctionPass::getAnalysisUsage(usage);
    }
    bool runOnMachineFunction(MachineFunction &f) override {
        most_ = std::max(most_, f.getFrameInfo().getStackSize());
        return false;
    }

  private:
    uint64_t &most_;
};
char StackUse::ID = 0;

/* ---- the order in which instructions are selected ---- */

/* LLVM's own scheduler, except for quick code: there LLVM's compares each instruction with all other
 * candidates, to lower register pressure, while the fast register allocator keeps no register across blocks
 * anyway. */
ScheduleDAGSDNodes *choose_order(SelectionDAGISel *selection, CodeGenOptLevel level) {
    return level == CodeGenOptLevel::None ? createFastDAGScheduler(selection, level)
                                          : createDefaultScheduler(selection, level);
}

/* There is no other way to tell than by the option, which is this library's own. */
bool choose_orders() {
    static RegisterScheduler known("warpglass", "LLVM's choice, and the fastest for quick code",
                                   choose_order);
    cl::Option *option = cl::getRegisteredOptions().lookup("pre-RA-sched");
    return option && !option->addOccurrence(0, "pre-RA-sched", "warpglass");
}

/* ---- cancellation ---- */

/* Empties what is left of the module once it is unwanted. There is no other way to end a function's passes
 * early. */
class Wanted final : public FunctionPass {
  public:
    static char ID;
    explicit Wanted(const bool *unwanted) : FunctionPass(ID), unwanted_(unwanted) {}
    StringRef getPassName() const override { return "Wanted"; }
    bool runOnFunction(Function &f) override;

  private:
    const bool *unwanted_;
};
char Wanted::ID = 0;

bool is_unwanted(const bool *unwanted) { return unwanted && __atomic_load_n(unwanted, __ATOMIC_RELAXED); }

bool Wanted::runOnFunction(Function &f) {
    if (!is_unwanted(unwanted_)) return false;
    for (BasicBlock &block : f) block.dropAllReferences();
    while (!f.empty()) f.front().eraseFromParent();
    new UnreachableInst(f.getContext(), BasicBlock::Create(f.getContext(), "", &f));
    return true;
}

/* ---- all of them ---- */

class Pipeline final : public legacy::PassManager {
  public:
    explicit Pipeline(uint32_t left_out) : left_out_(left_out) {}
    void add(Pass *pass) override;
    uint64_t most_stack() const { return most_stack_; }

  private:
    uint32_t left_out_;
    uint64_t most_stack_ = 0; /* bytes, of one function */
};

void Pipeline::add(Pass *pass) {
    static const std::pair<StringRef, uint32_t> may_be_left_out[] = {
        {"Machine Instruction Scheduler", WG_PASS_SCHEDULER},
        {"Machine InstCombiner", WG_PASS_SCHEDULER}, /* chains to trees */
        {"Loop Strength Reduction", WG_PASS_LOOP_REDUCE},
        {"Early Machine Loop Invariant Code Motion", WG_PASS_HOIST},
        {"X86 Domain Reassignment Pass", WG_PASS_DOMAINS},
    };
    const StringRef name = pass->getPassName();
    for (const auto &[known, bit] : may_be_left_out)
        if (name == known && left_out_ & bit) {
            delete pass;
            return;
        }
    /* Registers still have one definition each here. */
    if (name == "Process Implicit Definitions") legacy::PassManager::add(new ProductPairs);
    /* Here a copy into a mask's register still says which part of the other one it reads. */
    if (name == "Post-RA pseudo instruction expansion pass") {
        legacy::PassManager::add(new WholeMoves);
        legacy::PassManager::add(new StackUse(most_stack_));
    }
    legacy::PassManager::add(pass);
}

} // namespace

extern "C" uint32_t wg_vectors_alive(LLVMValueRef function, uint32_t vector_bits) {
    return Liveness(*unwrap<Function>(function), vector_bits).most();
}

extern "C" uint32_t wg_instructions_in(LLVMModuleRef module) { return unwrap(module)->getInstructionCount(); }

extern "C" LLVMMemoryBufferRef wg_generate_code(LLVMTargetMachineRef tm, LLVMModuleRef m, uint32_t left_out,
                                                bool text, const bool *unwanted) {
    static const bool chosen = choose_orders();
    (void)chosen;
    SmallVector<char, 0> bytes;
    raw_svector_ostream out(bytes);
    Pipeline passes(left_out);
    auto *target = reinterpret_cast<TargetMachine *>(tm);
    if (left_out & WG_PASS_OPTIMISERS) target->setOptLevel(CodeGenOptLevel::None);
    if (unwanted) passes.add(new Wanted(unwanted));
    const CodeGenFileType type = text ? CodeGenFileType::AssemblyFile : CodeGenFileType::ObjectFile;
    if (target->addPassesToEmitFile(passes, out, nullptr, type)) return nullptr;
    passes.run(*unwrap(m));
    if (passes.most_stack() > WG_MOST_STACK || is_unwanted(unwanted)) return nullptr;
    return wrap(MemoryBuffer::getMemBufferCopy(StringRef(bytes.data(), bytes.size()), "").release());
}
