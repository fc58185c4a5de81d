/* SPDX-License-Identifier: MIT */
#include "cli/kernel_file/kernel_file.h"

#include "cli/kernel_file/reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX (64 << 20)

typedef struct ending_row {
    const char *ending;
    kt_language language;
    bool is_glsl;
} ending_row;

static const ending_row endings[] = {
    {".cl", KT_LANGUAGE_OPENCL_C, false},      {".comp", KT_LANGUAGE_SPIRV_SHADER, true},
    {".glsl", KT_LANGUAGE_SPIRV_SHADER, true}, {".spv", KT_LANGUAGE_SPIRV_SHADER, false},
    {".wgsl", KT_LANGUAGE_WGSL, false},        {".cu", KT_LANGUAGE_CUDA_C, false},
    {".hip", KT_LANGUAGE_CUDA_C, false},       {".ptx", KT_LANGUAGE_PTX, false},
    {".metal", KT_LANGUAGE_MSL, false},
};

static const ending_row *find_ending(const char *path)
{
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof endings / sizeof endings[0]; i++)
        if (strcmp(ending, endings[i].ending) == 0)
            return &endings[i];
    return NULL;
}

bool kernel_file_has_ending(const char *path)
{
    return find_ending(path) != NULL;
}

const char *kernel_file_language(const kernel_file *file)
{
    if (file->is_glsl)
        return "GLSL";
    switch (file->language) {
    case KT_LANGUAGE_OPENCL_C: return "OpenCL C";
    case KT_LANGUAGE_SPIRV_SHADER: return "SPIR-V of a shader";
    case KT_LANGUAGE_SPIRV_KERNEL: return "SPIR-V of OpenCL C";
    case KT_LANGUAGE_WGSL: return "WGSL";
    case KT_LANGUAGE_PTX: return "PTX";
    case KT_LANGUAGE_CUDA_C: return "CUDA C";
    default: return "MSL";
    }
}

/* ---- content ---- */

static int fail_reading(const kernel_file *file, char *reason)
{
    snprintf(reason, KERNEL_FILE_REASON_BYTES, "%.200s cannot be read: %s", file->path,
             strerror(errno));
    reader_make_printable(reason);
    return -1;
}

static int read_content(kernel_file *out, char *reason)
{
    FILE *stream = fopen(out->path, "rb");
    size_t capacity = 0;
    if (!stream)
        return fail_reading(out, reason);
    for (size_t got = 1; got > 0;) {
        if (out->bytes + 1 >= capacity) {
            capacity = capacity ? 2 * capacity : 65536;
            char *text = capacity <= FILE_BYTES_MAX ? realloc(out->text, capacity) : NULL;
            if (!text) {
                fclose(stream);
                return capacity <= FILE_BYTES_MAX
                           ? reader_no_memory(reason, out)
                           : reader_fail(reason, out, "larger than %d MiB, too large for kernels",
                                         FILE_BYTES_MAX >> 21);
            }
            out->text = text;
        }
        got = fread(out->text + out->bytes, 1, capacity - out->bytes - 1, stream);
        out->bytes += got;
    }
    int failed = ferror(stream) ? fail_reading(out, reason) : 0; /* of a folder, it is reading */
    fclose(stream);
    out->text[out->bytes] = '\0';
    return failed;
}

int kernel_file_read(const char *path, kernel_file *out, char reason[KERNEL_FILE_REASON_BYTES])
{
    const ending_row *row = find_ending(path);
    *out = (kernel_file){.path = path};
    if (!row)
        return reader_fail(reason, out,
                           "the ending tells no language; there are .cl .comp .spv .wgsl .cu .ptx "
                           ".metal");
    out->language = row->language;
    out->is_glsl = row->is_glsl;
    if (read_content(out, reason) != 0)
        return -1;
    if (!out->bytes)
        return reader_fail(reason, out, "the file is empty");
    return strcmp(row->ending, ".spv") == 0 ? spirv_see(out, reason) : 0;
}

void kernel_file_free(kernel_file *file)
{
    free(file->text);
    file->text = NULL;
    file->bytes = 0;
}

/* ---- readers ---- */

static const kernel_reader *reader_of(const kernel_file *file)
{
    switch (file->language) {
    case KT_LANGUAGE_WGSL: return &wgsl_reader;
    case KT_LANGUAGE_PTX: return &ptx_reader;
    case KT_LANGUAGE_SPIRV_SHADER: return &shader_reader;
    case KT_LANGUAGE_SPIRV_KERNEL: return &spirv_kernel_reader;
    default: return &c_reader;
    }
}

int kernel_file_entries(const kernel_file *file, kernel_entries *out,
                        char reason[KERNEL_FILE_REASON_BYTES])
{
    out->count = 0;
    if (file->is_glsl) {
        entries_add(out, "main");
        return 0;
    }
    if (reader_of(file)->entries(file, out, reason) != 0)
        return -1;
    return out->count ? 0 : reader_fail(reason, file, "no kernel was found in it");
}

int kernel_file_signature(const kernel_file *file, const char *entry, signature *out,
                          char reason[KERNEL_FILE_REASON_BYTES])
{
    memset(out, 0, sizeof *out);
    snprintf(out->entry, sizeof out->entry, "%s", entry);
    for (unsigned i = 0; i < 3; i++)
        out->group_constant[i] = -1;
    if (file->is_glsl)
        return reader_fail(reason, file, "GLSL has to be compiled first");
    return reader_of(file)->signature(file, entry, out, reason);
}
