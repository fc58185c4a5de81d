/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr */
#include "tracers/common/pin.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>

void tracer_pin(const void *function)
{
    static _Atomic(void *) last; /* tables of functions are of one library for the most part */
    Dl_info info;
    int code = errno;
    if (!function || !dladdr(function, &info) || !info.dli_fname || !info.dli_fbase ||
        atomic_load_explicit(&last, memory_order_relaxed) == info.dli_fbase)
        return;
    /* The handle is never closed. */
    if (dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE))
        atomic_store_explicit(&last, info.dli_fbase, memory_order_relaxed);
    errno = code;
}
