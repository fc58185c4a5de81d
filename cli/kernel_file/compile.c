/* SPDX-License-Identifier: MIT */
/* compile.c - makes SPIR-V of GLSL with glslc, started as a program. */
#include "cli/kernel_file/reader.h"
#include "cli/terminal/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFINES_MAX 64

/* The oldest comes first: what is compiled for it runs on every device. */
static const char *const environments[] = {"--target-env=vulkan1.0", "--target-env=vulkan1.1",
                                           "--target-env=vulkan1.2", "--target-env=vulkan1.3"};

/* Texts "-DTILE=8", the caller's to free(); NULL if memory runs out. */
static char *join_defines(const char *const *defines, size_t count, const char **arguments)
{
    size_t bytes = 1;
    for (size_t i = 0; i < count; i++)
        bytes += strlen(defines[i]) + 3;
    char *text = malloc(bytes), *at = text;
    for (size_t i = 0; text && i < count; i++) {
        arguments[i] = at;
        at += snprintf(at, bytes - (size_t)(at - text), "-D%s", defines[i]) + 1;
    }
    return text;
}

/* Hands the words to `out`, or the compiler's text to `log`. */
static int take_output(const kernel_file *file, int code, process_output *run, kernel_file *out,
                       char **log, char *reason)
{
    if (code == PROCESS_MISSING)
        return reader_fail(reason, file,
                           "glslc, which compiles GLSL, was not found in PATH (Debian: apt install "
                           "glslc)");
    if (code == PROCESS_BROKEN)
        return reader_fail(reason, file, "glslc could not be started: %s",
                           run->errors ? run->errors : "unknown error");
    if (code != 0) {
        *log = run->errors;
        run->errors = NULL;
        return reader_fail(reason, file, "glslc does not compile it (exit code %d)", code);
    }
    if (run->output_bytes < 20 || run->output_bytes % 4)
        return reader_fail(reason, file, "glslc wrote no SPIR-V");
    *out = *file;
    out->is_glsl = false;
    out->language = KT_LANGUAGE_SPIRV_SHADER;
    out->text = run->output;
    out->bytes = run->output_bytes;
    run->output = NULL;
    return 0;
}

void kernel_file_see_glsl(const kernel_file *file, signature *out)
{
    tokens words;
    if (tokens_read_defined(file->text, file->bytes, TOKENS_C, file->defines, file->define_count,
                            &words))
        signature_see_uses(words.list, 0, words.count, NULL, 0, out);
    tokens_free(&words);
}

/* True if the compiler's log asks for a later environment. */
static bool needs_later(const process_output *run)
{
    return run->errors && (strstr(run->errors, "SPIR-V") || strstr(run->errors, "Vulkan"));
}

int kernel_file_compile(const kernel_file *file, const char *const *defines, size_t count,
                        kernel_file *out, char **log, char reason[KERNEL_FILE_REASON_BYTES])
{
    /* The words of -D stand behind the first six. */
    const char *arguments[DEFINES_MAX + 8] = {"glslc", NULL, "-fshader-stage=compute", "-o", "-"};
    *log = NULL;
    if (count > DEFINES_MAX)
        return reader_fail(reason, file, "more than %d defines", DEFINES_MAX);
    if (file->path[0] == '-') /* glslc would take it for an option */
        return reader_fail(reason, file, "glslc needs another name for it, such as ./%s",
                           file->path);
    char *text = join_defines(defines, count, arguments + 5);
    FILE *nothing = tmpfile();
    int failed = -1;
    arguments[5 + count] = file->path;
    for (size_t i = 0; text && nothing && failed; i++) {
        process_output run;
        arguments[1] = environments[i];
        free(*log);
        *log = NULL;
        int code = process_run(arguments, nothing, "GLSLC_IS_NOT_ASKED", &run);
        bool again = code > 0 && code < 128 && needs_later(&run) &&
                     i + 1 < sizeof environments / sizeof environments[0];
        failed = take_output(file, code, &run, out, log, reason);
        process_free(&run);
        if (!again)
            break;
    }
    if (!text || !nothing)
        reader_fail(reason, file, "no memory or no temporary file to compile it with");
    if (nothing)
        fclose(nothing);
    free(text);
    return failed;
}
