/* nvToolsExt.h: the older place of nvtx3/nvToolsExt.h. */
#include "nvtx3/nvToolsExt.h"
