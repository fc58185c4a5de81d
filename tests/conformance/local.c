/* SPDX-License-Identifier: MIT */
/* What drivers say of kernels, and kernels that get local memory of a size that the host sets. */
#include "own_kernels.h"
#include "suite.h"

/* Languages whose kernels get local memory, and whose drivers say something of kernels. */
static const uint32_t described = KT_LANGUAGE_OPENCL_C | KT_LANGUAGE_SPIRV_KERNEL |
                                  KT_LANGUAGE_CUDA_C | KT_LANGUAGE_PTX | KT_LANGUAGE_MSL;

/* scale() of own_kernels.cl. What is not known is not compared. */
static void check_parameters(const kt_program_info *info)
{
    static const struct {
        const char *name, *type;
        kt_parameter_kind kind;
        int is_read_only;
        size_t bytes;
    } expected[] = {{"in", "int*", KT_PARAMETER_BUFFER, 1, 8},
                    {"out", "int*", KT_PARAMETER_BUFFER, 0, 8},
                    {"n", "uint", KT_PARAMETER_VALUE, 0, 4},
                    {"factor", "int", KT_PARAMETER_VALUE, 0, 4},
                    {"add", "long", KT_PARAMETER_VALUE, 0, 8}};
    assert_int_equal(info->parameter_count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        const kt_parameter *found = &info->parameters[i];
        if (found->name)
            assert_string_equal(found->name, expected[i].name);
        if (found->type)
            assert_string_equal(found->type, expected[i].type);
        if (found->kind != KT_PARAMETER_UNKNOWN) {
            assert_int_equal(found->kind, expected[i].kind);
            assert_int_equal(found->is_read_only, expected[i].is_read_only);
        }
        if (found->bytes)
            assert_int_equal(found->bytes, expected[i].bytes);
    }
}

void kernels_are_described(void **state)
{
    SKIP_IF(s.profile->no_kernels);
    SKIP_IF(s.no_programs);
    const kt_program_info *info = NULL, *again = NULL;
    kt_program *program = build("scale", scale_c);
    if (!(s.info->languages & described)) {
        EXPECT_STATUS(kt_program_reflect(program, &info), KT_UNSUPPORTED);
        assert_null(info);
        kt_program_destroy(&program);
        return;
    }
    EXPECT_OK(kt_program_reflect(program, &info));
    EXPECT_OK(kt_program_reflect(program, &again));
    assert_ptr_equal(info, again);
    /* The stub of Metal reads no macros, and values of Metal are buffers. */
    if (info->has_parameters && !(s.info->languages & KT_LANGUAGE_MSL))
        check_parameters(info);
    if (s.info->languages & KT_LANGUAGE_OPENCL_C) {
        assert_true(info->has_parameters);
        assert_non_null(info->parameters[0].name);
        assert_int_equal(info->parameters[4].kind, KT_PARAMETER_VALUE);
        assert_true(info->max_group_size > 0);
    }
    assert_int_equal(info->group_size[0], 0); /* it takes any */
    kt_program_destroy(&program);
}

static const char in_opencl_c[] =
    "__kernel void reverse(__global const int *in, __global int *out, __local int *tile) {\n"
    "    size_t l = get_local_id(0);\n"
    "    tile[l] = in[get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = tile[get_local_size(0) - 1 - l];\n"
    "}\n";
static const char in_cuda_c[] = "extern \"C\" __global__ void reverse(const int *in, int *out) {\n"
                                "    extern __shared__ int tile[];\n"
                                "    unsigned l = threadIdx.x, i = blockIdx.x * blockDim.x + l;\n"
                                "    tile[l] = in[i];\n"
                                "    __syncthreads();\n"
                                "    out[i] = tile[blockDim.x - 1 - l];\n"
                                "}\n";
static const char in_msl[] =
    "#include <metal_stdlib>\n"
    "kernel void reverse(device const int *in [[buffer(0)]], device int *out [[buffer(1)]],\n"
    "                    threadgroup int *tile [[threadgroup(0)]],\n"
    "                    uint l [[thread_position_in_threadgroup]],\n"
    "                    uint i [[thread_position_in_grid]],\n"
    "                    uint items [[threads_per_threadgroup]]) {\n"
    "    tile[l] = in[i];\n"
    "    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);\n"
    "    out[i] = tile[items - 1 - l];\n"
    "}\n";

static kt_program *build_reverse(void)
{
    kt_program_desc desc = {.size = sizeof desc, .entry = "reverse"};
    desc.language = s.info->languages & KT_LANGUAGE_OPENCL_C ? KT_LANGUAGE_OPENCL_C
                    : s.info->languages & KT_LANGUAGE_CUDA_C ? KT_LANGUAGE_CUDA_C
                                                             : KT_LANGUAGE_MSL;
    desc.source = desc.language == KT_LANGUAGE_OPENCL_C ? in_opencl_c
                  : desc.language == KT_LANGUAGE_CUDA_C ? in_cuda_c
                                                        : in_msl;
    kt_program *program = NULL;
    EXPECT_OK(kt_program_create(s.device, &desc, &program));
    return program;
}

/* Each group writes its part in reverse order, by way of local memory. */
static void check_reverse(void)
{
    enum { GROUP = 16, COUNT = 4 * GROUP };
    int32_t numbers[COUNT] = {0};
    for (int32_t i = 0; i < COUNT; i++)
        numbers[i] = 7 * i - 3;
    kt_memory *in = NULL, *out = NULL;
    kt_program *program = build_reverse();
    EXPECT_OK(kt_memory_create(s.device, KT_MEMORY_DEFAULT, sizeof numbers, &in));
    EXPECT_OK(kt_memory_create(s.device, KT_MEMORY_DEFAULT, sizeof numbers, &out));
    EXPECT_OK(kt_memory_write(in, 0, numbers, sizeof numbers));
    kt_arg args[] = {{.memory = in}, {.memory = out}, {.value_bytes = GROUP * sizeof numbers[0]}};
    const kt_step step = {.program = program,
                          .args = args,
                          .arg_count = 3,
                          .groups = {COUNT / GROUP},
                          .group_size = {GROUP}};
    EXPECT_OK(run_steps(&step, 1));
    EXPECT_OK(kt_memory_read(out, 0, numbers, sizeof numbers));
    for (int32_t i = 0; i < COUNT; i++)
        assert_int_equal(numbers[i], 7 * (i / GROUP * GROUP + GROUP - 1 - i % GROUP) - 3);
    args[2].value_bytes = (size_t)1 << 30;
    EXPECT_STATUS(run_steps(&step, 1), KT_LIMIT);
    EXPECT_TEXT_HAS(kt_error_text(), "1073741824 bytes of local memory");
    kt_memory_destroy(&out);
    kt_memory_destroy(&in);
    kt_program_destroy(&program);
}

void local_memory_is_given(void **state)
{
    SKIP_IF(s.profile->no_kernels);
    SKIP_IF(s.no_programs);
    if (s.info->languages & (KT_LANGUAGE_OPENCL_C | KT_LANGUAGE_CUDA_C | KT_LANGUAGE_MSL)) {
        check_reverse();
    } else if (!(s.info->languages & described)) {
        kt_program *program = build("twice", twice_c);
        const kt_arg arg = {.value_bytes = 64};
        const kt_step step = {.program = program, .args = &arg, .arg_count = 1};
        EXPECT_STATUS(run_steps(&step, 1), KT_UNSUPPORTED);
        EXPECT_TEXT_HAS(kt_error_text(), "argument 0 is local memory");
        kt_program_destroy(&program);
    }
}
