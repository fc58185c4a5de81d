/* SPDX-License-Identifier: MIT */
/* dl.c - the part of support/dl.c that the system does, in WebAssembly: the one driver library is
 * that of the module's imports. */
#include "support/wasi/imports.h"

#include "support/error.h"

#include <stdlib.h>
#include <string.h>

const char *kt_environment(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

kt_status kt_dl_open(const char *variable, const char *const *names, void **out)
{
    (void)variable; /* there is no other library that it could name */
    const char *reason = kt_dl_import_refuses(names[0]);
    if (reason)
        return kt_fail(KT_UNAVAILABLE, "%s", reason);
    *out = (void *)(uintptr_t)kt_dl_imports;
    return KT_OK;
}

static kt_dl_function find_import(const void *imports, const char *name)
{
    for (const kt_dl_import *i = imports; i->name; i++)
        if (strcmp(i->name, name) == 0)
            return i->function;
    return NULL;
}

kt_status kt_dl_load(void *library, const char *names, void *table)
{
    const char *missing = kt_dl_fill(find_import, library, names, table);
    return missing ? kt_fail(KT_UNAVAILABLE, "the driver library has no %s", missing) : KT_OK;
}
