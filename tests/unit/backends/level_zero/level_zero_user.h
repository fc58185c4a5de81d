/* SPDX-License-Identifier: MIT */
/* level_zero_user.h - a Level Zero program as users write it: its own context, lists and events,
 * and timers in them. */
#ifndef LEVEL_ZERO_USER_H
#define LEVEL_ZERO_USER_H

#include "tests/unit/testing.h"

#include <level_zero/ze_api.h>
#include <level_zero/ze_ddi.h>

#include <kerntime/kerntime.h>
#include <kerntime/timer/level_zero.h>

#define USER_FUNCTIONS(X)                   \
    X(Init)                                 \
    X(DriverGet)                            \
    X(DeviceGet)                            \
    X(DeviceGetCommandQueueGroupProperties) \
    X(ContextCreate)                        \
    X(ContextDestroy)                       \
    X(CommandQueueCreate)                   \
    X(CommandQueueDestroy)                  \
    X(CommandQueueExecuteCommandLists)      \
    X(CommandQueueSynchronize)              \
    X(CommandListCreate)                    \
    X(CommandListCreateImmediate)           \
    X(CommandListDestroy)                   \
    X(CommandListClose)                     \
    X(CommandListReset)                     \
    X(CommandListAppendBarrier)             \
    X(CommandListAppendMemoryFill)          \
    X(EventPoolCreate)                      \
    X(EventPoolDestroy)                     \
    X(EventCreate)                          \
    X(EventDestroy)                         \
    X(EventHostReset)                       \
    X(EventHostSynchronize)                 \
    X(MemAllocHost)                         \
    X(MemFree)

typedef void stub_observer(const char *name, uint64_t begin_ticks, uint64_t end_ticks);

typedef struct user_api {
#define USER_POINTER(name) ze_pfn##name##_t name;
    USER_FUNCTIONS(USER_POINTER)
#undef USER_POINTER
    /* Of the stub driver, which is there even where the system's loader stands before it; else
     * NULL. */
    void (*advance)(int64_t ns);
    void (*take)(uint64_t ticks);
    void (*set_counters)(uint64_t global_ticks, uint64_t kernel_ticks);
    void (*observe)(stub_observer *who);
} user_api;

/* What a program has; filled by user_open(). */
typedef struct user {
    user_api ze;
    ze_device_handle_t device;
    ze_context_handle_t context;
    ze_command_queue_handle_t queue;
    void *bytes;
} user;

/* A list with what its thread needs to wait for it. */
typedef struct work {
    ze_command_list_handle_t list;
    bool immediate;
    ze_event_pool_handle_t pool;
    ze_event_handle_t done; /* of immediate lists, behind all else */
} work;

/* Whether the system has a loader. */
bool user_has_loader(void);
/* Whether it has one that finds a driver. */
bool user_has_driver(void);
/* The loader is that of KERNTIME_LIB_LEVEL_ZERO, or the system's; KT_TEST_STUB names the stub
 * driver, if it is one. */
void user_open(user *u);
void user_close(user *u);
kt_level_zero_import user_describe(const user *u);

/* Each for the first group of queues, or for one of the others. */
void work_open(const user *u, work *w);
void work_open_in(const user *u, work *w, uint32_t group);
void work_open_immediate(const user *u, work *w, ze_command_queue_mode_t mode);
void work_open_immediate_in(const user *u, work *w, ze_command_queue_mode_t mode, uint32_t group);
void work_close(const user *u, work *w);
/* One command that takes time on the device; its event, or NULL. No other begins before its end. */
void work_fill(const user *u, const work *w, ze_event_handle_t signal);
enum { WORK_PARTS = 4 };
/* One of so many that have no order among each other, and no barrier behind. */
void work_fill_part(const user *u, const work *w, unsigned part);
/* Of a regular list: recorded anew; no more commands; on its way. */
void work_begin(const user *u, const work *w);
void work_end(const user *u, const work *w);
void work_submit(const user *u, const work *w);
/* All of it has ended. */
void work_wait(const user *u, const work *w);

#endif
