/* SPDX-License-Identifier: MIT */
/* imports.h - functions of drivers in WebAssembly. There is no dlopen(), so the module that holds
 * the library lists what it imports. */
#ifndef KT_SUPPORT_WASI_IMPORTS_H
#define KT_SUPPORT_WASI_IMPORTS_H

#include "support/dl.h"

typedef struct kt_dl_import {
    const char *name;
    kt_dl_function function;
} kt_dl_import;

/* Functions of the one driver library that there is, ended by a NULL name. */
extern const kt_dl_import kt_dl_imports[];
/* Why the library of that name cannot be used here; NULL: it is the one that is imported. */
const char *kt_dl_import_refuses(const char *library);

#endif
