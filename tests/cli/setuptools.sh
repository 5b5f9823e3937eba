#!/bin/bash
# An extension of Python's whose .cu files setuptools has nvcc compile, with the options that such projects give it.
. "$(dirname "$0")/expect.sh"
python3 -c 'import setuptools, sysconfig, os, sys; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' 2> /dev/null || {
    echo "skipped: there is no setuptools, or no Python.h"
    exit 77
}
eval "$(warpglass env)"
cat > setup.py << 'END'
import os
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

home = os.environ["CUDA_HOME"]


class BuildWithNvcc(build_ext):
    """As extensions of PyTorch, CuPy and others have it: the compiler of the host, but for .cu."""

    def build_extensions(self):
        self.compiler.src_extensions.append(".cu")
        compile_one = self.compiler._compile
        host = self.compiler.compiler_so

        def compile_source(obj, src, ext, cc_args, extra, pp_opts):
            cu = os.path.splitext(src)[1] == ".cu"
            self.compiler.set_executable("compiler_so", os.path.join(home, "bin", "nvcc") if cu else host)
            compile_one(obj, src, ext, cc_args, extra["nvcc" if cu else "cxx"], pp_opts)
            self.compiler.compiler_so = host

        self.compiler._compile = compile_source
        build_ext.build_extensions(self)


nvcc = ["-O3", "--expt-relaxed-constexpr", "--expt-extended-lambda", "--use_fast_math", "--compiler-options", "'-fPIC'", "-std=c++17",
        "-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=compute_90", "-ccbin", "gcc", "--threads", "2",
        "-U__CUDA_NO_HALF_OPERATORS__", "-Xptxas=-v", "-lineinfo"]
setup(name="sums", version="1", ext_modules=[Extension("sums", ["module.cpp", "kernels.cu"], include_dirs=[home + "/include"],
      library_dirs=[home + "/lib64"], libraries=["cudart"], extra_compile_args={"cxx": ["-O2"], "nvcc": nvcc})],
      cmdclass={"build_ext": BuildWithNvcc})
END
cat > module.cpp << 'END'
#define PY_SSIZE_T_CLEAN
#include <Python.h>
int count();
static PyObject *counted(PyObject *, PyObject *) { return PyLong_FromLong(count()); }
static PyMethodDef methods[] = {{"count", counted, METH_NOARGS, ""}, {nullptr, nullptr, 0, nullptr}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "sums", "", -1, methods};
PyMODINIT_FUNC PyInit_sums() { return PyModule_Create(&module); }
END
cp "$tests/counts.cu" kernels.cu
python3 setup.py build_ext --inplace > "$stdout" 2> "$stderr" || fail "setup.py build_ext"
said "$CUDA_HOME/bin/nvcc .*-c kernels.cu"
expect 0 '' -- python3 -c 'import sums; print(sums.count())'
said '^128$'
finish
