/* SPDX-License-Identifier: MIT */
/* The classes, made when the library is loaded, and the methods that all objects have. */
#include "stub.h"

#include <stdlib.h>
#include <string.h>

static const struct class_row {
    enum kind kind;
    unsigned which;
    const char *name;
    const struct method *methods, *class_methods; /* the second may be NULL */
} rows[] = {
    {KIND_DEVICE, 0, "StubDevice", device_methods, NULL},
    {KIND_QUEUE, 0, "StubCommandQueue", queue_methods, NULL},
    {KIND_COMMANDS, 0, "StubCommandBuffer", commands_methods, NULL},
    {KIND_ENCODER, ENCODER_COMPUTE, "StubComputeCommandEncoder", compute_methods, NULL},
    {KIND_ENCODER, ENCODER_BLIT, "StubBlitCommandEncoder", blit_methods, NULL},
    {KIND_ENCODER, ENCODER_RENDER, "StubRenderCommandEncoder", render_methods, NULL},
    {KIND_FENCE, 0, "StubFence", fence_methods, NULL},
    {KIND_BUFFER, 0, "StubBuffer", buffer_methods, NULL},
    {KIND_LIBRARY, 0, "StubLibrary", library_methods, NULL},
    {KIND_FUNCTION, 0, "StubFunction", function_methods, NULL},
    {KIND_PIPELINE, 0, "StubComputePipelineState", pipeline_methods, NULL},
    {KIND_REFLECTION, 0, "MTLComputePipelineReflection", reflection_methods, NULL},
    {KIND_ARGUMENT, 0, "MTLArgument", argument_methods, NULL},
    {KIND_OPTIONS, 0, "MTLCompileOptions", options_methods, options_class_methods},
    {KIND_COUNTER_SET, 0, "StubCounterSet", counter_set_methods, NULL},
    {KIND_COUNTER, 0, "StubCounter", counter_methods, NULL},
    {KIND_SAMPLES, 0, "StubCounterSampleBuffer", samples_methods, NULL},
    {KIND_SAMPLES_DESCRIPTOR, 0, "MTLCounterSampleBufferDescriptor", samples_descriptor_methods,
     samples_descriptor_class_methods},
    {KIND_PASS, ENCODER_COMPUTE, "MTLComputePassDescriptor", pass_methods,
     compute_pass_class_methods},
    {KIND_PASS, ENCODER_BLIT, "MTLBlitPassDescriptor", pass_methods, blit_pass_class_methods},
    {KIND_PASS, ENCODER_RENDER, "MTLRenderPassDescriptor", pass_methods, render_pass_class_methods},
    {KIND_ATTACHMENTS, ENCODER_COMPUTE, "MTLComputePassSampleBufferAttachmentDescriptorArray",
     attachments_methods, NULL},
    {KIND_ATTACHMENTS, ENCODER_BLIT, "MTLBlitPassSampleBufferAttachmentDescriptorArray",
     attachments_methods, NULL},
    {KIND_ATTACHMENTS, ENCODER_RENDER, "MTLRenderPassSampleBufferAttachmentDescriptorArray",
     attachments_methods, NULL},
    {KIND_ATTACHMENT, ENCODER_COMPUTE, "MTLComputePassSampleBufferAttachmentDescriptor",
     attachment_methods, NULL},
    {KIND_ATTACHMENT, ENCODER_BLIT, "MTLBlitPassSampleBufferAttachmentDescriptor",
     attachment_methods, NULL},
    {KIND_ATTACHMENT, ENCODER_RENDER, "MTLRenderPassSampleBufferAttachmentDescriptor",
     render_attachment_methods, NULL},
    {KIND_STRING, 0, "NSString", string_methods, string_class_methods},
    {KIND_ARRAY, 0, "NSArray", array_methods, NULL},
    {KIND_DATA, 0, "NSData", data_methods, NULL},
    {KIND_ERROR, 0, "NSError", error_methods, NULL},
    {KIND_PROCESS, 0, "NSProcessInfo", process_methods, process_class_methods},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static Class classes[KIND_COUNT][ENCODER_TYPES];

/* ---- what all objects have ---- */

/* Of whatever kind it is. */
static struct thing *enter_any(enum entry entry, id self)
{
    struct thing *thing = (struct thing *)(void *)((char *)self - offsetof(struct thing, isa));
    return stub_enter(entry, self, (enum kind)thing->base.kind);
}

/* A method begins, of an object of whatever kind. */
#define ENTER_ANY(thing, entry) LEAVES struct thing *thing = enter_any(ENTRY_##entry, self)

static id any_init(id self, SEL selector)
{
    ENTER_ANY(thing, init);
    return thing_id(thing);
}

static id any_retain(id self, SEL selector)
{
    ENTER_ANY(thing, retain);
    thing_retain(thing);
    return self;
}

static void any_release(id self, SEL selector)
{
    ENTER_ANY(thing, release);
    thing_drop(thing);
}

static id any_autorelease(id self, SEL selector)
{
    ENTER_ANY(thing, autorelease);
    thing_leave(thing);
    return self;
}

static ns_uint any_retain_count(id self, SEL selector)
{
    ENTER_ANY(thing, retainCount);
    return thing ? (ns_uint)thing->refs : 0;
}

/* Devices behind a proxy: the class that has the methods. NULL: they are their own. */
static Class behind_proxy;

/* As NSProxy's: whoever passes messages on answers for whom they go to. */
static ns_bool any_responds(id self, SEL selector, SEL to)
{
    ENTER_ANY(thing, respondsToSelector);
    bool passes_on = thing && behind_proxy && thing->base.kind == KIND_DEVICE;
    return thing && class_respondsToSelector(passes_on ? behind_proxy : *(Class *)self, to);
}

static ns_bool any_is_kind(id self, SEL selector, Class of)
{
    ns_bool answer = 0;
    ENTER_ANY(thing, isKindOfClass);
    if (thing)
        for (Class at = *(Class *)self; at && !answer; at = class_getSuperclass(at))
            answer = at == of;
    return answer;
}

static const struct method any_methods[] = {
    METHOD(respondsToSelector, any_responds, "B@::"),
    METHOD(isKindOfClass, any_is_kind, "B@:#"),
    METHOD(init, any_init, "@@:"),
    METHOD(retain, any_retain, "@@:"),
    METHOD(release, any_release, "v@:"),
    METHOD(autorelease, any_autorelease, "@@:"),
    METHOD(retainCount, any_retain_count, "Q@:"),
    METHODS_END,
};

/* ---- making them ---- */

static bool is_missing(const char *name)
{
    for (size_t i = 0; i < MISSING_MAX && script.missing[i]; i++)
        if (strcmp(script.missing[i], name) == 0)
            return true;
    return false;
}

static void add_methods(Class to, const struct method *methods)
{
    for (; methods && methods->function; methods++) {
        const char *name = report_of.entries[methods->entry].name;
        if (!is_missing(name) && !class_addMethod(to, sel_registerTypedName(name, methods->types),
                                                  methods->function, methods->types))
            abort();
    }
}

/* A missing one is there for the objects of its kind, under a name by which nobody asks for it. */
static Class make_class(Class super, const struct class_row *row)
{
    char name[96];
    snprintf(name, sizeof name, "%s%s", is_missing(row->name) ? "StubMissing" : "", row->name);
    Class made = objc_allocateClassPair(super, name, 0);
    if (!made)
        abort();
    add_methods(made, row->methods);
    add_methods(*(Class *)made, row->class_methods);
    objc_registerClassPair(made);
    return made;
}

/* Devices are the only ones that pass on: sent to another object, the method finds that it is no
 * device. */
static IMP pass_on(id object, SEL selector)
{
    return class_respondsToSelector(behind_proxy, selector)
               ? class_getMethodImplementation(behind_proxy, selector)
               : NULL;
}

/* In place of the devices' class one without their methods. */
static void make_proxy(Class super)
{
    static const struct class_row proxy = {KIND_DEVICE, 0, "StubProxy", NULL, NULL};
    behind_proxy = classes[KIND_DEVICE][0];
    classes[KIND_DEVICE][0] = make_class(super, &proxy);
    __objc_msg_forward2 = pass_on;
}

__attribute__((constructor)) static void make_classes(void)
{
    static const struct class_row any = {KIND_COUNT, 0, "NSObject", any_methods, NULL};
    report_begin();
    Class super = make_class(NULL, &any);
    for (size_t i = 0; i < ROWS; i++)
        classes[rows[i].kind][rows[i].which] = make_class(super, &rows[i]);
    if (script.proxy)
        make_proxy(super);
}

bool class_is_known(const char *name)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0)
            return true;
    return false;
}

Class class_of(enum kind kind, unsigned which)
{
    return classes[kind][which];
}

/* ---- for tests ---- */

/* The types of the methods that have this selector, in any class; NULL: none has. */
const char *ktStubTypes(const char *selector);

static const char *find_types(const struct method *methods, const char *selector)
{
    for (; methods && methods->function; methods++)
        if (strcmp(report_of.entries[methods->entry].name, selector) == 0)
            return methods->types;
    return NULL;
}

__attribute__((visibility("default"))) const char *ktStubTypes(const char *selector)
{
    const char *types = find_types(any_methods, selector);
    for (size_t i = 0; i < ROWS && !types; i++) {
        types = find_types(rows[i].methods, selector);
        types = types ? types : find_types(rows[i].class_methods, selector);
    }
    return types;
}
