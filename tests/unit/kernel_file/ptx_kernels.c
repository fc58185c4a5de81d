/* SPDX-License-Identifier: MIT */
/* Kernels of PTX, from their texts. */
#include "tests/unit/kernel_file/signatures.h"

static kernel_file ptx(const char *text)
{
    return file_of("t.ptx", KT_LANGUAGE_PTX, text);
}

static void sizes_of_parameters(void **state)
{
    kernel_file file = ptx(".version 6.0\n.target sm_50\n.address_size 64\n"
                           "// .entry none()\n"
                           ".visible .entry f(.param .f32 a, .param .u64 .ptr .global .align 4 x,\n"
                           "  .param .align 8 .b8 f_param_2[24], .param .s16 s, .param .b32 b,\n"
                           "  .param .texref t)\n.reqntid 16, 8\n.minnctapersm 2\n{ ret; }\n"
                           ".entry g\n{ ret; }\n.entry h() .maxntid 64 { ret; }");
    EXPECT_ENTRIES(&file, "f g h");
    EXPECT_SIGNATURE(&file, "f",
                     "value a: .f32, f32x1/4\nbuffer x: .u64, ?/0\nvalue : .b8, ?/24\n"
                     "value s: .s16, i16x1/2\nvalue b: .b32, ?32x1/4\n"
                     "not supported t: texture or sampler, ?/0\ngroup 16 x 8 x 1\n");
    EXPECT_SIGNATURE(&file, "g", "");
    EXPECT_SIGNATURE(&file, "h", "");
    EXPECT_REFUSED(&file, "none", "t.ptx: no kernel none; there is f, g, h");
}

/* As nvcc 13.0 writes "template <typename T, int N> void demo::axpy(T, const T *, T *, unsigned,
 * params)". */
#define AXPY "_ZN4demo4axpyIfLi4EEEvT_PKS1_PS1_j6params"

static void names_tell_types(void **state)
{
    kernel_file file =
        ptx(".visible .entry " AXPY "(\n"
            " .param .f32 " AXPY "_param_0, .param .u64 " AXPY "_param_1,\n"
            " .param .u64 " AXPY "_param_2, .param .u32 " AXPY "_param_3,\n"
            " .param .align 8 .b8 " AXPY "_param_4[16]) { ret; }\n"
            ".visible .entry _Z1fPPf6float3m(.param .u64 a, .param .align 4 .b8 b[12],\n"
            " .param .u64 c) { ret; }\n"
            ".visible .entry _Z1gPf(.param .u64 a, .param .u64 b) { ret; }\n");
    const char *expected = "value : float, f32x1/4\n"
                           "buffer : float const*, f32x1/4, read\n"
                           "buffer : float*, f32x1/4\n"
                           "value : unsigned int, u32x1/4\n"
                           "value : params, ?/16\n";
    EXPECT_SIGNATURE(&file, AXPY, expected);
    EXPECT_SIGNATURE(&file, "demo::axpy<float,4>", expected);
    EXPECT_SIGNATURE(&file, "demo::axpy", expected);
    EXPECT_REFUSED(&file, "demo::axpy<float,8>", "no kernel");
    EXPECT_REFUSED(&file, "axp", "no kernel");
    EXPECT_SIGNATURE(&file, "f",
                     "not supported a: float**, ?/0\nvalue b: float3, f32x3/12\n"
                     "value c: unsigned long, u64x1/8\n");
    EXPECT_SIGNATURE(&file, "g",
                     "buffer a: .u64, ?/0\nbuffer b: .u64, ?/0\n"); /* it does not fit */
    static signature told;
    char reason[KERNEL_FILE_REASON_BYTES];
    assert_int_equal(kernel_file_signature(&file, "demo::axpy<float, 4>", &told, reason), 0);
    assert_string_equal(told.entry, AXPY);
}

static void instructions_tell_types(void **state)
{
    kernel_file file =
        ptx(".entry f(.param .u64 x, .param .u64 y, .param .u64 n, .param .u64 unused,\n"
            "  .param .u64 mixed, .param .u64 bits)\n{\n"
            " .reg .b64 %rd<9>;\n"
            " ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.u64 %rd3, [n];\n"
            " ld.param.u64 %rd7, [mixed]; ld.param.u64 %rd8, [bits];\n"
            " setp.ge.u64 %p1, %rd0, %rd3;\n@!%p1 bra $L__BB0_2;\n"
            " cvta.to.global.u64 %rd4, %rd1; shl.b64 %rd5, %rd3, 2;\n"
            " add.s64 %rd6, %rd5, %rd4;\n"
            "$L__BB0_1:\n"
            " ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd6+16];\n"
            " mad.wide.u32 %rd9, %r1, 8, %rd2;\n"
            " @%p1 st.global.f64 [%rd9], %fd1; ld.global.u8 %rs1, [%rd7];\n"
            " st.global.u32 [%rd7], %r1; ld.shared.f64 %fd2, [%rd8];\n"
            " atom.global.add.b32 %r2, [%rd8], 1; red.global.add.f32 [%rd8], %f1;\n"
            "$L__BB0_2: ret;\n}\n");
    EXPECT_SIGNATURE(&file, "f",
                     "buffer x: .v4.f32 *, f32x4/16, read\n"
                     "buffer y: .f64 *, f64x1/8\n"
                     "value n: .u64, u64x1/8\n"
                     "buffer unused: .u64, ?/0\n"
                     "buffer mixed: .u64, ?/0\n"
                     "buffer bits: .f32 *, f32x1/4\n");
}

static void shared_memory_of_the_host(void **state)
{
    kernel_file file =
        ptx(".extern .shared .align 16 .b8 s[];\n.extern .shared .align 4 .f32 t[];\n"
            ".shared .align 4 .b8 fixed[64];\n"
            ".func helper() { mov.u32 %r1, t; ret; }\n"
            ".entry f() { mov.u32 %r1, s; ret; }\n.entry g() { ret; }\n");
    EXPECT_SIGNATURE(&file, "f", "local s: .b8, ?/0\nlocal t: .f32, f32x1/4\n");
    EXPECT_SIGNATURE(&file, "g", "local t: .f32, f32x1/4\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_of_parameters),
        cmocka_unit_test(names_tell_types),
        cmocka_unit_test(instructions_tell_types),
        cmocka_unit_test(shared_memory_of_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
