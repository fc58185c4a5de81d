/* SPDX-License-Identifier: MIT */
/* devices.c - devices, their rows besides kernels, and the relation of their clocks to the host's.
 *
 * A clock is known by bounds: whatever happens on the device between two readings of the host's
 * clock gives a lowest and a highest offset. Bounds of many commands leave what is common to all.
 * Where two contradict each other, a clock drifts or a driver's timestamps are not what the
 * standard says, and the distance is added to the uncertainty. */
#include "layer.h"

#include "support/alloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLATFORMS_MAX 16 /* as in backends/opencl, whose numbers of devices these are */
#define DEVICES_MAX   64

static const struct {
    trace_kind kind;
    const char *name;
} row_names[ROW_COUNT] = {
    [ROW_WRITE] = {TRACE_COPY, "host to device"},
    [ROW_READ] = {TRACE_COPY, "device to host"},
    [ROW_COPY] = {TRACE_COPY, "device to device"},
    [ROW_WRITE_IMAGE] = {TRACE_COPY, "host to device (image)"},
    [ROW_READ_IMAGE] = {TRACE_COPY, "device to host (image)"},
    [ROW_COPY_IMAGE] = {TRACE_COPY, "device to device (image)"},
    [ROW_SVM_COPY] = {TRACE_COPY, "shared memory"},
    [ROW_MIGRATE] = {TRACE_COPY, "migration"},
    [ROW_FILL] = {TRACE_FILL, "fill"},
    [ROW_FILL_IMAGE] = {TRACE_FILL, "fill (image)"},
    [ROW_FILL_SVM] = {TRACE_FILL, "fill (shared memory)"},
    [ROW_MAP] = {TRACE_MAP, "map"},
    [ROW_MAP_IMAGE] = {TRACE_MAP, "map (image)"},
    [ROW_MAP_SVM] = {TRACE_MAP, "map (shared memory)"},
    [ROW_UNMAP] = {TRACE_MAP, "unmap"},
    [ROW_NATIVE_KERNEL] = {TRACE_KERNEL, "(native kernel)"},
    [ROW_COMMAND_BUFFER] = {TRACE_KERNEL, "(command buffer)"},
};

static _Atomic(layer_device *) devices;

static layer_device *find(cl_device_id id)
{
    layer_device *device = atomic_load(&devices);
    while (device && device->id != id)
        device = device->next;
    return device;
}

static cl_device_id whole_device(cl_device_id id)
{
    cl_device_id parent = NULL;
    while (layer_next.clGetDeviceInfo(id, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, NULL) ==
               CL_SUCCESS &&
           parent)
        id = parent;
    return id;
}

/* The device's number in `kerntime devices`; -1: none. Asks no platform after the device's own,
 * since asking may load its driver. */
static int number_of(cl_device_id id)
{
    cl_platform_id platforms[PLATFORMS_MAX];
    cl_uint platform_count = 0;
    int number = 0;
    if (layer_next.clGetPlatformIDs(PLATFORMS_MAX, platforms, &platform_count) != CL_SUCCESS)
        return -1;
    for (cl_uint p = 0; p < platform_count && p < PLATFORMS_MAX && number < DEVICES_MAX; p++) {
        cl_device_id ids[DEVICES_MAX];
        cl_uint count = 0;
        if (layer_next.clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL,
                                      (cl_uint)(DEVICES_MAX - number), ids, &count) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < count && number < DEVICES_MAX; d++, number++)
            if (ids[d] == id)
                return number;
    }
    return -1;
}

/* The loader may have the function, and look it up beyond an older driver's table. */
static bool is_since_2_1(cl_device_id id)
{
    char version[128] = "";
    if (layer_next.clGetDeviceInfo(id, CL_DEVICE_VERSION, sizeof version, version, NULL) !=
            CL_SUCCESS ||
        strncmp(version, "OpenCL ", 7) != 0)
        return false;
    char *end;
    unsigned long major = strtoul(version + 7, &end, 10);
    return major > 2 || (major == 2 && *end == '.' && strtoul(end + 1, NULL, 10) >= 1);
}

static void describe(layer_device *device, char *id, size_t id_bytes, char *name, size_t name_bytes,
                     double *resolution_ns)
{
    size_t resolution = 0;
    int number = number_of(device->id);
    snprintf(id, id_bytes, number >= 0 ? "opencl:%d" : "opencl:?", number);
    if (layer_next.clGetDeviceInfo(device->id, CL_DEVICE_NAME, name_bytes, name, NULL) !=
        CL_SUCCESS)
        snprintf(name, name_bytes, "unknown");
    layer_next.clGetDeviceInfo(device->id, CL_DEVICE_PLATFORM, sizeof device->platform,
                               &device->platform, NULL);
    layer_next.clGetDeviceInfo(device->id, CL_DEVICE_PROFILING_TIMER_RESOLUTION, sizeof resolution,
                               &resolution, NULL);
    *resolution_ns = resolution ? (double)resolution : NAN;
    device->has_timer = layer_next.clGetDeviceAndHostTimer && is_since_2_1(device->id);
}

layer_device *layer_device_of(cl_device_id id)
{
    cl_device_id whole = whole_device(id);
    layer_device *device = find(whole);
    if (device)
        return device;
    layer_device *made = kt_alloc(1, sizeof *made);
    if (!made)
        return NULL;
    char text[16], name[TRACE_NAME_BYTES];
    double resolution_ns;
    made->id = whole;
    made->offset = LAYER_NO_BOUNDS;
    describe(made, text, sizeof text, name, sizeof name, &resolution_ns);
    layer_lock();
    device = find(whole);
    if (!device && (made->trace = tracer_add_device(text, name, resolution_ns)) != NULL) {
        made->next = atomic_load(&devices);
        atomic_store(&devices, made);
        device = made;
    }
    layer_unlock();
    if (device != made)
        kt_free(made);
    layer_harvest_at_exit();
    return device;
}

static char mark;
#define UNWANTED ((trace_row *)(void *)&mark)

trace_row *layer_device_row(layer_device *device, layer_row row)
{
    trace_row *known = atomic_load_explicit(&device->rows[row], memory_order_acquire);
    if (!known) {
        known = tracer_row(device->trace, row_names[row].kind, row_names[row].name, NULL);
        known = known ? known : UNWANTED;
        atomic_store_explicit(&device->rows[row], known, memory_order_release);
    }
    return known == UNWANTED ? NULL : known;
}

/* ---- clocks ---- */

static void narrow(layer_device *device, layer_bounds bounds)
{
    layer_bounds *offset = &device->offset;
    const double low = fmax(offset->low, bounds.low), high = fmin(offset->high, bounds.high);
    if (low <= high) {
        *offset = (layer_bounds){low, high};
        return;
    }
    device->error_ns += low - high;
    *offset = bounds;
}

static layer_bounds ask_timer(layer_device *device)
{
    cl_ulong device_ns = 0, host_ns = 0;
    const int64_t before_ns = tracer_now_ns();
    const cl_int code = layer_next.clGetDeviceAndHostTimer(device->id, &device_ns, &host_ns);
    const int64_t after_ns = tracer_now_ns();
    if (code != CL_SUCCESS || device_ns == 0) {
        device->has_timer = false;
        return LAYER_NO_BOUNDS;
    }
    return (layer_bounds){(double)before_ns - (double)device_ns,
                          (double)after_ns - (double)device_ns};
}

void layer_device_narrow(layer_device *device, layer_bounds bounds)
{
    const layer_bounds asked = device->has_timer ? ask_timer(device) : LAYER_NO_BOUNDS;
    layer_lock();
    narrow(device, bounds);
    narrow(device, asked);
    const double low = device->offset.low, high = device->offset.high;
    if (isfinite(low) && isfinite(high))
        tracer_set_offset(device->trace, (low + high) / 2, (high - low) / 2 + device->error_ns);
    layer_unlock();
}
