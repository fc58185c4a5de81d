/* SPDX-License-Identifier: MIT */
/* The driver, its devices, and which of them a thread works on. */
#include "stub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_MAX = 16 };

static cuda_context of_devices[DEVICES_MAX]; /* CUDA's primary contexts, HIP's devices */
static _Thread_local cuda_context stack[STACK_MAX];
static _Thread_local unsigned height;
static _Thread_local cuda_ordinal device_of_thread; /* in HIP */
static unsigned pushed;
static unsigned long long latest_id;

/* ---- the driver ---- */

static cuda_code init(void)
{
    ENTER(cuInit, NEEDS_NOTHING);
    if (script.init != CUDA_OK)
        return (cuda_code)script.init;
    if (script.devices == 0 && !STUB_HIP) /* HIP 5.2 says so when it is asked how many there are */
        return CUDA_NO_DEVICE;
    stub_initialised();
    return CUDA_OK;
}

cuda_code stub_cuInit(unsigned flags)
{
    tools_load();
    return init();
}

static cuda_code tell(int *out, int value)
{
    *out = value;
    return CUDA_OK;
}

cuda_code stub_cuDriverGetVersion(int *version)
{
    ENTER(cuDriverGetVersion, NEEDS_NOTHING);
    return tell(version, (int)script.version);
}

cuda_code stub_cuDeviceGetCount(int *count)
{
    ENTER(cuDeviceGetCount, NEEDS_INIT);
    *count = (int)script.devices;
    return script.devices ? CUDA_OK : CUDA_NO_DEVICE;
}

/* ---- what a device says of itself ---- */

static bool is_device(cuda_ordinal device)
{
    bool good = device >= 0 && (uint64_t)device < script.devices;
    EXPECT_USE(good, "no device %d", device);
    return good;
}

cuda_code stub_cuDeviceGet(cuda_ordinal *device, int index)
{
    ENTER(cuDeviceGet, NEEDS_INIT);
    return is_device(index) ? tell(device, index) : CUDA_INVALID_DEVICE;
}

cuda_code stub_cuDeviceGetName(char *text, int bytes, cuda_ordinal device)
{
    ENTER(cuDeviceGetName, NEEDS_INIT);
    if (!is_device(device) || bytes <= 0)
        return CUDA_INVALID_DEVICE;
    snprintf(text, (size_t)bytes, "%s stub %d", STUB_HIP ? "HIP" : "CUDA", device);
    return CUDA_OK;
}

cuda_code stub_cuDeviceTotalMem(size_t *bytes, cuda_ordinal device)
{
    ENTER(cuDeviceTotalMem, NEEDS_INIT);
    if (!is_device(device))
        return CUDA_INVALID_DEVICE;
    *bytes = (size_t)script.total_bytes;
    return CUDA_OK;
}

cuda_code stub_cuDeviceGetPCIBusId(char *text, int bytes, cuda_ordinal device)
{
    ENTER(cuDeviceGetPCIBusId, NEEDS_INIT);
    if (!is_device(device) || bytes <= 0)
        return CUDA_INVALID_DEVICE;
    snprintf(text, (size_t)bytes, "0000:%02X:00.0",
             PCI_BUS + device); /* in capitals, as CUDA does */
    return CUDA_OK;
}

static cuda_code tell_uuid(cuda_uuid *uuid, cuda_ordinal device)
{
    if (!is_device(device))
        return CUDA_INVALID_DEVICE;
    for (int i = 0; i < (int)sizeof uuid->bytes; i++)
        uuid->bytes[i] = (char)(0xf0 + i);
    uuid->bytes[15] = (char)(0xff - device);
    return CUDA_OK;
}

cuda_code stub_cuDeviceGetUuid_v2(cuda_uuid *uuid, cuda_ordinal device)
{
    ENTER(cuDeviceGetUuid_v2, NEEDS_INIT);
    return tell_uuid(uuid, device);
}

#if !STUB_HIP
cuda_code stub_cuDeviceGetUuid(cuda_uuid *uuid, cuda_ordinal device)
{
    ENTER(cuDeviceGetUuid, NEEDS_INIT);
    return tell_uuid(uuid, device);
}
#endif

enum attribute {
#define ATTRIBUTE(name, cuda, hip) ATTRIBUTE_##name = STUB_HIP ? (hip) : (cuda),
    CUDA_ATTRIBUTES(ATTRIBUTE)
#undef ATTRIBUTE
};

/* kHz, which kerntime-hw-check asks of CUDA alone. */
enum { CLOCK_RATE = STUB_HIP ? -1 : 13, MEMORY_CLOCK_RATE = STUB_HIP ? -2 : 36 };

cuda_code stub_cuDeviceGetAttribute(int *value, cuda_attribute which, cuda_ordinal device)
{
    ENTER(cuDeviceGetAttribute, NEEDS_INIT);
    if (!is_device(device))
        return CUDA_INVALID_DEVICE;
    switch (which) {
    case ATTRIBUTE_MAX_THREADS_PER_BLOCK: return tell(value, (int)script.max_threads);
    case ATTRIBUTE_MAX_BLOCK_DIM_X:
    case ATTRIBUTE_MAX_BLOCK_DIM_Y: return tell(value, GROUP_X_Y_MAX);
    case ATTRIBUTE_MAX_BLOCK_DIM_Z: return tell(value, GROUP_Z_MAX);
    case ATTRIBUTE_MAX_GRID_DIM_X: return tell(value, INT32_MAX);
    case ATTRIBUTE_MAX_GRID_DIM_Y:
    case ATTRIBUTE_MAX_GRID_DIM_Z: return tell(value, STUB_HIP ? INT32_MAX : GROUPS_Y_Z_MAX);
    case ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: return tell(value, SHARED_BYTES);
    case ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: return tell(value, SHARED_BYTES_MAX);
    case ATTRIBUTE_WARP_SIZE: return tell(value, 32);
    case ATTRIBUTE_MULTIPROCESSOR_COUNT: return tell(value, (int)script.units);
    case ATTRIBUTE_L2_CACHE_SIZE: return tell(value, (int)script.l2_bytes);
    case ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: return tell(value, (int)script.capability / 10);
    case ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: return tell(value, (int)script.capability % 10);
    case ATTRIBUTE_CONCURRENT_MANAGED_ACCESS: return tell(value, (int)script.concurrent);
    case ATTRIBUTE_MANAGED_MEMORY: return tell(value, (int)script.managed);
    case CLOCK_RATE: return tell(value, 1500000);
    case MEMORY_CLOCK_RATE: return tell(value, 2600000);
    default: misuse("attribute %d", which); return CUDA_INVALID_VALUE;
    }
}

/* ---- contexts ---- */

static cuda_context context_of(cuda_ordinal device)
{
    cuda_context *context = &of_devices[device];
    if (!*context || !(*context)->base.alive) {
        *context = object_create(KIND_CONTEXT, sizeof **context, NULL);
        (*context)->base.implicit = STUB_HIP; /* HIP has devices in their place */
        (*context)->device = device;
        (*context)->primary = true;
        (*context)->id = ++latest_id;
    }
    return *context;
}

cuda_context context_current(void)
{
    if (STUB_HIP)
        return (uint64_t)device_of_thread < script.devices ? context_of(device_of_thread) : NULL;
    return height ? stack[height - 1] : NULL;
}

bool contexts_meet(const struct cuda_context_opaque *a, const struct cuda_context_opaque *b)
{
    return a == b || (a && b && (a->parent == b || b->parent == a));
}

unsigned contexts_pushed(void)
{
    return pushed;
}

#if STUB_HIP
/* The structures of HIP 6 and of those before it begin with the name, and have the architecture's
 * somewhere. */
static cuda_code properties(void *out, cuda_ordinal device, size_t bytes, size_t arch_at)
{
    if (!is_device(device))
        return CUDA_INVALID_DEVICE;
    memset(out, 0, bytes);
    snprintf(out, arch_at, "gfx stub %d", device);
    snprintf((char *)out + arch_at, bytes - arch_at, "gfx%ua:sramecc+:xnack-",
             (unsigned)script.capability);
    return CUDA_OK;
}

cuda_code stub_hipGetDevicePropertiesR0600(void *out, cuda_ordinal device)
{
    ENTER(hipGetDevicePropertiesR0600, NEEDS_INIT);
    return properties(out, device, 1472, 1160);
}

cuda_code stub_hipGetDeviceProperties(void *out, cuda_ordinal device)
{
    ENTER(hipGetDeviceProperties, NEEDS_INIT);
    return properties(out, device, 792, 396);
}

cuda_code stub_hipGetDevice(cuda_ordinal *device)
{
    ENTER(hipGetDevice, NEEDS_INIT | NEEDS_NO_DEVICE);
    return tell(device, device_of_thread);
}

cuda_code stub_hipSetDevice(cuda_ordinal device)
{
    ENTER(hipSetDevice, NEEDS_INIT | NEEDS_NO_DEVICE);
    return is_device(device) ? tell(&device_of_thread, device) : CUDA_INVALID_DEVICE;
}
#else
/* How many things of its user were in it. */
static unsigned empty_context(cuda_context context)
{
    unsigned left = memory_drop(context);
    left += objects_drop(KIND_EVENT, context);
    left += objects_drop(KIND_MODULE, context);
    left += objects_drop(KIND_STREAM, context);
    context->null_stream = NULL;
    return left;
}

/* With all that is left in it; where something hangs, that may be much. */
static void end_context(cuda_context context)
{
    bool hangs = streams_hang(context);
    unsigned left = empty_context(context);
    EXPECT_USE(left == 0 || hangs, "%u things of this context are left", left);
    for (unsigned i = 0; i < height; i++)
        EXPECT_USE(stack[i] != context, "the context is one of this thread's");
    object_destroy(context);
}

static cuda_code retain(cuda_context *out, cuda_ordinal device, bool *is_made)
{
    ENTER(cuDevicePrimaryCtxRetain, NEEDS_INIT);
    if (!is_device(device))
        return CUDA_INVALID_DEVICE;
    *out = context_of(device);
    *is_made = (*out)->retained++ == 0;
    return CUDA_OK;
}

cuda_code stub_cuDevicePrimaryCtxRetain(cuda_context *out, cuda_ordinal device)
{
    bool is_made = false;
    cuda_code code = retain(out, device, &is_made);
    if (is_made)
        tools_tell_context(1);
    return code;
}

static bool is_last(cuda_ordinal device)
{
    call_lock();
    bool is_known = device >= 0 && (uint64_t)device < script.devices;
    cuda_context context = is_known ? of_devices[device] : NULL;
    bool ends = context && context->base.alive && context->retained == 1;
    call_unlock();
    return ends;
}

static cuda_code release(cuda_ordinal device)
{
    if (!is_device(device))
        return CUDA_INVALID_DEVICE;
    cuda_context context = of_devices[device];
    if (!context || !context->base.alive || context->retained == 0) {
        misuse("the context was not retained so often");
        return CODE_INVALID_CONTEXT;
    }
    if (--context->retained == 0)
        end_context(context);
    return stub_lost();
}

cuda_code stub_cuDevicePrimaryCtxRelease(cuda_ordinal device)
{
    if (is_last(device))
        tools_tell_context(0);
    ENTER(cuDevicePrimaryCtxRelease, NEEDS_INIT | NEEDS_NO_LUCK);
    return release(device);
}

cuda_code stub_cuDevicePrimaryCtxRelease_v2(cuda_ordinal device)
{
    if (is_last(device))
        tools_tell_context(0);
    ENTER(cuDevicePrimaryCtxRelease_v2, NEEDS_INIT | NEEDS_NO_LUCK);
    return release(device);
}

/* All that was in it is gone, and who has its handle has another context. */
cuda_code stub_cuDevicePrimaryCtxReset(cuda_ordinal device)
{
    ENTER(cuDevicePrimaryCtxReset, NEEDS_INIT | NEEDS_NO_LUCK);
    if (!is_device(device))
        return CUDA_INVALID_DEVICE;
    cuda_context context = context_of(device);
    empty_context(context);
    context->id = ++latest_id;
    return stub_lost();
}

cuda_code stub_cuCtxGetId(cuda_context handle, unsigned long long *out)
{
    ENTER(cuCtxGetId, NEEDS_INIT | NEEDS_NO_DEVICE);
    cuda_context context = handle ? handle : context_current();
    if (!object_use(context, KIND_CONTEXT))
        return CODE_INVALID_CONTEXT;
    *out = context->id;
    return CUDA_OK;
}

static cuda_code push(cuda_context context)
{
    if (!object_use(context, KIND_CONTEXT) || height == STACK_MAX)
        return CODE_INVALID_CONTEXT;
    stack[height++] = context;
    pushed++;
    return CUDA_OK;
}

cuda_code stub_cuCtxPushCurrent(cuda_context context)
{
    ENTER(cuCtxPushCurrent, NEEDS_INIT | NEEDS_NO_DEVICE);
    return push(context);
}

static cuda_code pop(cuda_context *out)
{
    if (!height) {
        misuse("no context is current");
        return CODE_INVALID_CONTEXT;
    }
    pushed--;
    cuda_context context = stack[--height];
    if (out)
        *out = context;
    return CUDA_OK;
}

cuda_code stub_cuCtxPopCurrent(cuda_context *out)
{
    ENTER(cuCtxPopCurrent, NEEDS_INIT | NEEDS_NO_DEVICE);
    return pop(out);
}

cuda_code stub_cuCtxGetCurrent(cuda_context *out)
{
    ENTER(cuCtxGetCurrent, NEEDS_INIT | NEEDS_NO_DEVICE);
    *out = context_current();
    return CUDA_OK;
}

cuda_code stub_cuCtxGetDevice(cuda_ordinal *out)
{
    ENTER(cuCtxGetDevice, NEEDS_CONTEXT | NEEDS_NO_DEVICE);
    return tell(out, context_current()->device);
}

cuda_code stub_cuCtxCreate(cuda_context *out, unsigned flags, cuda_ordinal device)
{
    ENTER(cuCtxCreate, NEEDS_INIT);
    if (!is_device(device))
        return CUDA_INVALID_DEVICE;
    *out = object_create(KIND_CONTEXT, sizeof **out, NULL);
    (*out)->device = device;
    (*out)->id = ++latest_id;
    return push(*out);
}

/* It leaves the stack of this thread if it is on its top. */
cuda_code stub_cuCtxDestroy(cuda_context context)
{
    ENTER(cuCtxDestroy, NEEDS_INIT | NEEDS_NO_LUCK);
    if (!object_use(context, KIND_CONTEXT))
        return CODE_INVALID_CONTEXT;
    EXPECT_USE(!context->primary, "a primary context");
    if (context_current() == context)
        pop(NULL);
    end_context(context);
    return stub_lost();
}

/* A green context is a context that has the primary one as its parent, and retains it. */
static cuda_context green_context(cuda_green_context green)
{
    return (cuda_context)(void *)green;
}

cuda_code stub_cuGreenCtxCreate(cuda_green_context *out, void *resources, cuda_ordinal device,
                                unsigned flags)
{
    ENTER(cuGreenCtxCreate, NEEDS_INIT);
    if (!is_device(device))
        return CUDA_INVALID_DEVICE;
    cuda_context context = object_create(KIND_CONTEXT, sizeof *context, NULL);
    context->device = device;
    context->id = ++latest_id;
    context->parent = context_of(device);
    context->parent->retained++;
    *out = (cuda_green_context)(void *)context;
    return CUDA_OK;
}

cuda_code stub_cuGreenCtxDestroy(cuda_green_context green)
{
    ENTER(cuGreenCtxDestroy, NEEDS_INIT | NEEDS_NO_LUCK);
    cuda_context context = green_context(green);
    if (!object_use(context, KIND_CONTEXT))
        return CODE_INVALID_CONTEXT;
    cuda_ordinal device = context->device;
    end_context(context);
    return release(device);
}

cuda_code stub_cuGreenCtxStreamCreate(cuda_stream *out, cuda_green_context green, unsigned flags,
                                      int priority)
{
    ENTER(cuGreenCtxStreamCreate, NEEDS_INIT);
    EXPECT_USE(flags == CUDA_STREAM_NON_BLOCKING, "flags %u", flags);
    if (!object_use(green_context(green), KIND_CONTEXT))
        return CODE_INVALID_CONTEXT;
    *out = stream_create(green_context(green));
    return CUDA_OK;
}

cuda_code stub_cuCtxFromGreenCtx(cuda_context *out, cuda_green_context green)
{
    ENTER(cuCtxFromGreenCtx, NEEDS_INIT | NEEDS_NO_DEVICE);
    *out = green_context(green);
    return object_use(*out, KIND_CONTEXT) ? CUDA_OK : CODE_INVALID_CONTEXT;
}

cuda_code stub_cuCtxSetCurrent(cuda_context context)
{
    ENTER(cuCtxSetCurrent, NEEDS_INIT | NEEDS_NO_DEVICE);
    if (height)
        pop(NULL);
    return context ? push(context) : CUDA_OK;
}
#endif

/* ---- texts ---- */

static const struct {
    cuda_code code;
    const char *cuda, *hip, *text;
} texts[] = {
    {CUDA_OK, "CUDA_SUCCESS", "hipSuccess", "no error"},
    {CUDA_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "hipErrorInvalidValue", "invalid argument"},
    {CUDA_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "hipErrorOutOfMemory", "out of memory"},
    {CODE_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "hipErrorNotInitialized",
     "initialization error"},
    {CUDA_STUB_LIBRARY, "CUDA_ERROR_STUB_LIBRARY", "hipErrorUnknown",
     "CUDA driver is a stub library"},
    {CUDA_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "hipErrorNoDevice", "no device is detected"},
    {CUDA_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "hipErrorInvalidDevice",
     "invalid device ordinal"},
    {CODE_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "hipErrorInvalidContext",
     "invalid device context"},
    {CUDA_NO_BINARY_FOR_DEVICE, "CUDA_ERROR_NO_BINARY_FOR_GPU", "hipErrorNoBinaryForGpu",
     "no kernel image is available for execution on the device"},
    {CUDA_INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "hipErrorInvalidKernelFile",
     "a PTX JIT compilation failed"},
    {CUDA_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "hipErrorInvalidHandle",
     "invalid resource handle"},
    {CUDA_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "hipErrorNotFound", "named symbol not found"},
    {CUDA_NOT_READY, "CUDA_ERROR_NOT_READY", "hipErrorNotReady", "device not ready"},
    {CUDA_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "hipErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {CUDA_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "hipErrorLaunchFailure",
     "unspecified launch failure"},
    {CUDA_CONTEXT_IS_DESTROYED, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "hipErrorContextIsDestroyed",
     "context is destroyed"},
    {CUDA_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "hipErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"},
    {CUDA_CAPTURED_EVENT, "CUDA_ERROR_CAPTURED_EVENT", "hipErrorCapturedEvent",
     "operation not permitted on an event last recorded in a capturing stream"},
    {CUDA_UNKNOWN, "CUDA_ERROR_UNKNOWN", "hipErrorUnknown", "unknown error"},
};

static const char *text_of(cuda_code code, bool name_of_it)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].code == code)
            return !name_of_it ? texts[i].text : STUB_HIP ? texts[i].hip : texts[i].cuda;
    return NULL;
}

#if STUB_HIP
const char *stub_hipGetErrorName(cuda_code code)
{
    const char *text = text_of(code, true);
    return text ? text : "hipErrorUnknown";
}

const char *stub_hipGetErrorString(cuda_code code)
{
    const char *text = text_of(code, false);
    return text ? text : "unknown error";
}
#else
/* These answer before everything, and whatever was lost. */
static cuda_code give_text(const char **out, const char *text)
{
    *out = text;
    return text ? CUDA_OK : CUDA_INVALID_VALUE;
}

cuda_code stub_cuGetErrorName(cuda_code code, const char **out)
{
    return give_text(out, text_of(code, true));
}

cuda_code stub_cuGetErrorString(cuda_code code, const char **out)
{
    return give_text(out, text_of(code, false));
}
#endif
