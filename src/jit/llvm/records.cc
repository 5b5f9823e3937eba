/* Padding of the structures that a module uses: what none of their members has (base/record.h).
 *
 * LLVM's types have members where clang's records have them. Where those are aligned to more than LLVM would align them, or
 * are fields of bits, clang puts arrays of bytes between them, which look like members that are arrays of bytes: short ones at
 * the end, or in front of what is aligned to 16 bytes, are taken for padding. Of a union LLVM has one member alone, so any of
 * its bytes may be none of what was written.
 *
 * In C++, because types cannot be enumerated through LLVM's C API.
 */
#include "jit/llvm/records.h"
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

namespace {

constexpr uint64_t most_bytes = 1 << 16, most_holes = 100, short_array = 16;

class Layout {
    const DataLayout &layout;
    enum Owner : char { NOBODY, MEMBER, UNION };
    SmallVector<Owner> owner; /* of each byte */

    bool is_filler(StructType *s, unsigned i) const {
        auto *array = dyn_cast<ArrayType>(s->getElementType(i));
        if (!array || !array->getElementType()->isIntegerTy(8) || array->getNumElements() >= short_array)
            return false;
        uint64_t n = array->getNumElements(), align = layout.getABITypeAlign(s).value(),
                 size = layout.getTypeAllocSize(s).getFixedValue();
        if (i + 1 < s->getNumElements())
            return layout.getStructLayout(s)->getElementOffset(i + 1) % short_array == 0;
        return n < align || n < 4 || size % 8 == 0;
    }

    void cover(Type *type, uint64_t at) {
        auto *s = dyn_cast<StructType>(type);
        auto *array = dyn_cast<ArrayType>(type);
        bool is_union = s && s->hasName() && s->getName().starts_with("union.");
        for (uint64_t i = 0; is_union && i < layout.getTypeAllocSize(type).getFixedValue(); i++)
            owner[at + i] = UNION;
        if (is_union) return;
        for (unsigned i = 0; s && i < s->getNumElements(); i++)
            if (!is_filler(s, i))
                cover(s->getElementType(i), at + layout.getStructLayout(s)->getElementOffset(i));
        for (uint64_t i = 0; array && i < array->getNumElements(); i++)
            cover(array->getElementType(),
                  at + i * layout.getTypeAllocSize(array->getElementType()).getFixedValue());
        if (s || array) return;
        for (uint64_t i = 0; i < layout.getTypeStoreSize(type).getFixedValue(); i++) owner[at + i] = MEMBER;
    }

  public:
    Layout(const DataLayout &layout, StructType *s) : layout(layout) {
        owner.resize(layout.getTypeAllocSize(s).getFixedValue());
        cover(s, 0);
        if (!owner.empty() && !is_contained(owner, MEMBER))
            owner[0] = MEMBER; /* a union has a member that is written */
    }
    struct Hole {
        uint64_t from, to;
        bool any;
    };
    SmallVector<Hole> holes() const {
        SmallVector<Hole> all;
        for (uint64_t i = 0; i < owner.size(); i++) {
            if (owner[i] == MEMBER) continue;
            if (i && owner[i - 1] == owner[i])
                all.back().to = i + 1;
            else
                all.push_back({i, i + 1, owner[i] == UNION});
        }
        return all;
    }
};

} // namespace

void wg_say_records(Module &m) {
    const DataLayout &layout = m.getDataLayout();
    StringSet<> said;
    std::string text;
    raw_string_ostream out(text);
    out << ".extern .func wg_record_0_1;\n";
    for (StructType *s : m.getIdentifiedStructTypes()) {
        if (s->isOpaque() || !s->isSized() || layout.getTypeAllocSize(s).getFixedValue() > most_bytes)
            continue;
        auto holes = Layout(layout, s).holes();
        if (holes.empty() || holes.size() > most_holes) continue;
        std::string name;
        raw_string_ostream one(name);
        one << "wg_record_" << layout.getTypeAllocSize(s).getFixedValue() << "_"
            << layout.getABITypeAlign(s).value();
        for (const auto &h : holes) one << "_" << h.from << "_" << h.to << "_" << h.any;
        if (said.insert(one.str()).second) out << ".extern .func " << one.str() << ";\n";
    }
    m.appendModuleInlineAsm(out.str());
}
