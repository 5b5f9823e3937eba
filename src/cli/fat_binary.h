/* A container of PTX as nvcc's -fatbin writes it, for cuModuleLoad and cuModuleLoadData. */
#ifndef WG_CLI_FAT_BINARY_H
#define WG_CLI_FAT_BINARY_H
#include <stdbool.h>

/* The text in the file `ptx`, for a machine such as "sm_90", as the file `path`. False after a message. */
bool wg_fat_binary_write(const char *ptx, const char *arch, const char *path);
#endif
