/*
 * spirv.h - refuses SPIR-V that crashes a driver. lavapipe 22.3.6 crashes on words that break off,
 * on millions of ids, images and other descriptor sets; SwiftShader 5.0 on words that are no
 * SPIR-V or break off, and on other sets and arrays of buffers without memories.
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
const char *vulkan_capability_text(uint32_t bit);
/* Returns the spirv_capability bit of a SPIR-V capability number, or 0 if it has no bit. */
uint32_t vulkan_capability_bit(uint32_t number);

/* Requirements of a kernel. Bindings and push constants are left out if it is unclear which of
 * several shaders uses them. */
typedef struct spirv_kernel {
    uint32_t version;       /* SPIR-V version; 0x10300 means 1.3 */
    uint32_t binding_count; /* highest binding of set 0, plus one */
    bool takes_push;        /* the kernel has push constants */
    bool any_size[3];       /* this dimension of the group is a specialisation constant */
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
kt_status vulkan_spirv_parse(const uint32_t *words, size_t count, const char *entry,
                             spirv_kernel *out);

#endif
