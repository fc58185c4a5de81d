/* Libraries, whose texts are looked through for their kernels, functions and pipelines. */
#include "stub.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Comments are blanks from then on. */
static void strip(char *text)
{
    for (char *at = text; *at; at++) {
        const char *end = NULL;
        if (at[0] == '/' && at[1] == '/')
            end = strchr(at, '\n');
        else if (at[0] == '/' && at[1] == '*' && (end = strstr(at + 2, "*/")) != NULL)
            end += 2;
        else
            continue;
        size_t length = end ? (size_t)(end - at) : strlen(at);
        memset(at, ' ', length);
        at += length - 1;
    }
}

struct options {
    struct thing thing;
    bool has_safe_mode, has_precise_functions;
};

/* What is wrong with it, or NULL. */
static const char *wrong_with(const char *text, const struct options *options)
{
    int depth = 0;
    bool precise = options && options->has_safe_mode && options->has_precise_functions;
    if (script.precise && !precise)
        return "a part of fast mathematics is on";
    if (script.build == BUILD_FAIL)
        return "the script wants it to fail";
    for (const char *at = text; *at && depth >= 0; at++)
        depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
    return depth < 0 ? "extraneous closing brace ('}')" : depth > 0 ? "expected '}'" : NULL;
}

/* Behind the word at `at`, and what is blank; NULL: another one stands there. */
static const char *skip_word(const char *at, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(at, word, length) != 0 || is_word(at[length]))
        return NULL;
    at += length;
    return at + strspn(at, " \t\r\n");
}

/* "MARK void NAME(" */
static bool has_marked(const char *text, const char *mark, const char *name)
{
    for (const char *at = text; (at = strstr(at, mark)) != NULL; at++) {
        const char *next = at != text && is_word(at[-1]) ? NULL : skip_word(at, mark);
        next = next ? skip_word(next, "void") : NULL;
        next = next ? skip_word(next, name) : NULL;
        if (next && *next == '(')
            return true;
    }
    return false;
}

/* A macro may stand for the word: "#define MARK kernel". */
static bool has_kernel(const char *text, const char *name)
{
    static const char define[] = "#define ";
    if (has_marked(text, "kernel", name))
        return true;
    for (const char *at = text; (at = strstr(at, define)) != NULL;) {
        char mark[NAME_MAX_BYTES];
        at += sizeof define - 1;
        size_t length = strcspn(at, " \n(");
        if (!skip_word(at + length + strspn(at + length, " "), "kernel") || length >= sizeof mark)
            continue;
        snprintf(mark, sizeof mark, "%.*s", (int)length, at);
        if (has_marked(text, mark, name))
            return true;
    }
    return false;
}

/* ---- libraries ---- */

static void library_end(void *thing)
{
    free(((struct library *)thing)->text);
}

struct library *library_create(id source, id options, id *error)
{
    const struct string *string = thing_use(source, KIND_STRING);
    const struct options *how = options ? thing_use(options, KIND_OPTIONS) : NULL;
    if (!string) {
        misuse("no source");
        return NULL;
    }
    char *text = strdup(string->text);
    if (!text)
        abort();
    strip(text);
    const char *wrong = wrong_with(text, how);
    if (wrong) {
        free(text);
        error_tell(error, IN_LIBRARIES, NOT_COMPILED, "program_source:1:1: error: %s", wrong);
        return NULL;
    }
    struct library *library = thing_create(KIND_LIBRARY, 0, sizeof *library, library_end);
    library->text = text;
    return library;
}

static id library_new_function(id self, SEL selector, id name)
{
    struct function *function = NULL;
    ENTER(const struct library, library, newFunctionWithName, KIND_LIBRARY);
    const struct string *string = thing_use(name, KIND_STRING);
    EXPECT_USE(string, "no name");
    if (library && string && has_kernel(library->text, string->text)) {
        function = thing_create(KIND_FUNCTION, 0, sizeof *function, NULL);
        snprintf(function->name, sizeof function->name, "%s", string->text);
        function->known = named_kernel_find(string->text);
    }
    return thing_id(function);
}

const struct method library_methods[] = {METHOD(newFunctionWithName, library_new_function, "@@:@"),
                                         METHODS_END};

/* ---- functions and pipelines ---- */

static id function_name(id self, SEL selector)
{
    ANSWER(id, name, struct function, KIND_FUNCTION, thing_leave(string_create(it->name)));
}

static ns_uint function_type(id self, SEL selector)
{
    ANSWER(ns_uint, functionType, struct function, KIND_FUNCTION, FUNCTION_KERNEL);
}

const struct method function_methods[] = {METHOD(name, function_name, "@@:"),
                                          METHOD(functionType, function_type, "Q@:"), METHODS_END};

static void pipeline_end(void *thing)
{
    thing_drop(((struct pipeline *)thing)->function);
}

struct pipeline *pipeline_create(id function, id *error)
{
    struct function *of = thing_use(function, KIND_FUNCTION);
    if (!of) {
        misuse("no function");
        error_tell(error, IN_LIBRARIES, NOT_COMPILED, "no function");
        return NULL;
    }
    struct pipeline *pipeline = thing_create(KIND_PIPELINE, 0, sizeof *pipeline, pipeline_end);
    pipeline->function = thing_retain(of);
    return pipeline;
}

static ns_uint pipeline_max_threads(id self, SEL selector)
{
    ANSWER(ns_uint, maxTotalThreadsPerThreadgroup, struct pipeline, KIND_PIPELINE,
           strcmp(it->function->name, "kerntime_empty") == 0 ? script.empty_threads
                                                             : script.max_threads);
}

static ns_uint pipeline_width(id self, SEL selector)
{
    ANSWER(ns_uint, threadExecutionWidth, struct pipeline, KIND_PIPELINE, 32);
}

const struct method pipeline_methods[] = {
    METHOD(maxTotalThreadsPerThreadgroup, pipeline_max_threads, "Q@:"),
    METHOD(threadExecutionWidth, pipeline_width, "Q@:"), METHODS_END};

/* ---- options ---- */

static id options_new(id self, SEL selector)
{
    LEAVES bool goes = stub_enter_call(ENTRY_new);
    return goes ? thing_id(thing_create(KIND_OPTIONS, 0, sizeof(struct options), NULL)) : NULL;
}

static void options_fast_math(id self, SEL selector, ns_bool enabled)
{
    ENTER(struct options, options, setFastMathEnabled, KIND_OPTIONS);
    EXPECT_USE(enabled <= 1, "BOOL %u", enabled);
    if (options)
        options->has_safe_mode = options->has_precise_functions = !enabled;
}

static void options_math_mode(id self, SEL selector, ns_uint mode)
{
    ENTER(struct options, options, setMathMode, KIND_OPTIONS);
    EXPECT_USE(mode <= 2, "mode %lu", mode);
    if (options)
        options->has_safe_mode = mode == 0;
}

const struct method options_methods[] = {METHOD(setFastMathEnabled, options_fast_math, "v@:B"),
                                         METHOD(setMathMode, options_math_mode, "v@:Q"),
                                         METHODS_END};
const struct method options_class_methods[] = {METHOD(new, options_new, "@@:"), METHODS_END};
