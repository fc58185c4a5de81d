/* SPDX-License-Identifier: MIT */
/*
 * dawn_today.c - makes a library of today's WebGPU ABI out of npm's dawn.node, which holds Dawn
 * whole but exports none of its functions: they are found in its symbol table and called through
 * functions of the standard names here. What dawn.node wants of node.js is answered by napi.c, in a
 * library of its own that alone is made visible to everybody.
 *
 * Environment: KT_DAWN_LIBRARY, the file. KT_DAWN_QUANTIZED=1 hides a device's toggles from Dawn,
 * which then quantises timestamps as it does for programs that ask for nothing. Compiled with EARLY, it
 * stands before a library of the early ABI, for the sake of that option.
 */
#define _GNU_SOURCE /* dlinfo */

#include "backends/webgpu/webgpu.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <libelf.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef EARLY
#define FUNCTIONS_OF_ABI(X) X(WGPUStatus, wgpuGetInstanceCapabilities, (void *capabilities))
#else
#define FUNCTIONS_OF_ABI(X) X(WGPUBool, wgpuHasInstanceFeature, (WGPUInstanceFeatureName feature))
#endif

#define FUNCTIONS(X)                \
    WGPU_FUNCTIONS_OF_INSTANCES(X)  \
    WGPU_FUNCTIONS_OF_FUTURES(X)    \
    WGPU_FUNCTIONS_OF_TIMESTAMPS(X) \
    WGPU_FUNCTIONS_OF_WORK(X)       \
    WGPU_FUNCTIONS_OF_TIMERS(X)     \
    FUNCTIONS_OF_ABI(X)

/*
 * Each function jumps to where its slot points, whatever its arguments. C has no words for that.
 * Functions in several lists are made once.
 */
#define FORWARD(result, name, parameters)                                        \
    __asm__(".ifndef " #name "\n"                                                \
            ".pushsection .data\n"                                               \
            "slot_" #name ": .quad unavailable\n"                                \
            ".popsection\n"                                                      \
            ".pushsection .text\n"                                               \
            ".globl " #name "\n"                                                 \
            ".type " #name ", @function\n" #name ": jmp *slot_" #name "(%rip)\n" \
            ".popsection\n"                                                      \
            ".endif\n");                                                         \
    __attribute__((visibility("hidden"))) extern void *slot_##name;
FUNCTIONS(FORWARD)

/* What slots point to until Dawn is there, and for good where it cannot be opened: 0, NULL, no
 * future. */
__attribute__((visibility("hidden"), used)) uint64_t unavailable(void);
uint64_t unavailable(void)
{
    return 0;
}

typedef struct function {
    const char *name;
    void **slot;
} function_t;

#define ENTRY(result, name, parameters) {#name, &slot_##name},
static const function_t functions[] = {FUNCTIONS(ENTRY)};
enum { FUNCTION_COUNT = sizeof functions / sizeof functions[0] };

static WGPUFuture (*dawn_request_device)(WGPUAdapter, const WGPUDeviceDescriptor *,
                                         WGPURequestDeviceCallbackInfo);

/* Toggles that stand first in the chain, where whoever has nothing else to chain puts them. */
static WGPUFuture request_without_toggles(WGPUAdapter adapter,
                                          const WGPUDeviceDescriptor *descriptor,
                                          WGPURequestDeviceCallbackInfo callback_info)
{
    if (!descriptor)
        return dawn_request_device(adapter, NULL, callback_info);
    WGPUDeviceDescriptor changed = *descriptor;
    while (changed.nextInChain && changed.nextInChain->sType == WGPUSType_DawnTogglesDescriptor)
        changed.nextInChain = changed.nextInChain->next;
    return dawn_request_device(adapter, &changed, callback_info);
}

/* ---- functions that the file does not export ---- */

typedef struct symbol {
    const char *name;
    uintptr_t address; /* as in the file; 0: not found */
} symbol_t;

static void look_at_symbol(const char *name, uintptr_t address, symbol_t *symbols, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, symbols[i].name) == 0)
            symbols[i].address = address;
}

static void look_at_symbol_table(Elf *elf, Elf_Scn *section, symbol_t *symbols, size_t count)
{
    const Elf64_Shdr *header = elf64_getshdr(section);
    if (!header || header->sh_type != SHT_SYMTAB)
        return;
    const Elf_Data *data = elf_getdata(section, NULL);
    if (!data)
        return;
    const Elf64_Sym *entries = data->d_buf;
    for (size_t i = 0; i < data->d_size / sizeof *entries; i++) {
        const char *name = elf_strptr(elf, header->sh_link, entries[i].st_name);
        if (name && ELF64_ST_TYPE(entries[i].st_info) == STT_FUNC)
            look_at_symbol(name, (uintptr_t)entries[i].st_value, symbols, count);
    }
}

static void find_symbols(const char *path, symbol_t *symbols, size_t count)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(file, ELF_C_READ, NULL);
    Elf_Scn *section = NULL;
    while (elf && (section = elf_nextscn(elf, section)))
        look_at_symbol_table(elf, section, symbols, count);
    elf_end(elf);
    close(file);
}

/* Symbols' places in the process; false if one is missing. */
static bool load_symbols(void *library, const char *path, symbol_t *symbols, size_t count)
{
    struct link_map *map = NULL;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0)
        return false;
    find_symbols(path, symbols, count);
    for (size_t i = 0; i < count; i++) {
        if (symbols[i].address == 0) {
            fprintf(stderr, "dawn_today: %s has no %s\n", path, symbols[i].name);
            return false;
        }
        symbols[i].address += map->l_addr;
    }
    return true;
}

/* ---- opening ---- */

/* A library that exports its functions. */
static bool use_exports(void *library)
{
    for (size_t i = 0; i < FUNCTION_COUNT; i++)
        if (!dlsym(library, functions[i].name))
            return false;
    for (size_t i = 0; i < FUNCTION_COUNT; i++)
        *functions[i].slot = dlsym(library, functions[i].name);
    return true;
}

/* Dawn's functions of the standard names call through a table that is to be set first. */
static bool use_symbols(void *library, const char *path)
{
    symbol_t symbols[FUNCTION_COUNT + 2] = {[FUNCTION_COUNT] = {"dawnProcSetProcs", 0},
                                            {"_ZN4dawn6native8GetProcsEv", 0}};
    for (size_t i = 0; i < FUNCTION_COUNT; i++)
        symbols[i].name = functions[i].name;
    if (!load_symbols(library, path, symbols, FUNCTION_COUNT + 2))
        return false;

    /* The C++ ABI returns a reference as C does a pointer. */
    void (*set_procs)(const void *) = (void (*)(const void *))symbols[FUNCTION_COUNT].address;
    const void *(*get_procs)(void) = (const void *(*)(void))symbols[FUNCTION_COUNT + 1].address;
    set_procs(get_procs());
    for (size_t i = 0; i < FUNCTION_COUNT; i++)
        *functions[i].slot = (void *)symbols[i].address;
    return true;
}

__attribute__((constructor)) static void open_dawn(void)
{
    const char *path = getenv("KT_DAWN_LIBRARY");
    if (!path)
        return;
#ifdef NAPI_LIBRARY
    if (!dlopen(NAPI_LIBRARY, RTLD_NOW | RTLD_GLOBAL)) {
        fprintf(stderr, "dawn_today: %s\n", dlerror());
        return;
    }
#endif
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "dawn_today: %s\n", dlerror());
        return;
    }
    if (!use_exports(library) && !use_symbols(library, path))
        return;

    const char *quantized = getenv("KT_DAWN_QUANTIZED");
    if (quantized && strcmp(quantized, "0") != 0) {
        memcpy(&dawn_request_device, &slot_wgpuAdapterRequestDevice, sizeof dawn_request_device);
        WGPUFuture (*request)(WGPUAdapter, const WGPUDeviceDescriptor *,
                              WGPURequestDeviceCallbackInfo) = request_without_toggles;
        memcpy(&slot_wgpuAdapterRequestDevice, &request, sizeof request);
    }
}

__attribute__((visibility("default"))) WGPUProc wgpuGetProcAddress(WGPUStringView name);
WGPUProc wgpuGetProcAddress(WGPUStringView name)
{
    size_t length = name.length == WGPU_STRLEN ? strlen(name.data) : name.length;
    for (size_t i = 0; i < FUNCTION_COUNT; i++)
        if (strlen(functions[i].name) == length &&
            memcmp(functions[i].name, name.data, length) == 0) {
            WGPUProc function;
            memcpy(&function, functions[i].slot, sizeof function);
            return function;
        }
    return NULL;
}
