#define _GNU_SOURCE /* secure_getenv */
#include "dl.h"

#include "../error.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

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

/* Two versions of one driver in a process know nothing of each other, so what the program has loaded comes first. */
static void *open_first(const char *const *names)
{
    void *library = NULL;
    for (const char *const *name = names; *name && !library; name++)
        library = open_one(*name, RTLD_NOLOAD);
    for (const char *const *name = names; *name && !library; name++)
        library = open_one(*name, 0);
    return library;
}

kt_status kt_dl_open(const char *variable, const char *const *names, void **out)
{
    const char *chosen = kt_environment(variable);
    if (chosen) {
        if (chosen[0] != '/')
            return kt_fail(KT_UNAVAILABLE, "%s must be an absolute path, not \"%s\"", variable,
                           chosen);
        *out = open_one(chosen, 0);
        return *out ? KT_OK : kt_fail(KT_UNAVAILABLE, "%s: %s", variable, dlerror());
    }
    *out = open_first(names);
    return *out ? KT_OK : kt_fail(KT_UNAVAILABLE, "%s is not installed", names[0]);
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
