/* SPDX-License-Identifier: MIT */
/* Platforms and devices: what is here and what it says of itself. */
#include "stub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table of functions is what a loader expects first in a handle. */
static struct _cl_platform_id {
    const void *table;
} the_platform = {&icd_table};

static struct _cl_device_id {
    const void *table;
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

/* As the Khronos loader splits OCL_ICD_FILENAMES: in place, so that only the first name stays. */
static bool find_second_driver(void)
{
    static bool found;
    char *names = getenv("OCL_ICD_FILENAMES"), *colon = names ? strchr(names, ':') : NULL;
    found |= colon != NULL;
    if (colon)
        *colon = '\0';
    return found;
}

cl_int clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms)
{
    ENTER(clGetPlatformIDs);
    if ((!platforms && !num_platforms) || (platforms && num_entries == 0))
        return CL_INVALID_VALUE;
    bool is_here = script.platforms && (!script.cuts_environment || find_second_driver());
    if (num_platforms)
        *num_platforms = is_here;
    if (!is_here)
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
    switch (name) {
    case CL_PLATFORM_NAME:
        return reply_text(
            script.event_map_ns ? "Intel(R) OpenCL Graphics" : "kerntime stub platform", room);
    case CL_PLATFORM_EXTENSIONS: return reply_text("cl_khr_icd", room);
    case CL_PLATFORM_ICD_SUFFIX_KHR: return reply_text("KERNTIME", room);
    default: return CL_INVALID_VALUE;
    }
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
    for (cl_uint i = 0; devices && i < found && i < num_entries; i++) {
        all_devices[i].table = &icd_table;
        devices[i] = &all_devices[i];
    }
    return found ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

bool svm_works(void)
{
    return script.svm == SVM_COARSE && version_is_since(2, 0);
}

/* `bytes` 0: the key is not of a number. */
struct number {
    size_t bytes;
    cl_ulong value;
};

#define NUMBER(type, value) ((struct number){sizeof(type), (cl_ulong)(value)})

static struct number number_of(cl_device_info key)
{
    switch (key) {
    case CL_DEVICE_VENDOR_ID: return NUMBER(cl_uint, 0x4b54);
    case CL_DEVICE_MAX_COMPUTE_UNITS: return NUMBER(cl_uint, 4);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: return NUMBER(size_t, WORK_GROUP_MAX);
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE: return NUMBER(cl_ulong, 1 << 20);
    case CL_DEVICE_LOCAL_MEM_SIZE: return NUMBER(cl_ulong, 1 << 16);
    case CL_DEVICE_TYPE: return NUMBER(cl_ulong, scripted_type());
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION: return NUMBER(size_t, 1);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return NUMBER(cl_ulong, script.max_alloc);
    case CL_DEVICE_GLOBAL_MEM_SIZE: return NUMBER(cl_ulong, 4 * script.max_alloc);
    case CL_DEVICE_SVM_CAPABILITIES:
        if (version_is_since(2, 0))
            return NUMBER(cl_ulong, svm_works() ? CL_DEVICE_SVM_COARSE_GRAIN_BUFFER : 0);
        break;
    default: break;
    }
    return (struct number){0, 0};
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info key, size_t bytes, void *out,
                       size_t *used)
{
    ENTER(clGetDeviceInfo);
    const struct room room = {bytes, out, used};
    if (!device_use(device))
        return CL_INVALID_DEVICE;
    const struct number number = number_of(key);
    const cl_uint narrow = (cl_uint)number.value;
    const cl_device_id parent = NULL;
    const cl_platform_id platform = &the_platform;
    char name[40];
    snprintf(name, sizeof name, "kerntime stub device %d", (int)(device - all_devices));
    if (number.bytes)
        return reply(number.bytes == sizeof narrow ? (const void *)&narrow : &number.value,
                     number.bytes, room);
    unsigned char uuid[CL_UUID_SIZE_KHR];
    const cl_device_pci_bus_info_khr pci = {.pci_bus = 0x3b + (cl_uint)(device - all_devices)};
    for (unsigned i = 0; i < sizeof uuid; i++)
        uuid[i] = (unsigned char)(0xf0 + i);
    uuid[15] -= (unsigned char)(device - all_devices);
    switch (key) {
    case CL_DEVICE_UUID_KHR: return reply(uuid, sizeof uuid, room);
    case CL_DEVICE_PCI_BUS_INFO_KHR: return reply(&pci, sizeof pci, room);
    case CL_DEVICE_PARENT_DEVICE: return reply(&parent, sizeof(cl_device_id), room);
    case CL_DEVICE_PLATFORM: return reply(&platform, sizeof(cl_platform_id), room);
    case CL_DEVICE_NAME: return reply_text(name, room);
    case CL_DEVICE_VENDOR: return reply_text("kerntime", room);
    case CL_DRIVER_VERSION: return reply_text("1.0", room);
    case CL_DEVICE_VERSION: return reply_text(versions[script.version].text, room);
    default: return CL_INVALID_VALUE;
    }
}
