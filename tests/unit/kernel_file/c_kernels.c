/* SPDX-License-Identifier: MIT */
/* Kernels of OpenCL C, CUDA C and MSL, from their texts. */
#include "tests/unit/kernel_file/signatures.h"

static kernel_file opencl(const char *text)
{
    return file_of("t.cl", KT_LANGUAGE_OPENCL_C, text);
}

static kernel_file cuda(const char *text)
{
    return file_of("t.cu", KT_LANGUAGE_CUDA_C, text);
}

static kernel_file metal(const char *text)
{
    return file_of("t.metal", KT_LANGUAGE_MSL, text);
}

static void kinds_of_opencl(void **state)
{
    kernel_file file =
        opencl("__kernel void f(__global float4 *y, global const uint *restrict x,\n"
               "  __local half *l, __constant double2 *c, const int n, float3 v, size_t s,\n"
               "  unsigned long u, read_only image2d_t i, sampler_t t) { }");
    EXPECT_ENTRIES(&file, "f");
    EXPECT_SIGNATURE(&file, "f",
                     "buffer y: float4 *, f32x4/16\n"
                     "buffer x: const uint *, u32x1/4, read\n"
                     "local l: half *, f16x1/2\n"
                     "buffer c: double2 *, f64x2/16, read\n"
                     "value n: const int, i32x1/4\n"
                     "value v: float3, f32x3/16\n"
                     "value s: size_t, u64x1/8\n"
                     "value u: unsigned long, u64x1/8\n"
                     "not supported i: image2d_t, ?/0\n"
                     "not supported t: sampler_t, ?/0\n");
}

static void comments_and_strings_are_no_kernels(void **state)
{
    kernel_file file = opencl("// __kernel void a(int x) {}\n"
                              "/* __kernel void b(int x) {} */\n"
                              "constant char s[] = \"__kernel void c(int x) {}\";\n"
                              "#define D \\\n __kernel void d(int x) {}\n"
                              "#if 0\n__kernel void e(int x) {}\n#endif\n"
                              "__kernel /* here */ void f(int /* n */ x) { // }\n}\n"
                              "kernel void g(void) {}");
    EXPECT_ENTRIES(&file, "f g");
    EXPECT_SIGNATURE(&file, "f", "value x: int, i32x1/4\n");
    EXPECT_SIGNATURE(&file, "g", "");
}

static void attributes_set_the_group_size(void **state)
{
    kernel_file file =
        opencl("#define TILE 16\n"
               "__kernel __attribute__((reqd_work_group_size(TILE, TILE / 2, 1)))\n"
               "void f(__global int *a __attribute__((aligned(16)))) {}\n"
               "__attribute__((vec_type_hint(float4), reqd_work_group_size(8,1,1)))\n"
               "kernel void g(void);\n"
               "kernel void h(void) __attribute__((work_group_size_hint(4,4,4)));");
    EXPECT_SIGNATURE(&file, "f", "buffer a: int *, i32x1/4\ngroup 16 x 8 x 1\n");
    EXPECT_SIGNATURE(&file, "g", "group 8 x 1 x 1\n");
    EXPECT_SIGNATURE(&file, "h", "");
}

static void macros_and_typedefs_name_types(void **state)
{
    kernel_file file = opencl("#ifdef USE_DOUBLE\n#define REAL double\n#else\n#define REAL float\n"
                              "#endif\n#ifndef COUNT\n#define COUNT uint\n#endif\n"
                              "#define KERNEL __kernel\n#define GLOBAL __global\n"
                              "typedef REAL real; typedef real item;\n"
                              "KERNEL void f(GLOBAL item *x, COUNT n, other o) {}");
    EXPECT_SIGNATURE(&file, "f",
                     "buffer x: item *, f32x1/4\nvalue n: uint, u32x1/4\nvalue o: other, ?/0\n");
    const char *defines[] = {"USE_DOUBLE", "COUNT=ulong"};
    file.defines = defines;
    file.define_count = 2;
    EXPECT_SIGNATURE(&file, "f",
                     "buffer x: item *, f64x1/8\nvalue n: ulong, u64x1/8\nvalue o: other, ?/0\n");
}

static void conditions_are_followed(void **state)
{
    kernel_file file = opencl("#if defined(A) && A > 2\nkernel void a(void) {}\n"
                              "#elif !defined(B)\nkernel void b(void) {}\n"
                              "#else\nkernel void c(void) {}\n#endif\n");
    EXPECT_ENTRIES(&file, "b a c"); /* a -D may bring the others back */
    const char *defines[] = {"A=3"};
    file.defines = defines;
    file.define_count = 1;
    EXPECT_ENTRIES(&file, "a b c");
    EXPECT_SIGNATURE(&file, "c", ""); /* asked for, it is found all the same */
    file = opencl("#ifdef FEATURE\nkernel void only(void) {}\n#endif\n"
                  "#if 0\n#ifdef FEATURE\nkernel void dead(void) {}\n#endif\n"
                  "#else\nkernel void alive(void) {}\n#endif\n");
    EXPECT_ENTRIES(&file, "alive only");
}

static void structures_have_sizes(void **state)
{
    kernel_file file = opencl("struct inner { char c; double d; };\n"
                              "typedef struct { float3 v; short s[3]; struct inner i; } P;\n"
                              "struct odd { int b : 3; };\n"
                              "kernel void f(global P *p, struct inner q, struct odd o) {}");
    EXPECT_SIGNATURE(&file, "f",
                     "buffer p: P *, ?/48\nvalue q: struct inner, ?/16\n"
                     "value o: struct odd, ?/0\n");
    file = cuda("struct P { float3 v; int n; };\n"
                "extern \"C\" __global__ void f(P p, float3 *v) {}");
    EXPECT_SIGNATURE(&file, "f", "value p: P, ?/16\nbuffer v: float3 *, f32x3/12\n");
}

static void cuda_names_and_templates(void **state)
{
    kernel_file file =
        cuda("namespace a { namespace b::c {\n"
             "template <typename T, int N = 4, class U = unsigned int>\n"
             "__global__ void __launch_bounds__(256, 2) axpy(T a, const T *__restrict__ x, T *y,\n"
             "                                               U n, std::vec<T, N> v) {}\n"
             "} __global__ void inside(int *p) {} }\n"
             "template __global__ void a::b::c::axpy<float, 4>(float, const float *, float *);\n"
             "extern \"C\" { static __global__ void outside(long long n, cudaTextureObject_t t,\n"
             "                                               float **p) {} }");
    EXPECT_ENTRIES(&file, "a::b::c::axpy a::inside outside");
    EXPECT_SIGNATURE(&file, "axpy<float4>",
                     "value a: float4, f32x4/16\n"
                     "buffer x: const float4 *, f32x4/16, read\n"
                     "buffer y: float4 *, f32x4/16\n"
                     "value n: unsigned int, u32x1/4\n"
                     "value v: std::vec<float4, 4>, ?/0\n");
    EXPECT_SIGNATURE(&file, "outside",
                     "value n: long long, i64x1/8\n"
                     "not supported t: cudaTextureObject_t, ?/0\n"
                     "not supported p: float **, ?/0\n");
    EXPECT_REFUSED(&file, "axpy",
                   "is a template: name it with arguments, "
                   "'a::b::c::axpy<T,N,U>'");
    EXPECT_REFUSED(&file, "none", "t.cu: no kernel none; there is a::b::c::axpy, a::inside, ");
    static signature told;
    char reason[KERNEL_FILE_REASON_BYTES];
    assert_int_equal(kernel_file_signature(&file, "b::c::axpy<float,8>", &told, reason), 0);
    assert_string_equal(told.entry, "a::b::c::axpy<float,8>");
}

static void cuda_shared_memory_is_local(void **state)
{
    kernel_file file = cuda("__global__ void f(float *x) { extern __shared__ __align__(16) int s[];"
                            " __shared__ float fixed[4]; }\n__global__ void g(float *x) {}");
    EXPECT_SIGNATURE(&file, "f", "buffer x: float *, f32x1/4\nlocal s: int *, i32x1/4\n");
    EXPECT_SIGNATURE(&file, "g", "buffer x: float *, f32x1/4\n");
}

/* Outside of all functions it is that of each kernel that names it; in another kernel it is not. */
static void cuda_shared_memory_of_a_file(void **state)
{
    kernel_file file =
        cuda("extern __shared__ float s[];\nnamespace a { extern \"C\" {\n"
             "extern __shared__ double t[];\n"
             "__global__ void f(float *x) { x[0] = s[0] + t[0]; } } }\n"
             "__global__ void g(float *x) { extern __shared__ int u[]; u[0] = s[0]; }");
    EXPECT_SIGNATURE(&file, "f",
                     "buffer x: float *, f32x1/4\nlocal s: float *, f32x1/4\n"
                     "local t: double *, f64x1/8\n");
    EXPECT_SIGNATURE(&file, "g",
                     "buffer x: float *, f32x1/4\nlocal s: float *, f32x1/4\n"
                     "local u: int *, i32x1/4\n");
    file = cuda("__global__ void g(float *x) { extern __shared__ int s[]; s[0] = 1; }\n"
                "__global__ void h(float *x) { float s = x[0]; x[1] = s; }");
    EXPECT_SIGNATURE(&file, "h", "buffer x: float *, f32x1/4\n");
}

static void metal_buffers_have_numbers(void **state)
{
    kernel_file file =
        metal("struct P { packed_float3 v; uint n; };\n"
              "kernel void f(uint i [[thread_position_in_grid]],\n"
              "  constant P &p [[buffer(3)]], device const float3 *x [[buffer(0)]],\n"
              "  device atomic_uint &count [[buffer(1)]],\n"
              "  threadgroup float *shared [[threadgroup(0)]],\n"
              "  uint2 t [[threads_per_threadgroup]], constant metal::float4x4 *m [[buffer(4)]])\n"
              "{}\n[[kernel]] void g(device half *h) {}");
    EXPECT_ENTRIES(&file, "f g");
    /* Nothing has the number 2: a word that the kernel does not see stands there. */
    EXPECT_SIGNATURE(&file, "f",
                     "buffer x: const float3 *, f32x3/16, read\n"
                     "buffer count: atomic_uint &, u32x1/4\n"
                     "value : , u32x1/4\n"
                     "value p: P &, ?/16\n"
                     "buffer m: metal::float4x4 *, f32x16/64, read\n"
                     "local shared: float *, f32x1/4\n");
    EXPECT_SIGNATURE(&file, "g", "buffer h: half *, f16x1/2\n");
}

static void metal_names_of_instances(void **state)
{
    kernel_file file = metal("template <typename T> kernel void copy(device T *x, device T *y) {}\n"
                             "template [[host_name(\"copy_half\")]] kernel void\n"
                             "copy<half>(device half *, device half *);");
    EXPECT_ENTRIES(&file, "copy copy_half");
    EXPECT_SIGNATURE(&file, "copy_half", "buffer : half *, f16x1/2\nbuffer : half *, f16x1/2\n");
}

static void too_many_parameters_are_refused(void **state)
{
    char text[2048];
    size_t used = (size_t)snprintf(text, sizeof text, "kernel void f(int a");
    for (int i = 1; i < SIGNATURE_PARAMETERS_MAX; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, ", int a%d", i);
    snprintf(text + used, sizeof text - used, ") {}");
    kernel_file file = opencl(text);
    static signature told;
    char reason[KERNEL_FILE_REASON_BYTES];
    assert_int_equal(kernel_file_signature(&file, "f", &told, reason), 0);
    snprintf(text + used, sizeof text - used, ", int more) {}");
    file = opencl(text);
    EXPECT_REFUSED(&file, "f", "t.cl: kernel f has more than 64 parameters");
}

static void nothing_in_it(void **state)
{
    kernel_file file = opencl("void f(int x) {}\n__kernel int g(int x);\nkernel void");
    static kernel_entries entries;
    char reason[KERNEL_FILE_REASON_BYTES];
    assert_int_equal(kernel_file_entries(&file, &entries, reason), -1);
    assert_string_equal(reason, "t.cl: no kernel was found in it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_of_opencl),
        cmocka_unit_test(comments_and_strings_are_no_kernels),
        cmocka_unit_test(attributes_set_the_group_size),
        cmocka_unit_test(macros_and_typedefs_name_types),
        cmocka_unit_test(conditions_are_followed),
        cmocka_unit_test(structures_have_sizes),
        cmocka_unit_test(cuda_names_and_templates),
        cmocka_unit_test(cuda_shared_memory_is_local),
        cmocka_unit_test(cuda_shared_memory_of_a_file),
        cmocka_unit_test(metal_buffers_have_numbers),
        cmocka_unit_test(metal_names_of_instances),
        cmocka_unit_test(too_many_parameters_are_refused),
        cmocka_unit_test(nothing_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
