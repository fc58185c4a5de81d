/* SPDX-License-Identifier: MIT */
/* A report at exit for which there is no memory, at each allocation: refused, or no file. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "registry/registry.h"
#include "support/fault.h"
#include "tests/unit/testing.h"

#include <kerntime/snapshot.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#if KT_FAULTS
/* Each round the same, with one more allocation that succeeds. */
static void without_memory(void **state)
{
    char folder[] = "unit_at_exit_XXXXXX", path[64];
    KT_SITE(site, "work", KT_BACKEND_CPU);
    kt_record(&site, 1);
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/%%p.csv", folder);
    uint64_t refused = 0, unwritten = 0;
    for (bool fired = true; fired; refused += fired) {
        kt_fault_set(KT_FAULT_ALLOC, refused + 1);
        kt_status status = kt_report_at_exit(path);
        fired = kt_fault_fired(KT_FAULT_ALLOC) != NULL;
        kt_fault_set(KT_FAULT_ALLOC, 0);
        EXPECT_STATUS(status, fired ? KT_NO_MEMORY : KT_OK);
    }
    char file[64];
    snprintf(file, sizeof file, "%s/%ld.csv", folder, (long)getpid());
    for (bool fired = true; fired; unwritten += fired) {
        EXPECT_OK(kt_report_at_exit(path));
        kt_fault_set(KT_FAULT_ALLOC, unwritten + 1);
        kt_registry_report(true);
        fired = kt_fault_fired(KT_FAULT_ALLOC) != NULL;
        kt_fault_set(KT_FAULT_ALLOC, 0);
        assert_int_equal(access(file, F_OK), fired ? -1 : 0);
    }
    assert_true(refused > 3 && unwritten > 3);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(folder), 0);
}
#endif

int main(void)
{
#if KT_FAULTS
    const struct CMUnitTest tests[] = {cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests_name("at_exit_memory", tests, NULL, NULL);
#else
    return 0;
#endif
}
