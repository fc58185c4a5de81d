/* spirv.h - what must be known of a SPIR-V module before a driver sees it: drivers believe what they
 * are given, and crash on what is not so. */
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
    SPIRV_PUSH8 = 512
} spirv_capability;

typedef struct spirv_kernel {
    uint32_t version;       /* of SPIR-V: 0x10300 is 1.3 */
    uint32_t binding_count; /* the highest binding of set 0, and one */
    bool takes_push;        /* it has push constants */
    bool any_size[3];       /* group size: a specialisation constant, ... */
    uint32_t group_size[3]; /* ... or this; 0: not told */
    uint32_t capabilities;  /* spirv_capability */
    uint32_t unknown;       /* a capability that is none of these, nor had by all devices; else 0 */
} spirv_kernel;

/* Looks at a module of `count` words for the compute shader of that name. KT_BUILD_FAILED: it is no such
 * module; KT_INVALID: no such shader in it; KT_UNSUPPORTED: it wants what a job cannot give. */
kt_status vulkan_spirv_parse(const uint32_t *words, size_t count, const char *entry,
                             spirv_kernel *out);

#endif
