/* uuid.h: the 16-byte identity of a device, which the runtime and the driver API both name. */
#ifndef WARPGLASS_UUID_H
#define WARPGLASS_UUID_H

struct CUuuid_st {
    char bytes[16];
};
typedef struct CUuuid_st CUuuid;

#endif
