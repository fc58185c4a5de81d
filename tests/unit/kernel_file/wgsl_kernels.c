/* SPDX-License-Identifier: MIT */
/* Kernels of WGSL, from their texts. Sizes and offsets are those of WGSL's specification. */
#include "tests/unit/kernel_file/signatures.h"

static kernel_file wgsl(const char *text)
{
    return file_of("t.wgsl", KT_LANGUAGE_WGSL, text);
}

static void buffers_and_values(void **state)
{
    kernel_file file =
        wgsl("/* nested /* comments */ @compute fn no() {} */\n"
             "enable f16;\n"
             "struct P { n: u32, v: vec3<f32>, m: mat3x3f, a: array<vec4f, 3>, @size(32) z: f32,\n"
             "           @align(32) h: vec2<f16> }\n"
             "struct L { count: atomic<u32>, data: array<vec3<f32>> }\n"
             "alias V = vec4<f32>;\n"
             "@group(1) @binding(2) var<storage, read> x: array<V>;\n"
             "@group(0) @binding(0) var<storage, read_write> y : L;\n"
             "@group(0) @binding(1) var<uniform> p : P;\n"
             "@group(0) @binding(3) var<uniform> k : i32;\n"
             "@compute @workgroup_size(8, 4) fn main() { y.data[p.n] = x[k].xyz; }\n");
    EXPECT_ENTRIES(&file, "main");
    EXPECT_SIGNATURE(&file, "main",
                     "buffer y: L, f32x3/16, at 0.0 +16\n"
                     "value n: u32, u32x1/4, at 0.1 +0 of 192\n"
                     "value v: vec3<f32>, f32x3/12, at 0.1 +16 of 192\n"
                     "value m: mat3x3f, ?/48, at 0.1 +32 of 192\n"
                     "value a: array<vec4f, 3>, f32x4/16, at 0.1 +80 of 192, 3 times\n"
                     "value z: f32, f32x1/4, at 0.1 +128 of 192\n"
                     "value h: vec2<f16>, f16x2/4, at 0.1 +160 of 192\n"
                     "value k: i32, i32x1/4, at 0.3 +0 of 4\n"
                     "buffer x: array<V>, f32x4/16, read, at 1.2\n"
                     "group 8 x 4 x 1\n");
}

static void only_what_a_kernel_uses(void **state)
{
    kernel_file file =
        wgsl("@group(0) @binding(0) var<storage> a: array<u32>;\n"
             "@group(0) @binding(1) var<storage, read_write> b: array<u32, 64>;\n"
             "@group(0) @binding(2) var t: texture_2d<f32>;\n"
             "override N = 1u; override M: u32; var<workgroup> w: array<u32, N>;\n"
             "fn deep() -> u32 { return a[0]; } fn helper() -> u32 { return deep(); }\n"
             "@compute @workgroup_size(1) fn one() { b[0] = helper(); w[0] = 1u; }\n"
             "@compute @workgroup_size(1) fn two() { _ = textureLoad(t, vec2(0), 0); }\n"
             "@fragment fn three() {}\n");
    EXPECT_ENTRIES(&file, "one two");
    EXPECT_SIGNATURE(&file, "one",
                     "buffer a: array<u32>, u32x1/4, read, at 0.0\n"
                     "buffer b: array<u32, 64>, u32x1/4, at 0.1, 64 times\n"
                     "constant N: u32 = 1\n"
                     "group 1 x 1 x 1\n");
    EXPECT_SIGNATURE(&file, "two",
                     "not supported t: texture_2d<f32>, ?/0, at 0.2\ngroup 1 x 1 x 1\n");
    EXPECT_REFUSED(&file, "three", "t.wgsl: no kernel three; there is one, two");
}

static void group_size_of_numbers_and_overrides(void **state)
{
    kernel_file file =
        wgsl("const A = 4; const B = A * (2 + 1) / 3;\n"
             "override TILE: u32 = 8; @id(7) override F = 1.5; override Q: bool;\n"
             "@workgroup_size(TILE, B, 0x2u,) @compute fn f() { let a = F; }\n"
             "@compute @workgroup_size(kt_group_x, kt_group_y, kt_group_z) fn g() {}\n"
             "@compute @workgroup_size(TILE * 2) fn h() {}\n"
             "@compute fn i() {}\n");
    EXPECT_SIGNATURE(&file, "f",
                     "constant TILE: u32 = 8\nconstant F: f32, id 7 = 1.5\n"
                     "group 0 x 4 x 2, x is constant 0\n");
    EXPECT_SIGNATURE(&file, "g", "");
    EXPECT_REFUSED(&file, "h", "kernel h: @workgroup_size needs numbers or names of overrides");
    EXPECT_REFUSED(&file, "i", "kernel i has no @workgroup_size");
}

static void overrides_have_types(void **state)
{
    kernel_file file = wgsl("override a = true; override b: f16 = 2; override c = -3i;\n"
                            "override d = 2 * 3u; override e = 0.5; override f: f32;\n"
                            "override g = a;\n"
                            "@compute @workgroup_size(1) fn main() { _ = a+b+c+d+e+f+g; }\n");
    EXPECT_SIGNATURE(&file, "main",
                     "constant a: b32 = 1\nconstant b: f16 = 2\nconstant c: i32 = -3\n"
                     "constant d: u32 = 6\nconstant e: f32 = 0.5\nconstant f: f32\n"
                     "constant g: ?0\ngroup 1 x 1 x 1\n");
}

static void members_of_one_name_have_that_of_their_block(void **state)
{
    kernel_file file = wgsl("struct A { n: u32 } struct B { n: u32 }\n"
                            "@group(0) @binding(0) var<uniform> a: A;\n"
                            "@group(0) @binding(1) var<uniform> b: B;\n"
                            "@compute @workgroup_size(1) fn main() { _ = a.n + b.n; }\n");
    EXPECT_SIGNATURE(&file, "main",
                     "value n: u32, u32x1/4, at 0.0 +0 of 4\n"
                     "value b.n: u32, u32x1/4, at 0.1 +0 of 4\ngroup 1 x 1 x 1\n");
}

static void what_does_not_end_is_refused(void **state)
{
    kernel_file file = wgsl("alias A = B; alias B = A; struct S { s: S }\n"
                            "const C = D; const D = C; override O = O;\n"
                            "@group(0) @binding(0) var<uniform> a: A;\n"
                            "@group(0) @binding(1) var<uniform> s: S;\n"
                            "@compute @workgroup_size(C) fn main() {}\n"
                            "@compute @workgroup_size(1) fn f() { _ = a; f(); }\n"
                            "@compute @workgroup_size(1) fn g() { _ = s; }\n");
    EXPECT_REFUSED(&file, "main", "@workgroup_size needs numbers");
    EXPECT_REFUSED(&file, "f", "the type of var<uniform> a has no known size");
    EXPECT_REFUSED(&file, "g", "the type of var<uniform> s has no known size");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_and_values),
        cmocka_unit_test(only_what_a_kernel_uses),
        cmocka_unit_test(group_size_of_numbers_and_overrides),
        cmocka_unit_test(overrides_have_types),
        cmocka_unit_test(members_of_one_name_have_that_of_their_block),
        cmocka_unit_test(what_does_not_end_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
