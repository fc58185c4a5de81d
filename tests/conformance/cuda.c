/* SPDX-License-Identifier: MIT */
/* Texts in CUDA C and PTX that devices must refuse. */
#include "suite.h"

static void expect(kt_program_desc desc, kt_status expected, const char *text)
{
    kt_program *program = NULL;
    EXPECT_STATUS(kt_program_create(s.device, &desc, &program), expected);
    if (expected != KT_OK)
        EXPECT_TEXT_HAS(kt_error_text(), text);
    assert_int_equal(program != NULL, expected == KT_OK);
    kt_program_destroy(&program);
}

/* An entry is a name in C++ or in the code. The stub's compiler reads no namespaces. */
static void names_in_cuda_c(kt_program_desc desc)
{
    static const char text[] =
        "__global__ void good() { }\n"
        "namespace space {\n"
        "template<typename T, int N> __global__ void fill(T *x) { x[0] = N; }\n"
        "}\n";
    static const char *const there[] = {"good", "_Z4goodv", "space::fill<int, 4>"};
    static const char *const missing[] = {"space::fill", "space::empty", "_Z4fillv"};
    desc.source = text;
    for (size_t i = 0; i < sizeof there / sizeof there[0]; i++) {
        desc.entry = there[i];
        expect(desc, KT_OK, NULL);
    }
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
        desc.entry = missing[i];
        expect(desc, KT_INVALID, missing[i]);
    }
}

/* The stub's compiler finds fault with brackets alone, so each text has a wrong one. */
void texts_in_cuda_c(void)
{
    static const char good[] = "extern \"C\" __global__ void good(int *x) { x[0] = 1; }";
    static const char twice[] = "extern \"C\" __global__ void good(int *x) { x[0] = 1; } } garbage";
    kt_program_desc desc = {
        .size = sizeof desc, .language = KT_LANGUAGE_CUDA_C, .entry = "good", .source = good};
    expect(desc, KT_OK, NULL);
    desc.entry = "not_in_there";
    expect(desc, KT_INVALID, "not_in_there");
    desc.entry = "good";
    desc.source = twice;
    expect(desc, KT_BUILD_FAILED, "good");
    expect(desc, KT_BUILD_FAILED, "error"); /* the compiler's own words */
    desc.source_bytes = strlen(good);       /* a length may end the text before its zero */
    expect(desc, KT_OK, NULL);
    desc.source_bytes = 0;
    names_in_cuda_c(desc);
    /* Flags go to the compiler. */
    desc.build_flags = "no_flag";
    expect(desc, KT_BUILD_FAILED, "error");
}

#define PTX_HEAD ".version 6.0\n.target sm_50\n.address_size 64\n"

void texts_in_ptx(void)
{
    static const char good[] = PTX_HEAD ".visible .entry good()\n{\n    ret;\n}\n";
    static const char longer[] = PTX_HEAD ".visible .entry good()\n{\n    ret;\n}\n} garbage";
    kt_program_desc desc = {
        .size = sizeof desc, .language = KT_LANGUAGE_PTX, .entry = "good", .source = good};
    expect(desc, KT_OK, NULL);
    desc.entry = "not_in_there";
    expect(desc, KT_INVALID, "not_in_there");
    desc.entry = "good";
    desc.source = longer;
    expect(desc, KT_BUILD_FAILED, "good");
    expect(desc, KT_BUILD_FAILED, "ptx"); /* the driver's own words */
    desc.source_bytes = strlen(good);
    expect(desc, KT_OK, NULL);
    desc.source_bytes = 0;
    desc.source = "this is no PTX";
    expect(desc, KT_BUILD_FAILED, "good");
}
