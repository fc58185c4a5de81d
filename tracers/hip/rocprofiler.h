/* SPDX-License-Identifier: MIT */
/*
 * rocprofiler.h - the few types, numbers and functions of rocprofiler-sdk that the tracer uses, of
 * our own, since no package brings its headers to every machine. Checked by hand against the
 * headers of rocprofiler-sdk 0.4.0 (ROCm 6.2) to 1.x (ROCm 7).
 *
 * Room tracers/hip: HIP by rocprofiler-sdk's records. May know: support, tracers/common,
 * tracers/records.
 */
#ifndef TRACERS_HIP_ROCPROFILER_H
#define TRACERS_HIP_ROCPROFILER_H

#include <stddef.h>
#include <stdint.h>

/* As rocprofiler_configure() is given them: 10000 * major + 100 * minor + patch. */
enum { ROCPROFILER_FIRST = 400, ROCPROFILER_LAST = 19999 };

/* Kinds of records, and their category. */
enum { ROCPROFILER_TRACING = 1, ROCPROFILER_COPY = 10, ROCPROFILER_DISPATCH = 11 };
/* A kind of callbacks, its operation, and the phase before the kernel may be used. */
enum { ROCPROFILER_CODE_OBJECT = 10, ROCPROFILER_KERNEL_SYMBOL = 2, ROCPROFILER_LOAD = 1 };
/* Directions of copies. */
enum {
    ROCPROFILER_HOST_TO_HOST = 1,
    ROCPROFILER_HOST_TO_DEVICE,
    ROCPROFILER_DEVICE_TO_HOST,
    ROCPROFILER_DEVICE_TO_DEVICE
};
enum { ROCPROFILER_LOSSLESS = 2 };  /* a full buffer is waited for */
enum { ROCPROFILER_GPU = 2 };       /* type of an agent */
enum { ROCPROFILER_AGENTS_V0 = 1 }; /* version of rocprofiler_agent */

enum { ROCPROFILER_OK = 0 };

typedef int rocprofiler_status;

typedef struct rocprofiler_id {
    uint64_t handle;
} rocprofiler_id;

/* Of records of commands; those of calls have a third member since 1.0. */
typedef struct rocprofiler_correlation {
    uint64_t internal, external;
} rocprofiler_correlation;

typedef struct rocprofiler_header {
    uint32_t category, kind;
    void *payload;
} rocprofiler_header;

typedef struct rocprofiler_dispatch {
    uint64_t size;
    uint32_t kind, operation;
    rocprofiler_correlation correlation;
    uint64_t thread;
    uint64_t start_ns, end_ns;
    /* rocprofiler_kernel_dispatch_info_t */
    uint64_t info_size;
    rocprofiler_id agent, queue;
    uint64_t kernel, dispatch;
    uint32_t private_bytes, group_bytes;
    uint32_t group_size[3], items[3]; /* work items, not groups */
} rocprofiler_dispatch;

typedef struct rocprofiler_copy {
    uint64_t size;
    uint32_t kind, direction;
    rocprofiler_correlation correlation;
    uint64_t thread;
    uint64_t start_ns, end_ns;
    rocprofiler_id to, from; /* agents */
    uint64_t bytes;
} rocprofiler_copy;

/* What a code object's kernel begins with. */
typedef struct rocprofiler_kernel_symbol {
    uint64_t size;
    uint64_t kernel, code_object;
    const char *name;
} rocprofiler_kernel_symbol;

/* An agent, up to what is used. */
typedef struct rocprofiler_agent {
    uint64_t size;
    rocprofiler_id id;
    uint32_t type;
    uint32_t numbers_1[21];
    uint16_t numbers_2[2];
    uint32_t numbers_3[17];
    uint64_t numbers_4[3];
    uint32_t numbers_5[6];
    const void *lists[3];
    const char *name, *vendor_name, *product_name, *model_name;
    uint32_t node;
    int32_t logical_node, logical_of_type;
} rocprofiler_agent;

/*
 * A callback's record, which is given by value. In 1.0 its correlation has a third number, which moves
 * what is behind it. Versions 0.6 and 0.7 are not known to have one or the other.
 */
typedef struct rocprofiler_call {
    rocprofiler_id context;
    uint64_t thread;
    rocprofiler_correlation correlation;
    uint64_t rest[4];
} rocprofiler_call;

typedef void rocprofiler_on_call(rocprofiler_call call, void *user_data, void *user);
typedef void rocprofiler_on_records(rocprofiler_id context, rocprofiler_id buffer,
                                    rocprofiler_header **headers, size_t count, void *user,
                                    uint64_t dropped);
typedef rocprofiler_status rocprofiler_on_agents(int version, const void **agents, size_t count,
                                                 void *user);

/* X(member, function, (parameters)) */
#define ROCPROFILER_FUNCTIONS(X)                                                                 \
    X(create_context, "rocprofiler_create_context", (rocprofiler_id *))                          \
    X(start_context, "rocprofiler_start_context", (rocprofiler_id))                              \
    X(stop_context, "rocprofiler_stop_context", (rocprofiler_id))                                \
    X(create_buffer, "rocprofiler_create_buffer",                                                \
      (rocprofiler_id, size_t, size_t, int, rocprofiler_on_records *, void *, rocprofiler_id *)) \
    X(flush_buffer, "rocprofiler_flush_buffer", (rocprofiler_id))                                \
    X(trace_records, "rocprofiler_configure_buffer_tracing_service",                             \
      (rocprofiler_id, int, const int32_t *, size_t, rocprofiler_id))                            \
    X(trace_calls, "rocprofiler_configure_callback_tracing_service",                             \
      (rocprofiler_id, int, const int32_t *, size_t, rocprofiler_on_call *, void *))             \
    X(query_agents, "rocprofiler_query_available_agents",                                        \
      (int, rocprofiler_on_agents *, size_t, void *))                                            \
    X(get_timestamp, "rocprofiler_get_timestamp", (uint64_t *))

typedef struct rocprofiler_functions {
#define ROCPROFILER_MEMBER(member, function, parameters) rocprofiler_status(*member) parameters;
    ROCPROFILER_FUNCTIONS(ROCPROFILER_MEMBER)
#undef ROCPROFILER_MEMBER
    const char *(*get_status_string)(rocprofiler_status);
} rocprofiler_functions;

/* ---- what a tool gives ---- */

typedef struct rocprofiler_tool {
    size_t size;
    int (*initialize)(void *finalize, void *user);
    void (*finalize)(void *user);
    void *user;
} rocprofiler_tool;

#endif
