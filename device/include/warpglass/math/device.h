#include <__clang_cuda_libdevice_declares.h>
