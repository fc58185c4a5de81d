/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* secure_getenv */
#include "support/dl.h"

#include "support/error.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __APPLE__
static const char *secure_getenv(const char *name)
{
    return issetugid() ? NULL : getenv(name);
}
#endif

const char *kt_environment(const char *name)
{
    const char *value = secure_getenv(name);
    return value && *value ? value : NULL;
}

/* dlopen() takes a name with a slash as a path, and searches for any other name. */
static void *open_one(const char *name, int flags)
{
    return dlopen(name, RTLD_NOW | RTLD_LOCAL | flags);
}

/* Names the library by the part that all its names share: "libamdhip64.so". */
static kt_status fail_as_missing(const char *const *names)
{
    const char *ending = strstr(names[0], ".so");
    int length = (int)(names[1] && ending ? ending + 3 - names[0] : (ptrdiff_t)strlen(names[0]));
    return kt_fail(KT_UNAVAILABLE, "%.*s is not installed", length, names[0]);
}

/* dyld's message lists every place searched, also when a dependency of the library is missing. */
static bool dyld_says_missing(const char *reason)
{
    static const char *const found[] = {"mach-o", "code signature", "Library not loaded",
                                        "Symbol not found"};
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++)
        if (strstr(reason, found[i]))
            return false;
    return strstr(reason, "no such file") || strstr(reason, "image not found");
}

bool kt_dl_says_missing(const char *reason, const char *name)
{
    if (strncmp(reason, "dlopen(", strlen("dlopen(")) == 0)
        return dyld_says_missing(reason);
    return strncmp(reason, name, strlen(name)) == 0 && strstr(reason, "No such");
}

/* Keeps the loader's message if the library exists but cannot be opened: for example a dependency
 * is missing, or the library is for another machine. */
static void keep_reason(const char *name, char *reason, size_t bytes)
{
    const char *error = dlerror();
    if (error && !reason[0] && !kt_dl_says_missing(error, name))
        snprintf(reason, bytes, "%s cannot be opened: %s", name, error);
}

/* Prefers a library that the program has loaded, because two copies of a driver in one process do
 * not share state. */
static void *open_first(const char *const *names, char *reason, size_t reason_bytes)
{
    void *library = NULL;
    for (const char *const *name = names; *name && !library; name++)
        library = open_one(*name, RTLD_NOLOAD);
    for (const char *const *name = names; *name && !library; name++) {
        library = open_one(*name, 0);
        if (!library)
            keep_reason(*name, reason, reason_bytes);
    }
    return library;
}

kt_status kt_dl_open(const char *variable, const char *const *names, void **out)
{
    char reason[512] = "";
    const char *chosen = variable ? kt_environment(variable) : NULL;
    if (chosen) {
        if (chosen[0] != '/')
            return kt_fail(KT_UNAVAILABLE, "%s must be an absolute path, not \"%s\"", variable,
                           chosen);
        *out = open_one(chosen, 0);
        return *out ? KT_OK : kt_fail(KT_UNAVAILABLE, "%s: %s", variable, dlerror());
    }
    *out = open_first(names, reason, sizeof reason);
    if (*out)
        return KT_OK;
    return reason[0] ? kt_fail(KT_UNAVAILABLE, "%s", reason) : fail_as_missing(names);
}

static kt_dl_function find_symbol(const void *library, const char *name)
{
    void *address = dlsym(*(void *const *)library, name);
    kt_dl_function function;
    /* ISO C has no cast from an object pointer to a function pointer. */
    memcpy(&function, &address, sizeof function);
    return function;
}

kt_status kt_dl_load(void *library, const char *names, void *table)
{
    const char *missing = kt_dl_fill(find_symbol, &library, names, table);
    return missing ? kt_fail(KT_UNAVAILABLE, "the driver library has no %s", missing) : KT_OK;
}
