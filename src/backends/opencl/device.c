/* SPDX-License-Identifier: MIT */
#include "backends/opencl/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *kt_opencl_code_name(cl_int code)
{
#define NAME(code) \
    case code: return #code
    switch (code) {
        NAME(CL_DEVICE_NOT_FOUND);
        NAME(CL_DEVICE_NOT_AVAILABLE);
        NAME(CL_COMPILER_NOT_AVAILABLE);
        NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE);
        NAME(CL_OUT_OF_RESOURCES);
        NAME(CL_OUT_OF_HOST_MEMORY);
        NAME(CL_PROFILING_INFO_NOT_AVAILABLE);
        NAME(CL_BUILD_PROGRAM_FAILURE);
        NAME(CL_INVALID_VALUE);
        NAME(CL_INVALID_PLATFORM);
        NAME(CL_INVALID_DEVICE);
        NAME(CL_INVALID_CONTEXT);
        NAME(CL_INVALID_QUEUE_PROPERTIES);
        NAME(CL_INVALID_COMMAND_QUEUE);
        NAME(CL_INVALID_MEM_OBJECT);
        NAME(CL_INVALID_BINARY);
        NAME(CL_INVALID_BUILD_OPTIONS);
        NAME(CL_INVALID_PROGRAM);
        NAME(CL_INVALID_PROGRAM_EXECUTABLE);
        NAME(CL_INVALID_KERNEL_NAME);
        NAME(CL_INVALID_KERNEL);
        NAME(CL_INVALID_ARG_INDEX);
        NAME(CL_INVALID_ARG_VALUE);
        NAME(CL_INVALID_ARG_SIZE);
        NAME(CL_INVALID_KERNEL_ARGS);
        NAME(CL_INVALID_WORK_GROUP_SIZE);
        NAME(CL_INVALID_WORK_ITEM_SIZE);
        NAME(CL_INVALID_EVENT);
        NAME(CL_INVALID_OPERATION);
        NAME(CL_INVALID_BUFFER_SIZE);
    default: return "unknown code";
    }
#undef NAME
}

kt_status kt_opencl_fail(const char *call, cl_int code)
{
    kt_status status = code == CL_OUT_OF_HOST_MEMORY || code == CL_MEM_OBJECT_ALLOCATION_FAILURE
                           ? KT_NO_MEMORY
                       : code == CL_DEVICE_NOT_AVAILABLE ? KT_DEVICE_LOST
                                                         : KT_DRIVER_ERROR;
    return kt_fail(status, "%s failed: %s (%d)", call, kt_opencl_code_name(code), (int)code);
}

/* Queries a text property of a device; empty if the driver has none. */
static void device_text(const opencl_api *api, cl_device_id id, cl_device_info what, char *text,
                        size_t bytes)
{
    text[0] = '\0';
    if (CL_CODE(api, clGetDeviceInfo, id, what, bytes - 1, text, NULL) != CL_SUCCESS)
        text[0] = '\0';
    text[bytes - 1] = '\0';
}

uint64_t kt_opencl_device_number(const opencl_api *api, cl_device_id id, cl_device_info what,
                                 size_t bytes)
{
    cl_ulong wide = 0;
    cl_uint narrow = 0;
    void *value = bytes == sizeof narrow ? (void *)&narrow : (void *)&wide;
    if (CL_CODE(api, clGetDeviceInfo, id, what, bytes, value, NULL) != CL_SUCCESS)
        return 0;
    return bytes == sizeof narrow ? narrow : wide;
}

/* Keys of extensions, which older headers lack. */
enum {
    DEVICE_UUID = 0x106A,   /* cl_khr_device_uuid */
    DEVICE_PCI_BUS = 0x410F /* cl_khr_pci_bus_info */
};

static bool device_bytes(const opencl_api *api, cl_device_id id, cl_device_info what, void *value,
                         size_t bytes)
{
    return CL_CODE(api, clGetDeviceInfo, id, what, bytes, value, NULL) == CL_SUCCESS;
}

static void tell_address(const opencl_api *api, cl_device_id id, kt_device_info *info)
{
    struct {
        cl_uint domain, bus, device, function;
    } pci;
    if (device_bytes(api, id, DEVICE_PCI_BUS, &pci, sizeof pci))
        kt_tell_pci_address(info, pci.domain, pci.bus, pci.device, pci.function);
}

/* The UUID of a driver for CPUs is that of its version. */
static void tell_identity(const opencl_api *api, cl_device_id id, kt_device_info *info)
{
    unsigned char uuid[KT_UUID_BYTES];
    if (info->type == KT_DEVICE_CPU)
        return;
    if (device_bytes(api, id, DEVICE_UUID, uuid, sizeof uuid))
        kt_tell_uuid(info, uuid);
    tell_address(api, id, info);
}

static void note_quirk(const char *driver, kt_device_info *info)
{
    if (strncmp(info->name, "llvmpipe", strlen("llvmpipe")) == 0)
        snprintf(info->quirk, sizeof info->quirk, "%s", kt_quirk_of_llvmpipe(driver));
}

/* Whether the device has shared virtual memory: one address for host and device, for commands
 * only. */
static bool has_svm(const opencl_api *api, cl_device_id id)
{
    cl_ulong can = kt_opencl_device_number(api, id, CL_DEVICE_SVM_CAPABILITIES, sizeof can);
    return can & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER && kt_opencl_is_since(api, id, 2, 0) &&
           api->clSVMAlloc && api->clSVMFree && api->clSetKernelArgSVMPointer &&
           api->clEnqueueSVMMemcpy;
}

/* Whether the driver maps the ticks of each event to the host's clock by itself, as Intel's does for
 * its GPUs: docs/traps/opencl.md. */
static bool maps_each_event(const kt_device_info *info)
{
    static const char intel[] = "Intel(R) OpenCL";
    return info->type == KT_DEVICE_GPU && strncmp(info->driver, intel, sizeof intel - 1) == 0;
}

static void offer_memory(const opencl_api *api, cl_device_id id, kt_device_info *info)
{
    info->memory_kinds = 1u << KT_MEMORY_HEAP | 1u << KT_MEMORY_HOST | 1u << KT_MEMORY_DEVICE;
    if (has_svm(api, id))
        info->memory_kinds |= 1u << KT_MEMORY_SHARED;
    info->maps = 1u << KT_MEMORY_DEVICE;
    kt_offer_all_copies(info);
    /* OpenCL has no command for copies between two host memories. */
    static const uint32_t no_api = 1u << KT_MEMORY_HEAP | 1u << KT_MEMORY_HOST;
    info->copies[KT_MEMORY_HEAP] &= ~no_api;
    info->copies[KT_MEMORY_HOST] &= ~no_api;
}

static kt_device_type device_type(cl_device_type type)
{
    /* A device of all types at once (oclgrind) runs on the CPU. */
    return type & CL_DEVICE_TYPE_CPU           ? KT_DEVICE_CPU
           : type & CL_DEVICE_TYPE_GPU         ? KT_DEVICE_GPU
           : type & CL_DEVICE_TYPE_ACCELERATOR ? KT_DEVICE_ACCELERATOR
                                               : KT_DEVICE_OTHER;
}

kt_status kt_opencl_device_info(void *lib, uint32_t index, const char *scenario,
                                kt_device_info *info)
{
    (void)scenario;
    const opencl_lib *l = lib;
    const opencl_api *api = &l->api;
    const opencl_place *place = &l->places[index];
    char platform[64] = "", driver[64], version[96];
    CL_CODE(api, clGetPlatformInfo, place->platform, CL_PLATFORM_NAME, sizeof platform - 1,
            platform, NULL);
    device_text(api, place->device, CL_DEVICE_NAME, info->name, sizeof info->name);
    device_text(api, place->device, CL_DEVICE_VENDOR, info->vendor, sizeof info->vendor);
    device_text(api, place->device, CL_DRIVER_VERSION, driver, sizeof driver);
    device_text(api, place->device, CL_DEVICE_VERSION, version, sizeof version);
    snprintf(info->driver, sizeof info->driver, "%s %s (%s)", platform, driver, version);
    info->type = device_type(
        kt_opencl_device_number(api, place->device, CL_DEVICE_TYPE, sizeof(cl_device_type)));
    info->vendor_id =
        (uint32_t)kt_opencl_device_number(api, place->device, CL_DEVICE_VENDOR_ID, sizeof(cl_uint));
    tell_identity(api, place->device, info);
    info->compute_units = (uint32_t)kt_opencl_device_number(
        api, place->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint));
    info->max_group_size = (uint32_t)kt_opencl_device_number(
        api, place->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t));
    info->memory_bytes =
        kt_opencl_device_number(api, place->device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(cl_ulong));
    info->max_memory_bytes =
        kt_opencl_device_number(api, place->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(cl_ulong));
    info->local_memory_bytes =
        kt_opencl_device_number(api, place->device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(cl_ulong));
    note_quirk(driver, info);
    info->languages = KT_LANGUAGE_OPENCL_C;
    offer_memory(api, place->device, info);
    info->clock_count = 1;
    info->clocks[0] = opencl_clock();
    if (maps_each_event(info))
        snprintf(info->clocks[0].name, sizeof info->clocks[0].name, "kernel-sum");
    return KT_OK;
}

/* Whether a version text, "OpenCL 3.0" and a vendor's addition, is of version major.minor or
 * later. */
static bool is_since(const char *text, unsigned long major, unsigned long minor)
{
    static const char begin[] = "OpenCL ";
    if (strncmp(text, begin, sizeof begin - 1) != 0)
        return false;
    char *end;
    unsigned long its_major = strtoul(text + sizeof begin - 1, &end, 10);
    unsigned long its_minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
    return its_major > major || (its_major == major && its_minor >= minor);
}

bool kt_opencl_is_since(const opencl_api *api, cl_device_id id, unsigned long major,
                        unsigned long minor)
{
    char version[96];
    device_text(api, id, CL_DEVICE_VERSION, version, sizeof version);
    return is_since(version, major, minor);
}

kt_status kt_opencl_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                                const kt_device_info *info, const kt_host_clock *host)
{
    (void)scenario;
    opencl_device *d = device;
    const opencl_lib *l = lib;
    d->api = &l->api;
    d->host = *host;
    d->maps_each_event = maps_each_event(info);
    d->info = info;
    d->id = l->places[index].device;
    d->type = kt_opencl_device_number(d->api, d->id, CL_DEVICE_TYPE, sizeof(cl_device_type));
    /* The loader may export clGetDeviceAndHostTimer and look it up beyond an older driver's
     * table. */
    d->has_timer = d->api->clGetDeviceAndHostTimer && kt_opencl_is_since(d->api, d->id, 2, 1);
    d->has_arg_info = d->api->clGetKernelArgInfo && kt_opencl_is_since(d->api, d->id, 1, 2);
    const cl_context_properties properties[] = {
        CL_CONTEXT_PLATFORM, (cl_context_properties)l->places[index].platform, 0};
    cl_int code = OPENCL_FAULT;
    d->context = CL_OBJECT(d->api, clCreateContext, properties, 1, &d->id, NULL, NULL, &code);
    if (!d->context)
        return kt_opencl_fail("clCreateContext", code);
    code = OPENCL_FAULT;
    d->queue = CL_OBJECT(d->api, clCreateCommandQueue, d->context, d->id, 0, &code);
    if (!d->queue)
        return kt_opencl_fail("clCreateCommandQueue", code);
    kt_status status = kt_opencl_waiter_init(&d->waiter);
    return status == KT_OK ? kt_opencl_caches_init(&d->caches) : status;
}

void kt_opencl_device_fini(void *device)
{
    opencl_device *d = device;
    kt_opencl_caches_fini(&d->caches, d->api);
    kt_opencl_waiter_fini(&d->waiter);
    if (d->queue)
        d->api->clReleaseCommandQueue(d->queue);
    if (d->context)
        d->api->clReleaseContext(d->context);
}

uint64_t kt_opencl_clock_step(void *device, uint32_t clock)
{
    (void)clock;
    const opencl_device *d = device;
    return kt_opencl_device_number(d->api, d->id, CL_DEVICE_PROFILING_TIMER_RESOLUTION,
                                   sizeof(size_t));
}

/* Drivers that lack clGetDeviceAndHostTimer return CL_INVALID_OPERATION, as the specification
 * allows, or succeed and write no time. The call is not repeated with them. */
kt_status kt_opencl_clock_pair(void *device, uint32_t clock, kt_clock_pair *pair)
{
    (void)clock;
    opencl_device *d = device;
    const char *answered = d->timer_answered;
    if (!d->has_timer)
        return kt_fail(KT_UNSUPPORTED,
                       "it has no clGetDeviceAndHostTimer, which came with OpenCL 2.1");
    if (answered)
        return kt_fail(KT_UNSUPPORTED, "clGetDeviceAndHostTimer %s", answered);
    cl_ulong device_ns = 0, host_ns = 0;
    pair->host_before_ns = d->host.now(d->host.user);
    cl_int code = CL_CODE(d->api, clGetDeviceAndHostTimer, d->id, &device_ns, &host_ns);
    pair->host_after_ns = d->host.now(d->host.user);
    pair->ticks = device_ns;
    if (code == CL_DEVICE_NOT_AVAILABLE)
        return kt_opencl_fail("clGetDeviceAndHostTimer", code);
    /* Bracketed submissions give clock pairs, too, so this failure need not be the device's. */
    if (code != CL_SUCCESS && code != CL_INVALID_OPERATION)
        return kt_fail(KT_UNSUPPORTED, "clGetDeviceAndHostTimer failed: %s (%d)",
                       kt_opencl_code_name(code), (int)code);
    if (code == CL_SUCCESS && device_ns != 0)
        return KT_OK;
    answered = code == CL_SUCCESS ? "answers success and tells no time"
                                  : "answers CL_INVALID_OPERATION (-59)";
    d->timer_answered = answered;
    return kt_fail(KT_UNSUPPORTED, "clGetDeviceAndHostTimer %s", answered);
}
