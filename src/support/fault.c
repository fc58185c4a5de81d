/* SPDX-License-Identifier: MIT */
#include "support/fault.h"

#if KT_FAULTS
#include <stdatomic.h>
#include <stddef.h>

static struct {
    atomic_uint_fast64_t calls, nth;
    _Atomic(const char *) fired;
} faults[KT_FAULT_KIND_COUNT];

void kt_fault_set(kt_fault_kind kind, uint64_t nth)
{
    atomic_store(&faults[kind].fired, NULL);
    atomic_store(&faults[kind].calls, 0);
    atomic_store(&faults[kind].nth, nth);
}

const char *kt_fault_fired(kt_fault_kind kind)
{
    return atomic_load(&faults[kind].fired);
}

int kt_fault(kt_fault_kind kind, const char *what)
{
    uint64_t nth = atomic_load_explicit(&faults[kind].nth, memory_order_relaxed);
    if (nth == 0 || atomic_fetch_add(&faults[kind].calls, 1) + 1 != nth)
        return 0;
    atomic_store(&faults[kind].fired, what);
    return 1;
}
#else
/* ISO C forbids an empty translation unit. */
typedef int kt_no_faults;
#endif
