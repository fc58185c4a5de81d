/* SPDX-License-Identifier: MIT */
/* More names than the registry has rows for. */
#include "registry/registry.h"
#include "tests/unit/testing.h"

#include <kerntime/snapshot.h>
#include <stdio.h>

#define ROWS_MAX 65536

static void the_first_65536_names_have_rows(void **state)
{
    char name[16];
    for (int i = 0; i < ROWS_MAX; i++) {
        snprintf(name, sizeof name, "%05d", i);
        kt_site site = {.name = name, .backend = KT_BACKEND_CPU};
        kt_registry_discard(&site, KT_TIMESTAMP_LOST); /* a row without a histogram of a thread's */
        assert_int_equal(site.row, i + 1);
    }
    for (int i = 0; i < 3; i++)
        kt_record_name("one too many", KT_BACKEND_CPU, 5);
    kt_record_name("00000", KT_BACKEND_CPU, 7);
    kt_record_name("65535", KT_BACKEND_CPU, 7);
    kt_snapshot *snapshot = NULL;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    assert_int_equal(kt_snapshot_count(snapshot), ROWS_MAX);
    assert_int_equal(kt_snapshot_dropped(snapshot), 3);
    assert_null(kt_snapshot_find(snapshot, "one too many", KT_BACKEND_CPU));
    for (uint32_t i = 0; i < ROWS_MAX; i++) { /* without looking at all others each time */
        const kt_row *row = kt_snapshot_row(snapshot, i);
        assert_ptr_equal(kt_snapshot_find(snapshot, row->name, KT_BACKEND_CPU), row);
    }
    assert_int_equal(kt_snapshot_row(snapshot, 0)->count, 1);
    assert_int_equal(kt_snapshot_row(snapshot, ROWS_MAX - 1)->count, 1);
    kt_snapshot_destroy(&snapshot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_65536_names_have_rows),
    };
    return cmocka_run_group_tests_name("registry_limit", tests, NULL, NULL);
}
