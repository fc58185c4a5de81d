/* SPDX-License-Identifier: MIT */
/* doctor_test.h - looking up what a check found, and timestamps made by hand. */
#ifndef TESTS_UNIT_DOCTOR_TEST_H
#define TESTS_UNIT_DOCTOR_TEST_H

#include "cli/doctor/judge.h"
#include "tests/unit/testing.h"

#include <math.h>

static inline const doctor_diagnostic *doctor_test_find(const doctor_diagnostics *found,
                                                        const char *check)
{
    for (uint32_t i = 0; i < found->count; i++)
        if (strcmp(found->items[i].check, check) == 0)
            return &found->items[i];
    return NULL;
}

/* One that must be there. */
static inline const doctor_diagnostic *doctor_test_the(const doctor_diagnostics *found,
                                                       const char *check)
{
    static const doctor_diagnostic nothing;
    const doctor_diagnostic *f = doctor_test_find(found, check);
    if (!f)
        fail_msg("nothing is said of \"%s\"", check);
    return f ? f : &nothing;
}

static inline const doctor_diagnostic *doctor_test_severity(const doctor_diagnostics *found,
                                                            const char *check, kt_severity severity)
{
    const doctor_diagnostic *f = doctor_test_the(found, check);
    if (f->severity != severity)
        fail_msg("\"%s\" is a %s: %s", check, kt_severity_name(f->severity), f->seen);
    return f;
}

static inline double value_of(const doctor_diagnostic *f, const char *name)
{
    for (uint32_t i = 0; i < f->value_count; i++)
        if (strcmp(f->values[i].name, name) == 0)
            return f->values[i].value;
    fail_msg("\"%s\" has no value %s", f->check, name);
    return NAN;
}

/* Of a submission of 10 us that begins then: 100 ns, 4 us after its beginning, on a clock of 1 ns
 * whose zero is the host's. */
static inline kt_raw doctor_test_raw(int64_t begin_ns)
{
    return (kt_raw){.has_timestamps = 1,
                    .start_ticks = (uint64_t)begin_ns + 4000,
                    .end_ticks = (uint64_t)begin_ns + 4100,
                    .host_before_ns = begin_ns,
                    .host_after_ns = begin_ns + 10000};
}

#endif
