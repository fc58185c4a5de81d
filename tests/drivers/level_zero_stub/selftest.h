/* What the files of the selftest share. */
#ifndef LEVEL_ZERO_STUB_SELFTEST_H
#define LEVEL_ZERO_STUB_SELFTEST_H

#include "entry_points.h"
#include "tests/drivers/frame/cases.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The stub is opened at run time, as kerntime opens a loader. */
struct api {
#define API_MEMBER(name)               ze_pfn##name##_t name;
#define LATER_MEMBER(name, parameters) ze_result_t(*name) parameters;
    ENTRIES(API_MEMBER)
    LATER_ENTRIES(LATER_MEMBER)
#undef API_MEMBER
#undef LATER_MEMBER
    int64_t (*ktStubNow)(void);
    void (*ktStubAdvance)(int64_t ns);
    void (*ktStubTake)(uint64_t ticks);
    void (*ktStubSetCounters)(uint64_t global_ticks, uint64_t kernel_ticks);
};

extern struct api ze;

enum { BYTES = 4096, WORDS = BYTES / 4, FOREVER_NS = 1000000000 };

#define GOOD(call) CHECK((call) == ZE_RESULT_SUCCESS)

struct world {
    ze_driver_handle_t driver;
    ze_device_handle_t device;
    ze_context_handle_t context;
    ze_command_queue_handle_t queue;
    ze_command_list_handle_t list, immediate;
    ze_event_pool_handle_t pool;
    ze_event_handle_t events[3];
    ze_module_handle_t module;
    ze_kernel_handle_t fill;
    uint32_t *a, *b; /* of the device and of the host */
    uint64_t *timestamps;
};

void world_open(struct world *world);
void world_close(struct world *world);
/* Appends filling `a`, and what it signals. */
void append_fill(struct world *world, ze_event_handle_t event);
void barrier(struct world *world, ze_event_handle_t event);
/* Closes the list, executes it and waits. */
void execute(struct world *world);
ze_result_t load(struct world *world, const void *words, size_t bytes);

struct test_case {
    const char *script;
    void (*run)(struct world *world);
    const char *report; /* a line that the report must hold; NULL: neither leak nor misuse */
    bool bare;          /* `run` opens what it needs */
};

/* Each ends with run == NULL. */
extern const struct test_case cases[], misuse_cases[];

#endif
