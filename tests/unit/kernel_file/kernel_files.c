/* SPDX-License-Identifier: MIT */
/* Files with kernels: how they are read, what their comments say, and what a driver knows better. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "tests/unit/kernel_file/signatures.h"

#include <unistd.h>

static char folder[64], path[128];
static char reason[KERNEL_FILE_REASON_BYTES];
static kernel_file file;

static const char *write_file(const char *name, const void *content, size_t bytes)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(content, 1, bytes, stream), bytes);
    fclose(stream);
    return path;
}

/* Reads a file of that content, which has to be refused with that sentence behind its path. */
static void expect_unread(const char *name, const void *content, size_t bytes, const char *sentence)
{
    char expected[KERNEL_FILE_REASON_BYTES];
    write_file(name, content, bytes);
    assert_int_equal(kernel_file_read(path, &file, reason), -1);
    kernel_file_free(&file);
    snprintf(expected, sizeof expected, "%s: %s", path, sentence);
    assert_string_equal(reason, expected);
    unlink(path);
}

static void endings_tell_the_language(void **state)
{
    static const struct {
        const char *name;
        kt_language language;
        bool is_glsl;
    } rows[] = {{"a.cl", KT_LANGUAGE_OPENCL_C, false}, {"a.comp", KT_LANGUAGE_SPIRV_SHADER, true},
                {"a.wgsl", KT_LANGUAGE_WGSL, false},   {"a.cu", KT_LANGUAGE_CUDA_C, false},
                {"a.b.ptx", KT_LANGUAGE_PTX, false},   {"a.metal", KT_LANGUAGE_MSL, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_file(rows[i].name, "text", 4);
        assert_true(kernel_file_has_ending(path));
        assert_int_equal(kernel_file_read(path, &file, reason), 0);
        assert_int_equal(file.language, rows[i].language);
        assert_int_equal(file.is_glsl, rows[i].is_glsl);
        assert_int_equal(file.bytes, 4);
        assert_string_equal(file.text, "text");
        kernel_file_free(&file);
        unlink(path);
    }
    assert_false(kernel_file_has_ending("a.c"));
    assert_false(kernel_file_has_ending("cl"));
    expect_unread("a.txt", "x", 1,
                  "the ending tells no language; there are .cl .comp .spv .wgsl .cu .ptx .metal");
}

static void what_cannot_be_read(void **state)
{
    expect_unread("a.cl", "", 0, "the file is empty");
    assert_int_equal(kernel_file_read("/no/such.cl", &file, reason), -1);
    assert_string_equal(reason, "/no/such.cl cannot be read: No such file or directory");
    snprintf(path, sizeof path, "%s/folder.cl", folder);
    char command[160];
    snprintf(command, sizeof command, "mkdir '%s'", path);
    assert_int_equal(system(command), 0);
    assert_int_equal(kernel_file_read(path, &file, reason), -1);
    kernel_file_free(&file);
    EXPECT_TEXT_HAS(reason, "folder.cl cannot be read: Is a directory");
    rmdir(path);
}

static uint32_t other_order(uint32_t word)
{
    return word >> 24 | (word >> 8 & 0xFF00) | (word << 8 & 0xFF0000) | word << 24;
}

static void spirv_of_both_kinds_and_orders(void **state)
{
    uint32_t words[] = {0x07230203, 0x10000, 0, 10, 0, 2 << 16 | 17, 1};
    for (int swap = 0; swap < 2; swap++)
        for (uint32_t kind = 1; kind <= 6; kind += 5) {
            uint32_t content[7];
            words[6] = kind; /* the capability Shader or Kernel */
            for (int i = 0; i < 7; i++)
                content[i] = swap ? other_order(words[i]) : words[i];
            write_file("a.spv", content, sizeof content);
            assert_int_equal(kernel_file_read(path, &file, reason), 0);
            assert_int_equal(file.language,
                             kind == 1 ? KT_LANGUAGE_SPIRV_SHADER : KT_LANGUAGE_SPIRV_KERNEL);
            assert_memory_equal(file.text, words, sizeof words);
            kernel_file_free(&file);
        }
}

static void what_is_no_spirv(void **state)
{
    uint32_t words[] = {0x07230203, 0x10000, 0, 10, 0, 2 << 16 | 17, 1, 9 << 16 | 17};
    expect_unread("a.spv",
                  "\x7F"
                  "ELF....",
                  8, "this is no SPIR-V: it does not begin with its magic number");
    expect_unread("a.spv", "\x03\x02#", 3,
                  "this is no SPIR-V: it does not begin with its magic number");
    expect_unread("a.spv", words, 27, "the SPIR-V ends within a word");
    expect_unread("a.spv", words, 16, "the header of the SPIR-V is damaged");
    expect_unread("a.spv", words, 32, "the SPIR-V breaks off at word 7 of 8");
    words[7] = 0;
    expect_unread("a.spv", words, 32, "the SPIR-V breaks off at word 7 of 8");
    words[6] = 4;
    expect_unread("a.spv", words, 28,
                  "the SPIR-V has neither shaders nor kernels: no capability says so");
    words[3] = 4194304;
    expect_unread("a.spv", words, 28, "the SPIR-V has 4194304 ids, but 4194303 are the most");
}

static void comments_give_options(void **state)
{
    char text[2048] = "/* kerntime: -n 16Mi  */\r\n"
                      " // kerntime add: --flops n\n"
                      "# kerntime:--bytes '12*n'\n"
                      "; kerntime other: --if 1\n"
                      " * kerntime  add: no\n"
                      "kerntime: no\n// kerntimes: no\n// kerntime adds: no\n// say kerntime: no\n";
    for (int line = 10; line <= 49; line++)
        strcat(text, "\n");
    strcat(text, "// kerntime: last\n// kerntime: beyond");
    kernel_file told = file_of("t.cl", KT_LANGUAGE_OPENCL_C, text);
    static const char *const expected[] = {"-n 16Mi", "--flops n", "--bytes '12*n'", "last"};
    char words[64];
    for (size_t i = 0; i < 4; i++) {
        assert_true(kernel_file_defaults(&told, "add", i, words, sizeof words));
        assert_string_equal(words, expected[i]);
    }
    assert_false(kernel_file_defaults(&told, "add", 4, words, sizeof words));
    told.language = KT_LANGUAGE_SPIRV_SHADER;
    assert_false(kernel_file_defaults(&told, "add", 0, words, sizeof words));
    told.is_glsl = true;
    assert_true(kernel_file_defaults(&told, "add", 0, words, sizeof words));
}

static void a_driver_knows_better(void **state)
{
    static signature told;
    kernel_file text = file_of("t.cl", KT_LANGUAGE_OPENCL_C,
                               "struct P { int a[3]; };\n"
                               "kernel void f(global REAL *x, global struct P *p, N n, image2d_t i)"
                               "{}");
    assert_int_equal(kernel_file_signature(&text, "f", &told, reason), 0);
    kt_parameter parameters[] = {
        {.name = "x", .type = "double*", .kind = KT_PARAMETER_BUFFER, .is_read_only = 1},
        {.name = "p", .type = "struct P*", .kind = KT_PARAMETER_BUFFER},
        {.name = "n", .type = "uint3", .kind = KT_PARAMETER_VALUE},
        {.name = "i", .type = "image2d_t", .kind = KT_PARAMETER_IMAGE},
    };
    kt_program_info info = {.parameters = parameters,
                            .parameter_count = 4,
                            .has_parameters = 1,
                            .group_size = {8, 8, 1}};
    signature_correct(&told, &info);
    const char *expected = "buffer x: double*, f64x1/8, read\nbuffer p: struct P*, ?/12\n"
                           "value n: uint3, u32x3/16\nnot supported i: image2d_t, ?/0\n"
                           "group 8 x 8 x 1\n";
    assert_string_equal(describe(&told), expected);
    info = (kt_program_info){.has_parameters = 0}; /* it knows nothing */
    signature_correct(&told, &info);
    assert_string_equal(describe(&told), expected);
    parameters[2].type = NULL; /* and of CUDA it knows sizes alone */
    parameters[2].bytes = 24;
    info =
        (kt_program_info){.parameters = parameters + 2, .parameter_count = 1, .has_parameters = 1};
    signature_correct(&told, &info);
    assert_string_equal(describe(&told), "value n: , ?/24\ngroup 8 x 8 x 1\n");
}

static int make_folder(void **state)
{
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.40s/kernels-XXXXXX", where ? where : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    snprintf(path, sizeof path, "%s/a.spv", folder);
    unlink(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endings_tell_the_language),      cmocka_unit_test(what_cannot_be_read),
        cmocka_unit_test(spirv_of_both_kinds_and_orders), cmocka_unit_test(what_is_no_spirv),
        cmocka_unit_test(comments_give_options),          cmocka_unit_test(a_driver_knows_better),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
