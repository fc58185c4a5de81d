/* Platforms and devices: what is here and what it says of itself. */
#include "stub.h"

#include <stdio.h>

static struct _cl_platform_id {
    char unused;
} the_platform;

static struct _cl_device_id {
    char unused;
} all_devices[MAX_DEVICES];

bool platform_use(cl_platform_id handle)
{
    EXPECT_USE(handle == &the_platform, "no platform");
    return handle == &the_platform;
}

bool device_use(cl_device_id handle)
{
    for (int i = 0; i < MAX_DEVICES; i++)
        if (handle == &all_devices[i])
            return true;
    misuse("no device");
    return false;
}

/* In the order of the script's choices. */
static const struct {
    cl_version number;
    const char *text;
} versions[] = {{CL_MAKE_VERSION(3, 0, 0), "OpenCL 3.0 kerntime stub"},
                {CL_MAKE_VERSION(2, 1, 0), "OpenCL 2.1 kerntime stub"},
                {CL_MAKE_VERSION(2, 0, 0), "OpenCL 2.0 kerntime stub"},
                {CL_MAKE_VERSION(1, 2, 0), "OpenCL 1.2 kerntime stub"},
                {CL_MAKE_VERSION(1, 1, 0), "OpenCL 1.1 kerntime stub"}};

bool version_is_since(cl_uint major, cl_uint minor)
{
    return versions[script.version].number >= CL_MAKE_VERSION(major, minor, 0);
}

cl_int clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms)
{
    ENTER(clGetPlatformIDs);
    if ((!platforms && !num_platforms) || (platforms && num_entries == 0))
        return CL_INVALID_VALUE;
    if (num_platforms)
        *num_platforms = (cl_uint)script.platforms;
    if (script.platforms == 0)
        return CL_PLATFORM_NOT_FOUND_KHR;
    if (platforms)
        platforms[0] = &the_platform;
    return CL_SUCCESS;
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t bytes, void *out,
                         size_t *used)
{
    ENTER(clGetPlatformInfo);
    const struct room room = {bytes, out, used};
    if (!platform_use(platform))
        return CL_INVALID_PLATFORM;
    const cl_version version = versions[script.version].number;
    const cl_ulong timer = timer_works() ? 1 : 0;
    const char *text = NULL;
    switch (name) {
    case CL_PLATFORM_NUMERIC_VERSION: return reply(&version, sizeof version, room);
    case CL_PLATFORM_HOST_TIMER_RESOLUTION: return reply(&timer, sizeof timer, room);
    case CL_PLATFORM_PROFILE: text = "FULL_PROFILE"; break;
    case CL_PLATFORM_VERSION: text = versions[script.version].text; break;
    case CL_PLATFORM_NAME: text = "kerntime stub platform"; break;
    case CL_PLATFORM_VENDOR: text = "kerntime"; break;
    case CL_PLATFORM_EXTENSIONS: text = ""; break;
    default: return CL_INVALID_VALUE;
    }
    return reply_text(text, room);
}

static cl_device_type scripted_type(void)
{
    return script.type == TYPE_CPU ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_GPU;
}

static bool known_type(cl_device_type type)
{
    const cl_device_type bits = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
    return type == CL_DEVICE_TYPE_ALL || (type != 0 && (type & ~bits) == 0);
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type, cl_uint num_entries,
                      cl_device_id *devices, cl_uint *num_devices)
{
    ENTER(clGetDeviceIDs);
    if (!platform_use(platform))
        return CL_INVALID_PLATFORM;
    if (!known_type(device_type))
        return CL_INVALID_DEVICE_TYPE;
    if ((!devices && !num_devices) || (devices && num_entries == 0))
        return CL_INVALID_VALUE;
    bool wanted = (device_type & (scripted_type() | CL_DEVICE_TYPE_DEFAULT)) != 0;
    cl_uint found = wanted ? (cl_uint)script.devices : 0;
    if (device_type == CL_DEVICE_TYPE_DEFAULT && found > 1)
        found = 1;
    if (num_devices)
        *num_devices = found;
    for (cl_uint i = 0; devices && i < found && i < num_entries; i++)
        devices[i] = &all_devices[i];
    return found ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

struct number {
    cl_device_info key;
    size_t bytes;
    cl_ulong value;
};

#define UINT(key, value)            \
    {                               \
        key, sizeof(cl_uint), value \
    }
#define LONG(key, value)             \
    {                                \
        key, sizeof(cl_ulong), value \
    }
#define SIZE(key, value)           \
    {                              \
        key, sizeof(size_t), value \
    }

static const struct number numbers[] = {
    UINT(CL_DEVICE_VENDOR_ID, 0x4b54),
    UINT(CL_DEVICE_MAX_COMPUTE_UNITS, 4),
    UINT(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3),
    SIZE(CL_DEVICE_MAX_WORK_GROUP_SIZE, WORK_GROUP_MAX),
    UINT(CL_DEVICE_MAX_CLOCK_FREQUENCY, 1000),
    UINT(CL_DEVICE_ADDRESS_BITS, sizeof(void *) * 8),
    UINT(CL_DEVICE_IMAGE_SUPPORT, CL_FALSE),
    SIZE(CL_DEVICE_MAX_PARAMETER_SIZE, 1024),
    UINT(CL_DEVICE_MEM_BASE_ADDR_ALIGN, 1024),
    LONG(CL_DEVICE_SINGLE_FP_CONFIG, CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN),
    LONG(CL_DEVICE_DOUBLE_FP_CONFIG, 0),
    UINT(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, CL_READ_WRITE_CACHE),
    UINT(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 64),
    LONG(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 1 << 20),
    LONG(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 1 << 16),
    UINT(CL_DEVICE_MAX_CONSTANT_ARGS, 8),
    UINT(CL_DEVICE_LOCAL_MEM_TYPE, CL_LOCAL),
    LONG(CL_DEVICE_LOCAL_MEM_SIZE, 1 << 16),
    UINT(CL_DEVICE_ERROR_CORRECTION_SUPPORT, CL_FALSE),
    UINT(CL_DEVICE_ENDIAN_LITTLE, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__),
    UINT(CL_DEVICE_AVAILABLE, CL_TRUE),
    UINT(CL_DEVICE_COMPILER_AVAILABLE, CL_TRUE),
    UINT(CL_DEVICE_LINKER_AVAILABLE, CL_TRUE),
    LONG(CL_DEVICE_EXECUTION_CAPABILITIES, CL_EXEC_KERNEL),
    LONG(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES,
         CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE),
    LONG(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, 0),
    UINT(CL_DEVICE_REFERENCE_COUNT, 1),
    UINT(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, 0),
    UINT(CL_DEVICE_MAX_NUM_SUB_GROUPS, 0),
    UINT(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, CL_FALSE),
    SIZE(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 16),
};

bool svm_works(void)
{
    return script.svm == SVM_COARSE && version_is_since(2, 0);
}

/* What the script decides; false for any other key. */
static bool scripted_number(cl_device_info key, struct number *number)
{
    switch (key) {
    case CL_DEVICE_SVM_CAPABILITIES:
        *number = (struct number)LONG(key, svm_works() ? CL_DEVICE_SVM_COARSE_GRAIN_BUFFER : 0);
        return version_is_since(2, 0);
    case CL_DEVICE_TYPE: *number = (struct number)LONG(key, scripted_type()); return true;
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
        *number = (struct number)LONG(key, script.timer_resolution);
        return true;
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        *number = (struct number)LONG(key, script.max_alloc);
        return true;
    case CL_DEVICE_GLOBAL_MEM_SIZE:
        *number = (struct number)LONG(key, 4 * script.max_alloc);
        return true;
    case CL_DEVICE_NUMERIC_VERSION:
        *number = (struct number)UINT(key, versions[script.version].number);
        return true;
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
        *number = (struct number)UINT(key, script.type == TYPE_CPU);
        return true;
    default: return false;
    }
}

static bool find_number(cl_device_info key, struct number *number)
{
    if (scripted_number(key, number))
        return true;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].key == key) {
            *number = numbers[i];
            return true;
        }
    }
    return false;
}

static const char *device_text(cl_device_info key)
{
    switch (key) {
    case CL_DEVICE_VENDOR: return "kerntime";
    case CL_DRIVER_VERSION: return "1.0";
    case CL_DEVICE_PROFILE: return "FULL_PROFILE";
    case CL_DEVICE_VERSION: return versions[script.version].text;
    case CL_DEVICE_OPENCL_C_VERSION: return "OpenCL C 1.2 kerntime stub";
    case CL_DEVICE_EXTENSIONS:
    case CL_DEVICE_BUILT_IN_KERNELS:
    case CL_DEVICE_IL_VERSION: return "";
    default: return NULL;
    }
}

static cl_int reply_number(const struct number *number, struct room room)
{
    cl_uint narrow = (cl_uint)number->value;
    bool is_narrow = number->bytes == sizeof narrow;
    const void *data = is_narrow ? (const void *)&narrow : (const void *)&number->value;
    return reply(data, number->bytes, room);
}

/* A device of the platform is not counted: retaining and releasing it does nothing. */
cl_int clRetainDevice(cl_device_id device)
{
    ENTER(clRetainDevice);
    return device_use(device) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int clReleaseDevice(cl_device_id device)
{
    ENTER(clReleaseDevice);
    return device_use(device) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info key, size_t bytes, void *out,
                       size_t *used)
{
    ENTER(clGetDeviceInfo);
    const struct room room = {bytes, out, used};
    if (!device_use(device))
        return CL_INVALID_DEVICE;
    static const size_t item_sizes[3] = WORK_ITEM_MAX;
    static const cl_platform_id its_platform = &the_platform;
    struct number number;
    if (find_number(key, &number))
        return reply_number(&number, room);
    const char *text = device_text(key);
    if (text)
        return reply_text(text, room);
    char name[40];
    switch (key) {
    case CL_DEVICE_NAME:
        snprintf(name, sizeof name, "kerntime stub device %d", (int)(device - all_devices));
        return reply_text(name, room);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: return reply(item_sizes, sizeof item_sizes, room);
    case CL_DEVICE_PLATFORM: return reply(&its_platform, sizeof(cl_platform_id), room);
    default: return CL_INVALID_VALUE;
    }
}
