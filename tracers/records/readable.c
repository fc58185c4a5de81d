/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "tracers/records/records.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char *demangle(const char *symbol, char *memory, size_t *bytes, int *status);

/* Only a C++ runtime that the program has loaded is used: a second one could conflict with one that
 * the program loads later. */
static demangle *find_demangler(void)
{
    static const char *const runtimes[] = {"libstdc++.so.6", "libc++abi.so.1"};
    void *address = dlsym(RTLD_DEFAULT, "__cxa_demangle");
    for (size_t i = 0; !address && i < sizeof runtimes / sizeof runtimes[0]; i++) {
        void *library = dlopen(runtimes[i], RTLD_NOLOAD | RTLD_LAZY);
        if (library) {
            address = dlsym(library, "__cxa_demangle");
            dlclose(library);
        }
    }
    demangle *function = NULL;
    memcpy(&function, &address, sizeof function);
    return function;
}

static bool demangled(const char *symbol, char name[RECORDS_NAME_BYTES])
{
    int status = -1;
    demangle *function = find_demangler();
    char *text = function ? function(symbol, NULL, NULL, &status) : NULL;
    if (text && status == 0) {
        const char *type = "void "; /* of templates; kernels return nothing else */
        size_t skip = strncmp(text, type, strlen(type)) == 0 ? strlen(type) : 0;
        snprintf(name, RECORDS_NAME_BYTES, "%s", text + skip);
    }
    free(text);
    return text && status == 0;
}

/* Reads "9vectorAdd". NULL: it is no plain name. */
static const char *read_part(const char *symbol, char name[RECORDS_NAME_BYTES])
{
    char *begin = NULL;
    unsigned long bytes = strtoul(symbol, &begin, 10);
    size_t used = strlen(name);
    if (begin == symbol || bytes == 0 || bytes > strlen(begin) ||
        used + bytes >= RECORDS_NAME_BYTES)
        return NULL;
    memcpy(name + used, begin, bytes);
    name[used + bytes] = 0;
    return begin + bytes;
}

/* "vectorAdd" of _Z9vectorAdd..., "a::b" of _ZN1a1bE...: without parameters, and no templates. */
static bool plain(const char *symbol, char name[RECORDS_NAME_BYTES])
{
    const char *at = symbol + strlen("_Z");
    bool is_nested = *at == 'N';
    name[0] = 0;
    at = read_part(at + is_nested, name);
    while (at && is_nested && *at != 'E') {
        size_t used = strlen(name);
        snprintf(name + used, RECORDS_NAME_BYTES - used, "::");
        at = read_part(at, name);
    }
    return at && *at != 'I';
}

void records_readable(const char *symbol, char name[RECORDS_NAME_BYTES])
{
    if (strncmp(symbol, "_Z", 2) == 0 && (demangled(symbol, name) || plain(symbol, name)))
        return;
    snprintf(name, RECORDS_NAME_BYTES, "%s", symbol);
}
