/* Texture and surface references of modules, and launches whose arguments are set one by one, as CUDA 2 to 12 have them in
 * the driver API: what is bound, what a kernel reads, and what is refused. */
#include <cuda.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* line: texels of `numbers` by index; place: `image` at a point, and its width; cell: `plane` at (4, 1); put: what it is given, and
 * the launch's shape. */
static const char text[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".global .texref numbers;\n.global .texref image;\n.global .surfref plane;\n.global .u32 other;\n"
    ".visible .entry line(.param .u64 out) {\n"
    " .reg .f32 %f<5>; .reg .b64 %rd<3>; .reg .b32 %r<2>;\n"
    " ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x;\n"
    " tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [numbers, {%r1}];\n"
    " mul.wide.u32 %rd2, %r1, 16; add.s64 %rd1, %rd1, %rd2; st.global.v4.f32 [%rd1], {%f1, %f2, %f3, %f4}; "
    "ret;\n}\n"
    ".visible .entry place(.param .u64 out, .param .f32 x, .param .f32 y) {\n"
    " .reg .f32 %f<7>; .reg .b64 %rd<2>; .reg .b32 %r<2>;\n"
    " ld.param.u64 %rd1, [out]; ld.param.f32 %f5, [x]; ld.param.f32 %f6, [y];\n"
    " tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f5, %f6}]; st.global.f32 [%rd1], %f1;\n"
    " txq.width.b32 %r1, [image]; st.global.u32 [%rd1+4], %r1; ret;\n}\n"
    ".visible .entry cell(.param .u64 out) {\n"
    " .reg .b32 %r<4>; .reg .b64 %rd<2>; ld.param.u64 %rd1, [out]; mov.b32 %r1, 4; mov.b32 %r2, 1;\n"
    " suld.b.2d.b32.trap {%r3}, [plane, {%r1, %r2}]; st.global.b32 [%rd1], %r3; add.u32 %r3, %r3, 1;\n"
    " sust.b.2d.b32.trap [plane, {%r1, %r2}], {%r3}; ret;\n}\n"
    ".visible .entry put(.param .u64 out, .param .u32 a, .param .f32 b) {\n"
    " .reg .b32 %r<5>; .reg .b64 %rd<2>; .reg .f32 %f<2>;\n"
    " ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [a]; ld.param.f32 %f1, [b]; mov.u32 %r2, %nctaid.x;\n"
    " mov.u32 %r3, %nctaid.y; mov.u32 %r4, %ntid.x; st.global.u32 [%rd1], %r1; st.global.f32 [%rd1+4], %f1;\n"
    " st.global.u32 [%rd1+8], %r2; st.global.u32 [%rd1+12], %r3; st.global.u32 [%rd1+16], %r4; ret;\n}\n";

enum { WIDTH = 8, HEIGHT = 4, TEXELS = 64 };
static CUmodule module;
static CUdeviceptr out;
static float numbers[TEXELS];

static CUfunction function(const char *name) {
    CUfunction f;
    assert_int_equal(cuModuleGetFunction(&f, module, name), CUDA_SUCCESS);
    return f;
}
static CUtexref texture(const char *name) {
    CUtexref t;
    assert_int_equal(cuModuleGetTexRef(&t, module, name), CUDA_SUCCESS);
    return t;
}

static int set_up(void **state) {
    CUcontext context;
    (void)state;
    for (int i = 0; i < TEXELS; i++) numbers[i] = (float)i;
    return cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context) ||
           cuModuleLoadData(&module, text) || cuMemAlloc(&out, 4096);
}

static float value(int i) {
    float got[64];
    assert_int_equal(cuMemcpyDtoH(got, out, sizeof got), CUDA_SUCCESS);
    return got[i];
}
static void line(CUresult expected) {
    void *arguments[] = {&out};
    assert_int_equal(cuLaunchKernel(function("line"), 1, 1, 1, 4, 1, 1, 0, 0, arguments, 0), expected);
}
static float place(float x, float y) {
    void *arguments[] = {&out, &x, &y};
    assert_int_equal(cuLaunchKernel(function("place"), 1, 1, 1, 1, 1, 1, 0, 0, arguments, 0), CUDA_SUCCESS);
    return value(0);
}

static void test_names(void **state) {
    (void)state;
    CUtexref t = texture("numbers"), u = NULL;
    CUsurfref s, same;
    assert_ptr_equal(t, texture("numbers"));
    assert_ptr_not_equal(t, texture("image"));
    assert_int_equal(cuModuleGetTexRef(&u, module, "absent"), CUDA_ERROR_NOT_FOUND);
    assert_int_equal(cuModuleGetTexRef(&u, module, "other"), CUDA_ERROR_NOT_FOUND);
    assert_int_equal(cuModuleGetTexRef(&u, module, "plane"), CUDA_ERROR_NOT_FOUND);
    assert_int_equal(cuModuleGetTexRef(NULL, module, "numbers"), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuModuleGetTexRef(&u, module, NULL), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuModuleGetSurfRef(&s, module, "plane"), CUDA_SUCCESS);
    assert_int_equal(cuModuleGetSurfRef(&same, module, "plane"), CUDA_SUCCESS);
    assert_ptr_equal(s, same);
    assert_int_equal(cuModuleGetSurfRef(&s, module, "numbers"), CUDA_ERROR_NOT_FOUND);
    assert_int_equal(cuTexRefDestroy(t), CUDA_ERROR_INVALID_VALUE); /* the module's */
    assert_int_equal(cuTexRefCreate(&u), CUDA_SUCCESS);
    assert_int_equal(cuTexRefDestroy(u), CUDA_SUCCESS);
    assert_int_equal(cuTexRefDestroy(u), CUDA_ERROR_INVALID_HANDLE);
    CUdeviceptr p;
    assert_int_equal(cuModuleGetTexRef(&u, module, ""), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuModuleGetGlobal(&p, NULL, module, "numbers"), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuModuleGetGlobal(&p, NULL, module, "other"), CUDA_SUCCESS);
}

static void test_linear(void **state) {
    (void)state;
    CUtexref t = texture("numbers");
    CUdeviceptr memory, p;
    CUarray array;
    size_t offset = 77;
    unsigned flags = 77;
    assert_int_equal(cuMemAlloc(&memory, 4096), CUDA_SUCCESS);
    assert_int_equal(cuMemcpyHtoD(memory, numbers, sizeof numbers), CUDA_SUCCESS);
    assert_int_equal(cuTexRefGetAddress(&p, t), CUDA_ERROR_INVALID_VALUE);
    line(CUDA_SUCCESS); /* nothing bound: zeros */
    assert_true(value(4) == 0);
    assert_int_equal(cuTexRefSetFormat(t, CU_AD_FORMAT_FLOAT, 3), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuTexRefSetFormat(t, (CUarray_format)77, 1), CUDA_SUCCESS); /* until it is read */
    assert_int_equal(cuTexRefSetFormat(t, CU_AD_FORMAT_FLOAT, 1), CUDA_SUCCESS);
    assert_int_equal(cuTexRefSetAddress(NULL, t, memory, 64), CUDA_SUCCESS);
    assert_int_equal(cuTexRefGetAddress(&p, t), CUDA_SUCCESS);
    assert_true(p == memory);
    assert_int_equal(cuTexRefGetArray(&array, t), CUDA_ERROR_INVALID_VALUE);
    line(CUDA_SUCCESS);
    assert_true(value(4) == 1 && value(12) == 3);
    /* Beside the alignment: the program adds the offset. */
    assert_int_equal(cuTexRefSetAddress(NULL, t, memory + 16, 64), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuTexRefSetAddress(&offset, t, memory + 16, 64), CUDA_SUCCESS);
    assert_int_equal(offset, 16);
    assert_int_equal(cuTexRefGetAddress(&p, t), CUDA_SUCCESS);
    assert_true(p == memory);
    assert_int_equal(cuTexRefSetAddress(&offset, t, 0, 64), CUDA_SUCCESS); /* nothing */
    line(CUDA_SUCCESS);
    assert_true(value(4) == 0);
    /* What is said after it was bound holds from the next launch on, and not of those before. */
    assert_int_equal(cuTexRefSetAddress(&offset, t, memory, 64), CUDA_SUCCESS);
    line(CUDA_SUCCESS);
    assert_int_equal(cuTexRefSetFormat(t, CU_AD_FORMAT_FLOAT, 2), CUDA_SUCCESS);
    assert_true(value(4) == 1 && value(5) == 0);
    line(CUDA_SUCCESS);
    assert_true(value(4) == 2 && value(5) == 3);
    assert_int_equal(cuTexRefSetFlags(t, 64), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuTexRefSetFlags(t, CU_TRSF_READ_AS_INTEGER), CUDA_SUCCESS);
    assert_int_equal(cuTexRefGetFlags(&flags, t), CUDA_SUCCESS);
    assert_int_equal(flags, CU_TRSF_READ_AS_INTEGER);
    assert_int_equal(cuTexRefSetFlags(t, 0), CUDA_SUCCESS);
    assert_int_equal(cuMemFree(memory), CUDA_SUCCESS);
}

static CUarray filled(unsigned flags) {
    CUarray a;
    CUDA_ARRAY3D_DESCRIPTOR d = {WIDTH, HEIGHT, 0, CU_AD_FORMAT_FLOAT, 1, flags};
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = numbers,
                       .srcPitch = WIDTH * sizeof(float),
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .WidthInBytes = WIDTH * sizeof(float),
                       .Height = HEIGHT};
    assert_int_equal(cuArray3DCreate(&a, &d), CUDA_SUCCESS);
    c.dstArray = a;
    assert_int_equal(cuMemcpy2D(&c), CUDA_SUCCESS);
    return a;
}

static void test_array(void **state) {
    (void)state;
    CUtexref t = texture("image");
    CUarray a = filled(0), got = NULL;
    CUarray_format format;
    CUaddress_mode mode;
    CUfilter_mode filter;
    float colour[4] = {9, 0, 0, 0}, told[4];
    int channels;
    assert_int_equal(cuTexRefSetArray(t, a, 2), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuTexRefSetArray(t, NULL, CU_TRSA_OVERRIDE_FORMAT), CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(cuTexRefSetArray(NULL, a, CU_TRSA_OVERRIDE_FORMAT), CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(cuTexRefSetArray(t, a, CU_TRSA_OVERRIDE_FORMAT), CUDA_SUCCESS);
    assert_int_equal(cuTexRefGetArray(&got, t), CUDA_SUCCESS);
    assert_ptr_equal(got, a);
    assert_int_equal(cuTexRefGetFormat(&format, &channels, t), CUDA_SUCCESS);
    assert_true(format == CU_AD_FORMAT_FLOAT && channels == 1);
    assert_true(place(1.5f, 1.5f) == 9);
    assert_int_equal(cuMemcpyDtoH(&channels, out + 4, 4), CUDA_SUCCESS);
    assert_int_equal(channels, WIDTH);
    assert_int_equal(cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_LINEAR), CUDA_SUCCESS);
    assert_int_equal(cuTexRefGetFilterMode(&filter, t), CUDA_SUCCESS);
    assert_int_equal(filter, CU_TR_FILTER_MODE_LINEAR);
    assert_true(place(2, 1.5f) == 9.5f);
    assert_int_equal(cuTexRefSetFlags(t, CU_TRSF_NORMALIZED_COORDINATES), CUDA_SUCCESS);
    assert_int_equal(cuTexRefSetAddressMode(t, 3, CU_TR_ADDRESS_MODE_WRAP), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuTexRefSetAddressMode(t, 0, CU_TR_ADDRESS_MODE_WRAP), CUDA_SUCCESS);
    assert_int_equal(cuTexRefGetAddressMode(&mode, t, 0), CUDA_SUCCESS);
    assert_int_equal(mode, CU_TR_ADDRESS_MODE_WRAP);
    assert_true(place(1.25f, 0.25f) == place(0.25f, 0.25f));
    assert_int_equal(cuTexRefSetAddressMode(t, 0, CU_TR_ADDRESS_MODE_BORDER), CUDA_SUCCESS);
    assert_int_equal(cuTexRefSetBorderColor(t, colour), CUDA_SUCCESS);
    assert_int_equal(cuTexRefGetBorderColor(told, t), CUDA_SUCCESS);
    assert_true(told[0] == 9 && place(1.5f, 0.25f) == 9);
    /* The array's bytes in the reference's format: 5 is 0x40a00000. */
    assert_int_equal(cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_POINT), CUDA_SUCCESS);
    assert_int_equal(cuTexRefSetFlags(t, 0), CUDA_SUCCESS);
    assert_int_equal(cuTexRefSetFormat(t, CU_AD_FORMAT_UNSIGNED_INT16, 2), CUDA_SUCCESS);
    assert_true(place(5.5f, 0.5f) == 0);
    assert_int_equal(cuTexRefSetArray(t, a, CU_TRSA_OVERRIDE_FORMAT), CUDA_SUCCESS);
    assert_true(place(5.5f, 0.5f) == 5);
    assert_int_equal(cuArrayDestroy(a), CUDA_SUCCESS);
}

/* Filtered whole numbers are none of the reference's kinds: the launch is refused, and told. */
static void test_refused(void **state) {
    (void)state;
    CUtexref t = texture("image");
    CUarray a;
    CUDA_ARRAY_DESCRIPTOR d = {WIDTH, HEIGHT, CU_AD_FORMAT_SIGNED_INT32, 1};
    float x = 0, y = 0;
    void *arguments[] = {&out, &x, &y};
    assert_int_equal(cuArrayCreate(&a, &d), CUDA_SUCCESS);
    assert_int_equal(cuTexRefSetArray(t, a, CU_TRSA_OVERRIDE_FORMAT), CUDA_SUCCESS);
    assert_int_equal(cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_LINEAR), CUDA_SUCCESS);
    for (int i = 0; i < 2; i++)
        assert_int_equal(cuLaunchKernel(function("place"), 1, 1, 1, 1, 1, 1, 0, 0, arguments, 0),
                         CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_POINT), CUDA_SUCCESS);
    assert_int_equal(cuTexRefSetAddressMode(t, 0, CU_TR_ADDRESS_MODE_CLAMP), CUDA_SUCCESS);
    place(0, 0);
    assert_int_equal(cuArrayDestroy(a), CUDA_SUCCESS);
}

static void test_pitch(void **state) {
    (void)state;
    enum { PITCH = 64, ROW = PITCH / sizeof(float) };
    CUtexref t = texture("image");
    CUDA_ARRAY_DESCRIPTOR d = {WIDTH, HEIGHT, CU_AD_FORMAT_FLOAT, 1};
    CUdeviceptr memory, p;
    assert_int_equal(cuMemAlloc(&memory, 4096), CUDA_SUCCESS);
    assert_int_equal(cuMemcpyHtoD(memory, numbers, sizeof numbers), CUDA_SUCCESS);
    assert_int_equal(cuTexRefSetFlags(t, 0), CUDA_SUCCESS);
    assert_int_equal(cuTexRefSetAddress2D(t, &d, memory + 256, PITCH), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuTexRefSetAddress2D(t, &d, memory, PITCH + 4), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuTexRefSetAddress2D(t, NULL, memory, PITCH), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuTexRefSetAddress2D(t, &d, memory, PITCH), CUDA_SUCCESS);
    assert_int_equal(cuTexRefGetAddress(&p, t), CUDA_SUCCESS);
    assert_true(p == memory && place(1.5f, 1.5f) == ROW + 1);
    assert_int_equal(cuMemFree(memory), CUDA_SUCCESS);
}

static void test_surface(void **state) {
    (void)state;
    CUsurfref s;
    CUarray plain = filled(0), a = filled(CUDA_ARRAY3D_SURFACE_LDST), got = NULL;
    void *arguments[] = {&out};
    assert_int_equal(cuModuleGetSurfRef(&s, module, "plane"), CUDA_SUCCESS);
    assert_int_equal(cuSurfRefGetArray(&got, s), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuSurfRefSetArray(s, plain, 0), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuSurfRefSetArray(s, a, 1), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuSurfRefSetArray(s, a, 0), CUDA_SUCCESS);
    assert_int_equal(cuSurfRefGetArray(&got, s), CUDA_SUCCESS);
    assert_ptr_equal(got, a);
    for (unsigned i = 0, bits; i < 3; i++) { /* each adds one to the word */
        float first = WIDTH + 1;
        memcpy(&bits, &first, sizeof bits);
        assert_int_equal(cuLaunchKernel(function("cell"), 1, 1, 1, 1, 1, 1, 0, 0, arguments, 0),
                         CUDA_SUCCESS);
        first = value(0);
        unsigned is;
        memcpy(&is, &first, sizeof is);
        assert_int_equal(is, bits + i);
    }
    assert_int_equal(cuArrayDestroy(a), CUDA_SUCCESS);
    assert_int_equal(cuArrayDestroy(plain), CUDA_SUCCESS);
}

static void expect_put(int a, float b, int width, int height, int threads) {
    int got[5];
    float second;
    assert_int_equal(cuMemcpyDtoH(got, out, sizeof got), CUDA_SUCCESS);
    memcpy(&second, got + 1, sizeof second);
    assert_int_equal(got[0], a);
    assert_true(second == b);
    assert_int_equal(got[2], width);
    assert_int_equal(got[3], height);
    assert_int_equal(got[4], threads);
}

static void test_old_launch(void **state) {
    (void)state;
    CUfunction f = function("put");
    CUstream stream;
    assert_int_equal(cuFuncSetBlockShape(f, 0, 1, 1), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuFuncSetBlockShape(f, 32, 32, 2), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuFuncSetSharedSize(f, 60000), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuFuncSetSharedSize(f, 100), CUDA_SUCCESS);
    assert_int_equal(cuParamSetSize(f, 1 << 20), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuParamSetv(f, 0, &out, sizeof out), CUDA_SUCCESS);
    assert_int_equal(cuParamSetv(f, 0, NULL, 4), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuParamSeti(f, -4, 42), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuParamSeti(f, 1 << 20, 42), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuParamSeti(f, 8, 42), CUDA_SUCCESS);
    assert_int_equal(cuParamSetf(f, 12, 2.5f), CUDA_SUCCESS);
    assert_int_equal(cuParamSetSize(f, 16), CUDA_SUCCESS);
    assert_int_equal(cuParamSetTexRef(f, CU_PARAM_TR_DEFAULT, NULL), CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(cuParamSetTexRef(f, CU_PARAM_TR_DEFAULT, texture("image")), CUDA_SUCCESS);
    assert_int_equal(cuLaunch(f), CUDA_SUCCESS); /* of one thread, as nothing else was said */
    expect_put(42, 2.5f, 1, 1, 1);
    assert_int_equal(cuFuncSetBlockShape(f, 2, 1, 1), CUDA_SUCCESS);
    assert_int_equal(cuLaunchGrid(f, 0, 1), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuLaunchGrid(f, 3, 2), CUDA_SUCCESS);
    expect_put(42, 2.5f, 3, 2, 2);
    assert_int_equal(cuStreamCreate(&stream, 0), CUDA_SUCCESS);
    assert_int_equal(cuParamSeti(f, 8, -7), CUDA_SUCCESS);
    assert_int_equal(cuLaunchGridAsync(f, 2, 2, stream), CUDA_SUCCESS);
    assert_int_equal(cuStreamDestroy(stream), CUDA_SUCCESS);
    expect_put(-7, 2.5f, 2, 2, 2);
}

static void test_context(void **state) {
    (void)state;
    CUcontext current, attached = NULL;
    assert_int_equal(cuCtxGetCurrent(&current), CUDA_SUCCESS);
    assert_int_equal(cuCtxAttach(&attached, 1), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuCtxAttach(&attached, 0), CUDA_SUCCESS);
    assert_ptr_equal(attached, current);
    assert_int_equal(cuCtxDetach(attached), CUDA_SUCCESS);

    /* The last to detach destroys it. */
    CUcontext own, now;
    assert_int_equal(cuCtxCreate(&own, NULL, 0, 0), CUDA_SUCCESS);
    assert_int_equal(cuCtxAttach(&attached, 0), CUDA_SUCCESS);
    assert_ptr_equal(attached, own);
    assert_int_equal(cuCtxDetach(current), CUDA_ERROR_INVALID_CONTEXT); /* is not current */
    assert_int_equal(cuCtxDetach(own), CUDA_SUCCESS);
    assert_int_equal(cuCtxSynchronize(), CUDA_SUCCESS);
    assert_int_equal(cuCtxDetach(own), CUDA_SUCCESS);
    assert_int_equal(cuCtxDestroy(own), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    assert_int_equal(cuCtxGetCurrent(&now), CUDA_SUCCESS);
    assert_ptr_equal(now, current);
    for (int i = 0; i < 300; i++) { /* more than there are addresses for at a time */
        assert_int_equal(cuCtxCreate(&own, NULL, 0, 0), CUDA_SUCCESS);
        assert_int_equal(cuCtxDetach(own), CUDA_SUCCESS);
    }
}

static void test_end(void **state) {
    (void)state;
    CUtexref t = texture("image");
    CUfunction f = function("put");
    assert_int_equal(cuModuleUnload(module), CUDA_SUCCESS);
    assert_int_equal(cuTexRefSetFlags(t, 0), CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(cuFuncSetBlockShape(f, 1, 1, 1), CUDA_ERROR_INVALID_HANDLE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),   cmocka_unit_test(test_linear),     cmocka_unit_test(test_array),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_pitch),      cmocka_unit_test(test_surface),
        cmocka_unit_test(test_context), cmocka_unit_test(test_old_launch), cmocka_unit_test(test_end),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
