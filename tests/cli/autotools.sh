#!/bin/bash
# Autoconf and Automake: nvcc looked for, headers and libraries checked, and programs tried as macros for CUDA do, with the toolkit.
. "$(dirname "$0")/expect.sh"
command -v autoreconf > /dev/null && command -v automake > /dev/null || {
    echo "skipped: there is no autoconf, or no automake"
    exit 77
}
eval "$(warpglass env)"
cat > configure.ac << 'END'
AC_INIT([app], [1])
AM_INIT_AUTOMAKE([foreign])
AC_PROG_CXX
AC_ARG_WITH([cuda], [AS_HELP_STRING([--with-cuda=DIR], [the CUDA toolkit])], [], [with_cuda=$CUDA_HOME])
AC_PATH_PROG([NVCC], [nvcc], [no], [$with_cuda/bin:$PATH])
AS_IF([test "x$NVCC" = xno], [AC_MSG_ERROR([no nvcc])])
AC_MSG_CHECKING([nvcc's version])
cuda_version=$($NVCC --version | sed -n 's/^.*release \([[0-9.]]*\).*$/\1/p')
AC_MSG_RESULT([$cuda_version])
CPPFLAGS="$CPPFLAGS -I$with_cuda/include"
LDFLAGS="$LDFLAGS -L$with_cuda/lib64"
AC_CHECK_HEADERS([cuda.h cuda_runtime.h], [], [AC_MSG_ERROR([no headers])])
AC_CHECK_LIB([cudart], [cudaGetDeviceCount], [], [AC_MSG_ERROR([no libcudart])])
AC_CHECK_LIB([cuda], [cuInit], [have_cuda=yes], [have_cuda=no], [-L$with_cuda/lib64/stubs])
AC_MSG_CHECKING([whether a kernel compiles])
echo '__global__ void k() {}' > conftest.cu
AS_IF([$NVCC -c conftest.cu -o conftest.o >&AS_MESSAGE_LOG_FD 2>&1], [AC_MSG_RESULT([yes])], [AC_MSG_ERROR([no])])
AC_MSG_CHECKING([whether a program with a device runs])
AC_LANG_PUSH([C++])
AC_RUN_IFELSE([AC_LANG_PROGRAM([[#include <cuda_runtime.h>]], [[int n; return cudaGetDeviceCount(&n) || n < 1;]])],
    [AC_MSG_RESULT([yes])], [AC_MSG_ERROR([no])])
AC_LANG_POP([C++])
AC_SUBST([NVCCFLAGS], ["-O2 --generate-code arch=compute_80,code=sm_80"])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
END
cat > Makefile.am << 'END'
bin_PROGRAMS = app
app_SOURCES = main.cpp kernels.cu
TESTS = app
SUFFIXES = .cu
.cu.o:
	$(NVCC) $(NVCCFLAGS) $(CPPFLAGS) -Xcompiler "$(CXXFLAGS)" -c -o $@ $<
END
cp "$tests/counts.cu" kernels.cu
printf '#include <cuda_runtime.h>\nint count();\nint main() { int n; return cudaGetDeviceCount(&n) || n != 1 || count() != 128; }\n' > main.cpp
autoreconf -i > "$stdout" 2> "$stderr" || fail "autoreconf"
mkdir build && cd build || exit 1
../configure > "$stdout" 2> "$stderr" || fail "configure: $(tail -n 20 config.log)"
said "^checking nvcc's version... 13.0$"
said '^checking for cuInit in -lcuda... yes$'
said '^checking whether a kernel compiles... yes$'
said '^checking whether a program with a device runs... yes$'
make check > "$stdout" 2> "$stderr" || fail "make check: $(cat test-suite.log)"
said '^# PASS: +1$'
finish
