/* SPDX-License-Identifier: MIT */
/* Modules out of SPIR-V, of which the stub reads names and parameters of kernels, and kernels. */
#include "stub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the SPIR-V specification. */
enum {
    SPIRV_MAGIC = 0x07230203,
    SPIRV_HEADER = 5, /* words */
    STORAGE_WORKGROUP = 4,
    OP_ENTRY_POINT = 15,
    OP_TYPE_INT = 21,
    OP_TYPE_POINTER = 32,
    OP_FUNCTION = 54,
    OP_FUNCTION_PARAMETER = 55,
    MODEL_KERNEL = 6,
    IDS_MAX = 1 << 16
};

static const char log_text[] = "stub says no";

struct _ze_module_build_log_handle_t {
    struct object base;
    bool failed;
};

/* ---- reading ---- */

struct id {
    unsigned entry; /* from 1 */
    unsigned char bytes;
    bool pointer, local;
};

static bool read_entry(ze_module_handle_t module, const uint32_t *at, unsigned words,
                       struct id *ids)
{
    if (words < 4 || at[1] != MODEL_KERNEL || at[2] >= IDS_MAX || module->count == ENTRIES_MAX)
        return false;
    struct entry_point *entry = &module->entries[module->count++];
    snprintf(entry->name, sizeof entry->name, "%.*s", (int)((words - 3) * sizeof *at),
             (const char *)(at + 3));
    ids[at[2]].entry = module->count;
    return true;
}

/* Of one instruction; `inside` is the entry point whose function is being read. False: it is none
 * that a driver could take. */
static bool read_instruction(ze_module_handle_t module, const uint32_t *at, unsigned words,
                             struct id *ids, struct entry_point **inside)
{
    switch (at[0] & 0xffff) {
    case OP_ENTRY_POINT: return read_entry(module, at, words, ids);
    case OP_TYPE_INT:
        if (words == 4 && at[1] < IDS_MAX)
            ids[at[1]].bytes = (unsigned char)(at[2] / 8);
        return words == 4;
    case OP_TYPE_POINTER:
        if (words == 4 && at[1] < IDS_MAX)
            ids[at[1]] = (struct id){.bytes = sizeof(void *),
                                     .pointer = at[2] != STORAGE_WORKGROUP,
                                     .local = at[2] == STORAGE_WORKGROUP};
        return words == 4;
    case OP_FUNCTION:
        *inside = words == 5 && at[2] < IDS_MAX && ids[at[2]].entry
                      ? &module->entries[ids[at[2]].entry - 1]
                      : NULL;
        return words == 5;
    case OP_FUNCTION_PARAMETER:
        if (words == 3 && at[1] < IDS_MAX && *inside && (*inside)->count < PARAMETERS_MAX) {
            (*inside)->bytes[(*inside)->count] = ids[at[1]].bytes ? ids[at[1]].bytes : 4;
            (*inside)->local[(*inside)->count] = ids[at[1]].local;
            (*inside)->pointer[(*inside)->count++] = ids[at[1]].pointer;
        }
        return words == 3;
    default: return true;
    }
}

static bool read_words(ze_module_handle_t module, const uint32_t *words, size_t count)
{
    struct id *ids = calloc(IDS_MAX, sizeof *ids);
    struct entry_point *inside = NULL;
    bool good = ids && count > SPIRV_HEADER && words[0] == SPIRV_MAGIC;
    for (size_t at = SPIRV_HEADER; good && at < count;) {
        unsigned length = words[at] >> 16;
        good = length && length <= count - at &&
               read_instruction(module, words + at, length, ids, &inside);
        at += length;
    }
    free(ids);
    return good && module->count > 0;
}

/* ---- modules ---- */

static bool module_read(ze_module_handle_t module, const ze_module_desc_t *desc)
{
    size_t count = desc->inputSize / sizeof(uint32_t);
    uint32_t *words = malloc(desc->inputSize);
    if (!words)
        abort();
    memcpy(words, desc->pInputModule, desc->inputSize);
    bool good = desc->inputSize % sizeof *words == 0 && read_words(module, words, count);
    free(words);
    return good;
}

ze_result_t stub_ModuleCreate(ze_context_handle_t context, ze_device_handle_t device,
                              const ze_module_desc_t *desc, ze_module_handle_t *out,
                              ze_module_build_log_handle_t *log)
{
    ENTER(ModuleCreate, NEEDS_INIT);
    USE(context, context, KIND_CONTEXT);
    REQUIRE_TYPE(desc, ZE_STRUCTURE_TYPE_MODULE_DESC);
    if (!device_use(device))
        return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    REQUIRE(out && desc->pInputModule, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is NULL");
    REQUIRE(desc->inputSize, ZE_RESULT_ERROR_INVALID_SIZE, "no words");
    REQUIRE(desc->format == ZE_MODULE_FORMAT_IL_SPIRV, ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION,
            "the module is no SPIR-V");
    ze_module_handle_t module = object_create(KIND_MODULE, sizeof *module, context);
    bool good = script.build != BUILD_FAIL && module_read(module, desc);
    if (log) {
        *log = object_create(KIND_LOG, sizeof **log, context);
        (*log)->failed = !good;
    }
    /* Intel's driver of 22.43 takes what is no SPIR-V, and finds no kernel in it. */
    if (script.build == BUILD_LATE) {
        module->count = 0;
        good = true;
    }
    if (good)
        *out = module;
    else
        object_destroy(module);
    return good ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
}

ze_result_t stub_ModuleDestroy(ze_module_handle_t module)
{
    ENTER(ModuleDestroy, NEEDS_INIT | NEEDS_NO_LUCK);
    USE(module, module, KIND_MODULE);
    for (ze_kernel_handle_t k = NULL; (k = object_next(KIND_KERNEL, k)) != NULL;)
        if (k->module == module)
            misuse("a kernel of the module is there");
    object_destroy(module);
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_ModuleBuildLogGetString(ze_module_build_log_handle_t log, size_t *bytes, char *out)
{
    ENTER(ModuleBuildLogGetString, NEEDS_INIT);
    USE(log, log, KIND_LOG);
    REQUIRE(bytes, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is NULL");
    const char *text = log->failed ? log_text : "";
    size_t all = strlen(text) + 1;
    if (out && *bytes) {
        REQUIRE(*bytes >= all, ZE_RESULT_ERROR_INVALID_SIZE, "the log is longer");
        memcpy(out, text, all);
    }
    *bytes = all;
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_ModuleBuildLogDestroy(ze_module_build_log_handle_t log)
{
    ENTER(ModuleBuildLogDestroy, NEEDS_INIT | NEEDS_NO_LUCK);
    USE(log, log, KIND_LOG);
    object_destroy(log);
    return ZE_RESULT_SUCCESS;
}

/* ---- kernels ---- */

ze_result_t stub_KernelCreate(ze_module_handle_t module, const ze_kernel_desc_t *desc,
                              ze_kernel_handle_t *out)
{
    ENTER(KernelCreate, NEEDS_INIT);
    USE(module, module, KIND_MODULE);
    REQUIRE_TYPE(desc, ZE_STRUCTURE_TYPE_KERNEL_DESC);
    REQUIRE(out && desc->pKernelName, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is NULL");
    for (unsigned i = 0; i < module->count; i++) {
        if (strcmp(module->entries[i].name, desc->pKernelName) != 0)
            continue;
        ze_kernel_handle_t kernel =
            object_create(KIND_KERNEL, sizeof *kernel, module->base.context);
        kernel->module = module;
        kernel->entry = &module->entries[i];
        kernel->known = named_kernel_find(kernel->entry->name);
        *out = kernel;
        return ZE_RESULT_SUCCESS;
    }
    return ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
}

ze_result_t stub_KernelDestroy(ze_kernel_handle_t kernel)
{
    ENTER(KernelDestroy, NEEDS_INIT | NEEDS_NO_LUCK);
    USE(kernel, kernel, KIND_KERNEL);
    engines_settle();
    if (engines_use_kernel(kernel))
        misuse("the kernel is in use");
    object_destroy(kernel);
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_KernelSetGroupSize(ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z)
{
    ENTER(KernelSetGroupSize, NEEDS_INIT);
    USE(kernel, kernel, KIND_KERNEL);
    if (!x || !y || !z || (uint64_t)x * y > GROUP_MAX || (uint64_t)x * y * z > GROUP_MAX)
        return ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION;
    kernel->group_size[0] = x;
    kernel->group_size[1] = y;
    kernel->group_size[2] = z;
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_KernelSetArgumentValue(ze_kernel_handle_t kernel, uint32_t index, size_t bytes,
                                        const void *value)
{
    ENTER(KernelSetArgumentValue, NEEDS_INIT);
    USE(kernel, kernel, KIND_KERNEL);
    if (index >= kernel->entry->count)
        return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX;
    bool is_local = kernel->entry->local[index];
    if (is_local)
        REQUIRE(!value, ZE_RESULT_ERROR_INVALID_ARGUMENT, "local memory has a value");
    if (is_local ? bytes == 0 || bytes > LOCAL_BYTES_MAX : bytes != kernel->entry->bytes[index])
        return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE;
    memset(&kernel->values[index], 0, sizeof kernel->values[index]);
    if (value)
        memcpy(&kernel->values[index], value, bytes);
    kernel->set[index] = true;
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_KernelGetProperties(ze_kernel_handle_t kernel, ze_kernel_properties_t *out)
{
    ENTER(KernelGetProperties, NEEDS_INIT);
    USE(kernel, kernel, KIND_KERNEL);
    REQUIRE_TYPE(out, ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES);
    *out = (ze_kernel_properties_t){.stype = out->stype,
                                    .numKernelArgs = kernel->entry->count,
                                    .maxSubgroupSize = 32,
                                    .maxNumSubgroups = GROUP_MAX / 16};
    return ZE_RESULT_SUCCESS;
}

/* ---- running ---- */

static void take_memory(struct command *command, void *address, uint64_t bytes, bool written)
{
    struct block *block = memory_find(address);
    if (block)
        command->blocks[command->block_count++] = block;
    command->ranges[command->range_count++] = (struct range){
        .begin = address, .end = (const unsigned char *)address + bytes, .written = written};
}

/* Of a kernel that it does not know, the stub takes each memory as written, from there to its
 * end. */
static bool take_unknown(ze_kernel_handle_t kernel, struct command *command)
{
    for (unsigned i = 0; i < kernel->entry->count; i++) {
        void *address = kernel->entry->pointer[i] ? kernel->values[i].memory : NULL;
        if (address)
            take_memory(command, address, memory_behind(address), true);
    }
    return true;
}

bool kernel_take(ze_kernel_handle_t kernel, struct command *command)
{
    const group_kernel *known = kernel->known;
    if (!known)
        return take_unknown(kernel, command);
    unsigned memories = (unsigned)named_kernel_memories(known);
    uint64_t groups = (uint64_t)command->groups[0] * command->groups[1] * command->groups[2];
    if (groups * LOOP_ITEMS > UINT32_MAX || kernel->entry->count != memories + known->numbers)
        return false;
    for (unsigned i = 0; i < known->numbers; i++)
        memcpy(&command->numbers[i], &kernel->values[memories + i], sizeof command->numbers[i]);
    for (unsigned i = 0; i < memories; i++) {
        void *address = kernel->values[i].memory;
        uint64_t bytes =
            sizeof(uint32_t) * named_kernel_elements(known, i, command->numbers[0].word,
                                                     command->groups, command->group_size);
        if (memory_behind(address) < bytes)
            return false;
        command->memories[i] = address;
        take_memory(command, address, bytes, known->written == i);
    }
    return true;
}

void kernel_run(const struct pending *pending)
{
    const struct command *command = &pending->command;
    const named_kernel_launch launch = {.kernel = command->kernel->known,
                                        .memories = command->memories,
                                        .numbers = command->numbers,
                                        .groups = command->groups,
                                        .group_size = command->group_size};
    named_kernel_run(&launch);
}
