/*
 * fault.h - makes the Nth driver call, allocation or write fail, in builds made for tests
 * (KT_FAULTS). In other builds kt_fault() is a constant 0 and nothing of this is left.
 *
 * Each driver call that can fail goes through KT_CALL, each allocation through alloc.h, each write
 * through file.h, so that a test can make each of them fail in turn.
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
/* From now on the `nth` (from 1) call of that kind fails, once; 0: none. Starts counting anew. */
void kt_fault_set(kt_fault_kind kind, uint64_t nth);
/* What has failed since kt_fault_set(), or NULL if it has not fired. */
const char *kt_fault_fired(kt_fault_kind kind);
int kt_fault(kt_fault_kind kind, const char *what);
#else
#define kt_fault(kind, what) 0
#endif

/*
 * A driver call through a table of function pointers. Test builds may get `on_fault` in place of
 * the driver's answer.
 */
#define KT_CALL(table, function, on_fault, ...) \
    (kt_fault(KT_FAULT_DRIVER, #function) ? (on_fault) : (table)->function(__VA_ARGS__))

#endif
