/* SPDX-License-Identifier: MIT */
/* prototypes LIBRARY: each message of the backend's list has the types that the stub's method of
 * that selector has. */
#include "src/backends/metal/api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* X(types as the compiler encodes them, result, parameters behind object and selector) */
#define SIGNATURES(X)                                                  \
    X("@@:", objc_id, ())                                              \
    X("r*@:", const char *, ())                                        \
    X("r^v@:", const void *, ())                                       \
    X("^v@:", void *, ())                                              \
    X("Q@:", size_t, ())                                               \
    X("q@:", ptrdiff_t, ())                                            \
    X("B@:", objc_bool, ())                                            \
    X("d@:", double, ())                                               \
    X("v@:", void, ())                                                 \
    X("@@:@", objc_id, (, objc_id))                                    \
    X("@@:Q", objc_id, (, size_t))                                     \
    X("@@:QQ", objc_id, (, size_t, size_t))                            \
    X("@@:r^vQQ", objc_id, (, const void *, size_t, size_t))           \
    X("@@:^vQQ@?", objc_id, (, void *, size_t, size_t, void *))        \
    X("@@:@^@", objc_id, (, objc_id, objc_id *))                       \
    X("@@:@Q^@^@", objc_id, (, objc_id, size_t, objc_id *, objc_id *)) \
    X("@@:@@^@", objc_id, (, objc_id, objc_id, objc_id *))             \
    X("@@:{_NSRange=QQ}", objc_id, (, metal_range_of_units))           \
    X("B@:Q", objc_bool, (, size_t))                                   \
    X("B@::", objc_bool, (, objc_selector))                            \
    X("B@:#", objc_bool, (, objc_id)) /* a class */                    \
    X("v@:@", void, (, objc_id))                                       \
    X("v@:B", void, (, objc_bool))                                     \
    X("v@:Q", void, (, size_t))                                        \
    X("v@:QQ", void, (, size_t, size_t))                               \
    X("v@:QQQ", void, (, size_t, size_t, size_t))                      \
    X("v@:^Q^Q", void, (, uint64_t *, uint64_t *))                     \
    X("v@:@QB", void, (, objc_id, size_t, objc_bool))                  \
    X("v@:@QQ", void, (, objc_id, size_t, size_t))                     \
    X("v@:r^vQQ", void, (, const void *, size_t, size_t))              \
    X("v@:@Q@QQ", void, (, objc_id, size_t, objc_id, size_t, size_t))  \
    X("v@:{?=QQQ}{?=QQQ}", void, (, metal_size, metal_size))

#define POINTER(result, parameters)       result (*)(objc_id, objc_selector METAL_LIST parameters)
#define CHOICE(types, result, parameters) POINTER(result, parameters) : (types),
#define ROW(result, selector, parameters) \
    {selector, _Generic((POINTER(result, parameters))NULL, SIGNATURES(CHOICE) default : "?")},
#define MAKES(name, selector, parameters, arguments)        ROW(objc_id, selector, parameters)
#define ASKS(result, name, selector, parameters, arguments) ROW(result, selector, parameters)
#define TELLS(name, selector, parameters, arguments)        ROW(void, selector, parameters)

static const struct {
    const char *selector, *types;
} messages[] = {METAL_MESSAGES(MAKES, ASKS, TELLS)};

int main(int argc, char **argv)
{
    int wrong = 0;
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    const char *(*types_of)(const char *selector) = NULL;
    if (library)
        *(void **)&types_of = dlsym(library, "ktStubTypes");
    if (!types_of) {
        fprintf(stderr, "usage: prototypes LIBRARY\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        const char *types = types_of(messages[i].selector);
        if (types && strcmp(types, messages[i].types) == 0)
            continue;
        fprintf(stderr, "%s is sent as %s, and the stub has it as %s\n", messages[i].selector,
                messages[i].types, types ? types : "nothing");
        wrong++;
    }
    printf("%zu messages, %d wrong\n", sizeof messages / sizeof messages[0], wrong);
    return wrong ? 1 : 0;
}
