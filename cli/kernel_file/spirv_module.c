/* SPDX-License-Identifier: MIT */
/* spirv_module.c - the structure of SPIR-V modules. All numbers are from its specification: a header
 * of five words, then instructions. The first word of an instruction holds its length above its
 * opcode. */
#include "cli/kernel_file/reader.h"

#include <stdio.h>
#include <string.h>

#define MAGIC        UINT32_C(0x07230203)
#define HEADER_WORDS 5
#define IDS_MAX      4194303 /* highest id that every consumer must accept */

enum { OP_ENTRY_POINT = 15, OP_CAPABILITY = 17 };

static bool is_whole(const uint32_t *words, size_t count, char sentence[KERNEL_FILE_REASON_BYTES])
{
    if (count < HEADER_WORDS || (words[1] & 0xFF0000FF) != 0 || words[1] < 0x10000) {
        snprintf(sentence, KERNEL_FILE_REASON_BYTES, "the header of the SPIR-V is damaged");
        return false;
    }
    if (words[3] > IDS_MAX) {
        snprintf(sentence, KERNEL_FILE_REASON_BYTES, "the SPIR-V has %u ids, but %u are the most",
                 words[3], (unsigned)IDS_MAX);
        return false;
    }
    for (size_t at = HEADER_WORDS; at < count; at += words[at] >> 16)
        if (words[at] >> 16 == 0 || words[at] >> 16 > count - at) {
            snprintf(sentence, KERNEL_FILE_REASON_BYTES, "the SPIR-V breaks off at word %zu of %zu",
                     at, count);
            return false;
        }
    return true;
}

static uint32_t swapped(uint32_t word)
{
    return word >> 24 | (word >> 8 & 0xFF00) | (word << 8 & 0xFF0000) | word << 24;
}

int spirv_see(kernel_file *out, char *reason)
{
    uint32_t *words = (uint32_t *)(void *)out->text; /* from malloc(): aligned */
    size_t count = out->bytes / 4;
    if (count && words[0] == swapped(MAGIC))
        for (size_t i = 0; i < count; i++)
            words[i] = swapped(words[i]);
    if (out->bytes < 4 || words[0] != MAGIC)
        return reader_fail(reason, out,
                           "this is no SPIR-V: it does not begin with its magic number");
    char sentence[KERNEL_FILE_REASON_BYTES];
    if (out->bytes % 4 || !is_whole(words, count, sentence))
        return reader_fail(reason, out, "%s",
                           out->bytes % 4 ? "the SPIR-V ends within a word" : sentence);
    bool is_kernel = false, is_shader = false;
    for (size_t at = HEADER_WORDS; at < count; at += words[at] >> 16)
        if ((words[at] & 0xFFFF) == OP_CAPABILITY && words[at] >> 16 == 2) {
            is_shader |= words[at + 1] == 1;
            is_kernel |= words[at + 1] == 6;
        }
    if (is_kernel == is_shader)
        return reader_fail(reason, out, "the SPIR-V has %s",
                           is_kernel ? "both shaders and kernels, which no device accepts"
                                     : "neither shaders nor kernels: no capability says so");
    out->language = is_kernel ? KT_LANGUAGE_SPIRV_KERNEL : KT_LANGUAGE_SPIRV_SHADER;
    return 0;
}

size_t spirv_copy_text(const uint32_t *words, size_t count, char *text, size_t bytes)
{
    size_t used = 0;
    for (size_t i = 0; i < 4 * count; i++) {
        char c = (char)(words[i / 4] >> 8 * (i % 4) & 0xFF);
        if (used + 1 < bytes)
            text[used++] = c;
        if (c == '\0') {
            text[used] = '\0';
            return i / 4 + 1;
        }
    }
    text[used] = '\0';
    return 0;
}

size_t spirv_entry_point(const uint32_t *words, size_t count, uint32_t model, size_t at,
                         char name[SIGNATURE_NAME_BYTES])
{
    for (at = at ? at : HEADER_WORDS; at < count; at += words[at] >> 16) {
        size_t length = words[at] >> 16;
        if ((words[at] & 0xFFFF) == OP_ENTRY_POINT && length > 3 && words[at + 1] == model &&
            spirv_copy_text(words + at + 3, length - 3, name, SIGNATURE_NAME_BYTES))
            return at;
    }
    return 0;
}

void spirv_entries(const kernel_file *file, uint32_t model, kernel_entries *out)
{
    const uint32_t *words = (const uint32_t *)(const void *)file->text;
    char name[SIGNATURE_NAME_BYTES];
    for (size_t at = 0; (at = spirv_entry_point(words, file->bytes / 4, model, at, name)) != 0;
         at += words[at] >> 16)
        entries_add(out, name);
}
