/* SPDX-License-Identifier: MIT */
/*
 * The thread asks the driver for records, because drivers deliver full buffers by themselves but
 * keep the others: what a killed program leaves is at most COLLECT_NS old. It also sees a pause.
 *
 * One lock is held for each delivery. Deliveries come on threads of the driver, or while a context
 * is destroyed.
 */
#define _POSIX_C_SOURCE 200809L /* pthread_sigmask */
#include "tracers/records/records.h"

#include "support/alloc.h"
#include "support/thread.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define COLLECT_NS   100000000
#define BATCH_SPANS  1024
#define QUEUES_MAX   256 /* lanes; those after them share the last */
#define FIRST_ROOM   64
#define DROPPED_NAME "(unknown)"
#define TEXT_BYTES   96
#define HASH_SEED    UINT64_C(0xcbf29ce484222325)
#define HASH_PRIME   UINT64_C(0x100000001b3)

/* A row that was looked for, by what the driver's records hold. */
typedef struct known_row {
    uint64_t hash;
    char *name; /* NULL: a free place */
    uint32_t device;
    trace_kind kind;
    uint32_t groups[3], group_size[3];
    trace_row *row; /* NULL: not wanted */
} known_row;

typedef struct batch {
    trace_device *device;
    trace_span spans[BATCH_SPANS];
    size_t count;
} batch;

static struct {
    const records_driver *driver;
    long process;
    kt_signal *ended;
    kt_thread *thread;
    bool is_recording; /* the thread's */

    pthread_mutex_t mutex; /* of all below */
    known_row *rows;
    size_t room, row_count;
    batch *batches[TRACE_DEVICES_MAX];
    uint64_t queues[QUEUES_MAX];
    uint32_t queue_count;
    bool is_ending;
    int64_t offset_ns;
    double uncertainty_ns;
    trace_reading delivery; /* the present one */
} records = {.mutex = PTHREAD_MUTEX_INITIALIZER, .uncertainty_ns = NAN};

/* ---- the thread ---- */

static bool follow_pause(void)
{
    bool is_on = tracer_is_on();
    if (is_on == records.is_recording)
        return true;
    if (!is_on)
        records.driver->collect();
    records.is_recording = is_on;
    return records.driver->record(is_on);
}

static void run(void *user)
{
    (void)user;
    while (!kt_signal_wait(records.ended, 1, COLLECT_NS)) {
        if (!follow_pause())
            return;
        if (records.is_recording)
            records.driver->collect();
    }
}

/* The program's signals are for its own threads. */
static bool start_thread(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    kt_status status = kt_thread_start(run, NULL, &records.thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status == KT_OK;
}

bool records_start(const records_driver *driver)
{
    records.driver = driver;
    records.process = kt_process_id();
    if (!follow_pause())
        return false;
    if (kt_signal_create(&records.ended) == KT_OK && start_thread())
        return true;
    tracer_stop("no thread could be started for reading records");
    driver->record(false);
    return false;
}

bool records_stop(void)
{
    if (!records.thread || records.process != kt_process_id())
        return false;
    kt_signal_raise(records.ended, 1);
    kt_thread_join(records.thread);
    records.thread = NULL;
    return true;
}

/* ---- rows ---- */

static uint64_t add_to_hash(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ at[i]) * HASH_PRIME;
    return hash;
}

static bool splits(const records_command *command)
{
    return command->kind == TRACE_KERNEL && tracer_splits_by_size();
}

static uint64_t hash_of(const records_command *command)
{
    uint64_t hash = add_to_hash(HASH_SEED, command->name, strlen(command->name));
    hash = add_to_hash(hash, &command->device, sizeof command->device);
    hash = add_to_hash(hash, &command->kind, sizeof command->kind);
    if (!splits(command))
        return hash;
    hash = add_to_hash(hash, command->groups, sizeof command->groups);
    return add_to_hash(hash, command->group_size, sizeof command->group_size);
}

static bool is_of(const known_row *row, const records_command *command, uint64_t hash)
{
    return row->hash == hash && row->device == command->device && row->kind == command->kind &&
           strcmp(row->name, command->name) == 0 &&
           (!splits(command) ||
            (memcmp(row->groups, command->groups, sizeof row->groups) == 0 &&
             memcmp(row->group_size, command->group_size, sizeof row->group_size) == 0));
}

/* The row's place, or the free place where it belongs. */
static known_row *find_place(known_row *rows, size_t room, const records_command *command,
                             uint64_t hash)
{
    size_t at = (size_t)hash & (room - 1);
    while (rows[at].name && !is_of(&rows[at], command, hash))
        at = (at + 1) & (room - 1);
    return &rows[at];
}

static bool make_room(void)
{
    if (records.row_count * 2 < records.room)
        return true;
    size_t room = records.room ? records.room * 2 : FIRST_ROOM;
    known_row *rows = kt_alloc(room, sizeof *rows);
    if (!rows)
        return false;
    for (size_t i = 0; i < records.room; i++)
        if (records.rows[i].name) {
            size_t at = (size_t)records.rows[i].hash & (room - 1);
            while (rows[at].name)
                at = (at + 1) & (room - 1);
            rows[at] = records.rows[i];
        }
    kt_free(records.rows);
    records.rows = rows;
    records.room = room;
    return true;
}

/* "64x2" of 64, 2, 1. */
static void print_extent(char *text, size_t bytes, const uint32_t extent[3])
{
    int used = snprintf(text, bytes, "%u", extent[0]);
    if (extent[1] > 1 || extent[2] > 1)
        used += snprintf(text + used, bytes - (size_t)used, "x%u", extent[1]);
    if (extent[2] > 1)
        snprintf(text + used, bytes - (size_t)used, "x%u", extent[2]);
}

static trace_row *make_row(const records_command *command, trace_device *device)
{
    if (command->kind != TRACE_KERNEL)
        return tracer_row(device, command->kind, command->name, NULL);
    char name[RECORDS_NAME_BYTES], groups[TEXT_BYTES], group_size[TEXT_BYTES];
    char size[2 * TEXT_BYTES + 16];
    records_readable(command->name, name);
    print_extent(groups, sizeof groups, command->groups);
    print_extent(group_size, sizeof group_size, command->group_size);
    snprintf(size, sizeof size, "grid %s / block %s", groups, group_size);
    return tracer_row(device, command->kind, name, size);
}

static trace_row *row_of(const records_command *command, trace_device *device)
{
    if (!make_room())
        return make_row(command, device);
    uint64_t hash = hash_of(command);
    known_row *place = find_place(records.rows, records.room, command, hash);
    if (place->name)
        return place->row;
    trace_row *row = make_row(command, device);
    char *name = kt_copy_text(command->name);
    if (!name)
        return row;
    *place = (known_row){
        .hash = hash, .name = name, .device = command->device, .kind = command->kind, .row = row};
    memcpy(place->groups, command->groups, sizeof place->groups);
    memcpy(place->group_size, command->group_size, sizeof place->group_size);
    records.row_count++;
    return row;
}

/* ---- deliveries ---- */

static batch *batch_of(uint32_t device)
{
    if (device >= TRACE_DEVICES_MAX)
        return NULL;
    if (records.batches[device])
        return records.batches[device];
    char id[16] = "", name[TRACE_NAME_BYTES] = "";
    batch *made = kt_alloc(1, sizeof *made);
    if (!made)
        return NULL;
    records.driver->describe(device, id, name);
    made->device = tracer_add_device(id, name, NAN);
    if (!made->device) {
        kt_free(made);
        return NULL;
    }
    tracer_set_offset(made->device, 0, records.uncertainty_ns);
    return records.batches[device] = made;
}

static void hand_over(batch *full)
{
    if (full && full->count > 0)
        tracer_record(full->device, full->spans, full->count);
    if (full)
        full->count = 0;
}

/* Number of the lane, from 0. */
static uint32_t lane_of(uint64_t queue)
{
    for (uint32_t i = 0; i < records.queue_count; i++)
        if (records.queues[i] == queue)
            return i;
    if (records.queue_count == QUEUES_MAX)
        return QUEUES_MAX - 1;
    records.queues[records.queue_count] = queue;
    return records.queue_count++;
}

void records_lock(void)
{
    pthread_mutex_lock(&records.mutex);
    records.delivery = tracer_begin_reading(UINT64_MAX);
}

void records_unlock(void)
{
    for (size_t i = 0; i < TRACE_DEVICES_MAX; i++)
        hand_over(records.batches[i]);
    tracer_end_reading(&records.delivery);
    pthread_mutex_unlock(&records.mutex);
}

void records_add(const records_command *command)
{
    batch *of = batch_of(command->device);
    trace_row *row = of ? row_of(command, of->device) : NULL;
    if (!row || (command->kind == TRACE_KERNEL && !tracer_wants_kernel()))
        return;
    tracer_enqueued(1);
    if (command->begin_ns == 0 || command->end_ns == 0) {
        if (!records.is_ending)
            tracer_untimed(row, TRACE_NO_TIMESTAMPS, 1);
        return;
    }
    of->spans[of->count++] = (trace_span){
        .row = row,
        .begin_ns = command->begin_ns + records.offset_ns,
        .end_ns = command->end_ns + records.offset_ns,
        .bytes = command->bytes,
        .queue = lane_of(command->queue),
    };
    if (of->count == BATCH_SPANS)
        hand_over(of);
}

/* Nobody knows what they were: they go to a row of their own. */
void records_dropped(uint64_t count)
{
    if (count == 0)
        return;
    batch *of = batch_of(0);
    trace_row *row = of ? tracer_row(of->device, TRACE_KERNEL, DROPPED_NAME, NULL) : NULL;
    if (!row)
        return;
    tracer_enqueued(count);
    tracer_untimed(row, TRACE_DROPPED_BY_DRIVER, count);
}

void records_end(void)
{
    pthread_mutex_lock(&records.mutex);
    records.is_ending = true;
    pthread_mutex_unlock(&records.mutex);
}

void records_clock(int64_t offset_ns, double uncertainty_ns)
{
    records.offset_ns = offset_ns;
    records.uncertainty_ns = uncertainty_ns;
    for (size_t i = 0; i < TRACE_DEVICES_MAX; i++)
        if (records.batches[i])
            tracer_set_offset(records.batches[i]->device, 0, uncertainty_ns);
}
