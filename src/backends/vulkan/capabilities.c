/* SPDX-License-Identifier: MIT */
/* capabilities.c - the capabilities that a module declares, numbered as in the SPIR-V
 * specification. */
#include "backends/vulkan/spirv.h"

/* Capabilities that kernels may use if the device has them. */
static const struct {
    uint32_t number, bit;
    const char *text;
} usable[] = {
    {9, SPIRV_FLOAT16, "16-bit floating point"},
    {10, SPIRV_FLOAT64, "64-bit floating point"},
    {11, SPIRV_INT64, "64-bit integers"},
    {12, SPIRV_ATOMICS64, "atomics of 64-bit integers"},
    {22, SPIRV_INT16, "16-bit integers"},
    {39, SPIRV_INT8, "8-bit integers"},
    {61, SPIRV_SUBGROUPS << 0, "subgroups"},
    {62, SPIRV_SUBGROUPS << 1, "votes of subgroups"},
    {63, SPIRV_SUBGROUPS << 2, "arithmetic of subgroups"},
    {64, SPIRV_SUBGROUPS << 3, "ballots of subgroups"},
    {65, SPIRV_SUBGROUPS << 4, "shuffles of subgroups"},
    {66, SPIRV_SUBGROUPS << 5, "relative shuffles of subgroups"},
    {67, SPIRV_SUBGROUPS << 6, "clusters of subgroups"},
    {68, SPIRV_SUBGROUPS << 7, "quads of subgroups"},
    {4433, SPIRV_STORAGE16, "16-bit elements of memories"},
    {4434, SPIRV_UNIFORM16, "16-bit elements of memories"},
    {4435, SPIRV_PUSH16, "16-bit values"},
    {4441, SPIRV_POINTERS, "variable pointers"},
    {4442, SPIRV_ALL_POINTERS, "variable pointers"},
    {4448, SPIRV_STORAGE8, "8-bit elements of memories"},
    {4449, SPIRV_UNIFORM8, "8-bit elements of memories"},
    {4450, SPIRV_PUSH8, "8-bit values"},
    {5345, SPIRV_MEMORY_MODEL, "the memory model of Vulkan"},
    {5346, SPIRV_DEVICE_SCOPE, "the memory model of Vulkan for the whole device"},
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

uint32_t kt_vulkan_capability_bit(uint32_t number)
{
    for (size_t i = 0; i < COUNT(usable); i++)
        if (usable[i].number == number)
            return usable[i].bit;
    return 0;
}

const char *kt_vulkan_capability_text(uint32_t bit)
{
    for (size_t i = 0; i < COUNT(usable); i++)
        if (usable[i].bit == bit)
            return usable[i].text;
    return "what no device has";
}
