/* SPDX-License-Identifier: MIT */
/*
 * The driver loads the library named by CUDA_INJECTION64_PATH in cuInit() and calls
 * InitializeInjection(). From then on CUPTI delivers a record for each kernel, copy and fill, also of
 * those inside graphs. Nothing of ours runs in a launch, except that CUPTI may ask for a buffer.
 *
 * CUPTI has one subscriber. Being it keeps other tools from taking our records away, and shows
 * whether one is there already.
 *
 * Times: CUPTI relates the GPU's clock to a clock of the host, which is ours from CUDA 11.6 on and
 * CLOCK_REALTIME before. That callback must be there before the subscriber, or records keep
 * CLOCK_REALTIME; so the first record decides which one it is.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "tracers/cuda/cupti.h"
#include "tracers/records/records.h"

#include "support/alloc.h"
#include "support/host_clock.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER_BYTES  ((size_t)256 * 1024)
#define BUFFER_ALIGN  8
#define SPARE_BUFFERS 16 /* kept for CUPTI, which asks for them in the program's launches */
/* CUPTI does not say how well it relates the clocks. */
#define UNCERTAINTY_NS 1000.0

typedef enum record_clock { CLOCK_UNKNOWN, CLOCK_OURS, CLOCK_OF_DAY } record_clock;

static struct {
    cupti_functions cupti;
    void *subscriber;
    record_clock clock; /* under the lock of records */

    pthread_mutex_t mutex; /* of the spare buffers */
    uint8_t *spare[SPARE_BUFFERS];
    size_t spare_count;

    char names[TRACE_DEVICES_MAX][TRACE_NAME_BYTES]; /* of devices; "": not known yet */
} cuda = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static bool give_up(const char *function, cupti_result result)
{
    char reason[TRACE_REASON_BYTES];
    cupti_explain(&cuda.cupti, function, result, reason, sizeof reason);
    tracer_stop(reason);
    return false;
}

/* ---- buffers ---- */

static void put_spare(uint8_t *buffer)
{
    pthread_mutex_lock(&cuda.mutex);
    bool keeps = buffer && cuda.spare_count < SPARE_BUFFERS;
    if (keeps)
        cuda.spare[cuda.spare_count++] = buffer;
    pthread_mutex_unlock(&cuda.mutex);
    if (!keeps)
        kt_free(buffer);
}

static uint8_t *take_spare(void)
{
    pthread_mutex_lock(&cuda.mutex);
    uint8_t *buffer = cuda.spare_count > 0 ? cuda.spare[--cuda.spare_count] : NULL;
    pthread_mutex_unlock(&cuda.mutex);
    return buffer;
}

static void fill_spare(void)
{
    pthread_mutex_lock(&cuda.mutex);
    size_t missing = SPARE_BUFFERS - cuda.spare_count;
    pthread_mutex_unlock(&cuda.mutex);
    for (; missing > 0; missing--)
        put_spare(kt_alloc_aligned(BUFFER_ALIGN, BUFFER_BYTES));
}

/* Without a buffer CUPTI drops the record and counts it. */
static void request_buffer(uint8_t **buffer, size_t *bytes, size_t *records_max)
{
    *buffer = take_spare();
    if (!*buffer)
        *buffer = kt_alloc_aligned(BUFFER_ALIGN, BUFFER_BYTES);
    *bytes = *buffer ? BUFFER_BYTES : 0;
    *records_max = 0;
}

/* ---- records ---- */

/* The clock of day is set and slewed. */
static void follow_clock(void)
{
    kt_clock_pair pair;
    if (cuda.clock != CLOCK_OF_DAY || kt_host_domain_pair(KT_HOST_REALTIME, &pair) != KT_OK)
        return;
    int64_t width_ns = pair.host_after_ns - pair.host_before_ns;
    records_clock(pair.host_before_ns + width_ns / 2 - (int64_t)pair.ticks,
                  UNCERTAINTY_NS + (double)width_ns / 2);
}

/* The first record with a time shows which clock CUPTI's times are of. */
static void learn_clock(uint64_t end_ns)
{
    if (cuda.clock != CLOCK_UNKNOWN || end_ns == 0)
        return;
    kt_host_instants now;
    kt_host_read_all(&now);
    double from_ours = fabs((double)now.ns[KT_HOST_MONOTONIC_RAW] - (double)end_ns);
    double from_day = fabs((double)now.ns[KT_HOST_REALTIME] - (double)end_ns);
    cuda.clock = from_day < from_ours ? CLOCK_OF_DAY : CLOCK_OURS;
    if (cuda.clock == CLOCK_OURS)
        records_clock(0, UNCERTAINTY_NS);
    else
        follow_clock();
}

/* Streams are numbered within their context. */
static uint64_t queue_of(uint32_t context, uint32_t stream)
{
    return (uint64_t)context << 32 | stream;
}

static void add_kernel(const cupti_kernel_activity *kernel)
{
    records_command command = {.device = kernel->device,
                               .kind = TRACE_KERNEL,
                               .name = kernel->name ? kernel->name : "(no name)",
                               .queue = queue_of(kernel->context, kernel->stream),
                               .begin_ns = (int64_t)kernel->start_ns,
                               .end_ns = (int64_t)kernel->end_ns,
                               .bytes = TRACE_BYTES_UNKNOWN};
    memcpy(command.groups, kernel->grid, sizeof command.groups);
    memcpy(command.group_size, kernel->block, sizeof command.group_size);
    learn_clock(kernel->end_ns);
    records_add(&command);
}

/* By CUPTI's numbers. An array is memory of the device with a layout of its own. */
static const char *direction_of(const cupti_copy_activity *copy)
{
    static const char on_device[] = "device to device (array)";
    static const char *const names[] = {
        "unknown direction",      "host to device", "device to host", "host to device (array)",
        "device to host (array)", on_device,        on_device,        on_device,
        "device to device",       "host to host",   "peer to peer"};
    return names[copy->direction < sizeof names / sizeof names[0] ? copy->direction : 0];
}

static void add_copy(const cupti_copy_activity *copy)
{
    learn_clock(copy->end_ns);
    records_add(&(records_command){.device = copy->device,
                                   .kind = TRACE_COPY,
                                   .name = direction_of(copy),
                                   .queue = queue_of(copy->context, copy->stream),
                                   .begin_ns = (int64_t)copy->start_ns,
                                   .end_ns = (int64_t)copy->end_ns,
                                   .bytes = copy->bytes});
}

static void add_fill(const cupti_fill_activity *fill)
{
    learn_clock(fill->end_ns);
    records_add(&(records_command){.device = fill->device,
                                   .kind = TRACE_FILL,
                                   .name = "fill",
                                   .queue = queue_of(fill->context, fill->stream),
                                   .begin_ns = (int64_t)fill->start_ns,
                                   .end_ns = (int64_t)fill->end_ns,
                                   .bytes = fill->bytes});
}

static void add(const cupti_activity *activity)
{
    switch (activity->kind) {
    case CUPTI_KERNEL: add_kernel((const cupti_kernel_activity *)activity); break;
    case CUPTI_COPY:
    case CUPTI_PEER_COPY: add_copy((const cupti_copy_activity *)activity); break;
    case CUPTI_FILL: add_fill((const cupti_fill_activity *)activity); break;
    default: break;
    }
}

static void complete_buffer(void *context, uint32_t stream, uint8_t *buffer, size_t bytes,
                            size_t valid_bytes)
{
    cupti_activity *activity = NULL;
    size_t dropped = 0;
    (void)bytes;
    records_lock();
    follow_clock();
    while (valid_bytes > 0 &&
           cuda.cupti.get_next_record(buffer, valid_bytes, &activity) == CUPTI_OK)
        add(activity);
    if (cuda.cupti.get_dropped(context, stream, &dropped) == CUPTI_OK)
        records_dropped(dropped);
    records_unlock();
    put_spare(buffer);
}

/* ---- devices ---- */

/* Of the driver's functions. cuDeviceGetName is called once a context was made, on a thread of the
 * program. */
static void read_names(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    void *address[3] = {NULL, NULL, NULL};
    int (*count_of)(int *), (*device_of)(int *, int), (*name_of)(char *, int, int);
    int count = 0, device = 0;
    if (library) {
        address[0] = dlsym(library, "cuDeviceGetCount");
        address[1] = dlsym(library, "cuDeviceGet");
        address[2] = dlsym(library, "cuDeviceGetName");
    }
    if (!address[0] || !address[1] || !address[2])
        return;
    memcpy(&count_of, &address[0], sizeof count_of);
    memcpy(&device_of, &address[1], sizeof device_of);
    memcpy(&name_of, &address[2], sizeof name_of);
    if (count_of(&count) != 0)
        return;
    for (int i = 0; i < count && i < TRACE_DEVICES_MAX; i++) {
        char name[TRACE_NAME_BYTES] = "";
        if (device_of(&device, i) != 0 || name_of(name, (int)sizeof name, device) != 0)
            continue;
        records_lock();
        memcpy(cuda.names[i], name, sizeof name);
        records_unlock();
    }
}

static void describe(uint32_t device, char id[16], char name[TRACE_NAME_BYTES])
{
    snprintf(id, 16, "cuda:%u", device);
    snprintf(name, TRACE_NAME_BYTES, "%s",
             cuda.names[device][0] ? cuda.names[device] : "CUDA device");
}

static int driver_version(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    void *address = library ? dlsym(library, "cuDriverGetVersion") : NULL;
    int (*get_version)(int *), version = 0;
    memcpy(&get_version, &address, sizeof get_version);
    return address && get_version(&version) == 0 ? version : 0;
}

/* ---- recording ---- */

static bool record(bool on)
{
    static const int kinds[] = {CUPTI_KERNEL, CUPTI_COPY, CUPTI_PEER_COPY, CUPTI_FILL};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        cupti_result result = on ? cuda.cupti.enable(kinds[i]) : cuda.cupti.disable(kinds[i]);
        if (result != CUPTI_OK && on)
            return give_up("cuptiActivityEnable", result);
    }
    return true;
}

static void collect(void)
{
    fill_spare();
    (void)cuda.cupti.flush_all(CUPTI_FLUSH_COMPLETE);
}

static void on_resource(void *user, int domain, uint32_t id, const void *data)
{
    (void)user, (void)data;
    if (domain == CUPTI_RESOURCES && id == CUPTI_CONTEXT_CREATED)
        read_names();
    else if (domain == CUPTI_RESOURCES && id == CUPTI_CONTEXT_ENDS)
        (void)cuda.cupti.flush_all(CUPTI_FLUSH_COMPLETE);
}

static void end(void)
{
    if (!records_stop())
        return;
    records_end();
    (void)cuda.cupti.flush_all(CUPTI_FLUSH_ALL);
}

static uint64_t now(void)
{
    return (uint64_t)tracer_now_ns();
}

static bool subscribe(void)
{
    const cupti_functions *cupti = &cuda.cupti;
    if (cupti->register_clock)
        (void)cupti->register_clock(now); /* else the records say it */
    cupti_result result = cupti->subscribe(&cuda.subscriber, on_resource, NULL);
    if (result != CUPTI_OK)
        return give_up("cuptiSubscribe", result);
    for (uint32_t id = CUPTI_CONTEXT_CREATED; id <= CUPTI_CONTEXT_ENDS; id++)
        if ((result = cupti->enable_callback(1, cuda.subscriber, CUPTI_RESOURCES, id)) != CUPTI_OK)
            return give_up("cuptiEnableCallback", result);
    result = cupti->register_callbacks(request_buffer, complete_buffer);
    return result == CUPTI_OK || give_up("cuptiActivityRegisterCallbacks", result);
}

static void start(void)
{
    static const records_driver driver = {record, collect, describe};
    char reason[TRACE_REASON_BYTES];
    if (!cupti_open(driver_version(), &cuda.cupti, reason, sizeof reason)) {
        tracer_stop(reason);
        return;
    }
    fill_spare();
    bool works = subscribe() && records_start(&driver);
    if (works) {
        atexit(end);
        tracer_gap("tracing cost of cuda: unknown, since CUPTI works within the launches", 0);
    } else if (cuda.subscriber) {
        (void)cuda.cupti.unsubscribe(cuda.subscriber);
    }
}

__attribute__((visibility("default"))) int InitializeInjection(void);

/* The driver calls it once, inside cuInit(). */
int InitializeInjection(void)
{
    static bool is_called;
    if (!is_called && tracer_open(TRACE_CUDA))
        start();
    is_called = true;
    return 1;
}
