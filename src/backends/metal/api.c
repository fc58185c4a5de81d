/* SPDX-License-Identifier: MIT */
#include "backends/metal/api.h"

#include "support/dl.h"
#include "support/error.h"
#include "support/host_clock.h"

#include <string.h>

static const char *const library_names[] = {"/System/Library/Frameworks/Metal.framework/Metal",
                                            NULL};

#define METAL_NAME(result, name, parameters) KT_DL_OPTIONAL(#name)
static const char names[] = METAL_FUNCTIONS(METAL_NAME);

static const char *const selectors[METAL_MESSAGE_COUNT] = {
#define METAL_SELECTOR(name, selector, parameters, arguments)            selector,
#define METAL_SELECTOR_OF(result, name, selector, parameters, arguments) selector,
    METAL_MESSAGES(METAL_SELECTOR, METAL_SELECTOR_OF, METAL_SELECTOR)
#undef METAL_SELECTOR
#undef METAL_SELECTOR_OF
};

static const struct {
    const char *name;
    size_t offset;
    bool required;
} classes[] = {
#define METAL_CLASS(member, name) {name, offsetof(metal_api, member), true},
    METAL_CLASSES(METAL_CLASS)
#undef METAL_CLASS
#define METAL_CLASS(member, name) {name, offsetof(metal_api, member), false},
        METAL_CLASSES_OF_SAMPLES(METAL_CLASS)
#undef METAL_CLASS
};

/* Checks the system. Outside macOS, Metal opens only if both libraries are named by environment
 * variables. */
static kt_status check_system(void)
{
    kt_host host;
    bool has_objc = kt_environment("KERNTIME_LIB_OBJC") != NULL;
    bool has_metal = kt_environment("KERNTIME_LIB_METAL") != NULL;
    kt_host_describe(&host);
    if ((has_objc && has_metal) || strncmp(host.os, "Darwin", strlen("Darwin")) == 0)
        return KT_OK;
    if (has_objc || has_metal)
        return kt_fail(KT_UNAVAILABLE,
                       "KERNTIME_LIB_%s names a library, but KERNTIME_LIB_%s does not: without "
                       "macOS Metal needs both; this is %s",
                       has_objc ? "OBJC" : "METAL", has_objc ? "METAL" : "OBJC", host.os);
    return kt_fail(KT_UNAVAILABLE, "Metal is a part of macOS; this is %s", host.os);
}

static kt_status find_classes(metal_api *api)
{
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        objc_class class = KT_CALL(&api->objc, objc_getClass, NULL, classes[i].name);
        if (!class && classes[i].required)
            return kt_fail(KT_UNAVAILABLE,
                           "there is no class %s in this process, though Metal "
                           "was loaded",
                           classes[i].name);
        memcpy((char *)api + classes[i].offset, &class, sizeof class);
    }
    return KT_OK;
}

static kt_status fail_as_other(void)
{
    const char *named = kt_environment("KERNTIME_LIB_METAL");
    return kt_fail(KT_UNAVAILABLE,
                   "%s%s has neither MTLCopyAllDevices nor MTLCreateSystemDefaultDevice",
                   named ? "KERNTIME_LIB_METAL: " : "", named ? named : library_names[0]);
}

kt_status kt_metal_open(metal_api *api)
{
    void *library = NULL;
    kt_status status = check_system();
    if (status == KT_OK)
        status = kt_metal_objc_open(&api->objc);
    if (status == KT_OK)
        status = kt_dl_open("KERNTIME_LIB_METAL", library_names, &library);
    if (status == KT_OK)
        status = kt_dl_load(library, names, &api->MTLCopyAllDevices);
    if (status != KT_OK)
        return status;
    if (!api->MTLCopyAllDevices && !api->MTLCreateSystemDefaultDevice)
        return fail_as_other();
    for (int i = 0; i < METAL_MESSAGE_COUNT; i++)
        api->selectors[i] = api->objc.sel_registerName(selectors[i]);
    return find_classes(api);
}
