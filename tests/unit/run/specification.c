/* SPDX-License-Identifier: MIT */
/* What -a says: its words, the numbers that it makes, and the files that it reads. */
#define _GNU_SOURCE
#include "cli/run/specification.h"
#include "tests/unit/run/npy_text.h"
#include "tests/unit/testing.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char reason[SPECIFICATION_REASON_BYTES];
static char folder[] = "/tmp/kerntime-specification-XXXXXX";

static const element_type f32 = {SCALAR_FLOAT, 4, 1, 4}, f16 = {SCALAR_FLOAT, 2, 1, 2},
                          f64 = {SCALAR_FLOAT, 8, 1, 8}, i32 = {SCALAR_SIGNED, 4, 1, 4},
                          u8 = {SCALAR_UNSIGNED, 1, 1, 1}, u64 = {SCALAR_UNSIGNED, 8, 1, 8},
                          i8 = {SCALAR_SIGNED, 1, 1, 1}, boolean = {SCALAR_BOOL, 1, 1, 1},
                          float3 = {SCALAR_FLOAT, 4, 3, 16}, structure = {SCALAR_UNKNOWN, 0, 0, 12},
                          word = {SCALAR_UNKNOWN, 0, 0, 4}, unknown = {SCALAR_UNKNOWN, 0, 0, 0};

static bool look_up(const void *names, const char *name, size_t length, int64_t *value,
                    char why[EXPRESSION_REASON_BYTES])
{
    *value = 1000;
    return length == 1 && *name == 'n';
}

static specification spec_of(const char *text)
{
    specification spec;
    if (specification_read(text, look_up, NULL, &spec, reason) != 0)
        fail_msg("\"%s\" was refused: %s", text, reason);
    return spec;
}

static void refuse(const char *text, const char *sentence)
{
    specification spec, before;
    memset(&spec, 0x5A, sizeof spec);
    before = spec;
    if (specification_read(text, look_up, NULL, &spec, reason) != -1)
        fail_msg("\"%s\" was taken", text);
    assert_string_equal(reason, sentence);
    assert_memory_equal(&spec, &before, sizeof spec);
}

static void refuse_fill(const char *text, const element_type *type, int64_t count,
                        const char *sentence)
{
    char data[256];
    specification spec = spec_of(text);
    if (specification_fill(&spec, type, 1, data, count, reason) != -1)
        fail_msg("\"%s\" was filled in", text);
    assert_string_equal(reason, sentence);
}

static void fill(const char *text, const element_type *type, void *data, int64_t count)
{
    specification spec = spec_of(text);
    if (specification_fill(&spec, type, 1, data, count, reason) != 0)
        fail_msg("\"%s\" was not filled in: %s", text, reason);
}

static void names_and_contents(void **state)
{
    char name[SIGNATURE_NAME_BYTES];
    assert_string_equal(specification_split("x=random x n", name, reason), "random x n");
    assert_string_equal(name, "x");
    assert_string_equal(specification_split("3=@a=b.npy", name, reason), "@a=b.npy");
    assert_string_equal(name, "3");
    static const char *const wrong[] = {"x", "=3", "x=", ""};
    for (size_t i = 0; i < 4; i++) {
        assert_null(specification_split(wrong[i], name, reason));
        assert_string_equal(reason, "it takes NAME=SPEC, such as x=random or n=64");
    }
}

static void words(void **state)
{
    assert_int_equal(spec_of("zeros").kind, SPECIFICATION_ZEROS);
    assert_int_equal(spec_of("iota").kind, SPECIFICATION_IOTA);
    assert_int_equal(spec_of("null").kind, SPECIFICATION_NULL);
    assert_int_equal(spec_of(" random  ").kind, SPECIFICATION_RANDOM);
    assert_int_equal(spec_of("random x n").count, 1000);
    specification spec = spec_of("random:-1:n/2 x ceil(n/256)");
    assert_int_equal(spec.kind, SPECIFICATION_RANDOM);
    EXPECT_NUMBER(spec.low, -1);
    EXPECT_NUMBER(spec.high, 500);
    assert_int_equal(spec.count, 4);
    EXPECT_NUMBER(spec_of("fill:0.5").numbers[0], 0.5);
    assert_int_equal(spec_of("local:4*n").local_bytes, 4000);
    assert_string_equal(spec_of("same:y").other, "y");
    assert_string_equal(spec_of("@a x b.npy x 3").file, "a x b.npy");
    assert_int_equal(spec_of("@a.npy").kind, SPECIFICATION_NPY);
    assert_int_equal(spec_of("@a.bin").kind, SPECIFICATION_BIN);
}

static void numbers(void **state)
{
    EXPECT_NUMBER(spec_of("3").numbers[0], 3);
    EXPECT_NUMBER(spec_of("-2.5e-3").numbers[0], -0.0025);
    EXPECT_NUMBER(spec_of("n/3").numbers[0], 333);
    EXPECT_NUMBER(spec_of("1.0/n").numbers[0], 1e-3);
    EXPECT_NUMBER(spec_of("(n+1)*(n-1)").numbers[0], 999999);
    specification spec = spec_of("(1, n/2, -0.5)");
    assert_int_equal(spec.number_count, 3);
    EXPECT_NUMBER(spec.numbers[1], 500);
    EXPECT_NUMBER(spec.numbers[2], -0.5);
}

static void wrong_words(void **state)
{
    refuse("", "it takes content, such as random, zeros, 3.5 or @x.npy");
    refuse("zeors", "\"zeors\" is no content; did you mean \"zeros\"?");
    refuse("rnadom:0:1", "\"rnadom:0:1\" is no content; did you mean \"random:0:1\"?");
    refuse("m", "there is no name \"m\"");
    refuse("random:1", "it takes random:LOW:HIGH with LOW below HIGH, such as random:-1:1");
    refuse("random:1:1", "it takes random:LOW:HIGH with LOW below HIGH, such as random:-1:1");
    refuse("random x 0", "0 is 0; a count of elements is 1 or more");
    refuse("zeros x n-n", "n-n is 0; a count of elements is 1 or more");
    refuse("@", "no name of a file follows \"@\"");
    refuse("@x.csv", "x.csv ends neither in .npy nor in .bin (the bytes of a buffer)");
    refuse("local:0", "local memory of 0 bytes; it takes at least 1");
    refuse("same:", "it takes same:OTHER with the name or number of another argument");
    refuse("(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17)", "more than 16 numbers");
    refuse("9007199254740993", "9007199254740993 is not below 2^53, so it may not be exact");
    refuse("n^6", "n^6 is not below 2^53, so it may not be exact");
}

static void filled_numbers(void **state)
{
    float floats[4];
    fill("fill:0.1", &f32, floats, 4);
    for (int i = 0; i < 4; i++)
        EXPECT_NUMBER(floats[i], 0.1F);
    int32_t whole;
    fill("-7", &i32, &whole, 1);
    assert_int_equal(whole, -7);
    uint64_t large;
    fill("1e19", &u64, &large, 1);
    assert_true(large == UINT64_C(10000000000000000000));
    float vectors[8] = {[3] = 9, [7] = 9};
    fill("(1,2,3)", &float3, vectors, 2);
    const float expected[8] = {1, 2, 3, 0, 1, 2, 3, 0}; /* zeros between elements */
    assert_memory_equal(vectors, expected, sizeof expected);
    fill("5", &float3, vectors, 1);
    EXPECT_NUMBER(vectors[2], 5);
    uint16_t halves[2];
    fill("fill:1.5", &f16, halves, 2);
    assert_int_equal(halves[1], 0x3E00);
}

static void numbers_that_do_not_fit(void **state)
{
    refuse_fill("3.5", &i32, 1, "3.5 is none of the 4-byte signed integers");
    refuse_fill("256", &u8, 1, "256 is none of the 1-byte unsigned integers");
    refuse_fill("-1", &u64, 1, "-1 is none of the 8-byte unsigned integers");
    refuse_fill("fill:1e39", &f32, 2, "1e+39 is none of the 4-byte floats");
    refuse_fill("1.9e19", &u64, 1, "1.9e+19 is none of the 8-byte unsigned integers");
    refuse_fill("nan", &i32, 1, "nan is none of the 4-byte signed integers");
    refuse_fill("2", &boolean, 1, "2 is none of the 1-byte bools");
    refuse_fill("(1,2)", &float3, 1, "2 numbers are given, it takes 3");
    refuse_fill("random:-5:5", &u8, 4, "-5 is none of the 1-byte unsigned integers");
    refuse_fill("random:0.1:0.9", &i32, 4, "there is no whole number from 0.1 to 0.9");
    refuse_fill("7", &structure, 1,
                "a structure of 12 bytes takes zeros or @file.bin, not a number");
    refuse_fill("0.5", &word, 1,
                "0.5 has no form in a type that is unknown; @file.bin gives its bytes");
}

static void unknown_types_are_bytes(void **state)
{
    uint32_t value;
    fill("70000", &word, &value, 1);
    assert_int_equal(value, 70000);
    unsigned char bytes[24];
    fill("fill:3", &structure, bytes, 2);
    for (int i = 0; i < 24; i++)
        assert_int_equal(bytes[i], 3);
    fill("iota", &unknown, bytes, 24);
    assert_int_equal(bytes[23], 23);
}

static void iota_stays_exact(void **state)
{
    uint8_t bytes[300];
    fill("iota", &u8, bytes, 300);
    assert_int_equal(bytes[255], 255);
    assert_int_equal(bytes[299], 43);
    int8_t small[130];
    fill("iota", &i8, small, 130);
    assert_int_equal(small[127], 127);
    assert_int_equal(small[129], 1);
    double reals[3];
    fill("iota", &f64, reals, 3);
    EXPECT_NUMBER(reals[2], 2);
}

static void random_numbers_repeat(void **state)
{
    enum { COUNT = 4096 };
    static float a[COUNT], b[COUNT], part[COUNT / 2];
    specification spec = spec_of("random");
    assert_int_equal(specification_fill(&spec, &f32, 1, a, COUNT, reason), 0);
    assert_int_equal(specification_fill(&spec, &f32, 1, part, COUNT / 2, reason), 0);
    assert_int_equal(specification_fill(&spec, &f32, 2, b, COUNT, reason), 0);
    assert_memory_equal(a, part, sizeof part); /* a count changes none of them */
    double sum = 0, product = 0;
    for (int i = 0; i < COUNT; i++) {
        assert_true(a[i] >= 0 && a[i] <= 1);
        sum += (double)a[i];
        product += ((double)a[i] - 0.5) * ((double)b[i] - 0.5);
    }
    /* mean 0.5 and no correlation of seeds, both within 6 standard deviations */
    EXPECT_NEAR(sum / COUNT, 0.5, 6 * sqrt(1.0 / 12 / COUNT));
    EXPECT_NEAR(product / COUNT, 0, 6.0 / 12 / sqrt(COUNT));
    static int32_t whole[COUNT];
    bool seen[100] = {false};
    fill("random", &i32, whole, COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_in_range(whole[i], 0, 99);
        seen[whole[i]] = true;
    }
    assert_true(seen[0] && seen[99]);
    fill("random:-3:-2", &i32, whole, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(whole[i] == -3 || whole[i] == -2);
}

/* The first numbers are part of what a result depends on: they are the same everywhere. By hand, in
 * Python, from splitmix64's definition. */
static void random_numbers_are_the_same_everywhere(void **state)
{
    double numbers_of_seed[2];
    specification spec = spec_of("random");
    assert_int_equal(specification_fill(&spec, &f64, 7, numbers_of_seed, 2, reason), 0);
    EXPECT_NUMBER(numbers_of_seed[0], 0x1a9b2d0724ff66p-53);
    EXPECT_NUMBER(numbers_of_seed[1], 0x179e7767bfb2adp-53);
}

/* ---- files ---- */

static const char *put_file(const char *name, const void *data, size_t bytes)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    fclose(file);
    return path;
}

static specification of_file(const char *name, const void *data, size_t bytes)
{
    char text[256];
    snprintf(text, sizeof text, "@%s", put_file(name, data, bytes));
    return spec_of(text);
}

static specification of_npy(const char *dictionary, const void *data, size_t bytes)
{
    char content[1024];
    size_t length = npy_text(content, 1, dictionary, data, bytes);
    return of_file("y.npy", content, length);
}

static void expect_reason(const char *format)
{
    char sentence[400];
    snprintf(sentence, sizeof sentence, format, folder);
    assert_string_equal(reason, sentence);
}

static void npy_files(void **state)
{
    const float values[6] = {1, 2, 3, 4, 5, 6};
    specification spec = of_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
                                values, sizeof values);
    assert_int_equal(specification_count(&spec, &f32, 77, reason), 6);
    float out[8] = {[3] = 9};
    assert_int_equal(specification_fill(&spec, &f32, 1, out, 6, reason), 0);
    assert_memory_equal(out, values, sizeof values);
    assert_int_equal(specification_fill(&spec, &f32, 1, out, 7, reason), -1);
    expect_reason("%s/y.npy holds 6 elements, fewer than 7");
    assert_int_equal(specification_count(&spec, &float3, 77, reason), 2);
    assert_int_equal(specification_fill(&spec, &float3, 1, out, 2, reason), 0);
    EXPECT_NUMBER(out[4], 4); /* the second vector begins 16 bytes behind the first */
    assert_int_equal(specification_count(&spec, &f64, 77, reason), -1);
    expect_reason("%s/y.npy holds 4-byte floats, it takes 8-byte floats");
    assert_int_equal(specification_count(&spec, &i32, 77, reason), -1);
    expect_reason("%s/y.npy holds 4-byte floats, it takes 4-byte signed integers");
    assert_int_equal(specification_count(&spec, &structure, 77, reason), 2);
    spec.count = 4;
    assert_int_equal(specification_count(&spec, &f32, 77, reason), 4);
    spec.count = 9;
    assert_int_equal(specification_count(&spec, &f32, 77, reason), -1);
    expect_reason("%s/y.npy holds 6 elements, fewer than 9");
    spec = of_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", values, 20);
    assert_int_equal(specification_count(&spec, &f32, 77, reason), -1);
    expect_reason("%s/y.npy has 20 bytes of numbers, but its header says 6 numbers of 4 bytes");
}

static void raw_files(void **state)
{
    const uint32_t values[3] = {1, 2, 70000};
    specification spec = of_file("x.bin", values, sizeof values);
    assert_int_equal(specification_count(&spec, &i32, 77, reason), 3);
    assert_int_equal(specification_count(&spec, &unknown, 77, reason), 12);
    uint32_t out[3];
    assert_int_equal(specification_fill(&spec, &i32, 1, out, 3, reason), 0);
    assert_memory_equal(out, values, sizeof values);
    assert_int_equal(specification_count(&spec, &u64, 77, reason), -1);
    expect_reason("%s/x.bin holds 12 bytes, no multiple of an element's 8");
    spec = of_file("x.bin", "", 0);
    assert_int_equal(specification_count(&spec, &i32, 77, reason), -1);
    expect_reason("%s/x.bin holds no numbers");
}

static void files_that_cannot_be_read(void **state)
{
    specification spec = spec_of("@/nowhere/x.npy");
    assert_int_equal(specification_count(&spec, &f32, 77, reason), -1);
    assert_string_equal(reason, "/nowhere/x.npy cannot be read: No such file or directory");
    char text[256];
    snprintf(text, sizeof text, "@%s/folder.bin", folder);
    assert_int_equal(mkdir(text + 1, 0700), 0);
    spec = spec_of(text);
    assert_int_equal(specification_count(&spec, &f32, 77, reason), -1);
    expect_reason("%s/folder.bin cannot be read: Is a directory");
    assert_int_equal(rmdir(text + 1), 0);
}

static void counts_without_a_file(void **state)
{
    specification spec = spec_of("zeros x 5");
    assert_int_equal(specification_count(&spec, &f32, 77, reason), 5);
    spec = spec_of("zeros");
    assert_int_equal(specification_count(&spec, &f32, 77, reason), 77);
}

static int make_folder(void **state)
{
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    static const char *const names[] = {"y.npy", "x.bin"};
    char path[200];
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_contents),
        cmocka_unit_test(words),
        cmocka_unit_test(numbers),
        cmocka_unit_test(wrong_words),
        cmocka_unit_test(filled_numbers),
        cmocka_unit_test(numbers_that_do_not_fit),
        cmocka_unit_test(unknown_types_are_bytes),
        cmocka_unit_test(iota_stays_exact),
        cmocka_unit_test(random_numbers_repeat),
        cmocka_unit_test(random_numbers_are_the_same_everywhere),
        cmocka_unit_test(npy_files),
        cmocka_unit_test(raw_files),
        cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(counts_without_a_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
