/* SPDX-License-Identifier: MIT */
/* Results given twice, within a side and on both. */
#include "tests/unit/collect.h"
#include "tests/unit/shapes.h"

#include <kerntime/compare.h>
#include <string.h>

#define REPORTS 6

/* Reports with the ids "1", "2", ..., of which `copy` is read again; then two without an id. */
enum { ONE, TWO, THREE, COPY_OF_ONE, NAMELESS, NAMELESS_TWIN };
static const char *const ids[REPORTS] = {"1", "2", "3", "1", NULL, NULL};
static const char *const names[REPORTS] = {"one", "two", "three", "copy", "old", "old too"};
static kt_report *reports[REPORTS];

static int set_up(void **state)
{
    for (int i = 0; i < REPORTS; i++) {
        shape s = make_shape(1e5 + (i < COPY_OF_ONE ? 10.5 * i : 0));
        s.origin.id = ids[i];
        reports[i] = make_runs(&s, 1);
    }
    return 0;
}

/* A list of reports that ends with -1. */
typedef struct side {
    const kt_report *reports[REPORTS];
    const char *names[REPORTS];
    kt_compare_side as;
} side;

static void take(side *to, const int *list, bool named)
{
    for (; *list >= 0; list++) {
        to->reports[to->as.count] = reports[*list];
        to->names[to->as.count++] = names[*list];
    }
    to->as.reports = to->reports;
    to->as.names = named ? to->names : NULL;
}

/* Whether the first row is identical; -1: refused. */
static int compare_lists(const int *base, const int *contender, bool named)
{
    side sides[2] = {0};
    kt_report_comparison *comparison = NULL;
    take(&sides[0], base, named);
    take(&sides[1], contender, named);
    kt_status status = kt_report_compare(&sides[0].as, &sides[1].as, NULL, NULL, &comparison);
    if (status != KT_OK) {
        EXPECT_STATUS(status, KT_INVALID);
        return -1;
    }
    int identical = kt_report_comparison_row(comparison, 0)->change.identical;
    if (identical)
        assert_int_equal(kt_report_comparison_verdict(comparison), KT_VERDICT_SAME);
    kt_report_comparison_destroy(&comparison);
    return identical;
}

static void a_result_counts_once(void **state)
{
    static const struct {
        int base[4], contender[4], identical;
        const char *named, *unnamed; /* errors */
    } cases[] = {
        {{ONE, -1}, {COPY_OF_ONE, -1}, 1, NULL, NULL},
        {{ONE, TWO, THREE, -1}, {THREE, COPY_OF_ONE, TWO, -1}, 1, NULL, NULL},
        {{ONE, -1}, {TWO, -1}, 0, NULL, NULL},
        {{NAMELESS, -1}, {NAMELESS, -1}, 1, NULL, NULL}, /* one handle */
        {{NAMELESS, -1}, {NAMELESS_TWIN, -1}, 0, NULL, NULL},
        {{NAMELESS, NAMELESS_TWIN, -1}, {ONE, -1}, 0, NULL, NULL},
        {{ONE, TWO, COPY_OF_ONE, -1},
         {THREE, -1},
         -1,
         "one and copy are one result, given twice",
         "reports 1 and 3 of the baseline are one result, given twice"},
        {{THREE, -1},
         {TWO, TWO, -1},
         -1,
         "two and two are one result, given twice",
         "reports 1 and 2 of the contender are one result, given twice"},
        {{TWO, ONE, -1},
         {THREE, COPY_OF_ONE, -1},
         -1,
         "baseline and contender share a result: one and copy have the same id",
         "baseline and contender share a result: 2 of the baseline is 2 of the contender"},
        {{ONE, TWO, -1}, {TWO, -1}, -1, "two and two have the same id", "2 of the baseline is 1"},
        {{ONE, -1}, {TWO, ONE, -1}, -1, "one and one have the same id", "1 of the baseline is 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int named = 0; named < 2; named++) {
            assert_int_equal(compare_lists(cases[i].base, cases[i].contender, named),
                             cases[i].identical);
            if (cases[i].identical < 0)
                EXPECT_TEXT_HAS(kt_error_text(), named ? cases[i].named : cases[i].unnamed);
        }
}

/* Each report of this machine has an id of its own; one of simulated devices has none. */
static void each_report_has_its_id(void **state)
{
    kt_report *made[2] = {0};
    const char *found[2];
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(kt_report_create(&made[i], NULL));
        found[i] = kt_report_get_desc(made[i])->origin->id;
        assert_non_null(found[i]);
        assert_int_equal(strlen(found[i]), 32);
        assert_int_equal(strspn(found[i], "0123456789abcdef"), 32);
    }
    assert_string_not_equal(found[0], found[1]);
    shape s = make_shape(1e5);
    s.info.type = KT_DEVICE_SIMULATED;
    EXPECT_OK(kt_report_add_device(made[0], &s.info, NULL));
    assert_null(kt_report_get_desc(made[0])->origin->id);
    s.info.type = KT_DEVICE_CPU;
    EXPECT_OK(kt_report_add_device(made[0], &s.info, NULL));
    assert_non_null(kt_report_get_desc(made[0])->origin->id);
    kt_report_destroy(&made[0]);
    kt_report_destroy(&made[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_result_counts_once, set_up, forget_shapes),
        cmocka_unit_test(each_report_has_its_id),
    };
    return cmocka_run_group_tests_name("duplicate_runs", tests, NULL, NULL);
}
