/* SPDX-License-Identifier: MIT */
/* Sizes that the text of a kernel tells: dimensions, counts, and how far its indices go. */
#include "tests/unit/kernel_file/signatures.h"

/* "2 dimensions, N is n, A 3*n^2" of what is told. */
static const char *uses(const signature *s)
{
    static char text[1024];
    size_t used = (size_t)snprintf(text, sizeof text, "%u", s->dimensions);
    for (size_t i = 0; i < s->parameter_count; i++) {
        const parameter *p = &s->parameters[i];
        if (parameter_is_count(p))
            used += (size_t)snprintf(text + used, sizeof text - used, ", %s is n", p->name);
        else if (p->power)
            used += (size_t)snprintf(text + used, sizeof text - used, ", %s %u*n^%u", p->name,
                                     p->factor, p->power);
    }
    return text;
}

static void expect_uses(const char *path, kt_language language, const char *text,
                        const char *expected)
{
    static signature told;
    char reason[KERNEL_FILE_REASON_BYTES];
    kernel_file file = file_of(path, language, text);
    if (kernel_file_signature(&file, "f", &told, reason) != 0)
        fail_msg("refused: %s", reason);
    assert_string_equal(uses(&told), expected);
}

/* The body of an OpenCL kernel. */
static void expect_body(const char *body, const char *expected)
{
    char text[2048];
    snprintf(text, sizeof text,
             "#define ROW 500\n"
             "kernel void f(global float *A, global int *I, local float *L, int width, int k,\n"
             "              int limit) {\n%s\n}\n",
             body);
    expect_uses("t.cl", KT_LANGUAGE_OPENCL_C, text, expected);
}

static void a_limit_of_work_items_is_a_count(void **state)
{
    static const char limit[] = "1, A 1*n^1, width is n, limit is n";
    expect_body("int i = get_global_id(0); if (i < limit) A[i] = 1;", limit);
    expect_body("if (get_global_id(0) >= (limit)) return; A[get_global_id(0)] = 1;", limit);
    expect_body("int i = get_group_id(0) * 64 + get_local_id(0);\n"
                "if (A[i] < 1 && limit / 4 > i) A[i] = 1;",
                limit);
    expect_body("for (int i = get_global_id(0); i < limit; i += 8) A[i] = 1;", limit);
}

static void other_limits_are_no_counts(void **state)
{
    static const char none[] = "1, A 1*n^1, I 1*n^1, width is n";
    expect_body("int i = get_global_id(0); A[i] = I[i] > limit ? 1 : 2;", none);
    expect_body("int i = get_global_id(0); if (get_local_id(0) < limit) A[i] = I[i];", none);
    expect_body("int i = get_global_id(0); for (int j = 0; j < limit; j++) A[i] += I[i] << j;",
                none);
}

static void rows_and_columns_are_multiplied(void **state)
{
    static const char matrix[] = "1, A 1*n^2, width is n";
    expect_body("int i = get_global_id(0); for (int j = 0; j < width; j++) A[i * width + j] = 1;",
                matrix);
    expect_body("global float *row = A + get_global_id(0) * width; row[0] = 1;", matrix);
    expect_body("A[mad24((int)get_global_id(0), width, 1)] = 1;", matrix);
    expect_body("int at = 0; for (int j = 0; j < width; j++) { A[at + get_global_id(0)] = 1;\n"
                "at += width; }",
                matrix);
    expect_body("A[get_global_id(1) * ROW + get_global_id(0)] = 1;", "2, A 501*n^1, width is n");
    expect_body("A[(get_global_id(2) * width + get_global_id(1)) * width] = 1;",
                "3, A 1*n^3, width is n");
}

static void indices_end_at_n(void **state)
{
    expect_body("A[get_global_id(0) * 2 + 1] = 1;", "1, A 2*n^1, width is n");
    expect_body("A[get_group_id(0) * get_local_size(0) * 2 + get_local_id(0)] = 1;",
                "1, A 2*n^1, width is n");
    expect_body("A[get_group_id(0) * 256] = 1;", "1, A 1*n^1, width is n");
    expect_body("A[get_global_id(0) * k] = 1;", "1, A 1*n^1, width is n");
    expect_body("A[get_global_id(0) / width] = 1; A[get_local_id(0)] = 2;", "1, width is n");
    expect_body("A[(get_global_id(0) * width) % width] = 1;", "1, A 1*n^1, width is n");
    expect_body("A[I[get_global_id(0)]] = 1;", "1, A 1*n^1, I 1*n^1, width is n");
    expect_body("for (int j = 0; j < width; j++) L[j] = 1; A[0] = L[1];", "0, L 1*n^1, width is n");
}

static void languages_name_work_items(void **state)
{
    expect_uses("t.cu", KT_LANGUAGE_CUDA_C,
                "__global__ void f(float *A, int w) {\n"
                "int y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * 16;\n"
                "if (y < w) A[y * w + x] = 1; }",
                "2, A 1*n^2, w is n");
    expect_uses("t.metal", KT_LANGUAGE_MSL,
                "kernel void f(device float *A, constant uint &w, "
                "uint2 at [[thread_position_in_grid]])\n"
                "{ if (at.x < w) A[at.y * w + at.x] = 1; }",
                "2, A 1*n^2, w is n");
    expect_uses("t.wgsl", KT_LANGUAGE_WGSL,
                "@group(0) @binding(0) var<storage, read_write> A: array<f32>;\n"
                "@group(0) @binding(1) var<uniform> w: u32;\n"
                "@compute @workgroup_size(64) fn f(@builtin(global_invocation_id) at: vec3<u32>)\n"
                "{ let row: u32 = at.y; if (at.x < w) { A[row * w + at.x] = 1.0; } }",
                "2, A 1*n^2, w is n");
}

static void glsl_is_read_beside_its_spirv(void **state)
{
    static signature told;
    kernel_file file = file_of("t.comp", KT_LANGUAGE_SPIRV_SHADER,
                               "layout(push_constant) uniform P { uint w; } p;\n"
                               "void main() { uvec3 at = gl_GlobalInvocationID;\n"
                               "if (at.x < p.w) A.a[at.y * p.w + gl_GlobalInvocationID.x] = 1; }");
    told.parameter_count = 2;
    told.parameters[0] = (parameter){.name = "a"};
    told.parameters[1] =
        (parameter){.name = "w", .kind = PARAMETER_VALUE, .element = {SCALAR_UNSIGNED, 4, 1, 4}};
    kernel_file_see_glsl(&file, &told);
    assert_string_equal(uses(&told), "2, a 1*n^2, w is n");
}

static void a_text_without_end_tells_nothing(void **state)
{
    expect_body("A[get_global_id(1) * width] = ((1;", "0, width is n");
    char deep[1200] = "";
    for (size_t i = 0; i < 500; i++)
        strcat(deep, "-(");
    expect_body(deep, "0, width is n");
    /* Each name reads all that follow it: the work is bounded. */
    static char chain[60000] = "kernel void f(int n, int m) { int a = ";
    for (size_t i = 0; i < 8000; i++)
        strcat(chain, "m < ");
    strcat(chain, "1; }");
    expect_uses("t.cl", KT_LANGUAGE_OPENCL_C, chain, "0, n is n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_of_work_items_is_a_count),
        cmocka_unit_test(other_limits_are_no_counts),
        cmocka_unit_test(rows_and_columns_are_multiplied),
        cmocka_unit_test(indices_end_at_n),
        cmocka_unit_test(languages_name_work_items),
        cmocka_unit_test(glsl_is_read_beside_its_spirv),
        cmocka_unit_test(a_text_without_end_tells_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
