/* SPDX-License-Identifier: MIT */
/*
 * rocprofiler-sdk, which HIP loads if ROCP_TOOL_LIBRARIES is set, loads the libraries that the
 * variable names and calls their rocprofiler_configure(). From then on it delivers a record for each
 * kernel and copy. Nothing of ours runs in a launch; kernels are named when their code is loaded.
 *
 * Two contexts: that of names always runs, that of records is stopped while tracing is paused.
 *
 * Times are of the clock that rocprofiler_get_timestamp() reads (CLOCK_BOOTTIME in ROCm 6 and 7):
 * its readings between two of ours give the offset.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "tracers/hip/rocprofiler.h"
#include "tracers/records/records.h"

#include "support/alloc.h"
#include "support/dl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define BUFFER_BYTES    ((size_t)1 << 20)
#define WATERMARK_BYTES (BUFFER_BYTES / 2)
#define KERNELS_MAX     ((uint64_t)1 << 22) /* of which names are kept */
#define CLOCK_TRIES     5

static struct {
    rocprofiler_functions functions;
    uint32_t version;
    rocprofiler_id names_context, records_context, buffer;
    rocprofiler_id agents[TRACE_DEVICES_MAX]; /* GPUs, by number */
    char agent_names[TRACE_DEVICES_MAX][TRACE_NAME_BYTES];
    char **names; /* of kernels, by their number; under the lock of records */
    size_t name_room;
} hip;

static bool give_up(const char *what, rocprofiler_status status)
{
    char reason[TRACE_REASON_BYTES];
    const char *text = hip.functions.get_status_string(status);
    snprintf(reason, sizeof reason, "rocprofiler-sdk %s: %d, %.80s", what, status,
             text ? text : "no text");
    tracer_stop(reason);
    return false;
}

/* ---- names of kernels ---- */

typedef struct call_kind {
    int32_t kind, operation, phase;
} call_kind;

/*
 * The kind lies behind two numbers of correlation, since 1.0 behind three: a correlation that looks
 * like this kind would have to be over 2^32. The shorter record is on the stack, so that reading
 * eight bytes behind it is harmless.
 */
static const rocprofiler_kernel_symbol *symbol_of(const rocprofiler_call *call)
{
    for (size_t skip = 0; skip < 2; skip++) {
        call_kind kind;
        void *payload;
        memcpy(&kind, &call->rest[skip], sizeof kind);
        if (kind.kind != ROCPROFILER_CODE_OBJECT || kind.operation != ROCPROFILER_KERNEL_SYMBOL ||
            kind.phase < ROCPROFILER_LOAD || kind.phase > ROCPROFILER_LOAD + 1)
            continue;
        memcpy(&payload, &call->rest[skip + 2], sizeof payload);
        return kind.phase == ROCPROFILER_LOAD ? payload : NULL;
    }
    return NULL;
}

/* The loader's symbols of kernels end in ".kd". */
static char *copy_name(const char *symbol)
{
    char *name = kt_copy_text(symbol);
    size_t bytes = name ? strlen(name) : 0;
    if (bytes > 3 && strcmp(name + bytes - 3, ".kd") == 0)
        name[bytes - 3] = 0;
    return name;
}

/* Numbers of kernels are not used again; records may come after their code is unloaded. */
static void keep_name(uint64_t kernel, const char *symbol)
{
    if (kernel >= KERNELS_MAX || !symbol)
        return;
    size_t before = hip.name_room;
    char **names = kt_make_room(hip.names, &hip.name_room, (size_t)kernel + 1, sizeof *names);
    if (!names)
        return;
    memset(names + before, 0, (hip.name_room - before) * sizeof *names);
    hip.names = names;
    if (!names[kernel])
        names[kernel] = copy_name(symbol);
}

static void on_code(rocprofiler_call call, void *user_data, void *user)
{
    const rocprofiler_kernel_symbol *symbol = symbol_of(&call);
    (void)user_data, (void)user;
    if (!symbol)
        return;
    records_lock();
    keep_name(symbol->kernel, symbol->name);
    records_unlock();
}

/* ---- records ---- */

static int device_of(rocprofiler_id agent)
{
    for (int i = 0; i < TRACE_DEVICES_MAX; i++)
        if (hip.agent_names[i][0] && hip.agents[i].handle == agent.handle)
            return i;
    return -1;
}

static uint32_t groups_of(uint32_t items, uint32_t size)
{
    return size > 0 ? items / size + (items % size > 0) : items;
}

static void add_dispatch(const rocprofiler_dispatch *dispatch)
{
    char number[64];
    int device = device_of(dispatch->agent);
    const char *name = dispatch->kernel < hip.name_room ? hip.names[dispatch->kernel] : NULL;
    if (!name)
        snprintf(number, sizeof number, "kernel %llu", (unsigned long long)dispatch->kernel);
    records_command command = {.device = device < 0 ? 0 : (uint32_t)device,
                               .kind = TRACE_KERNEL,
                               .name = name ? name : number,
                               .queue = dispatch->queue.handle,
                               .begin_ns = (int64_t)dispatch->start_ns,
                               .end_ns = (int64_t)dispatch->end_ns,
                               .bytes = TRACE_BYTES_UNKNOWN};
    for (int i = 0; i < 3; i++) {
        command.groups[i] = groups_of(dispatch->items[i], dispatch->group_size[i]);
        command.group_size[i] = dispatch->group_size[i];
    }
    records_add(&command);
}

static const char *direction_of(const rocprofiler_copy *copy)
{
    switch (copy->direction) {
    case ROCPROFILER_HOST_TO_HOST: return "host to host";
    case ROCPROFILER_HOST_TO_DEVICE: return "host to device";
    case ROCPROFILER_DEVICE_TO_HOST: return "device to host";
    case ROCPROFILER_DEVICE_TO_DEVICE:
        return copy->from.handle == copy->to.handle ? "device to device" : "peer to peer";
    default: return "unknown direction";
    }
}

/* Records of copies name no queue: each pair of agents has one lane. */
static void add_copy(const rocprofiler_copy *copy)
{
    int from = device_of(copy->from), to = device_of(copy->to);
    int device = from >= 0 ? from : to >= 0 ? to : 0;
    records_add(&(records_command){.device = (uint32_t)device,
                                   .kind = TRACE_COPY,
                                   .name = direction_of(copy),
                                   .queue = ~(copy->from.handle * 31 + copy->to.handle),
                                   .begin_ns = (int64_t)copy->start_ns,
                                   .end_ns = (int64_t)copy->end_ns,
                                   .bytes = copy->bytes});
}

static void add(const rocprofiler_header *header)
{
    if (header->category != ROCPROFILER_TRACING)
        return;
    if (header->kind == ROCPROFILER_DISPATCH)
        add_dispatch(header->payload);
    else if (header->kind == ROCPROFILER_COPY)
        add_copy(header->payload);
}

/* The narrowest of several tries. */
static void follow_clock(void)
{
    int64_t best_ns = INT64_MAX, offset_ns = 0;
    for (int i = 0; i < CLOCK_TRIES; i++) {
        uint64_t theirs = 0;
        int64_t before = tracer_now_ns();
        rocprofiler_status status = hip.functions.get_timestamp(&theirs);
        int64_t after = tracer_now_ns();
        if (status != ROCPROFILER_OK || after - before >= best_ns)
            continue;
        best_ns = after - before;
        offset_ns = before + best_ns / 2 - (int64_t)theirs;
    }
    if (best_ns < INT64_MAX)
        records_clock(offset_ns, (double)best_ns / 2);
}

static void on_records(rocprofiler_id context, rocprofiler_id buffer, rocprofiler_header **headers,
                       size_t count, void *user, uint64_t dropped)
{
    static uint64_t dropped_before; /* the number counts from the beginning */
    (void)context, (void)buffer, (void)user;
    records_lock();
    follow_clock();
    for (size_t i = 0; i < count; i++)
        add(headers[i]);
    if (dropped > dropped_before)
        records_dropped(dropped - dropped_before);
    dropped_before = dropped;
    records_unlock();
}

/* ---- recording ---- */

static rocprofiler_status on_agents(int version, const void **agents, size_t count, void *user)
{
    (void)version, (void)user;
    for (size_t i = 0; i < count; i++) {
        const rocprofiler_agent *agent = agents[i];
        int number = agent->logical_of_type;
        if (agent->type != ROCPROFILER_GPU || number < 0 || number >= TRACE_DEVICES_MAX)
            continue;
        bool has_name = agent->product_name && *agent->product_name;
        hip.agents[number] = agent->id;
        snprintf(hip.agent_names[number], TRACE_NAME_BYTES, "%s",
                 has_name      ? agent->product_name
                 : agent->name ? agent->name
                               : "HIP device");
    }
    return ROCPROFILER_OK;
}

static void describe(uint32_t device, char id[16], char name[TRACE_NAME_BYTES])
{
    snprintf(id, 16, "hip:%u", device);
    snprintf(name, TRACE_NAME_BYTES, "%s",
             hip.agent_names[device][0] ? hip.agent_names[device] : "HIP device");
}

static bool record(bool on)
{
    rocprofiler_status status = on ? hip.functions.start_context(hip.records_context)
                                   : hip.functions.stop_context(hip.records_context);
    return status == ROCPROFILER_OK || !on || give_up("cannot start", status);
}

/* rocprofiler-sdk may be busy with a flush of its own. */
static void collect(void)
{
    (void)hip.functions.flush_buffer(hip.buffer);
}

static bool configure(void)
{
    static const int32_t symbols[] = {ROCPROFILER_KERNEL_SYMBOL};
    const rocprofiler_functions *functions = &hip.functions;
    rocprofiler_status status;
    if ((status = functions->create_context(&hip.names_context)) ||
        (status = functions->create_context(&hip.records_context)))
        return give_up("has no context for us", status);
    if ((status = functions->trace_calls(hip.names_context, ROCPROFILER_CODE_OBJECT, symbols, 1,
                                         on_code, NULL)))
        return give_up("does not name kernels", status);
    if ((status = functions->create_buffer(hip.records_context, BUFFER_BYTES, WATERMARK_BYTES,
                                           ROCPROFILER_LOSSLESS, on_records, NULL, &hip.buffer)))
        return give_up("has no buffer for us", status);
    if ((status = functions->trace_records(hip.records_context, ROCPROFILER_DISPATCH, NULL, 0,
                                           hip.buffer)))
        return give_up("does not trace kernels", status);
    if ((status =
             functions->trace_records(hip.records_context, ROCPROFILER_COPY, NULL, 0, hip.buffer)))
        return give_up("does not trace copies", status);
    if ((status = functions->query_agents(ROCPROFILER_AGENTS_V0, on_agents,
                                          sizeof(rocprofiler_agent), NULL)))
        return give_up("tells no devices", status);
    status = functions->start_context(hip.names_context);
    return status == ROCPROFILER_OK || give_up("cannot start", status);
}

static int initialize(void *finalize, void *user)
{
    static const records_driver driver = {record, collect, describe};
    (void)finalize, (void)user;
    if (!configure() || !records_start(&driver))
        return -1;
    tracer_gap("tracing cost of hip: unknown, since rocprofiler-sdk works within the launches", 0);
    return 0;
}

static void finalize(void *user)
{
    (void)user;
    if (!records_stop())
        return;
    records_end();
    (void)hip.functions.stop_context(hip.records_context);
    (void)hip.functions.flush_buffer(hip.buffer);
}

static kt_dl_function find(const void *user, const char *name)
{
    void *address = dlsym(RTLD_DEFAULT, name);
    kt_dl_function function;
    if (!address && user) {
        void *library;
        memcpy(&library, user, sizeof library);
        address = dlsym(library, name);
    }
    memcpy(&function, &address, sizeof function);
    return function;
}

/* rocprofiler-sdk called this function, so the process has loaded it, even if its symbols are
 * local. */
static const char *load(void)
{
#define NAME(member, function, parameters) KT_DL_NAME(function)
    static const char names[] =
        ROCPROFILER_FUNCTIONS(NAME) KT_DL_NAME("rocprofiler_get_status_string");
#undef NAME
    static const char *const sonames[] = {"librocprofiler-sdk.so.1", "librocprofiler-sdk.so.0",
                                          "librocprofiler-sdk.so"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof sonames / sizeof sonames[0] && !library; i++)
        library = dlopen(sonames[i], RTLD_NOW | RTLD_NOLOAD);
    return kt_dl_fill(find, library ? &library : NULL, names, &hip.functions);
}

__attribute__((visibility("default"))) rocprofiler_tool *rocprofiler_configure(
    uint32_t version, const char *runtime_version, uint32_t priority, void *client);

/* The client's name is not set: its place differs between versions. */
rocprofiler_tool *rocprofiler_configure(uint32_t version, const char *runtime_version,
                                        uint32_t priority, void *client)
{
    static rocprofiler_tool tool = {sizeof tool, initialize, finalize, NULL};
    char reason[TRACE_REASON_BYTES];
    (void)runtime_version, (void)priority, (void)client;
    if (!tracer_open(TRACE_HIP))
        return NULL;
    const char *missing = load();
    if (version >= ROCPROFILER_FIRST && version <= ROCPROFILER_LAST && !missing)
        return &tool;
    if (missing)
        snprintf(reason, sizeof reason, "this rocprofiler-sdk lacks %.80s: it needs ROCm 6.2",
                 missing);
    else
        snprintf(reason, sizeof reason,
                 "version %u.%u.%u of rocprofiler-sdk is not known: use that of ROCm 6.2 to 7",
                 version / 10000, version / 100 % 100, version % 100);
    tracer_stop(reason);
    return NULL;
}
