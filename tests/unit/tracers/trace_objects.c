/* SPDX-License-Identifier: MIT */
/* Handles that the driver gives out again. */
#include "tests/unit/testing.h"

#include "tracers/level_zero/objects.h"

/* One thread destroys an event, another one gets its handle, and only then the first one forgets
 * its object. */
static void an_object_is_not_forgotten_for_another(void **state)
{
    int handle = 0, other = 0, first = 1, second = 2;
    assert_true(object_add(OBJECT_EVENT, &handle, &first));
    assert_true(object_add(OBJECT_EVENT, &handle, &second));
    object_remove(OBJECT_EVENT, &handle, &first);
    assert_ptr_equal(object_find(OBJECT_EVENT, &handle), &second);
    object_remove(OBJECT_EVENT, &handle, &second);
    assert_null(object_find(OBJECT_EVENT, &handle));
    object_remove(OBJECT_EVENT, &other, NULL);
    assert_null(object_find(OBJECT_EVENT, &other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_object_is_not_forgotten_for_another)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
