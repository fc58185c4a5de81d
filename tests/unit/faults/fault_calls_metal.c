/* SPDX-License-Identifier: MIT */
/* What is sent to objects of Metal, and which of it cannot fail. */
#include "backends/metal/api.h"
#include "tests/unit/faults/fault_calls.h"

#define ROW(name, selector, parameters, arguments)            selector,
#define ROW_OF(result, name, selector, parameters, arguments) selector,
#define NOTHING(name, selector, parameters, arguments)
#define FUNCTION_ROW(result, name, parameters) #name,
static const char *const names[] = {METAL_MESSAGES(ROW, ROW_OF, NOTHING) OBJC_FUNCTIONS(
    FUNCTION_ROW) METAL_FUNCTIONS(FUNCTION_ROW) "sampleTimestamps:gpuTimestamp:"};

#define SURE   "it cannot fail, or a process without it ends"
#define WORDS  "it is asked for words after another call has failed, and one fails at a time"
#define OTHERS "this kind of GPU is not asked for it"
#define TIMERS "it is asked for timers in a program's own commands"

/* clang-format off */
#define OF_ALL                                    \
    {"sel_registerName", SURE},                   \
    {"object_getClass", SURE},                    \
    {"class_getMethodImplementation", SURE},      \
    {"objc_autoreleasePoolPush", SURE},           \
    {"objc_autoreleasePoolPop", SURE},            \
    {"mach_absolute_time", SURE},                 \
    {"MTLCreateSystemDefaultDevice", "all devices are told"}, \
    {"localizedDescription", WORDS},              \
    {"error", WORDS},                             \
    {"code", WORDS},                              \
    {"domain", WORDS},                            \
    {"respondsToSelector:", SURE},                \
    {"retain", SURE},                             \
    {"objc_setAssociatedObject", SURE},           \
    {"isLowPower", "older systems are asked for it"}, \
    {"device", TIMERS},                           \
    {"label", TIMERS},                            \
    {"sampleBuffer", TIMERS},                     \
    {"isKindOfClass:", TIMERS}

static const fault_reason stages[] = {
    OF_ALL,
    {NULL, NULL}};
static const fault_reason boundaries[] = {
    OF_ALL,
    {"computePassDescriptor", OTHERS},
    {"blitPassDescriptor", OTHERS},
    {"sampleBufferAttachments", OTHERS},
    {"objectAtIndexedSubscript:", OTHERS},
    {"computeCommandEncoderWithDescriptor:", OTHERS},
    {"blitCommandEncoderWithDescriptor:", OTHERS},
    {NULL, NULL}};
/* clang-format on */

unsigned fault_calls_print_wrong_of_metal(bool has_stages)
{
    return fault_calls_count_wrong(names, sizeof names / sizeof names[0],
                                   has_stages ? stages : boundaries);
}
