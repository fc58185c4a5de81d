/* SPDX-License-Identifier: MIT */
/* Counter sample buffers: places that are written once, and read by the host. */
#include "stub.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

/* ---- counter sets and their one counter ---- */

static id set_name(id self, SEL selector)
{
    ANSWER(id, name, struct counter_set, KIND_COUNTER_SET, thing_leave(string_create("timestamp")));
}

static id set_counters(id self, SEL selector)
{
    static struct thing *counter;
    ENTER(struct counter_set, set, counters, KIND_COUNTER_SET);
    if (!set)
        return NULL;
    counter = counter ? counter : thing_create(KIND_COUNTER, 0, sizeof *counter, NULL);
    counter->base.implicit = true;
    return thing_leave(array_create(&counter, 1));
}

const struct method counter_set_methods[] = {METHOD(name, set_name, "@@:"),
                                             METHOD(counters, set_counters, "@@:"), METHODS_END};

static id counter_name(id self, SEL selector)
{
    ANSWER(id, name, struct thing, KIND_COUNTER, thing_leave(string_create("GPUTimestamp")));
}

const struct method counter_methods[] = {METHOD(name, counter_name, "@@:"), METHODS_END};

/* ---- descriptors ---- */

struct descriptor {
    struct thing thing;
    struct counter_set *set;
    struct string *label;
    ns_uint storage, count;
};

static void descriptor_end(void *thing)
{
    struct descriptor *descriptor = thing;
    thing_drop(descriptor->set);
    thing_drop(descriptor->label);
}

static id descriptor_make(enum entry entry)
{
    LEAVES bool goes = stub_enter_call(entry);
    struct descriptor *made = NULL;
    if (goes)
        made = thing_create(KIND_SAMPLES_DESCRIPTOR, 0, sizeof *made, descriptor_end);
    return thing_id(made);
}

static id descriptor_new(id self, SEL selector)
{
    return descriptor_make(ENTRY_new);
}

static id descriptor_alloc(id self, SEL selector)
{
    return descriptor_make(ENTRY_alloc);
}

static void descriptor_set_set(id self, SEL selector, id set)
{
    ENTER(struct descriptor, descriptor, setCounterSet, KIND_SAMPLES_DESCRIPTOR);
    if (descriptor) {
        struct counter_set *held = thing_retain(thing_use(set, KIND_COUNTER_SET));
        thing_drop(descriptor->set);
        descriptor->set = held;
    }
}

static void descriptor_set_label(id self, SEL selector, id label)
{
    ENTER(struct descriptor, descriptor, setLabel, KIND_SAMPLES_DESCRIPTOR);
    if (descriptor) {
        struct string *held = thing_retain(thing_use(label, KIND_STRING));
        thing_drop(descriptor->label);
        descriptor->label = held;
    }
}

static void descriptor_set_storage(id self, SEL selector, ns_uint storage)
{
    ENTER(struct descriptor, descriptor, setStorageMode, KIND_SAMPLES_DESCRIPTOR);
    if (descriptor)
        descriptor->storage = storage;
}

static void descriptor_set_count(id self, SEL selector, ns_uint count)
{
    ENTER(struct descriptor, descriptor, setSampleCount, KIND_SAMPLES_DESCRIPTOR);
    if (descriptor)
        descriptor->count = count;
}

const struct method samples_descriptor_methods[] = {
    METHOD(setCounterSet, descriptor_set_set, "v@:@"),
    METHOD(setLabel, descriptor_set_label, "v@:@"),
    METHOD(setStorageMode, descriptor_set_storage, "v@:Q"),
    METHOD(setSampleCount, descriptor_set_count, "v@:Q"), METHODS_END};
const struct method samples_descriptor_class_methods[] = {
    METHOD(new, descriptor_new, "@@:"), METHOD(alloc, descriptor_alloc, "@@:"), METHODS_END};

/* ---- sample buffers ---- */

static void samples_end(void *thing)
{
    struct samples *samples = thing;
    EXPECT_USE(!samples->writers, "a command buffer that writes to it is not deallocated");
    free(samples->values);
    free(samples->states);
    thing_drop(samples->label);
}

static uint64_t alive_of(const struct device *device)
{
    uint64_t alive = 0;
    for (const struct samples *s = NULL; (s = object_next(KIND_SAMPLES, s)) != NULL;)
        alive += s->device == device;
    return alive;
}

struct samples *samples_create(struct device *device, id descriptor, id *error)
{
    const struct descriptor *of = thing_use(descriptor, KIND_SAMPLES_DESCRIPTOR);
    EXPECT_USE(of, "no descriptor");
    EXPECT_USE(!of || of->set, "no counter set");
    EXPECT_USE(!of || of->storage == STORAGE_SHARED, "not shared: the host cannot resolve it");
    bool is_full = alive_of(device) >= script.max_sample_buffers;
    const char *reason = !of || !of->set || of->set != device->timestamps ? "no such counter set"
                         : of->count < 1 || of->count > script.max_samples
                             ? "the number of samples is out of range"
                         : is_full ? "too many sample buffers: cannot allocate another one"
                                   : NULL;
    if (reason) {
        bool is_valid = of && of->set && of->count >= 1 && of->count <= script.max_samples;
        error_tell(error, IN_COUNTERS, is_full && is_valid ? NO_ROOM : NOT_VALID, "%s", reason);
        return NULL;
    }
    struct samples *samples = thing_create(KIND_SAMPLES, 0, sizeof *samples, samples_end);
    samples->device = device;
    samples->label = of->label ? thing_retain(of->label) : NULL;
    samples->count = of->count;
    samples->values = calloc(of->count, sizeof *samples->values);
    samples->states = calloc(of->count, sizeof *samples->states);
    if (!samples->values || !samples->states)
        abort();
    return samples;
}

static ns_uint samples_count(id self, SEL selector)
{
    ANSWER(ns_uint, sampleCount, struct samples, KIND_SAMPLES, it->count);
}

static id samples_label(id self, SEL selector)
{
    ANSWER(id, label, struct samples, KIND_SAMPLES, thing_id(it->label));
}

static id samples_resolve(id self, SEL selector, struct ns_range range)
{
    struct data *data = NULL;
    ENTER(const struct samples, samples, resolveCounterRange, KIND_SAMPLES);
    bool good = samples && range.length && range.location < samples->count &&
                range.length <= samples->count - range.location;
    EXPECT_USE(!samples || good, "range %lu, %lu", range.location, range.length);
    for (ns_uint i = range.location; good && i < range.location + range.length; i++)
        EXPECT_USE(samples->states[i] != SAMPLE_ENCODED, "what writes them is not complete");
    if (good)
        data =
            data_create(samples->values + range.location, range.length * sizeof *samples->values);
    return thing_leave(data);
}

const struct method samples_methods[] = {
    METHOD(sampleCount, samples_count, "Q@:"), METHOD(label, samples_label, "@@:"),
    METHOD(resolveCounterRange, samples_resolve, "@@:{_NSRange=QQ}"), METHODS_END};

/* ---- what commands do with them ---- */

bool samples_take(const struct device *device, struct samples *samples, ns_uint index)
{
    if (index == DONT_SAMPLE)
        return false;
    const char *reason = samples->device != device               ? "of another device"
                         : index >= samples->count               ? "beyond the sample buffer"
                         : samples->states[index] != SAMPLE_FREE ? "used before, and never reset"
                                                                 : NULL;
    EXPECT_USE(!reason, "sample %lu is %s", index, reason);
    if (reason)
        return false;
    samples->states[index] = SAMPLE_ENCODED;
    return true;
}

void samples_leave(struct samples *samples, ns_uint index)
{
    if (samples->thing.base.alive) /* else that is said already */
        samples->states[index] = SAMPLE_FREE;
}

typedef void observe(const void *samples, uint64_t index, uint64_t ticks, int64_t ns);

static observe *observer;

/* Of each sample that is written: its buffer, its index, what the clock showed, and the true
 * moment. Under the stub's lock. */
void ktStubObserve(observe *who);

__attribute__((visibility("default"))) void ktStubObserve(observe *who)
{
    observer = who;
}

/* Every Nth is as the script says, of the first ones. Backwards and equal are ends alone. */
static uint64_t spoil(uint64_t ticks, uint64_t begin_ticks, bool ends)
{
    static uint64_t samples, pairs;
    uint64_t nth = script.timestamps >= TIMESTAMPS_BACKWARDS ? (pairs += ends) : ++samples;
    if (script.timestamps == TIMESTAMPS_GOOD || nth <= script.after || nth > script.first ||
        nth % script.every != 0)
        return ticks;
    switch (script.timestamps) {
    case TIMESTAMPS_ZERO: return 0;
    case TIMESTAMPS_ERROR: return ERROR_SAMPLE;
    case TIMESTAMPS_BACKWARDS: return ends ? begin_ticks - 1 : ticks;
    default: return ends ? begin_ticks : ticks;
    }
}

static bool is_spoilt(enum encoder_type of)
{
    return script.timestamps_of == TIMESTAMPS_OF_ALL ||
           (of == ENCODER_BLIT) == (script.timestamps_of == TIMESTAMPS_OF_COPIES);
}

void samples_write(struct samples *samples, ns_uint index, int64_t ns, bool ends,
                   enum encoder_type of)
{
    static uint64_t begin_ticks;
    uint64_t ticks = clock_gpu_ticks(ns);
    if (!samples->thing.base.alive)
        return; /* that is said already */
    if (observer)
        observer(thing_id(samples), index, ticks, ns);
    samples->values[index] = is_spoilt(of) ? spoil(ticks, begin_ticks, ends) : ticks;
    samples->states[index] = SAMPLE_WRITTEN;
    begin_ticks = ends ? begin_ticks : ticks;
}
