/* SPDX-License-Identifier: MIT */
/* As much of Foundation as Metal gives out and takes. */
#include "stub.h"

#include <stdarg.h>
#include <string.h>

/* ---- NSString ---- */

static struct string *string_create_of(const void *bytes, size_t length)
{
    struct string *string = thing_create(KIND_STRING, 0, sizeof *string + length + 1, NULL);
    if (length)
        memcpy(string->text, bytes, length);
    return string;
}

struct string *string_create(const char *text)
{
    return string_create_of(text, strlen(text));
}

static id string_of(id self, SEL selector, const char *text)
{
    LEAVES bool goes = stub_enter_call(ENTRY_stringWithUTF8String);
    EXPECT_USE(!goes || text, "NULL");
    return goes && text ? thing_leave(string_create(text)) : NULL;
}

static const char *string_text(id self, SEL selector)
{
    ANSWER(const char *, UTF8String, struct string, KIND_STRING, it->text);
}

/* Answers what initWith...: is sent to, and which it ends. */
static id string_alloc(id self, SEL selector)
{
    LEAVES bool goes = stub_enter_call(ENTRY_alloc);
    return goes ? thing_id(string_create("")) : NULL;
}

static id string_init(id self, SEL selector, const void *bytes, ns_uint length, ns_uint encoding)
{
    LEAVES bool goes = stub_enter_call(ENTRY_initWithBytes);
    struct string *made = NULL, *string = thing_use(self, KIND_STRING);
    EXPECT_USE(encoding == UTF8_ENCODING, "encoding %lu", encoding);
    EXPECT_USE(bytes || !length, "NULL");
    if (goes && string)
        made = string_create_of(bytes, length);
    thing_drop(string);
    return thing_id(made);
}

const struct method string_methods[] = {METHOD(UTF8String, string_text, "r*@:"),
                                        METHOD(initWithBytes, string_init, "@@:r^vQQ"),
                                        METHODS_END};
const struct method string_class_methods[] = {METHOD(stringWithUTF8String, string_of, "@@:r*"),
                                              METHOD(alloc, string_alloc, "@@:"), METHODS_END};

/* ---- NSArray ---- */

static void array_end(void *thing)
{
    struct array *array = thing;
    for (size_t i = 0; i < array->count; i++)
        thing_drop(array->items[i]);
}

struct array *array_create(struct thing *const *items, size_t count)
{
    struct array *array =
        thing_create(KIND_ARRAY, 0, sizeof *array + count * sizeof *items, array_end);
    array->count = count;
    for (size_t i = 0; i < count; i++)
        array->items[i] = thing_retain(items[i]);
    return array;
}

static ns_uint array_count(id self, SEL selector)
{
    ANSWER(ns_uint, count, struct array, KIND_ARRAY, it->count);
}

static id array_at(id self, SEL selector, ns_uint index)
{
    ENTER(const struct array, array, objectAtIndex, KIND_ARRAY);
    bool good = array && index < array->count;
    EXPECT_USE(!array || good, "index %lu", index);
    return good ? thing_id(array->items[index]) : NULL;
}

const struct method array_methods[] = {METHOD(count, array_count, "Q@:"),
                                       METHOD(objectAtIndex, array_at, "@@:Q"), METHODS_END};

/* ---- NSData ---- */

struct data *data_create(const void *bytes, size_t length)
{
    struct data *data = thing_create(KIND_DATA, 0, sizeof *data + length, NULL);
    data->length = length;
    memcpy(data->bytes, bytes, length);
    return data;
}

static const void *data_bytes(id self, SEL selector)
{
    ANSWER(const void *, bytes, struct data, KIND_DATA, it->bytes);
}

static ns_uint data_length(id self, SEL selector)
{
    ANSWER(ns_uint, length, struct data, KIND_DATA, it->length);
}

const struct method data_methods[] = {METHOD(bytes, data_bytes, "r^v@:"),
                                      METHOD(length, data_length, "Q@:"), METHODS_END};

/* ---- NSError ---- */

struct error {
    struct thing thing;
    struct string *domain, *text;
    long code;
};

static void error_end(void *thing)
{
    thing_drop(((struct error *)thing)->domain);
    thing_drop(((struct error *)thing)->text);
}

void error_tell(id *to, const char *domain, long code, const char *format, ...)
{
    char text[256];
    va_list list;
    if (!to)
        return;
    va_start(list, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    struct error *error = thing_create(KIND_ERROR, 0, sizeof *error, error_end);
    error->domain = string_create(domain);
    error->text = string_create(text);
    error->code = code;
    *to = thing_leave(error);
}

static id error_text(id self, SEL selector)
{
    ANSWER(id, localizedDescription, struct error, KIND_ERROR, thing_id(it->text));
}

static id error_domain(id self, SEL selector)
{
    ANSWER(id, domain, struct error, KIND_ERROR, thing_id(it->domain));
}

static long error_code(id self, SEL selector)
{
    ANSWER(long, code, struct error, KIND_ERROR, it->code);
}

const struct method error_methods[] = {METHOD(localizedDescription, error_text, "@@:"),
                                       METHOD(domain, error_domain, "@@:"),
                                       METHOD(code, error_code, "q@:"), METHODS_END};

/* ---- NSProcessInfo ---- */

static id process_info(id self, SEL selector)
{
    static struct thing *process;
    LEAVES bool goes = stub_enter_call(ENTRY_processInfo);
    if (!process) {
        process = thing_create(KIND_PROCESS, 0, sizeof *process, NULL);
        process->base.implicit = true;
    }
    return goes ? thing_id(process) : NULL;
}

static id process_version(id self, SEL selector)
{
    ANSWER(id, operatingSystemVersionString, struct thing, KIND_PROCESS,
           thing_leave(string_create("Version 14.5 (Build 23F79)")));
}

const struct method process_methods[] = {
    METHOD(operatingSystemVersionString, process_version, "@@:"), METHODS_END};
const struct method process_class_methods[] = {METHOD(processInfo, process_info, "@@:"),
                                               METHODS_END};
