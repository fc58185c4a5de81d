/* SPDX-License-Identifier: MIT */
#include "device/device.h"

#include "support/alloc.h"
#include "support/dl.h"
#include "support/host_clock.h"
#include "support/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BACKEND_ROW(name, id) &kt_backend_##name,
static const kt_backend *const backends[] = {KT_BACKENDS_(BACKEND_ROW)};
#undef BACKEND_ROW

#define BACKEND_COUNT ((uint32_t)(sizeof backends / sizeof backends[0]))

/* Names of all backends, for messages: "cpu, opencl, sim". */
static const char *backend_names(char *text, size_t bytes)
{
    size_t used = 0;
    for (uint32_t i = 0; i < BACKEND_COUNT && used < bytes; i++)
        used +=
            (size_t)snprintf(text + used, bytes - used, "%s%s", i ? ", " : "", backends[i]->name);
    return text;
}

static kt_driver *find_driver(kt_context *context, const char *name, size_t length)
{
    for (uint32_t i = 0; i < context->driver_count; i++) {
        const char *known = context->drivers[i].backend->name;
        if (strlen(known) == length && memcmp(known, name, length) == 0)
            return &context->drivers[i];
    }
    return NULL;
}

/* Marks the backends of a comma-separated list as allowed. */
static kt_status allow(kt_context *context, const char *list, const char *source)
{
    while (*list) {
        size_t length = strcspn(list, ",");
        kt_driver *driver = find_driver(context, list, length);
        if (!driver && length) {
            char names[128];
            return kt_fail(KT_INVALID, "%s names \"%.*s\", but the backends are %s", source,
                           (int)length, list, backend_names(names, sizeof names));
        }
        if (driver)
            driver->allowed = true;
        list += length + (list[length] == ',');
    }
    return KT_OK;
}

kt_status kt_context_create(kt_context **out, const kt_context_options *options)
{
    KT_NEED(out);
    kt_context_options given;
    kt_status status = kt_take_options(&given, sizeof given, options, "kt_context_options");
    if (status != KT_OK)
        return status;
    if (given.timeout_ns < 0)
        return kt_fail(KT_INVALID, "a time limit below 0");
    kt_context *context = kt_alloc(1, sizeof *context);
    if (!context)
        return KT_NO_MEMORY;
    context->host = given.host_clock.now ? given.host_clock : kt_system_clock;
    context->timeout_ns = given.timeout_ns ? given.timeout_ns : KT_TIMEOUT_DEFAULT_NS;
    context->run = given.run;
    context->drivers = kt_alloc(BACKEND_COUNT, sizeof *context->drivers);
    if (!context->drivers) {
        kt_context_destroy(&context);
        return KT_NO_MEMORY;
    }
    context->driver_count = BACKEND_COUNT;
    const char *list = given.backends;
    const char *source = list ? "the list of backends" : "KERNTIME_BACKENDS";
    if (!list)
        list = kt_environment("KERNTIME_BACKENDS");
    for (uint32_t i = 0; i < BACKEND_COUNT; i++) {
        kt_driver *driver = &context->drivers[i];
        driver->backend = backends[i];
        driver->allowed = !list;
        driver->info = (kt_backend_info){.name = backends[i]->name,
                                         .title = backends[i]->title,
                                         .simulated = backends[i]->simulated,
                                         .reason = ""};
    }
    status = list ? allow(context, list, source) : KT_OK;
    if (status != KT_OK)
        kt_context_destroy(&context);
    else
        *out = context;
    return status;
}

void kt_context_destroy(kt_context **context)
{
    if (!context || !*context)
        return;
    for (uint32_t i = 0; (*context)->drivers && i < (*context)->driver_count; i++) {
        kt_driver *driver = &(*context)->drivers[i];
        kt_free(driver->reason);
        if (driver->kept) {
            kt_abandon(driver->lib);
            continue;
        }
        if (driver->lib && driver->backend->lib_fini)
            driver->backend->lib_fini(driver->lib);
        kt_free(driver->lib);
    }
    kt_free((*context)->drivers);
    kt_free(*context);
    *context = NULL;
}

/* Opens the driver once. driver->info then says whether the driver is available. */
static void open_driver(kt_driver *driver)
{
    if (driver->opened)
        return;
    driver->opened = true;
    kt_backend_info *info = &driver->info;
    if (!driver->allowed) {
        info->status = KT_UNAVAILABLE;
        info->reason = "left out by KERNTIME_BACKENDS or by the program";
        return;
    }
    driver->lib = kt_alloc(1, driver->backend->lib_size);
    info->status =
        driver->lib ? driver->backend->lib_init(driver->lib, &info->device_count) : KT_NO_MEMORY;
    if (info->status == KT_OK)
        return;
    info->device_count = 0;
    driver->reason = kt_copy_text(kt_error_text());
    info->reason = driver->reason ? driver->reason : "out of memory";
}

uint32_t kt_backend_count(const kt_context *context)
{
    if (!context)
        return 0;
    return context->driver_count;
}

const kt_backend_info *kt_backend_get(kt_context *context, uint32_t index)
{
    if (!context)
        return NULL;
    if (index >= context->driver_count)
        return NULL;
    open_driver(&context->drivers[index]);
    return &context->drivers[index].info;
}

/* A parsed device id: "sim:0:bits=32". */
typedef struct device_id {
    kt_driver *driver;
    uint32_t index;
    const char *scenario; /* text after the second colon; NULL: no scenario */
} device_id;

static kt_status parse_id(kt_context *context, const char *text, device_id *id)
{
    size_t length = strcspn(text, ":");
    id->driver = find_driver(context, text, length);
    if (!id->driver) {
        char names[128];
        return kt_fail(KT_INVALID, "unknown backend in device \"%s\": there are %s", text,
                       backend_names(names, sizeof names));
    }
    const char *digits = text + length + (text[length] == ':');
    size_t digit_count = strspn(digits, "0123456789");
    char after = digits[digit_count];
    bool padded = digits[0] == '0' && digit_count > 1; /* would be a second id of a device */
    if (digit_count < 1 || digit_count > 4 || padded || (after != '\0' && after != ':'))
        return kt_fail(KT_INVALID, "\"%s\" is not a device: it is written %s:0", text,
                       id->driver->backend->name);
    id->index = (uint32_t)strtoul(digits, NULL, 10);
    id->scenario = after == ':' ? digits + digit_count + 1 : NULL;
    if (id->scenario && !id->driver->backend->takes_scenario)
        return kt_fail(KT_INVALID, "device \"%s\": only a simulated device takes a scenario", text);
    return KT_OK;
}

/* Finds the driver of an id and describes the device. */
static kt_status describe(kt_context *context, const char *text, device_id *id,
                          kt_device_info *info)
{
    kt_status status = parse_id(context, text, id);
    if (status != KT_OK)
        return status;
    open_driver(id->driver);
    const kt_backend_info *backend = &id->driver->info;
    if (backend->status != KT_OK)
        return kt_fail(backend->status, "%s is not here: %s", text, backend->reason);
    if (id->index >= backend->device_count)
        return kt_fail(KT_UNAVAILABLE, "%s is not here: there %s %u %s device%s", text,
                       backend->device_count == 1 ? "is" : "are", backend->device_count,
                       backend->title, backend->device_count == 1 ? "" : "s");
    *info = (kt_device_info){0};
    if (strlen(text) >= sizeof info->id)
        return kt_fail(KT_INVALID, "the device id is longer than %zu characters",
                       sizeof info->id - 1);
    snprintf(info->id, sizeof info->id, "%s", text);
    snprintf(info->backend, sizeof info->backend, "%s", backend->name);
    status = id->driver->backend->device_info(id->driver->lib, id->index, id->scenario, info);
    for (uint32_t i = 0; status == KT_OK && i < info->clock_count; i++) {
        kt_clock_info *clock = &info->clocks[i];
        clock->period_uncertainty_ns = NAN;
        clock->period_source = isnan(clock->period_ns) ? KT_SOURCE_NONE : KT_SOURCE_REPORTED;
        clock->relation_source = clock->domain[0] ? KT_SOURCE_REPORTED : KT_SOURCE_NONE;
        clock->drift_ppm = strcmp(clock->domain, kt_system_clock_name()) == 0 ? 0 : NAN;
    }
    return status;
}

kt_status kt_device_describe(kt_context *context, const char *id, kt_device_info *info)
{
    KT_NEED(context);
    KT_NEED(id);
    KT_NEED(info);
    device_id parsed;
    kt_device_info described;
    kt_status status = describe(context, id, &parsed, &described);
    if (status == KT_OK)
        *info = described;
    return status;
}

/* A host clock that is not the system's shares zero and rate with no domain of the system. */
static void forget_domains(kt_device_info *info)
{
    for (uint32_t i = 0; i < info->clock_count; i++) {
        kt_clock_info *clock = &info->clocks[i];
        if (clock->relation_source == KT_SOURCE_NONE)
            continue;
        clock->domain[0] = '\0';
        clock->uncertainty_ns = clock->drift_ppm = NAN;
        clock->relation_source = KT_SOURCE_NONE;
    }
}

kt_status kt_device_open(kt_context *context, const char *id, kt_device **out)
{
    KT_NEED(context);
    KT_NEED(id);
    KT_NEED(out);
    kt_device *device = kt_alloc(1, sizeof *device);
    if (!device)
        return KT_NO_MEMORY;
    device_id parsed;
    kt_status status = describe(context, id, &parsed, &device->info);
    if (status != KT_OK)
        goto fail;
    device->host = context->host;
    device->timeout_ns = context->timeout_ns;
    device->driver = parsed.driver;
    status = kt_mutex_create(&device->mutex);
    if (status == KT_OK)
        status = kt_mutex_create(&device->timer_limits_mutex);
    if (status == KT_OK)
        status = kt_mutex_create(&device->state_mutex);
    if (status != KT_OK)
        goto fail;
    const kt_backend *backend = parsed.driver->backend;
    device->state = kt_alloc(1, backend->device_size);
    if (!device->state) {
        status = KT_NO_MEMORY;
        goto fail;
    }
    device->backend = backend; /* from here on kt_device_close() calls device_fini */
    status = backend->device_init(device->state, parsed.driver->lib, parsed.index, parsed.scenario,
                                  &device->info, &device->host);
    if (status != KT_OK)
        goto fail;
    if (backend->device_found)
        backend->device_found(device->state, &device->info);
    if (backend->device_run)
        backend->device_run(device->state, context->run);
    if (backend->device_host_clock)
        backend->device_host_clock(device->state, &device->host);
    if (!kt_has_system_clock(device))
        forget_domains(&device->info);
    *out = device;
    return KT_OK;
fail:
    kt_device_close(&device);
    return status;
}

void kt_device_close(kt_device **device)
{
    if (!device || !*device)
        return;
    if ((*device)->hung) {
        (*device)->driver->kept = true;
        kt_abandon(*device);
        *device = NULL;
        return;
    }
    if ((*device)->backend && (*device)->backend->device_fini)
        (*device)->backend->device_fini((*device)->state);
    kt_free((*device)->state);
    kt_state_reader_close(&(*device)->state_reader);
    kt_mutex_destroy((*device)->state_mutex);
    kt_mutex_destroy((*device)->timer_limits_mutex);
    kt_mutex_destroy((*device)->mutex);
    kt_free(*device);
    *device = NULL;
}

bool kt_has_system_clock(const kt_device *device)
{
    return device->host.now == kt_system_clock.now;
}

uint64_t kt_device_reported_step(const kt_device *device, uint32_t clock)
{
    const kt_backend *backend = device->backend;
    return backend->clock_step ? backend->clock_step(device->state, clock) : 0;
}

kt_status kt_device_check(const kt_device *device)
{
    if (!device->hung)
        return KT_OK;
    return kt_fail(KT_DEVICE_LOST, "%s did not answer before; open it anew", device->info.id);
}

const kt_device_info *kt_device_get_info(const kt_device *device)
{
    if (!device)
        return NULL;
    return &device->info;
}

const kt_timer_limits *kt_device_get_timer_limits(const kt_device *device)
{
    if (!device)
        return NULL;
    return device->has_timer_limits ? &device->limits : NULL;
}

kt_status kt_device_check_clock(const kt_device *device, uint32_t clock)
{
    uint32_t count = device->info.clock_count;
    if (clock < count)
        return KT_OK;
    if (count == 0)
        return kt_fail(KT_UNSUPPORTED, "%s has no clock: its driver gives no timestamps",
                       device->info.id);
    return kt_fail(KT_INVALID, "%s has %u clock%s, there is none with number %u", device->info.id,
                   count, count == 1 ? "" : "s", clock);
}

void kt_device_copy_clocks(kt_device *device, kt_clock_info clocks[KT_CLOCKS_MAX])
{
    kt_mutex_lock(device->mutex);
    memcpy(clocks, device->info.clocks, sizeof device->info.clocks);
    kt_mutex_unlock(device->mutex);
}

kt_status kt_device_clock_pair(kt_device *device, uint32_t clock, kt_clock_pair *out)
{
    KT_NEED(device);
    KT_NEED(out);
    kt_status status = kt_device_check_clock(device, clock);
    if (status != KT_OK)
        return status;
    if (!device->backend->clock_pair)
        return kt_fail(KT_UNSUPPORTED, "%s cannot be asked for its clock", device->info.id);
    kt_clock_pair pair = {0};
    status = kt_device_check(device);
    if (status == KT_OK)
        status = device->backend->clock_pair(device->state, clock, &pair);
    if (status == KT_TIMEOUT)
        device->hung = true;
    if (status == KT_OK)
        *out = pair;
    return status;
}

/* A simulated device has no place in the system where others would know it. */
static kt_status read_state(kt_device *device, bool brief, uint64_t *seen, kt_device_state *out)
{
    const kt_backend *backend = device->backend;
    kt_status status = KT_OK;
    kt_state_clear(out);
    if (!backend->simulated && !device->state_reader)
        status = kt_state_reader_open(&device->info, NULL, &device->state_reader);
    if (device->state_reader)
        kt_state_reader_read(device->state_reader, brief, seen, out);
    if (status == KT_OK && backend->device_state)
        status = backend->device_state(device->state, brief, out);
    if (device->energy_period_ms > 0 && out->reading[KT_STATE_ENERGY] == KT_READING_OK)
        kt_state_set(out, KT_STATE_ENERGY_PERIOD, device->energy_period_ms);
    return status;
}

void kt_device_set_energy_period(kt_device *device, double period_ms)
{
    kt_mutex_lock(device->state_mutex);
    device->energy_period_ms = period_ms;
    kt_mutex_unlock(device->state_mutex);
}

kt_status kt_device_read_state(kt_device *device, bool brief, uint64_t *seen, kt_device_state *out)
{
    kt_status status = kt_device_check(device);
    if (status != KT_OK)
        return status;
    kt_device_state state;
    kt_mutex_lock(device->state_mutex);
    status = read_state(device, brief, seen, &state);
    kt_mutex_unlock(device->state_mutex);
    state.host_ns = status == KT_OK && state.source[0] ? kt_device_now(device) : 0;
    if (status == KT_OK)
        *out = state;
    return status;
}

kt_status kt_device_get_state(kt_device *device, kt_device_state *out)
{
    KT_NEED(device);
    KT_NEED(out);
    return kt_device_read_state(device, false, &device->throttling_seen, out);
}
