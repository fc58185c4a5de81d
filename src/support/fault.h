/* SPDX-License-Identifier: MIT */
/*
 * fault.h - fault injection in test builds (KT_FAULTS).
 *
 * Makes the Nth driver call, allocation or write fail. Every driver call that can fail goes through
 * KT_CALL, every allocation through alloc.h, every write through file.h. In other builds kt_fault()
 * is a constant 0.
 */
#ifndef KT_SUPPORT_FAULT_H
#define KT_SUPPORT_FAULT_H

#include <stdint.h>

typedef enum kt_fault_kind {
    KT_FAULT_DRIVER,
    KT_FAULT_ALLOC,
    KT_FAULT_WRITE,
    KT_FAULT_KIND_COUNT
} kt_fault_kind;

#if KT_FAULTS
/* Makes the `nth` call of `kind` from now on fail, once. `nth` counts from 1; 0 disables. */
void kt_fault_set(kt_fault_kind kind, uint64_t nth);
/* Name of the call that an injected fault made fail since kt_fault_set(), or NULL. */
const char *kt_fault_fired(kt_fault_kind kind);
int kt_fault(kt_fault_kind kind, const char *what);
#else
#define kt_fault(kind, what) 0
#endif

/* Calls a driver function through a table. An injected fault returns `on_fault` without calling. */
#define KT_CALL(table, function, on_fault, ...) \
    (kt_fault(KT_FAULT_DRIVER, #function) ? (on_fault) : (table)->function(__VA_ARGS__))

#endif
