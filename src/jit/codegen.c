/* The entry point of the code generator's library, as the rest of Warpglass sees it: see codegen.h. */
#include "jit/code/codegen.h"
#include "jit/llvm/host_code.h"
#include "jit/translate.h"
#include "build_id.h"

__attribute__((visibility("default"))) const struct wg_codegen wg_codegen_table = {
    .build = WG_JIT_BUILD, .translate = wg_translate, .host_drops_result = wg_host_drops_result};
