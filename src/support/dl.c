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

/* A name with a slash is a path as it stands, one without is left to the system's search path. */
static void *open_one(const char *name, int flags)
{
    return dlopen(name, RTLD_NOW | RTLD_LOCAL | flags);
}

/* Of several names the part that is the same of all, "libamdhip64.so". */
static kt_status fail_as_missing(const char *const *names)
{
    const char *ending = strstr(names[0], ".so");
    int length = (int)(names[1] && ending ? ending + 3 - names[0] : (ptrdiff_t)strlen(names[0]));
    return kt_fail(KT_UNAVAILABLE, "%.*s is not installed", length, names[0]);
}

/* That of macOS tells of each place where it looked, and so it does of a library that another one
 * needs. */
static bool dyld_says_missing(const char *why)
{
    static const char *const found[] = {"mach-o", "code signature", "Library not loaded",
                                        "Symbol not found"};
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++)
        if (strstr(why, found[i]))
            return false;
    return strstr(why, "no such file") || strstr(why, "image not found");
}

bool kt_dl_says_missing(const char *why, const char *name)
{
    if (strncmp(why, "dlopen(", strlen("dlopen(")) == 0)
        return dyld_says_missing(why);
    return strncmp(why, name, strlen(name)) == 0 && strstr(why, "No such");
}

/* Why a name was not opened, unless nothing has it: a library that is there may lack another one,
 * or be for another machine. */
static void keep_reason(const char *name, char *reason, size_t bytes)
{
    const char *why = dlerror();
    if (why && !reason[0] && !kt_dl_says_missing(why, name))
        snprintf(reason, bytes, "%s cannot be opened: %s", name, why);
}

/* Two versions of one driver in a process know nothing of each other, so what the program has
 * loaded comes first. */
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

kt_status kt_dl_load(void *library, const kt_dl_symbol *symbols, size_t count, void *table)
{
    for (size_t i = 0; i < count; i++) {
        void *address = dlsym(library, symbols[i].name);
        if (!address && symbols[i].required)
            return kt_fail(KT_UNAVAILABLE, "the driver library has no %s", symbols[i].name);
        /* memcpy: ISO C has no cast from an object pointer to a function pointer. */
        memcpy((char *)table + symbols[i].offset, &address, sizeof address);
    }
    return KT_OK;
}
