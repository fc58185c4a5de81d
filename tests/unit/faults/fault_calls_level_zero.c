/* SPDX-License-Identifier: MIT */
/* The functions of Level Zero, and which of them cannot fail. */
#include "backends/level_zero/api.h"
#include "tests/unit/faults/fault_calls.h"

#define NAME(name)                   "ze" #name,
#define LATER_NAME(name, parameters) "ze" #name,
static const char *const names[] = {ZE_FUNCTIONS(NAME) ZE_OPTIONAL(NAME) ZE_LATER(LATER_NAME)};

#define ENDS   "there is nothing to be done about it"
#define TIMERS "timers in the program's own lists call it"
#define WORDS  "it is asked for words after another call has failed, and one fails at a time"
#define ABSENT "it is not there"

/* Of all drivers. */
#define OF_ALL                                                                                   \
    {"zeContextDestroy", ENDS}, {"zeCommandQueueDestroy", ENDS}, {"zeCommandListDestroy", ENDS}, \
        {"zeEventPoolDestroy", ENDS}, {"zeEventDestroy", ENDS}, {"zeMemFree", ENDS},             \
        {"zeModuleDestroy", ENDS}, {"zeKernelDestroy", ENDS}, {"zeModuleBuildLogDestroy", ENDS}, \
        {"zeModuleBuildLogGetString", WORDS}, {"zeCommandListAppendEventReset", TIMERS},         \
        {"zeCommandListIsImmediate", TIMERS}, {"zeCommandListGetContextHandle", TIMERS},         \
    {                                                                                            \
        "zeCommandListGetDeviceHandle", TIMERS                                                   \
    }

/* clang-format off */
static const fault_reason today[] = {
    OF_ALL,
    {"zeCommandListAppendQueryKernelTimestamps", "it does not tell the times of all tiles"},
    {NULL, NULL}};
static const fault_reason early[] = {
    OF_ALL,
    {"zeEventQueryTimestampsExp", ABSENT},
    {NULL, NULL}};
/* clang-format on */

unsigned fault_calls_print_wrong_of_level_zero(bool is_early)
{
    return fault_calls_count_wrong(names, sizeof names / sizeof names[0], is_early ? early : today);
}
