/* SPDX-License-Identifier: MIT */
/* The functions of CUDA and HIP, and which of them cannot fail. */
#include "backends/cuda_hip/api.h"
#include "tests/unit/faults/fault_calls.h"

#include <string.h>

#define SHARED_NAME(name, cuda, hip, parameters) #name,
#define ALONE_NAME(name, symbol, parameters)     #name,
/* clang-format off */
static const char *const cuda_names[] = {
    CUDA_FUNCTIONS(SHARED_NAME)
    CUDA_OPTIONAL(SHARED_NAME)
    CUDA_ALONE(ALONE_NAME)
    CUDA_ALONE_OPTIONAL(ALONE_NAME)
    CUDA_COMPILER(SHARED_NAME)
    CUDA_COMPILER_OPTIONAL(ALONE_NAME)
    CUDA_COMPILER_TEXTS(SHARED_NAME)};
static const char *const hip_names[] = {
    CUDA_FUNCTIONS(SHARED_NAME)
    CUDA_OPTIONAL(SHARED_NAME)
    HIP_ALONE(ALONE_NAME)
    HIP_ALONE_OPTIONAL(ALONE_NAME)
    HIP_TEXTS(ALONE_NAME)
    CUDA_COMPILER(SHARED_NAME)
    CUDA_COMPILER_TEXTS(SHARED_NAME)};
/* clang-format on */

#define ENDS    "there is nothing to be done about it"
#define TIMERS  "timers in the program's own streams call it"
#define WORDS   "it is asked for words after another call has failed, and one fails at a time"
#define ABSENT  "it is not there"
#define INSTEAD "it is for where another one is not there, as in early drivers"

/* Of all drivers. */
#define ENDING                                                               \
    {"cuMemFree", ENDS}, {"cuMemFreeHost", ENDS}, {"cuStreamDestroy", ENDS}, \
        {"cuEventDestroy", ENDS}, {"cuModuleUnload", ENDS},                  \
    {                                                                        \
        "rtcDestroyProgram", ENDS                                            \
    }
#define ASKED_FOR_WORDS                                            \
    {"rtcGetErrorString", WORDS}, {"rtcGetProgramLogSize", WORDS}, \
    {                                                              \
        "rtcGetProgramLog", WORDS                                  \
    }
#define OF_CUDA                                                                        \
    ENDING, ASKED_FOR_WORDS, {"cuGetErrorName", WORDS}, {"cuGetErrorString", WORDS},   \
        {"cuCtxPopCurrent", ENDS}, {"cuCtxGetDevice", ENDS}, {"cuEventQuery", TIMERS}, \
        {"cuDevicePrimaryCtxRelease", ENDS},                                           \
    {                                                                                  \
        "cuDevicePrimaryCtxRelease_v2", ENDS                                           \
    }
#define OF_HIP                                                                         \
    ENDING, ASKED_FOR_WORDS, {"hipGetErrorName", WORDS}, {"hipGetErrorString", WORDS}, \
        {"rtcVersion", "only NVRTC's says something"},                                 \
    {                                                                                  \
        "cuEventQuery", TIMERS                                                         \
    }

/* clang-format off */
static const fault_reason cuda_today[] = {
    OF_CUDA,
    {"cuStreamIsCapturing", TIMERS},
    {"cuStreamGetCtx", TIMERS},
    {"cuStreamGetCtx_v2", TIMERS},
    {"cuCtxGetId", TIMERS},
    {"cuDeviceGetUuid", INSTEAD},
    {"cuEventElapsedTime", INSTEAD},
    {"rtcGetCodeSize", INSTEAD},
    {"rtcGetCode", INSTEAD},
    {NULL, NULL}};
static const fault_reason cuda_early[] = {
    OF_CUDA,
    {"cuDeviceGetUuid_v2", ABSENT},
    {"cuMemAllocManaged", ABSENT},
    {"cuStreamIsCapturing", ABSENT},
    {"cuThreadExchangeStreamCaptureMode", ABSENT},
    {"cuEventElapsedTime_v2", ABSENT},
    {"cuStreamGetCtx", ABSENT},
    {"cuStreamGetCtx_v2", ABSENT},
    {"cuCtxGetId", ABSENT},
    {"cuFuncGetParamInfo", ABSENT},
    {"cuFuncSetAttribute", ABSENT},
    {"nvrtc*", ABSENT},
    {NULL, NULL}};
static const fault_reason hip_today[] = {
    OF_HIP,
    {"cuStreamIsCapturing", TIMERS},
    {"hipStreamGetDevice", TIMERS},
    {"hipGetDeviceProperties", INSTEAD},
    {NULL, NULL}};
static const fault_reason hip_early[] = {
    OF_HIP,
    {"cuMemAllocManaged", ABSENT},
    {"cuStreamIsCapturing", ABSENT},
    {"cuThreadExchangeStreamCaptureMode", ABSENT},
    {"hipGetDevicePropertiesR0600", ABSENT},
    {"hipStreamGetDevice", ABSENT},
    {NULL, NULL}};
/* clang-format on */

unsigned fault_calls_print_wrong_of_cuda(bool is_hip, bool is_early)
{
    return is_hip ? fault_calls_count_wrong(hip_names, sizeof hip_names / sizeof hip_names[0],
                                            is_early ? hip_early : hip_today)
                  : fault_calls_count_wrong(cuda_names, sizeof cuda_names / sizeof cuda_names[0],
                                            is_early ? cuda_early : cuda_today);
}

const char *fault_calls_cuda_symbol(const char *name, bool is_hip)
{
    static const struct {
        const char *name, *symbols[2];
    } table[] = {
#define SHARED_ROW(name, cuda, hip, parameters) {#name, {#cuda, #hip}},
#define ALONE_ROW(name, symbol, parameters)     {#name, {#symbol, #symbol}},
        CUDA_FUNCTIONS(SHARED_ROW) CUDA_OPTIONAL(SHARED_ROW) CUDA_ALONE(ALONE_ROW)
            CUDA_ALONE_OPTIONAL(ALONE_ROW) HIP_ALONE(ALONE_ROW) HIP_ALONE_OPTIONAL(ALONE_ROW)};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].symbols[is_hip];
    const char *compiler = strstr(name, "rtc"); /* rtcCreateProgram, nvrtcGetCUBIN */
    return compiler ? compiler + strlen("rtc") : NULL;
}
