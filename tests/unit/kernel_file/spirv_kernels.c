/* SPDX-License-Identifier: MIT */
/* Kernels and shaders of SPIR-V: words made here, and GLSL that glslc compiles. */
#define _DEFAULT_SOURCE /* mkstemps */
#include "tests/unit/kernel_file/signatures.h"

#include <unistd.h>

/* ---- kernels ---- */

static uint32_t words[512];
static size_t count;

/* Appends an instruction; its text, if there is one, stands at the end or in front of `behind`. */
static void emit(uint32_t opcode, const uint32_t *operands, size_t operand_count, const char *text)
{
    size_t text_words = text ? strlen(text) / 4 + 1 : 0;
    words[count++] = (uint32_t)(1 + operand_count + text_words) << 16 | opcode;
    if (operand_count)
        memcpy(words + count, operands, operand_count * sizeof *words);
    count += operand_count;
    memset(words + count, 0, text_words * sizeof *words);
    for (size_t i = 0; text && text[i]; i++)
        words[count + i / 4] |= (uint32_t)(unsigned char)text[i] << 8 * (i % 4);
    count += text_words;
}

#define OPERANDS(...)                (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4
#define EMIT(opcode, ...)            emit(opcode, OPERANDS(__VA_ARGS__), NULL)
#define EMIT_TEXT(opcode, text, ...) emit(opcode, OPERANDS(__VA_ARGS__), text)

enum { NAME = 5, ENTRY = 15, MODE = 16, CAPABILITY = 17, CONSTANT = 43, DECORATE = 71 };
enum { VOID = 19, INT = 21, FLOAT, VECTOR, IMAGE = 25, ARRAY = 28, STRUCT = 30, POINTER = 32 };
enum { FUNCTION = 54, PARAMETER, END, CALL };

/* void f(global float3 *x, global const struct P { float; ulong; uint[5] } *p, local ushort *l,
 * uint n, struct P by value, image). */
static kernel_file make_kernel(bool named)
{
    count = 5;
    memcpy(words, (const uint32_t[]){0x07230203, 0x10000, 0, 60, 0}, 20);
    EMIT(CAPABILITY, 6);
    EMIT_TEXT(ENTRY, "f", 6, 30);
    EMIT(MODE, 30, 17, 4, 2, 1);
    if (named) {
        EMIT_TEXT(NAME, "x", 40);
        EMIT_TEXT(NAME, "long_name\n", 41);
    }
    EMIT_TEXT(NAME, "struct.P", 10);
    EMIT(DECORATE, 41, 38, 6); /* FuncParamAttr NoWrite */
    EMIT(VOID, 1);
    EMIT(INT, 2, 32, 0);
    EMIT(INT, 3, 64, 0);
    EMIT(INT, 4, 16, 0);
    EMIT(FLOAT, 5, 32);
    EMIT(VECTOR, 6, 5, 3);
    EMIT(CONSTANT, 2, 7, 5);
    EMIT(ARRAY, 8, 2, 7);
    EMIT(STRUCT, 10, 5, 3, 8);
    EMIT(IMAGE, 11, 1, 1, 0, 0, 0, 0, 0);
    EMIT(POINTER, 20, 5, 6);
    EMIT(POINTER, 21, 5, 10);
    EMIT(POINTER, 22, 4, 4);
    EMIT(POINTER, 23, 7, 10);
    EMIT(FUNCTION, 1, 30, 0, 50);
    EMIT(PARAMETER, 20, 40);
    EMIT(PARAMETER, 21, 41);
    EMIT(PARAMETER, 22, 42);
    EMIT(PARAMETER, 2, 43);
    EMIT(PARAMETER, 23, 44);
    EMIT(PARAMETER, 11, 45);
    emit(END, NULL, 0, NULL);
    return (kernel_file){.path = "t.spv",
                         .language = KT_LANGUAGE_SPIRV_KERNEL,
                         .text = (char *)words,
                         .bytes = count * sizeof *words};
}

static void parameters_of_a_kernel(void **state)
{
    kernel_file file = make_kernel(true);
    EXPECT_ENTRIES(&file, "f");
    EXPECT_SIGNATURE(&file, "f",
                     "buffer x: float3 *, f32x3/16\n"
                     "buffer long_name?: struct.P *, ?/40, read\n"
                     "local : ushort *, u16x1/2\n"
                     "value : uint, u32x1/4\n"
                     "value : struct.P, ?/40\n"
                     "not supported : image or sampler, ?/0\n"
                     "group 4 x 2 x 1\n");
    EXPECT_REFUSED(&file, "g", "t.spv: no kernel g; there is f");
}

/* LLVM's translator writes the names to a function that the entry point calls. */
static void names_of_a_called_function(void **state)
{
    kernel_file file = make_kernel(false);
    count--; /* without the end */
    EMIT(CALL, 1, 46, 31, 40, 41, 42, 43, 44, 45);
    emit(END, NULL, 0, NULL);
    EMIT_TEXT(NAME, "named", 50);
    EMIT(FUNCTION, 1, 31, 0, 50);
    for (uint32_t i = 0; i < 6; i++)
        EMIT(PARAMETER, 2, 50 + i);
    emit(END, NULL, 0, NULL);
    file.bytes = count * sizeof *words;
    static signature told;
    char reason[KERNEL_FILE_REASON_BYTES];
    assert_int_equal(kernel_file_signature(&file, "f", &told, reason), 0);
    assert_string_equal(told.parameters[0].name, "named");
    assert_int_equal(told.parameter_count, 6);
}

static void types_that_contain_themselves(void **state)
{
    kernel_file file = make_kernel(true);
    for (size_t i = 5; i < count; i += words[i] >> 16)
        if ((words[i] & 0xFFFF) == STRUCT)
            words[i + 2] = 10;
    static signature told;
    char reason[KERNEL_FILE_REASON_BYTES];
    assert_int_equal(kernel_file_signature(&file, "f", &told, reason), 0);
    assert_int_equal(told.parameters[1].element.stride, 0);
}

/* ---- shaders ---- */

/* Compiles GLSL; without glslc or SPIRV-Cross the test is skipped. */
static kernel_file compile(const char *text, const char *const *defines, size_t define_count)
{
    char path[] = "/tmp/shader-XXXXXX.comp", reason[KERNEL_FILE_REASON_BYTES], *log;
    int handle = mkstemps(path, 5);
    assert_true(handle >= 0);
    assert_int_equal(write(handle, text, strlen(text)), strlen(text));
    close(handle);
    kernel_file source, compiled;
    assert_int_equal(kernel_file_read(path, &source, reason), 0);
    int failed = kernel_file_compile(&source, defines, define_count, &compiled, &log, reason);
    unlink(path);
    kernel_file_free(&source);
    if (failed && (strstr(reason, "not found in PATH") || !log))
        print_message("%s\n", reason);
    if (failed && strstr(reason, "not found in PATH"))
        skip();
    if (failed)
        fail_msg("%s\n%s", reason, log ? log : "");
    compiled.path = "t.comp";
    return compiled;
}

static void skip_without_spirv_cross(void)
{
    if (!HAVE_SPIRV_CROSS)
        skip();
}

static const char shader[] =
    "#version 450\n"
    "layout(local_size_x_id = 0, local_size_y = 4) in;\n"
    "layout(constant_id = 3) const int TILE = -8;\n"
    "layout(constant_id = 4) const float F = 1.5;\n"
    "layout(constant_id = 9) const bool B = true;\n"
    "struct P { vec3 a; float b; };\n"
    "layout(set = 1, binding = 2, std430) readonly buffer Block { uint count; vec4 d[]; } x;\n"
    "layout(set = 0, binding = 0, std430) buffer Other { P d[]; };\n"
    "layout(set = 0, binding = 5, std430) buffer Fixed { float f[8]; } fixed_one;\n"
    "layout(set = 0, binding = 6, std430) buffer Mixed { float f; uvec2 u; } mixed;\n"
    "layout(set = 0, binding = 7, std430) buffer Unused { float f[]; } unused;\n"
    "layout(set = 0, binding = 1, std140) uniform U {\n"
    "  uint n; vec3 v; mat4 m; mat3 k; float a[3]; P p; } u;\n"
    "layout(push_constant) uniform C { layout(offset = 16) float alpha; uvec3 w; uint n; } c;\n"
    "void main() {\n"
    "  uint i = gl_GlobalInvocationID.x;\n"
    "  d[i].b = x.d[i].x * c.alpha * F + float(TILE) + (B ? u.a[1] : u.v.x);\n"
    "  fixed_one.f[i] = mixed.f;\n"
    "}\n";

static void parameters_of_a_shader(void **state)
{
    skip_without_spirv_cross();
    kernel_file file = compile(shader, NULL, 0);
    EXPECT_ENTRIES(&file, "main");
    EXPECT_SIGNATURE(&file, "main",
                     "buffer d: P[], ?/16, at 0.0\n"
                     "value n: uint, u32x1/4, at 0.1 +0 of 208\n"
                     "value v: vec3, f32x3/12, at 0.1 +16 of 208\n"
                     "value m: mat4x4, f32x16/64, at 0.1 +32 of 208\n"
                     "value k: mat3x3, ?/48, at 0.1 +96 of 208\n"
                     "value a: float[3], f32x1/16, at 0.1 +144 of 208, 3 times\n"
                     "value p: P, ?/16, at 0.1 +192 of 208\n"
                     "buffer fixed_one: float[], f32x1/4, at 0.5, 8 times\n"
                     "buffer mixed: Mixed, ?/16, at 0.6, 1 times\n"
                     "buffer unused: float[], f32x1/4, at 0.7\n"
                     "buffer x: vec4[], f32x4/16, read, at 1.2 +16\n"
                     "value alpha: float, f32x1/4, push +16 of 48\n"
                     "value w: uvec3, u32x3/12, push +32 of 48\n"
                     "value c.n: uint, u32x1/4, push +44 of 48\n"
                     "constant : u32, id 0 = 1\n"
                     "constant TILE: i32, id 3 = -8\n"
                     "constant F: f32, id 4 = 1.5\n"
                     "constant B: b32, id 9 = 1\n"
                     "group 0 x 4 x 1, x is constant 0\n");
    EXPECT_REFUSED(&file, "other", "t.comp: no kernel other; there is main");
    kernel_file_free(&file);
}

static void defines_and_later_environments(void **state)
{
    const char *defines[] = {"REAL=double", "SIZE=32"};
    skip_without_spirv_cross();
    kernel_file file =
        compile("#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : enable\n"
                "layout(local_size_x = SIZE) in;\n"
                "layout(binding = 0) buffer X { REAL x[]; };\n"
                "layout(binding = 1, r32f) uniform image2D image;\n"
                "layout(binding = 2) buffer A { float a[]; } array[2];\n"
                "void main() { x[0] = subgroupAdd(x[1]) + array[1].a[0];\n"
                "  imageStore(image, ivec2(0), vec4(0)); }\n",
                defines, 2);
    EXPECT_SIGNATURE(&file, "main",
                     "buffer x: double[], f64x1/8, at 0.0\n"
                     "not supported image: image, ?/0, at 0.1\n"
                     "not supported array: array of buffers, ?/0, at 0.2\n"
                     "group 32 x 1 x 1\n");
    kernel_file_free(&file);
}

static void what_does_not_compile(void **state)
{
    char path[] = "/tmp/shader-XXXXXX.comp", reason[KERNEL_FILE_REASON_BYTES], *log;
    int handle = mkstemps(path, 5);
    assert_true(handle >= 0 && write(handle, "#version 450\nnonsense\n", 22) == 22);
    close(handle);
    kernel_file source, compiled;
    assert_int_equal(kernel_file_read(path, &source, reason), 0);
    assert_int_equal(kernel_file_compile(&source, NULL, 0, &compiled, &log, reason), -1);
    unlink(path);
    kernel_file_free(&source);
    if (!strstr(reason, "not found in PATH")) {
        EXPECT_TEXT_HAS(reason, "glslc does not compile it (exit code 1)");
        EXPECT_TEXT_HAS(log, ":2: error: ");
    }
    free(log);
    setenv("PATH", "/no/folder", 1);
    source = file_of("t.comp", KT_LANGUAGE_SPIRV_SHADER, "");
    assert_int_equal(kernel_file_compile(&source, NULL, 0, &compiled, &log, reason), -1);
    assert_string_equal(reason,
                        "t.comp: glslc, which compiles GLSL, was not found in PATH (Debian: "
                        "apt install glslc)");
    assert_null(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_of_a_kernel),
        cmocka_unit_test(names_of_a_called_function),
        cmocka_unit_test(types_that_contain_themselves),
        cmocka_unit_test(parameters_of_a_shader),
        cmocka_unit_test(defines_and_later_environments),
        cmocka_unit_test(what_does_not_compile), /* the last one: it takes PATH away */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
