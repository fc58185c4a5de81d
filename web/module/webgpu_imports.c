/* SPDX-License-Identifier: MIT */
/* webgpu_imports.c - the driver library of the module: WebGPU's functions, imported from
 * web/webgpu.js. */
#include "backends/webgpu/webgpu.h"
#include "support/wasi/imports.h"

#include <string.h>

#define FUNCTIONS(X)                \
    WGPU_FUNCTIONS_OF_INSTANCES(X)  \
    WGPU_FUNCTIONS_OF_FUTURES(X)    \
    WGPU_FUNCTIONS_OF_TIMESTAMPS(X) \
    WGPU_FUNCTIONS_OF_WORK(X)       \
    WGPU_FUNCTIONS_OF_TIMERS(X)

#define IMPORT(result, name, parameters) \
    __attribute__((import_module("webgpu"), import_name(#name))) result name parameters;
FUNCTIONS(IMPORT)

#define ROW(result, name, parameters) {#name, (kt_dl_function)name},
const kt_dl_import kt_dl_imports[] = {FUNCTIONS(ROW){NULL, NULL}};

/* Returns 1 if there is navigator.gpu. */
__attribute__((import_module("kerntime"), import_name("has_gpu"))) int has_gpu(void);

const char *kt_dl_import_refuses(const char *library)
{
    if (strncmp(library, "libwebgpu", strlen("libwebgpu")) != 0)
        return "not in WebAssembly";
    return has_gpu() ? NULL : "there is no WebGPU here (navigator.gpu)";
}
