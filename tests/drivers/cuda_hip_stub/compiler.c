/* SPDX-License-Identifier: MIT */
/*
 * The compiler of CUDA C: it looks for kernels and their parameters in the text, and makes of them
 * what module.c reads. What it checks is that brackets match.
 */
#include "stub.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MARKS_MAX = 4,
    CODE_BYTES = 8192,
    LOG_BYTES = 256,
    INVALID_INPUT = 3,
    INVALID_PROGRAM = 4,
    INVALID_OPTION = 5,
    TOO_LATE_FOR_NAMES = 8,
    NO_NAMES_YET = 9,
    NO_SUCH_NAME = 10
};

struct cuda_source_opaque {
    struct object base;
    char *text;
    char log[LOG_BYTES];
    char code[CODE_BYTES], ptx[CODE_BYTES];
    char name[NAME_MAX_BYTES];   /* the one name expression; empty: none */
    char symbol[NAME_MAX_BYTES]; /* what it became; empty: no kernel */
    bool compiled, for_device;
};

/* ---- reading ---- */

/* Comments and lines of the preprocessor become blanks. */
static void blank_out(char *text)
{
    bool begins_line = true;
    for (char *at = text; *at;) {
        const char *end = NULL;
        if (at[0] == '/' && at[1] == '*')
            end = strstr(at + 2, "*/") ? strstr(at + 2, "*/") + 2 : at + strlen(at);
        else if ((at[0] == '/' && at[1] == '/') || (begins_line && *at == '#')) {
            end = at;
            while (*end && (*end != '\n' || end[-1] == '\\'))
                end++;
        }
        if (!end) {
            begins_line = *at == '\n' || (begins_line && isspace((unsigned char)*at));
            at++;
            continue;
        }
        for (; at < end; at++)
            *at = *at == '\n' ? '\n' : ' ';
    }
}

/* The line of the first bracket that has none to match; 0: all match. */
static int unmatched_line(const char *text)
{
    char open[64];
    int depth = 0, line = 1;
    for (; *text; text++) {
        line += *text == '\n';
        const char *bracket = strchr("({[)}]", *text);
        if (!bracket)
            continue;
        size_t which = (size_t)(bracket - "({[)}]");
        if (which < 3 && depth < (int)sizeof open)
            open[depth++] = *text;
        else if (which < 3 || depth == 0 || open[--depth] != "({["[which - 3])
            return line;
    }
    return depth ? line : 0;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The next whole word of that spelling, or NULL. */
static const char *find_word(const char *text, const char *at, const char *word)
{
    size_t length = strlen(word);
    for (at = strstr(at, word); at; at = strstr(at + 1, word))
        if ((at == text || !is_name(at[-1])) && !is_name(at[length]))
            return at;
    return NULL;
}

static bool is_extern_c(const char *text, const char *at)
{
    static const char words[] = "extern \"C\"";
    while (at > text && isspace((unsigned char)at[-1]))
        at--;
    size_t length = sizeof words - 1;
    return (size_t)(at - text) >= length && memcmp(at - length, words, length) == 0;
}

/* The name before the list of parameters, whose '(' is the answer; one behind __launch_bounds__ is
 * none. */
static const char *find_name(const char *at, char name[NAME_MAX_BYTES])
{
    name[0] = '\0';
    while (*at && *at != ';' && *at != '{') {
        size_t length = 0;
        while (is_name(at[length]))
            length++;
        if (length)
            snprintf(name, NAME_MAX_BYTES, "%.*s", (int)length, at);
        at += length;
        if (*at == '(' && strcmp(name, "__launch_bounds__") != 0)
            return at;
        if (*at && !length)
            at++;
    }
    return NULL;
}

__attribute__((format(printf, 2, 3))) static void append(char *code, const char *format, ...)
{
    size_t length = strlen(code);
    va_list list;
    va_start(list, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
    vsnprintf(code + length, CODE_BYTES - length, format, list);
    va_end(list);
}

/* The bracket that matches this one; all match. */
static const char *find_end(const char *at)
{
    int depth = 0;
    do
        depth += (*at == '(') - (*at == ')');
    while (depth && *++at);
    return at;
}

/* Pointers and long are of 64 bits, all else is taken for 32. */
static void append_parameters(char *code, const char *at)
{
    const char *end = find_end(at);
    for (const char *begin = at + 1; begin < end;) {
        const char *comma = memchr(begin, ',', (size_t)(end - begin));
        const char *stop = comma ? comma : end;
        const char *is_long = find_word(begin, begin, "long");
        bool wide = memchr(begin, '*', (size_t)(stop - begin)) || (is_long && is_long < stop);
        append(code, "%s.param .u%d p", begin == at + 1 ? "" : ", ", wide ? 64 : 32);
        begin = stop + 1;
    }
}

static bool is_template(const char *text, const char *at)
{
    while (at > text && isspace((unsigned char)at[-1]))
        at--;
    return at > text && at[-1] == '>';
}

/* Whether the expression, "space::name<float, 4>", is of the kernel of that name. */
static bool names(const char *expression, const char *name, bool with_arguments)
{
    size_t length = strcspn(expression, "<"), begin = length;
    while (begin > 0 && is_name(expression[begin - 1]))
        begin--;
    return (expression[length] == '<') == with_arguments && length - begin == strlen(name) &&
           memcmp(expression + begin, name, length - begin) == 0;
}

/* Names that are not extern "C" are mangled. Of a template there is what the expression names. */
static void append_kernels(cuda_source source, const char *word, bool is_c)
{
    char name[NAME_MAX_BYTES], symbol[2 * NAME_MAX_BYTES];
    const char *text = source->text;
    for (const char *at = find_word(text, text, word); at; at = find_word(text, at + 1, word)) {
        const char *list = find_name(at + strlen(word), name);
        if (!list)
            continue;
        bool varies = is_template(text, at), is_named = names(source->name, name, varies);
        if (varies && !is_named)
            continue;
        if (is_c || is_extern_c(text, at))
            snprintf(symbol, sizeof symbol, "%s", name);
        else
            snprintf(symbol, sizeof symbol, "_Z%zu%s%sv", strlen(name), name, varies ? "IE" : "");
        if (is_named)
            snprintf(source->symbol, sizeof source->symbol, "%.*s", NAME_MAX_BYTES - 1, symbol);
        append(source->ptx, ".visible .entry %s(", symbol);
        append_parameters(source->ptx, list);
        append(source->ptx, ")\n{\n}\n");
    }
}

/* "#define KERNEL extern "C" __global__": that word marks kernels, too. Before lines of the
 * preprocessor are gone. */
static void find_marks(const char *text, char marks[MARKS_MAX][NAME_MAX_BYTES])
{
    static const char define[] = "#define ", means[] = "extern \"C\" __global__";
    unsigned count = 0;
    for (const char *at = strstr(text, define); at; at = strstr(at, define)) {
        at += sizeof define - 1;
        size_t length = strcspn(at, " \n(");
        const char *rest = at + length + strspn(at + length, " ");
        if (strncmp(rest, means, sizeof means - 1) == 0 && length < NAME_MAX_BYTES &&
            count < MARKS_MAX)
            snprintf(marks[count++], NAME_MAX_BYTES, "%.*s", (int)length, at);
    }
}

/* ---- the functions ---- */

cuda_compiler_code stub_rtcVersion(int *major, int *minor)
{
    ENTER(rtcVersion, NEEDS_NOTHING);
    *major = STUB_HIP ? 9 : (int)script.nvrtc / 1000;
    *minor = STUB_HIP ? 0 : (int)script.nvrtc / 10 % 100;
    return CUDA_OK;
}

cuda_compiler_code stub_rtcCreateProgram(cuda_source *out, const char *text, const char *name,
                                         int headers, const char *const *contents,
                                         const char *const *names)
{
    ENTER(rtcCreateProgram, NEEDS_NOTHING);
    if (!text)
        return INVALID_INPUT;
    EXPECT_USE(headers == 0, "%d headers", headers);
    *out = object_create(KIND_PROGRAM, sizeof **out, NULL);
    (*out)->text = malloc(strlen(text) + 1);
    if (!(*out)->text)
        abort();
    memcpy((*out)->text, text, strlen(text) + 1);
    return CUDA_OK;
}

/* "--gpu-architecture=sm_75", "--offload-arch=gfx90a:xnack-": the number; NVRTC makes machine code
 * for sm alone. */
static bool read_options(cuda_source source, int count, const char *const *options,
                         unsigned *capability, bool *reported)
{
    const char *word = STUB_HIP ? "--offload-arch=" : "--gpu-architecture=";
    *capability = (unsigned)script.capability;
    source->for_device = STUB_HIP;
    for (int i = 0; i < count; i++) {
        if (options[i][0] != '-')
            return false;
        if (strncmp(options[i], word, strlen(word)) != 0)
            continue;
        const char *arch = options[i] + strlen(word);
        source->for_device = STUB_HIP || strncmp(arch, "sm_", 3) == 0;
        const char *format = STUB_HIP ? "gfx%u" : source->for_device ? "sm_%u" : "compute_%u";
        // NOLINTNEXTLINE(clang-diagnostic-format-nonliteral)
        if (sscanf(arch, format, capability) != 1)
            return false;
        *reported = true;
    }
    return true;
}

/* hiprtc of 5.2 compiles for no device that it is not told: code 6, and these words. */
static bool needs_architecture(void)
{
    enum { HIP_6 = 60000000 };
    return STUB_HIP && script.version < HIP_6;
}

cuda_compiler_code stub_rtcCompileProgram(cuda_source source, int count, const char *const *options)
{
    ENTER(rtcCompileProgram, NEEDS_NOTHING);
    unsigned capability = 0;
    bool reported = false;
    if (!object_use(source, KIND_PROGRAM))
        return INVALID_PROGRAM;
    EXPECT_USE(!source->compiled, "compiled twice");
    if (!read_options(source, count, options, &capability, &reported)) {
        snprintf(source->log, LOG_BYTES, "error: an option is not known\n");
        return INVALID_OPTION;
    }
    if (!reported && needs_architecture()) {
        snprintf(source->log, LOG_BYTES,
                 "Error: Please provide architecture for which code is to be generated.\n");
        return CUDA_COMPILATION;
    }
    char marks[MARKS_MAX][NAME_MAX_BYTES] = {{0}};
    find_marks(source->text, marks);
    blank_out(source->text);
    int line = unmatched_line(source->text);
    if (line || script.build == BUILD_FAIL) {
        snprintf(source->log, LOG_BYTES, "kernel.cu(%d): error: brackets do not match\n",
                 line ? line : 1);
        return CUDA_COMPILATION;
    }
    append(source->ptx, ".version %d.%d\n.target sm_%u\n", (int)script.nvrtc / 1000 - 4,
           (int)script.nvrtc / 10 % 100, capability);
    append_kernels(source, "__global__", false);
    for (unsigned i = 0; i < MARKS_MAX && marks[i][0]; i++)
        append_kernels(source, marks[i], true);
    if (source->name[0] && !source->symbol[0]) {
        snprintf(source->log, LOG_BYTES, "error: identifier \"%s\" is undefined\n", source->name);
        return CUDA_COMPILATION;
    }
    append(source->code, CODE_BEGIN "%u\n%s", capability, source->ptx);
    source->compiled = true;
    return CUDA_OK;
}

cuda_compiler_code stub_rtcAddNameExpression(cuda_source source, const char *name)
{
    ENTER(rtcAddNameExpression, NEEDS_NOTHING);
    if (!object_use(source, KIND_PROGRAM))
        return INVALID_PROGRAM;
    EXPECT_USE(!source->name[0], "two names");
    if (source->compiled)
        return TOO_LATE_FOR_NAMES;
    snprintf(source->name, sizeof source->name, "%s", name);
    return CUDA_OK;
}

/* It lives as long as the program. */
cuda_compiler_code stub_rtcGetLoweredName(cuda_source source, const char *name, const char **out)
{
    ENTER(rtcGetLoweredName, NEEDS_NOTHING);
    if (!object_use(source, KIND_PROGRAM))
        return INVALID_PROGRAM;
    if (!source->compiled)
        return NO_NAMES_YET;
    if (strcmp(name, source->name) != 0)
        return NO_SUCH_NAME;
    *out = source->symbol;
    return CUDA_OK;
}

/* `out` NULL: its size alone. */
static cuda_compiler_code give(cuda_source source, const char *text, char *out, size_t *bytes,
                               bool is_log)
{
    if (!object_use(source, KIND_PROGRAM) || (!is_log && !source->compiled))
        return INVALID_PROGRAM;
    size_t all = strlen(text) + 1;
    if (bytes)
        *bytes = all;
    if (out)
        memcpy(out, text, all);
    return CUDA_OK;
}

cuda_compiler_code stub_rtcGetProgramLogSize(cuda_source source, size_t *bytes)
{
    ENTER(rtcGetProgramLogSize, NEEDS_NOTHING);
    return give(source, source->log, NULL, bytes, true);
}

cuda_compiler_code stub_rtcGetProgramLog(cuda_source source, char *out)
{
    ENTER(rtcGetProgramLog, NEEDS_NOTHING);
    return give(source, source->log, out, NULL, true);
}

/* PTX in CUDA, machine code in HIP. */
cuda_compiler_code stub_rtcGetCodeSize(cuda_source source, size_t *bytes)
{
    ENTER(rtcGetCodeSize, NEEDS_NOTHING);
    return give(source, STUB_HIP ? source->code : source->ptx, NULL, bytes, false);
}

cuda_compiler_code stub_rtcGetCode(cuda_source source, char *out)
{
    ENTER(rtcGetCode, NEEDS_NOTHING);
    return give(source, STUB_HIP ? source->code : source->ptx, out, NULL, false);
}

#if !STUB_HIP
/* None where it was compiled for an architecture that no device is. */
static cuda_compiler_code give_binary(cuda_source source, char *out, size_t *bytes)
{
    if (object_use(source, KIND_PROGRAM) && source->compiled && !source->for_device) {
        if (bytes)
            *bytes = 0;
        return CUDA_OK;
    }
    return give(source, source->code, out, bytes, false);
}

cuda_compiler_code stub_nvrtcGetCUBINSize(cuda_source source, size_t *bytes)
{
    ENTER(nvrtcGetCUBINSize, NEEDS_NOTHING);
    return give_binary(source, NULL, bytes);
}

cuda_compiler_code stub_nvrtcGetCUBIN(cuda_source source, char *out)
{
    ENTER(nvrtcGetCUBIN, NEEDS_NOTHING);
    return give_binary(source, out, NULL);
}

static const int archs[] = {60, 70, 75, 80, 90};
enum { ARCH_COUNT = sizeof archs / sizeof archs[0] };

cuda_compiler_code stub_nvrtcGetNumSupportedArchs(int *count)
{
    ENTER(nvrtcGetNumSupportedArchs, NEEDS_NOTHING);
    *count = ARCH_COUNT;
    return CUDA_OK;
}

cuda_compiler_code stub_nvrtcGetSupportedArchs(int *out)
{
    ENTER(nvrtcGetSupportedArchs, NEEDS_NOTHING);
    memcpy(out, archs, sizeof archs);
    return CUDA_OK;
}
#endif

cuda_compiler_code stub_rtcDestroyProgram(cuda_source *source)
{
    ENTER(rtcDestroyProgram, NEEDS_NOTHING);
    if (!object_use(*source, KIND_PROGRAM))
        return INVALID_PROGRAM;
    free((*source)->text);
    object_destroy(*source);
    *source = NULL;
    return CUDA_OK;
}

const char *stub_rtcGetErrorString(cuda_compiler_code code)
{
    static const char *const texts[] = {"SUCCESS",
                                        "ERROR_OUT_OF_MEMORY",
                                        "ERROR_PROGRAM_CREATION_FAILURE",
                                        "ERROR_INVALID_INPUT",
                                        "ERROR_INVALID_PROGRAM",
                                        "ERROR_INVALID_OPTION",
                                        "ERROR_COMPILATION"};
    bool known = code >= 0 && (size_t)code < sizeof texts / sizeof texts[0];
    return known ? texts[code] : "unknown error";
}
