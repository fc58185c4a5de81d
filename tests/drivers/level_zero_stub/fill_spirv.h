/* SPDX-License-Identifier: MIT */
/* A kernel as SPIR-V, for tests that need one where there is no compiler. */
#ifndef LEVEL_ZERO_STUB_FILL_SPIRV_H
#define LEVEL_ZERO_STUB_FILL_SPIRV_H

#include <stdint.h>

/* A kernel fill(pointer to global memory, uint) as SPIR-V 1.0: its entry point, types and function,
 * without a body. */
static const uint32_t fill_spirv[] = {
    0x07230203, 0x00010000, 0,  10,         0, /* ids are below 10 */
    0x00020011, 6,                             /* OpCapability Kernel */
    0x0003000e, 2,          2,                 /* OpMemoryModel Physical64 OpenCL */
    0x0005000f, 6,          7,  0x6c6c6966, 0, /* OpEntryPoint Kernel %7 "fill" */
    0x00040015, 1,          32, 0,             /* %1 = OpTypeInt 32 0 */
    0x00020013, 2,                             /* %2 = OpTypeVoid */
    0x00040020, 3,          5,  1,             /* %3 = OpTypePointer CrossWorkgroup %1 */
    0x00050021, 4,          2,  3,          1, /* %4 = OpTypeFunction %2 %3 %1 */
    0x00050036, 2,          7,  0,          4, /* %7 = OpFunction %2 None %4 */
    0x00030037, 3,          8,                 /* %8 = OpFunctionParameter %3 */
    0x00030037, 1,          9,                 /* %9 = OpFunctionParameter %1 */
    0x000200f8, 5,                             /* %5 = OpLabel */
    0x000100fd,                                /* OpReturn */
    0x00010038,                                /* OpFunctionEnd */
};

#endif
