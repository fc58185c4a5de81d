/* SPDX-License-Identifier: MIT */
/* shader.c - what SPIR-V says about a kernel: its name, and the size of its groups. Numbers are of
 * the SPIR-V specification: five words of header, then instructions whose first word holds their
 * length above their opcode. */
#include "tracers/vulkan/layer.h"

#include "support/alloc.h"

#include <stdio.h>
#include <string.h>

#define HEADER_WORDS 5
#define TEXT_BYTES   128

enum {
    OP_SOURCE = 3,
    OP_STRING = 7,
    OP_ENTRY_POINT = 15,
    OP_EXECUTION_MODE = 16,
    OP_CONSTANT = 43,
    OP_CONSTANT_COMPOSITE = 44,
    OP_SPEC_CONSTANT = 50,
    OP_SPEC_CONSTANT_COMPOSITE = 51,
    OP_DECORATE = 71,
    OP_EXECUTION_MODE_ID = 331
};
enum { MODE_LOCAL_SIZE = 17, MODE_LOCAL_SIZE_ID = 38 };
enum { DECORATION_SPEC_ID = 1, DECORATION_BUILTIN = 11, BUILTIN_WORKGROUP_SIZE = 25 };

struct shader {
    char *name; /* the program's own */
    size_t count;
    uint32_t words[];
};

shader *shader_read(const VkShaderModuleCreateInfo *info)
{
    shader *s = kt_alloc(1, sizeof *s + info->codeSize);
    if (!s)
        return NULL;
    s->count = info->codeSize / sizeof *s->words;
    memcpy(s->words, info->pCode, s->count * sizeof *s->words);
    return s;
}

void shader_free(void *freed)
{
    shader *s = freed;
    kt_free(s->name);
    kt_free(s);
}

void shader_set_name(shader *s, const char *name)
{
    kt_free(s->name);
    s->name = kt_copy_text(name);
}

/* The next instruction of that opcode behind `at` with at least `least` words after the first, or
 * from the begin if `at` is NULL; NULL: none. */
static const uint32_t *next(const shader *s, const uint32_t *at, uint32_t opcode, size_t least)
{
    const uint32_t *end = s->words + s->count;
    if (!at && s->count <= HEADER_WORDS)
        return NULL;
    at = at ? at + (*at >> 16) : s->words + HEADER_WORDS;
    while (at < end) {
        size_t length = *at >> 16;
        if (length == 0 || length > (size_t)(end - at))
            return NULL; /* broken off */
        if ((*at & 0xFFFF) == opcode && length > least)
            return at;
        at += length;
    }
    return NULL;
}

/* Copies a text that lies in an instruction's words from `first` on. */
static void copy_text(const uint32_t *at, size_t first, char text[TEXT_BYTES])
{
    size_t length = *at >> 16, used = 0;
    for (size_t i = 4 * first; i < 4 * length && used < TEXT_BYTES - 1; i++) {
        char letter = (char)(at[i / 4] >> 8 * (i % 4) & 0xFF);
        if (letter == '\0')
            break;
        text[used++] = letter;
    }
    text[used] = '\0';
}

/* Name of the file that the shader was made of, without its folder. */
static bool find_source(const shader *s, char text[TEXT_BYTES])
{
    const uint32_t *source = next(s, NULL, OP_SOURCE, 3);
    for (const uint32_t *at = NULL; source && (at = next(s, at, OP_STRING, 2)) != NULL;)
        if (at[1] == source[3]) {
            char path[TEXT_BYTES];
            copy_text(at, 2, path);
            const char *slash = strrchr(path, '/');
            snprintf(text, TEXT_BYTES, "%s", slash ? slash + 1 : path);
            return text[0] != '\0';
        }
    return false;
}

/* FNV-1a. */
static uint32_t hash(uint32_t seed, const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        seed = (seed ^ ((const unsigned char *)data)[i]) * UINT32_C(16777619);
    return seed;
}

/* Value of a constant of 32 bits, as the pipeline specialises it. 0: unknown. */
static uint32_t constant(const shader *s, const VkSpecializationInfo *info, uint32_t id)
{
    for (const uint32_t *at = NULL; (at = next(s, at, OP_CONSTANT, 3)) != NULL;)
        if (at[2] == id)
            return at[3];
    const uint32_t *found = NULL;
    while ((found = next(s, found, OP_SPEC_CONSTANT, 3)) != NULL && found[2] != id)
        continue;
    if (!found)
        return 0;
    for (const uint32_t *at = NULL; info && (at = next(s, at, OP_DECORATE, 3)) != NULL;)
        for (uint32_t i = 0; at[1] == id && at[2] == DECORATION_SPEC_ID && i < info->mapEntryCount;
             i++) {
            const VkSpecializationMapEntry *entry = &info->pMapEntries[i];
            uint32_t value;
            if (entry->constantID != at[3] || entry->size != sizeof value)
                continue;
            memcpy(&value, (const char *)info->pData + entry->offset, sizeof value);
            return value;
        }
    return found[3];
}

static void find_constants(const shader *s, const VkSpecializationInfo *info, const uint32_t *ids,
                           uint32_t group[3])
{
    for (int i = 0; i < 3; i++)
        group[i] = constant(s, info, ids[i]);
}

static void find_group(const shader *s, const VkSpecializationInfo *info, uint32_t entry,
                       uint32_t group[3])
{
    for (const uint32_t *at = NULL; (at = next(s, at, OP_EXECUTION_MODE, 5)) != NULL;)
        if (at[1] == entry && at[2] == MODE_LOCAL_SIZE)
            memcpy(group, at + 3, 3 * sizeof *group);
    for (const uint32_t *at = NULL; (at = next(s, at, OP_EXECUTION_MODE_ID, 5)) != NULL;)
        if (at[1] == entry && at[2] == MODE_LOCAL_SIZE_ID)
            find_constants(s, info, at + 3, group);
    /* A constant that is the size of groups goes before both. */
    uint32_t size_id = 0;
    for (const uint32_t *at = NULL; (at = next(s, at, OP_DECORATE, 3)) != NULL;)
        if (at[2] == DECORATION_BUILTIN && at[3] == BUILTIN_WORKGROUP_SIZE)
            size_id = at[1];
    static const uint32_t composites[] = {OP_CONSTANT_COMPOSITE, OP_SPEC_CONSTANT_COMPOSITE};
    for (int i = 0; size_id && i < 2; i++)
        for (const uint32_t *at = NULL; (at = next(s, at, composites[i], 5)) != NULL;)
            if (at[2] == size_id)
                find_constants(s, info, at + 3, group);
}

static uint32_t find_entry(const shader *s, const char *name)
{
    for (const uint32_t *at = NULL; (at = next(s, at, OP_ENTRY_POINT, 3)) != NULL;) {
        char text[TEXT_BYTES];
        copy_text(at, 3, text);
        if (strncmp(text, name, TEXT_BYTES - 1) == 0)
            return at[2];
    }
    return 0;
}

char *shader_kernel(const shader *s, const VkPipelineShaderStageCreateInfo *stage,
                    uint32_t group[3])
{
    const VkSpecializationInfo *info = stage->pSpecializationInfo;
    find_group(s, info, find_entry(s, stage->pName), group);
    if (s->name)
        return kt_copy_text(s->name);
    char text[2 * TEXT_BYTES + 8], source[TEXT_BYTES];
    uint32_t sum = hash(UINT32_C(2166136261), s->words, s->count * sizeof *s->words);
    if (info)
        sum = hash(sum, info->pData, info->dataSize);
    if (find_source(s, source))
        snprintf(text, sizeof text, "%.*s (%s)", TEXT_BYTES - 1, stage->pName, source);
    else
        snprintf(text, sizeof text, "%.*s #%08x", TEXT_BYTES - 1, stage->pName, (unsigned)sum);
    return kt_copy_text(text);
}
