/*
 * spirv.h - what must be known of a SPIR-V module before a driver sees it. Drivers crash on what is
 * no SPIR-V, and run what is wrong. So these are checked: version, length, entry, bindings, values,
 * group size, and the capabilities, which must be among those that the device was made with.
 */
#ifndef KT_VULKAN_SPIRV_H
#define KT_VULKAN_SPIRV_H

#include <kerntime/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Capabilities that a device may lack, as bits in spirv_kernel.capabilities. */
typedef enum spirv_capability {
    SPIRV_FLOAT64 = 1,
    SPIRV_INT64 = 2,
    SPIRV_INT16 = 4,
    SPIRV_FLOAT16 = 8,
    SPIRV_INT8 = 16,
    SPIRV_STORAGE16 = 32,
    SPIRV_STORAGE8 = 64,
    SPIRV_UNIFORM8 = 128, /* as storage buffers have it for Vulkan 1.0 */
    SPIRV_PUSH16 = 256,
    SPIRV_PUSH8 = 512,
    SPIRV_UNIFORM16 = 1024,
    SPIRV_ATOMICS64 = 2048,
    SPIRV_POINTERS = 4096, /* variable ones, into one memory */
    SPIRV_ALL_POINTERS = 8192,
    SPIRV_MEMORY_MODEL = 16384,
    SPIRV_DEVICE_SCOPE = 32768,
    SPIRV_SUBGROUPS = 65536 /* and the seven bits above it: as Vulkan's VkSubgroupFeatureFlagBits */
} spirv_capability;

/* What a capability of that bit lets a kernel use: "64-bit integers". */
const char *vulkan_capability_text(uint32_t bit);
/* SPIR-V's own name, of some that no kernel may use; NULL of all others. */
const char *vulkan_capability_name(uint32_t number);
/* spirv_capability, or 0. */
uint32_t vulkan_capability_bit(uint32_t number);

/* Sizes are of what can be told, so the kernel may need more: not of arrays, say, whose length
 * comes from the group size. Of bindings and push constants nothing is told if it is unknown which
 * shader of several uses them. */
typedef struct spirv_kernel {
    uint32_t version;       /* of SPIR-V: 0x10300 is 1.3 */
    uint32_t binding_count; /* the highest binding of set 0, and one */
    bool takes_push;        /* it has push constants, ... */
    uint64_t push_bytes;    /* ... this many */
    uint64_t shared_bytes;  /* memory that a group shares */
    bool any_size[3];       /* group size: a specialisation constant, ... */
    uint32_t group_size[3]; /* ... or this; 0: not told */
    uint32_t capabilities;  /* spirv_capability */
    uint32_t unknown;       /* a capability that is none of these, nor had by all devices; else 0 */
} spirv_kernel;

/* Looks at a module of `count` words for the compute shader of that name. KT_BUILD_FAILED: it is no
 * such module; KT_INVALID: no such shader in it; KT_UNSUPPORTED: it wants what a job cannot give.
 * KT_NO_MEMORY. */
kt_status vulkan_spirv_parse(const uint32_t *words, size_t count, const char *entry,
                             spirv_kernel *out);

#endif
