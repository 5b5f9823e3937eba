/* crt/host_defines.h: kept for programs that name it. */
#include "../host_defines.h"
