/* SPDX-License-Identifier: MIT */
/*
 * spirv.h - refuses SPIR-V that crashes a driver. lavapipe 22.3.6 crashes on words that break off,
 * on millions of ids, images and descriptor sets without a layout; SwiftShader 5.0 on words that
 * are no SPIR-V or break off, and on such sets and arrays of buffers.
 */
#ifndef KT_VULKAN_SPIRV_H
#define KT_VULKAN_SPIRV_H

#include <kerntime/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Capabilities that not every device has, as bits of spirv_kernel.capabilities. */
typedef enum spirv_capability {
    SPIRV_FLOAT64 = 1,
    SPIRV_INT64 = 2,
    SPIRV_INT16 = 4,
    SPIRV_FLOAT16 = 8,
    SPIRV_INT8 = 16,
    SPIRV_STORAGE16 = 32,
    SPIRV_STORAGE8 = 64,
    SPIRV_UNIFORM8 = 128, /* of storage buffers under Vulkan 1.0 */
    SPIRV_PUSH16 = 256,
    SPIRV_PUSH8 = 512,
    SPIRV_UNIFORM16 = 1024,
    SPIRV_ATOMICS64 = 2048,
    SPIRV_POINTERS = 4096, /* variable pointers into one buffer */
    SPIRV_ALL_POINTERS = 8192,
    SPIRV_MEMORY_MODEL = 16384,
    SPIRV_DEVICE_SCOPE = 32768,
    SPIRV_SUBGROUPS = 65536 /* bits 16 to 23: VkSubgroupFeatureFlagBits << 16 */
} spirv_capability;

/* Returns the text for a capability bit, such as "64-bit integers". */
const char *kt_vulkan_capability_text(uint32_t bit);
/* Returns the spirv_capability bit of a SPIR-V capability number, or 0 if it has no bit. */
uint32_t kt_vulkan_capability_bit(uint32_t number);

#define SPIRV_BINDINGS_MAX 1024       /* bindings are below this: drivers have tables of them */
#define SPIRV_BUFFERS_MAX  128        /* most buffers of a kernel */
#define SPIRV_NO_ID        UINT32_MAX /* no specialisation constant */

/* A buffer that a kernel uses. */
typedef struct spirv_buffer {
    uint32_t set, binding;
    bool is_uniform; /* a uniform buffer, not a storage buffer */
} spirv_buffer;

/* Requirements of a kernel. Buffers and push constants are left out if it is unclear which of
 * several shaders uses them. */
typedef struct spirv_kernel {
    uint32_t version; /* SPIR-V version; 0x10300 means 1.3 */
    spirv_buffer buffers[SPIRV_BUFFERS_MAX];
    uint32_t buffer_count;
    bool takes_push;        /* the kernel has push constants */
    uint32_t size_ids[3];   /* SpecId of each dimension of the group, or SPIRV_NO_ID */
    uint32_t group_size[3]; /* fixed size of the group's other dimensions; 0: unknown */
    uint32_t capabilities;  /* spirv_capability bits that the kernel declares */
    uint32_t unknown;       /* a declared capability without a bit; 0: there is none */
} spirv_kernel;

/*
 * Parses a module of `count` words for the compute shader `entry`.
 *
 * KT_BUILD_FAILED: not a valid module.
 * KT_INVALID: the module has no such shader.
 * KT_UNSUPPORTED: the shader needs something that a job cannot provide.
 */
kt_status kt_vulkan_spirv_parse(const uint32_t *words, size_t count, const char *entry,
                                spirv_kernel *out);
/* Returns the bytes of a specialisation constant of a module that was parsed. 0: it has none of
 * that SpecId. */
uint32_t kt_vulkan_spirv_constant_bytes(const uint32_t *words, size_t count, uint32_t spec_id);

#endif
