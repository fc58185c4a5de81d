/* SPDX-License-Identifier: MIT */
/*
 * Modules: what a driver loads. Of PTX it reads the entries with their parameters; what the stub's
 * own compiler makes is PTX with a line before it that tells for which device.
 */
#include "stub.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY_WORD ".entry"

/* ---- reading ---- */

static const char *skip_blanks(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || strchr("_$%.", at[length] ? at[length] : ' '))
        length++;
    return length;
}

/* ".param .u64 a": by the number in its type, times what stands in brackets. */
static size_t parameter_bytes(const char *at, const char *end)
{
    size_t bytes = 8;
    for (const char *dot = at; dot < end; dot++)
        if (dot[0] == '.' && strchr("ubsf", dot[1]) && isdigit((unsigned char)dot[2]))
            bytes = strtoul(dot + 2, NULL, 10) / 8;
    const char *bracket = memchr(at, '[', (size_t)(end - at));
    return bracket ? bytes * strtoul(bracket + 1, NULL, 10) : bytes;
}

/* Behind the name; what stands behind the list. NULL: it does not end. */
static const char *read_parameters(const char *at, cuda_function function)
{
    at = skip_blanks(at);
    if (*at != '(')
        return at;
    const char *end = strchr(at, ')');
    for (const char *p = end ? strstr(at, ".param") : NULL; p && p < end;) {
        const char *comma = memchr(p, ',', (size_t)(end - p));
        if (function->count < PARAMETERS_MAX)
            function->bytes[function->count++] = parameter_bytes(p, comma ? comma : end);
        p = comma ? strstr(comma, ".param") : NULL;
    }
    return end ? end + 1 : NULL;
}

/* False: that is no PTX, or has more entries than there is room for. */
static bool read_entries(cuda_module module, const char *text)
{
    const char *at = strstr(text, ".version");
    at = at ? strstr(at, ".target") : NULL;
    while (at && (at = strstr(at, ENTRY_WORD)) != NULL) {
        const char *name = skip_blanks(at + strlen(ENTRY_WORD));
        size_t length = word_length(name);
        if (module->count == ENTRIES_MAX || length == 0 || length >= NAME_MAX_BYTES)
            return false;
        cuda_function function = &module->functions[module->count++];
        memcpy(function->name, name, length);
        function->kernel = named_kernel_find(function->name);
        function->holds = strcmp(function->name, BLOCKING_ENTRY) == 0;
        function->spins = strcmp(function->name, SPIN_ENTRY) == 0;
        function->clocks = strcmp(function->name, CLOCK_ENTRY) == 0;
        function->module = module;
        function->shared_max = SHARED_BYTES;
        at = read_parameters(name + length, function);
        if (!at)
            return false;
    }
    return module->count > 0;
}

static bool braces_match(const char *text)
{
    int depth = 0;
    for (; *text && depth >= 0; text++)
        depth += (*text == '{') - (*text == '}');
    return depth == 0;
}

/* ---- loading ---- */

static void write_log(unsigned count, const cuda_jit_option *options, void *const *values,
                      const char *text)
{
    char *log = NULL;
    size_t bytes = 0;
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == CUDA_JIT_ERROR_LOG)
            log = values[i];
        else if (options[i] == CUDA_JIT_ERROR_LOG_BYTES)
            bytes = (size_t)(uintptr_t)values[i];
        else
            misuse("option %d", options[i]);
    }
    if (log && bytes)
        snprintf(log, bytes, "%s", text);
}

/* From CUDA 11 on, whose PTX is 7.0. What is before it has 6.5 at most. */
static cuda_code check_version(const char *image, bool is_machine_code)
{
    int major = 0, minor = 0, version = (int)script.version;
    int known = version < 11000 ? 65 : (version / 1000 - 4) * 10 + version / 10 % 100;
    const char *at = strstr(image, ".version");
    if (STUB_HIP || !at || sscanf(at, ".version %d.%d", &major, &minor) != 2)
        return CUDA_OK;
    if (is_machine_code)
        return major > known / 10 ? CUDA_INVALID_IMAGE : CUDA_OK;
    return 10 * major + minor > known ? CUDA_UNSUPPORTED_PTX_VERSION : CUDA_OK;
}

/* Machine code is for one device; which of them take PTX is another question. */
static cuda_code check_target(const char *image)
{
    unsigned made_for = 0;
    if (sscanf(image, CODE_BEGIN "%u", &made_for) == 1)
        return made_for == script.capability ? check_version(image, true)
                                             : CUDA_NO_BINARY_FOR_DEVICE;
    return STUB_HIP ? CUDA_INVALID_IMAGE : check_version(image, false);
}

cuda_code stub_cuModuleLoadDataEx(cuda_module *out, const void *image, unsigned count,
                                  cuda_jit_option *options, void **values)
{
    ENTER(cuModuleLoadDataEx, NEEDS_CONTEXT);
    cuda_code code = capture_check();
    if (code == CUDA_OK)
        code = check_target(image);
    if (code != CUDA_OK)
        return code;
    cuda_module module = object_create(KIND_MODULE, sizeof *module, context_current());
    bool good = script.build == BUILD_GOOD && read_entries(module, image) && braces_match(image);
    for (unsigned i = 0; i < module->count; i++)
        good &= !(module->functions[i].holds && script.blocking == BLOCKING_REFUSED);
    if (good) {
        *out = module;
        return CUDA_OK;
    }
    object_destroy(module);
    write_log(count, options, values, "ptxas application ptx input, line 1; fatal: stub says no");
    return CUDA_INVALID_PTX;
}

cuda_code stub_cuModuleUnload(cuda_module module)
{
    ENTER(cuModuleUnload, NEEDS_CONTEXT | NEEDS_NO_LUCK);
    if (!object_use(module, KIND_MODULE))
        return CUDA_INVALID_HANDLE;
    object_destroy(module);
    return stub_lost();
}

cuda_code stub_cuModuleGetFunction(cuda_function *out, cuda_module module, const char *name)
{
    ENTER(cuModuleGetFunction, NEEDS_CONTEXT);
    if (!object_use(module, KIND_MODULE))
        return CUDA_INVALID_HANDLE;
    for (unsigned i = 0; i < module->count; i++)
        if (strcmp(module->functions[i].name, name) == 0) {
            *out = &module->functions[i];
            return CUDA_OK;
        }
    return CUDA_NOT_FOUND;
}

/* ---- functions ---- */

cuda_code stub_cuFuncGetAttribute(int *out, cuda_function_attribute which, cuda_function function)
{
    ENTER(cuFuncGetAttribute, NEEDS_CONTEXT);
    if (!object_use(function->module, KIND_MODULE))
        return CUDA_INVALID_HANDLE;
    EXPECT_USE(which == CUDA_FUNCTION_MAX_THREADS || which == CUDA_FUNCTION_SHARED_BYTES,
               "attribute %d", which);
    *out = which == CUDA_FUNCTION_MAX_THREADS ? (int)script.max_threads : 0;
    return CUDA_OK;
}

#if !STUB_HIP
cuda_code stub_cuFuncSetAttribute(cuda_function function, cuda_function_attribute which, int value)
{
    ENTER(cuFuncSetAttribute, NEEDS_CONTEXT);
    if (!object_use(function->module, KIND_MODULE))
        return CUDA_INVALID_HANDLE;
    EXPECT_USE(which == CUDA_FUNCTION_MAX_DYNAMIC_BYTES, "attribute %d", which);
    if (value < 0 || value > SHARED_BYTES_MAX)
        return CUDA_INVALID_VALUE;
    function->shared_max = (unsigned)value;
    return CUDA_OK;
}

cuda_code stub_cuFuncGetParamInfo(cuda_function function, size_t index, size_t *offset,
                                  size_t *bytes)
{
    ENTER(cuFuncGetParamInfo, NEEDS_CONTEXT);
    if (!object_use(function->module, KIND_MODULE))
        return CUDA_INVALID_HANDLE;
    if (index >= function->count)
        return CUDA_INVALID_VALUE;
    size_t at = 0;
    for (size_t i = 0; i <= index; i++) {
        size_t align = function->bytes[i];
        at = i && align ? (at + align - 1) / align * align : at;
        *offset = at;
        at += function->bytes[i];
    }
    *bytes = function->bytes[index];
    return CUDA_OK;
}
#endif

/* ---- launching ---- */

static bool fits(const struct command *command)
{
    const uint32_t *groups = command->groups, *size = command->group_size;
    uint64_t threads = (uint64_t)size[0] * size[1] * size[2];
    return groups[0] && groups[1] && groups[2] && threads && groups[0] <= INT32_MAX &&
           groups[1] <= GROUPS_Y_Z_MAX && groups[2] <= GROUPS_Y_Z_MAX && size[2] <= GROUP_Z_MAX &&
           (!STUB_HIP || (uint64_t)groups[0] * size[0] <= UINT32_MAX) &&
           threads <= script.max_threads;
}

/* (address of the words, its ticket, ns at most) */
static bool take_blocking(struct command *command, void *const *parameters)
{
    uint64_t limit_ns = 0;
    command->op = OP_BLOCKING;
    memcpy(&command->words, parameters[0], sizeof command->words);
    memcpy(&command->ticket, parameters[1], sizeof command->ticket);
    memcpy(&limit_ns, parameters[2], sizeof limit_ns);
    command->limit_ns = limit_ns < INT64_MAX / 4 ? (int64_t)limit_ns : INT64_MAX / 4;
    const struct block *block = memory_find(command->words);
    bool holds = block && block->kind == MEMORY_PINNED &&
                 memory_behind(command->words) >= BLOCKING_WORDS_BYTES;
    EXPECT_USE(holds, "no pinned words to hold by");
    return holds;
}

static bool is_empty(const struct cuda_function_opaque *function)
{
    return strstr(function->name, "empty") != NULL;
}

/* False: a memory is too small, or none. */
static bool take(const struct cuda_function_opaque *function, struct command *command,
                 void *const *parameters)
{
    if (function->holds)
        return take_blocking(command, parameters);
    if (function->spins)
        return spin_take(parameters, command);
    if (function->clocks)
        return cycles_take(parameters, command);
    return !function->kernel || kernel_take(function->bytes, parameters, command);
}

static cuda_code launch(cuda_function function, struct command *command, unsigned shared_bytes,
                        cuda_stream handle, void *const *parameters, void *const *extra)
{
    static uint64_t launches, results;
    if (!object_use(function->module, KIND_MODULE))
        return CUDA_INVALID_HANDLE;
    cuda_stream stream = stream_use(handle);
    if (!stream)
        return CUDA_INVALID_HANDLE;
    EXPECT_USE(function->module->base.context == context_current(),
               "the function is of another context");
    EXPECT_USE(!extra, "arguments in one piece");
    if (!fits(command) || shared_bytes > function->shared_max)
        return CUDA_INVALID_VALUE;
    report_shared(shared_bytes);
    command->op = OP_LAUNCH;
    command->kernel = function->kernel;
    command->name = function->name;
    command->duration_ns = clock_duration(is_empty(function) ? script.empty_ns : script.kernel_ns);
    report_kernel(function->name,
                  function->kernel || function->holds || function->spins || function->clocks);
    if (!take(function, command, parameters)) {
        misuse("%s: a memory is too small, or none", function->name);
        return CUDA_ILLEGAL_ADDRESS;
    }
    if (stream->capture != CUDA_CAPTURE_NONE)
        return CUDA_OK;
    if (!function->holds && !function->clocks) { /* kerntime's own */
        command->hangs = ++launches == script.hang;
        command->loses = script.lost && launches >= script.lost;
        command->wrong = command->kernel && command->kernel->function && ++results == script.wrong;
    }
    stream_add(stream, command);
    return stub_lost();
}

cuda_code stub_cuLaunchKernel(cuda_function function, unsigned groups_x, unsigned groups_y,
                              unsigned groups_z, unsigned size_x, unsigned size_y, unsigned size_z,
                              unsigned shared_bytes, cuda_stream stream, void **parameters,
                              void **extra)
{
    struct command command = {.groups = {groups_x, groups_y, groups_z},
                              .group_size = {size_x, size_y, size_z}};
    ENTER(cuLaunchKernel, NEEDS_CONTEXT);
    return launch(function, &command, shared_bytes, stream, parameters, extra);
}
