/* SPDX-License-Identifier: MIT */
/* local_kernel.h - a kernel with local memory, for the stub and for Intel's driver. */
#ifndef LOCAL_KERNEL_H
#define LOCAL_KERNEL_H

#include "tests/unit/testing.h"

#include <kerntime/kerntime.h>

/* local(pointer to global memory, pointer to local memory, uint) as SPIR-V 1.0, for groups of 16. */
static const uint32_t local_words[] = {
    0x07230203, 0x00010000, 0,  14,         0,      /* ids are below 14 */
    0x00020011, 4,                                  /* OpCapability Addresses */
    0x00020011, 6,                                  /* OpCapability Kernel */
    0x0003000e, 2,          2,                      /* OpMemoryModel Physical64 OpenCL */
    0x0005000f, 6,          9,  0x61636f6c, 'l',    /* OpEntryPoint Kernel %9 "local" */
    0x00060010, 9,          17, 16,         1,   1, /* OpExecutionMode %9 LocalSize 16 1 1 */
    0x00040015, 1,          32, 0,                  /* %1 = OpTypeInt 32 0 */
    0x00020013, 2,                                  /* %2 = OpTypeVoid */
    0x00040020, 3,          5,  1,                  /* %3 = OpTypePointer CrossWorkgroup %1 */
    0x00040020, 4,          4,  1,                  /* %4 = OpTypePointer Workgroup %1 */
    0x00060021, 5,          2,  3,          4,   1, /* %5 = OpTypeFunction %2 %3 %4 %1 */
    0x00050036, 2,          9,  0,          5,      /* %9 = OpFunction %2 None %5 */
    0x00030037, 3,          10,                     /* %10 = OpFunctionParameter %3 */
    0x00030037, 4,          11,                     /* %11 = OpFunctionParameter %4 */
    0x00030037, 1,          12,                     /* %12 = OpFunctionParameter %1 */
    0x000200f8, 6,                                  /* %6 = OpLabel */
    0x0005003e, 11,         12, 2,          4,      /* OpStore %11 %12 Aligned 4 */
    0x0006003d, 1,          13, 11,         2,   4, /* %13 = OpLoad %1 %11 Aligned 4 */
    0x0005003e, 10,         13, 2,          4,      /* OpStore %10 %13 Aligned 4 */
    0x000100fd, 0x00010038,                         /* OpReturn, OpFunctionEnd */
};

/* The driver says how many arguments it has, and takes a size for local memory up to its limit. */
static inline void expect_local_memory(kt_device *of)
{
    const kt_program_desc desc = {.size = sizeof desc,
                                  .language = KT_LANGUAGE_SPIRV_KERNEL,
                                  .entry = "local",
                                  .source = (const char *)local_words,
                                  .source_bytes = sizeof local_words};
    const uint32_t n = 1;
    const kt_program_info *info = NULL;
    kt_memory *memory = NULL;
    kt_job *job = NULL;
    kt_arg args[3] = {{.memory = NULL}, {.value_bytes = 256}, {.value = &n, .value_bytes = 4}};
    kt_step step = {.args = args, .arg_count = 3, .group_size = {16}};
    const kt_job_desc local = {
        .size = sizeof local, .name = "local", .steps = &step, .step_count = 1};
    EXPECT_OK(kt_program_create(of, &desc, &step.program));
    EXPECT_OK(kt_program_reflect(step.program, &info));
    assert_true(info->has_parameters);
    assert_int_equal(info->parameter_count, 3);
    assert_int_equal(info->parameters[1].kind, KT_PARAMETER_UNKNOWN);
    assert_true(info->group_multiple > 0);
    EXPECT_OK(kt_memory_create(of, KT_MEMORY_DEVICE, 64, &memory));
    args[0].memory = memory;
    EXPECT_OK(kt_job_create(of, &local, &job));
    kt_job_destroy(&job);
    args[1].value_bytes = (size_t)kt_device_get_info(of)->local_memory_bytes + 1;
    EXPECT_STATUS(kt_job_create(of, &local, &job), KT_LIMIT);
    EXPECT_TEXT_HAS(kt_error_text(), "of local memory");
    kt_memory_destroy(&memory);
    kt_program_destroy(&step.program);
}

#endif
