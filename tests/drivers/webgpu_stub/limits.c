/* SPDX-License-Identifier: MIT */
/* Limits: the adapter's, a device's, and what is asked of them. */
#include "stub.h"

/* Of today's structure there is one member more. */
enum { LATER_LIMITS = STUB_EARLY ? 0 : 1, LATER_LIMIT = 64 };

static uint32_t smaller(uint64_t a, uint64_t b)
{
    return (uint32_t)(a < b ? a : b);
}

/* What matters to kernels; the rest is 0. */
static void fill_limits(WGPULimits *limits)
{
    *limits = (WGPULimits){
        .maxBindGroups = 4,
        .maxBindingsPerBindGroup = 1000,
        .maxStorageBuffersPerShaderStage = (uint32_t)script.max_storage_buffers,
        .maxUniformBuffersPerShaderStage = 12,
        .maxUniformBufferBindingSize = 65536,
        .maxStorageBufferBindingSize = script.max_binding,
        .minUniformBufferOffsetAlignment = BIND_ALIGN,
        .minStorageBufferOffsetAlignment = BIND_ALIGN,
        .maxBufferSize = script.max_buffer,
        .maxComputeWorkgroupStorageSize = 32768,
        .maxComputeInvocationsPerWorkgroup = (uint32_t)script.max_invocations,
        .maxComputeWorkgroupSizeX = (uint32_t)script.max_group_size,
        .maxComputeWorkgroupSizeY = (uint32_t)script.max_group_size,
        .maxComputeWorkgroupSizeZ = smaller(script.max_group_size, 64),
        .maxComputeWorkgroupsPerDimension = (uint32_t)script.max_groups,
    };
}

/* Those of a device that was not asked for more: what the API promises of every one. */
static void fill_default_limits(WGPULimits *limits)
{
    fill_limits(limits);
    limits->maxStorageBuffersPerShaderStage = smaller(script.max_storage_buffers, 8);
    limits->maxBufferSize = smaller(script.max_buffer, UINT64_C(1) << 28);
    limits->maxStorageBufferBindingSize = smaller(script.max_binding, UINT64_C(1) << 27);
    limits->maxComputeInvocationsPerWorkgroup = smaller(script.max_invocations, 256);
    limits->maxComputeWorkgroupSizeX = smaller(script.max_group_size, 256);
    limits->maxComputeWorkgroupSizeY = smaller(script.max_group_size, 256);
}

/* A library knows its own structure, and nothing behind it. */
void limits_of_adapter(WGPULimits *limits)
{
    WGPULimits all;
    fill_limits(&all);
    all.later[0] = LATER_LIMIT;
    memcpy(limits, &all, offsetof(WGPULimits, later) + LATER_LIMITS * sizeof all.later[0]);
}

/* X(member, its type's value for "whatever it is") */
#define LIMITS_OF_KERNELS(X)                         \
    X(maxBufferSize, UINT64_MAX)                     \
    X(maxStorageBufferBindingSize, UINT64_MAX)       \
    X(maxUniformBufferBindingSize, UINT64_MAX)       \
    X(maxStorageBuffersPerShaderStage, UINT32_MAX)   \
    X(maxUniformBuffersPerShaderStage, UINT32_MAX)   \
    X(maxBindGroups, UINT32_MAX)                     \
    X(maxBindingsPerBindGroup, UINT32_MAX)           \
    X(maxComputeWorkgroupStorageSize, UINT32_MAX)    \
    X(maxComputeInvocationsPerWorkgroup, UINT32_MAX) \
    X(maxComputeWorkgroupSizeX, UINT32_MAX)          \
    X(maxComputeWorkgroupSizeY, UINT32_MAX)          \
    X(maxComputeWorkgroupSizeZ, UINT32_MAX)          \
    X(maxComputeWorkgroupsPerDimension, UINT32_MAX)

bool limits_are_there(const WGPULimits *wanted)
{
    WGPULimits all;
    fill_limits(&all);
    bool there = true;
    EXPECT_USE(!wanted->nextInChain, "something is chained to the limits");
    for (int i = 0; i < LATER_LIMITS; i++)
        there = there && (wanted->later[i] <= LATER_LIMIT || wanted->later[i] == UINT32_MAX);
#define LIMIT_IS_THERE(member, any) \
    there = there && (wanted->member <= all.member || wanted->member == (any));
    LIMITS_OF_KERNELS(LIMIT_IS_THERE)
#undef LIMIT_IS_THERE
    return there;
}

void limits_of_device(const WGPULimits *wanted, WGPULimits *limits)
{
    fill_default_limits(limits);
#define TAKE_LIMIT(member, any)                                               \
    if (wanted && wanted->member != (any) && wanted->member > limits->member) \
        limits->member = wanted->member;
    LIMITS_OF_KERNELS(TAKE_LIMIT)
#undef TAKE_LIMIT
}
