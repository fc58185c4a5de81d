/* SPDX-License-Identifier: MIT */
#include "backends/metal/objc.h"

#include "support/dl.h"
#include "support/error.h"
#include "support/fault.h"

#define OBJC_RETAINED 0x301 /* OBJC_ASSOCIATION_RETAIN */

static const char *const library_names[] = {"/usr/lib/libobjc.A.dylib", NULL};

#define OBJC_NAME(result, name, parameters) KT_DL_NAME(#name)
static const char names[] = OBJC_FUNCTIONS(OBJC_NAME);

kt_status kt_metal_objc_open(objc_runtime *runtime)
{
    void *library = NULL;
    kt_status status = kt_dl_open("KERNTIME_LIB_OBJC", library_names, &library);
    if (status == KT_OK)
        status = kt_dl_load(library, names, runtime);
    if (status != KT_OK)
        return status;
    int code = KT_CALL(runtime, mach_timebase_info, 5, &runtime->timebase);
    if (code != 0 || runtime->timebase.numer == 0 || runtime->timebase.denom == 0)
        return kt_fail(KT_UNAVAILABLE, "mach_timebase_info failed (%d)", code);
    return KT_OK;
}

/* Multiplies quotient and remainder separately, so that no product exceeds 64 bits. */
int64_t kt_metal_ticks_to_ns(const objc_runtime *runtime, uint64_t ticks)
{
    uint64_t numer = runtime->timebase.numer, denom = runtime->timebase.denom;
    return (int64_t)(ticks / denom * numer + ticks % denom * numer / denom);
}

int64_t kt_metal_uptime_ns(const objc_runtime *runtime)
{
    return kt_metal_ticks_to_ns(runtime, runtime->mach_absolute_time());
}

void kt_metal_keep(const objc_runtime *runtime, objc_id owner, objc_id kept)
{
    runtime->objc_setAssociatedObject(owner, kept, kept, OBJC_RETAINED);
}

objc_method kt_metal_find_method(const objc_runtime *runtime, objc_id object,
                                 objc_selector selector)
{
    return object
               ? runtime->class_getMethodImplementation(runtime->object_getClass(object), selector)
               : NULL;
}
