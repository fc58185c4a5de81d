/* SPDX-License-Identifier: MIT */
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

/* "MARK void NAME(": where the bracket is, or NULL. */
static const char *find_marked(const char *text, const char *mark, const char *name)
{
    for (const char *at = text; (at = strstr(at, mark)) != NULL; at++) {
        const char *next = at != text && is_word(at[-1]) ? NULL : skip_word(at, mark);
        next = next ? skip_word(next, "void") : NULL;
        next = next ? skip_word(next, name) : NULL;
        if (next && *next == '(')
            return next;
    }
    return NULL;
}

/* A macro may stand for the word: "#define MARK kernel". */
static const char *find_kernel(const char *text, const char *name)
{
    static const char define[] = "#define ";
    const char *found = find_marked(text, "kernel", name);
    if (found)
        return found;
    for (const char *at = text; (at = strstr(at, define)) != NULL;) {
        char mark[NAME_MAX_BYTES];
        at += sizeof define - 1;
        size_t length = strcspn(at, " \n(");
        if (!skip_word(at + length + strspn(at + length, " "), "kernel") || length >= sizeof mark)
            continue;
        snprintf(mark, sizeof mark, "%.*s", (int)length, at);
        found = find_marked(text, mark, name);
        if (found)
            return found;
    }
    return NULL;
}

/* What stands before the comma or bracket that ends a parameter. */
static size_t parameter_length(const char *at)
{
    size_t length = 0;
    for (int depth = 0; at[length]; length++) {
        char c = at[length];
        if (depth == 0 && (c == ',' || c == ')'))
            break;
        depth += (c == '(' || c == '[' || c == '<') - (c == ')' || c == ']' || c == '>');
    }
    return length;
}

static bool has_word(const char *text, const char *word)
{
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        if ((at == text || !is_word(at[-1])) && !is_word(at[strlen(word)]))
            return true;
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

static void function_end(void *thing)
{
    free(((struct function *)thing)->parameters);
}

static id library_new_function(id self, SEL selector, id name)
{
    struct function *function = NULL;
    ENTER(const struct library, library, newFunctionWithName, KIND_LIBRARY);
    const struct string *string = thing_use(name, KIND_STRING);
    EXPECT_USE(string, "no name");
    const char *bracket = library && string ? find_kernel(library->text, string->text) : NULL;
    if (bracket) {
        function = thing_create(KIND_FUNCTION, 0, sizeof *function, function_end);
        function->parameters = strdup(bracket);
        if (!function->parameters)
            abort();
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

static ns_uint pipeline_own_memory(id self, SEL selector)
{
    ANSWER(ns_uint, staticThreadgroupMemoryLength, struct pipeline, KIND_PIPELINE, 0);
}

const struct method pipeline_methods[] = {
    METHOD(maxTotalThreadsPerThreadgroup, pipeline_max_threads, "Q@:"),
    METHOD(threadExecutionWidth, pipeline_width, "Q@:"),
    METHOD(staticThreadgroupMemoryLength, pipeline_own_memory, "Q@:"), METHODS_END};

/* ---- reflection ---- */

enum { IS_BUFFER, IS_GROUP_MEMORY, IS_TEXTURE, IS_SAMPLER, TYPES };
enum { READ_ONLY, READ_WRITE };

struct argument {
    struct thing thing;
    char name[NAME_MAX_BYTES];
    ns_uint type, access, index, bytes;
};
struct reflection {
    struct thing thing;
    struct array *arguments;
};

/* Of a parameter's words; TYPES: it is no argument, but a place in the grid. */
static ns_uint type_of(const char *words)
{
    return has_word(words, "threadgroup")                             ? IS_GROUP_MEMORY
           : has_word(words, "device") || has_word(words, "constant") ? IS_BUFFER
           : strstr(words, "texture")                                 ? IS_TEXTURE
           : has_word(words, "sampler")                               ? IS_SAMPLER
                                                                      : TYPES;
}

/* "device const float4 *x [[buffer(2)]]"; without an attribute `next` is its index. */
static struct argument *argument_create(const char *words, ns_uint type, ns_uint next)
{
    struct argument *made = thing_create(KIND_ARGUMENT, 0, sizeof *made, NULL);
    const char *end = strstr(words, "[["), *number = end ? strchr(end, '(') : NULL;
    end = end ? end : words + strlen(words);
    while (end > words && !is_word(end[-1]))
        end--;
    const char *name = end;
    while (name > words && is_word(name[-1]))
        name--;
    snprintf(made->name, sizeof made->name, "%.*s", (int)(end - name), name);
    made->type = type;
    made->access = has_word(words, "constant") || has_word(words, "const") ? READ_ONLY : READ_WRITE;
    made->index = number ? strtoul(number + 1, NULL, 10) : next;
    made->bytes = type != IS_BUFFER ? 0 : strstr(words, "4 ") ? 16 : strstr(words, "long ") ? 8 : 4;
    return made;
}

static void reflection_end(void *thing)
{
    thing_drop(((struct reflection *)thing)->arguments);
}

id reflection_create(id of)
{
    const struct function *function = thing_use(of, KIND_FUNCTION);
    struct thing *items[BINDINGS_MAX];
    ns_uint next[TYPES] = {0};
    size_t count = 0;
    for (const char *at = function->parameters + 1; count < BINDINGS_MAX && *at && *at != ')';) {
        char words[128];
        size_t length = parameter_length(at);
        snprintf(words, sizeof words, "%.*s", (int)length, at);
        ns_uint type = type_of(words);
        if (type < TYPES)
            items[count++] = &argument_create(words, type, next[type]++)->thing;
        at += length + (at[length] == ',');
    }
    struct reflection *made = thing_create(KIND_REFLECTION, 0, sizeof *made, reflection_end);
    made->arguments = array_create(items, count);
    for (size_t i = 0; i < count; i++)
        thing_drop(items[i]);
    return thing_leave(made);
}

static id reflection_arguments(id self, SEL selector)
{
    ANSWER(id, arguments, struct reflection, KIND_REFLECTION, thing_id(it->arguments));
}

const struct method reflection_methods[] = {METHOD(arguments, reflection_arguments, "@@:"),
                                            METHODS_END};

static id argument_name(id self, SEL selector)
{
    ANSWER(id, name, struct argument, KIND_ARGUMENT, thing_leave(string_create(it->name)));
}

static ns_uint argument_type(id self, SEL selector)
{
    ANSWER(ns_uint, type, struct argument, KIND_ARGUMENT, it->type);
}

static ns_uint argument_access(id self, SEL selector)
{
    ANSWER(ns_uint, access, struct argument, KIND_ARGUMENT, it->access);
}

static ns_uint argument_index(id self, SEL selector)
{
    ANSWER(ns_uint, index, struct argument, KIND_ARGUMENT, it->index);
}

static ns_uint argument_bytes(id self, SEL selector)
{
    ANSWER(ns_uint, bufferDataSize, struct argument, KIND_ARGUMENT, it->bytes);
}

const struct method argument_methods[] = {METHOD(name, argument_name, "@@:"),
                                          METHOD(type, argument_type, "Q@:"),
                                          METHOD(access, argument_access, "Q@:"),
                                          METHOD(index, argument_index, "Q@:"),
                                          METHOD(bufferDataSize, argument_bytes, "Q@:"),
                                          METHODS_END};

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
