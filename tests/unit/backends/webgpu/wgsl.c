/* SPDX-License-Identifier: MIT */
/* What is told of a kernel by its text. */
#include "backends/webgpu/wgsl.h"
#include "tests/unit/testing.h"

#include <stdio.h>
#include <stdlib.h>

/* A copy without a zero, exactly as long as the text, so that the sanitizer sees what is read
 * beyond it. */
static bool parse(const char *text, size_t bytes, wgsl_kernel *kernel)
{
    char *copy = malloc(bytes ? bytes : 1);
    assert_non_null(copy);
    memcpy(copy, text, bytes);
    memset(kernel, 0x5A, sizeof *kernel);
    bool found = kt_webgpu_wgsl_parse(copy, bytes, "main", kernel);
    free(copy);
    return found;
}

static void expect(const char *text, uint32_t x, uint32_t y, uint32_t z)
{
    wgsl_kernel kernel;
    if (!parse(text, strlen(text), &kernel))
        fail_msg("no kernel in: %s", text);
    if (!kernel.is_entry)
        fail_msg("no entry in: %s", text);
    if (kernel.group_size[0] != x || kernel.group_size[1] != y || kernel.group_size[2] != z)
        fail_msg("%u, %u, %u and not %u, %u, %u of: %s", kernel.group_size[0], kernel.group_size[1],
                 kernel.group_size[2], x, y, z, text);
}

static void expect_size(const char *list, uint32_t x, uint32_t y, uint32_t z)
{
    char text[200];
    snprintf(text, sizeof text, "@compute @workgroup_size%s fn main() {}", list);
    expect(text, x, y, z);
}

static void numbers(void **state)
{
    expect_size("(64)", 64, 1, 1);
    expect_size("(8, 4)", 8, 4, 1);
    expect_size("(8, 4, 2)", 8, 4, 2);
    expect_size("(64u)", 64, 1, 1);
    expect_size("(64i,2u,0x3)", 64, 2, 3);
    expect_size("(0x40, 0XfFu, 0x1i)", 64, 255, 1);
    expect_size("(4294967295)", 4294967295, 1, 1);
    expect_size(" ( 64 , ) ", 64, 1, 1);
    expect_size("(1,2,3,)", 1, 2, 3);
}

static void not_reported(void **state)
{
    expect_size("(kt_group_x, kt_group_y, kt_group_z)", 0, 0, 0);
    expect_size("(kt_group_x)", 0, 1, 1);
    expect_size("(kt_group_x, 2)", 0, 2, 1);
    expect_size("(SIZE, 2)", 0, 2, 1);
    expect_size("(8 * 8, 2)", 0, 2, 1);
    expect_size("((64), 2)", 0, 2, 1);
    expect_size("(max(64, 32), 2)", 0, 2, 1);
    expect_size("(sizes[1], 2)", 0, 2, 1);
    expect_size("(-64)", 0, 1, 1);
    expect_size("(64.0, 64f, 1e2)", 0, 0, 0);
    expect_size("(0x, 0x1p3, u)", 0, 0, 0);
    expect_size("(0, 64uu, 64U)", 0, 0, 0);
    expect_size("(4294967296, 0x100000040, 18446744073709551680)", 0, 0, 0);
    /* Commas of a list within <> would be taken for those of this one. */
    expect_size("(2, array<u32, 2>(64, 1)[0], 4)", 2, 0, 0);
    expect_size("(vec2<u32>(64, 1).x)", 0, 0, 0);
    expect("@compute fn main() {}", 0, 0, 0);
    expect_size("", 0, 0, 0);
    expect_size("[64]", 0, 0, 0);
    expect_size(")", 0, 0, 0);
    expect_size("(64", 0, 0, 0);
}

/* Wherever they may stand, and in whatever order. */
static void attributes(void **state)
{
    expect("@workgroup_size(64)@compute fn main(){}", 64, 1, 1);
    expect("@ compute\n@\tworkgroup_size\r\n(64)\nfn\nmain\n() {}", 64, 1, 1);
    expect("@diagnostic(off, derivative_uniformity) @compute @workgroup_size(64) fn main() {}", 64,
           1, 1);
    expect("@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {}", 64,
           1, 1);
    expect("\xE2\x80\x8E@compute\xC2\x85@workgroup_size(64)\xE2\x80\xA8"
           "fn\xE2\x80\xA9main() {}",
           64, 1, 1);
}

/* Each function has its own: what belongs to another one is not this one's. */
static void declarations(void **state)
{
    static const char between[] = "enable f16; const SIZE = 64;\n"
                                  "struct Values { n: u32, @align(16) m: u32 }\n"
                                  "@group(0) @binding(0) var<uniform> values: Values;\n";
    char text[400];
    wgsl_kernel kernel;
    snprintf(text, sizeof text, "%s@compute @workgroup_size(8) fn main() {}", between);
    expect(text, 8, 1, 1);
    snprintf(text, sizeof text,
             "@compute @workgroup_size(8) fn other() { let main = 1; }\n%s"
             "@compute @workgroup_size(16, 2) fn main() {}\n"
             "@compute @workgroup_size(32) fn third() {}",
             between);
    expect(text, 16, 2, 1);
    snprintf(text, sizeof text, "@compute @workgroup_size(8) fn other() {}\n%sfn main() {}",
             between);
    assert_true(parse(text, strlen(text), &kernel));
    assert_false(kernel.is_entry);
    assert_int_equal(kernel.group_size[0], 0);
    expect("@compute @workgroup_size(8) override SIZE = 1; @compute fn main() {}", 0, 0, 0);
    const char *vertex = "@vertex fn main() -> @builtin(position) vec4f {}";
    assert_true(parse(vertex, strlen(vertex), &kernel));
    assert_false(kernel.is_entry);
}

static void comments(void **state)
{
    expect("@compute // @workgroup_size(32)\n@workgroup_size(64) fn main() {}", 64, 1, 1);
    expect("@compute // @workgroup_size(32)\xE2\x80\xA8@workgroup_size(64) fn main() {}", 64, 1, 1);
    expect("@compute @workgroup_size(64) /* } ; fn main() */ fn main() {}", 64, 1, 1);
    expect("@compute @workgroup_size(/* 1, /* 2 */ 3, */ 64/**/,/*/ 2 */4) fn main() {}", 64, 4, 1);
    expect("@compute @workgroup_size(6/**/4) fn main() {}", 0, 1, 1);
    expect("/* @compute @workgroup_size(1) fn main() {} */ // fn main\n"
           "@/**/compute/**/@workgroup_size(64)fn/**/main() {}",
           64, 1, 1);
    expect("// /*\n@compute @workgroup_size(64) fn main() {} // */", 64, 1, 1);
    expect("/* // */@compute @workgroup_size(64) fn main() {}", 64, 1, 1);
}

static void no_kernel(void **state)
{
    static const char *const texts[] = {
        "",
        "fn",
        "fn mai",
        "fn mains() {}",
        "fn main2() {}",
        "fn main_() {}",
        "fn main\xC3\xA9() {}",
        "fnmain() {}",
        "_fn main() {}",
        "const main = 1;",
        "// fn main() {}",
        "/* fn main() {} */",
        "/* /* */ fn main() {}",
        "/* fn main() {}",
        "@compute @workgroup_size(64",
        "@compute @workgroup_size(",
        "@compute @workgroup_size",
        "@",
        "/",
        "@compute @workgroup_size(64) fn other() { main(); }",
    };
    wgsl_kernel kernel;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (parse(texts[i], strlen(texts[i]), &kernel))
            fail_msg("a kernel in: %s", texts[i]);
        assert_false(kernel.is_entry);
        for (int k = 0; k < 3; k++)
            assert_int_equal(kernel.group_size[k], 0);
    }
}

/* Cut anywhere: the kernel is there as soon as its name is. */
static void every_length(void **state)
{
    static const char text[] = "@compute @workgroup_size(0x40u, /* y */ 2) fn main";
    wgsl_kernel kernel;
    for (size_t bytes = 0; bytes < strlen(text); bytes++)
        assert_false(parse(text, bytes, &kernel));
    assert_true(parse(text, strlen(text), &kernel));
    assert_int_equal(kernel.group_size[0], 64);
    assert_int_equal(kernel.group_size[1], 2);
    assert_int_equal(kernel.group_size[2], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),      cmocka_unit_test(not_reported),
        cmocka_unit_test(attributes),   cmocka_unit_test(declarations),
        cmocka_unit_test(comments),     cmocka_unit_test(no_kernel),
        cmocka_unit_test(every_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
