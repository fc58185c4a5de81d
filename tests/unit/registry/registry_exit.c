/* Programs that exit in the middle of what the registry does: they end all the same. */
#define _POSIX_C_SOURCE 200809L /* fork */
#include "registry/thread_statistics.h"
#include "support/thread.h"
#include "tests/unit/testing.h"

#include <kerntime/registry.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIMIT_S 10 /* for what takes no time */

/* How a process ends that exits right away. */
static int exit_in_child(void)
{
    int status = -1;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(LIMIT_S);
        exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

/* So it is in a fork if another thread took a snapshot meanwhile, and in a signal's handler. */
static void while_the_registry_is_locked(void **state)
{
    KT_SITE(site, "exit", KT_BACKEND_CPU);
    kt_record(&site, 1);
    kt_mutex_lock(kt_mutex_of_library());
    int status = exit_in_child();
    kt_mutex_unlock(kt_mutex_of_library());
    assert_int_equal(status, 0);
}

/* A record that a signal has ended the thread in will not come to its end. */
static void in_the_middle_of_a_record(void **state)
{
    static kt_accumulator all, part;
    const uint64_t epoch = 3;
    kt_thread_statistics *thread = calloc(1, sizeof *thread);
    assert_non_null(thread);
    for (uint32_t row = 1; row <= 2; row++) {
        EXPECT_OK(kt_thread_statistics_add_row(thread, row));
        kt_row_statistics *row_numbers = kt_thread_statistics_row(thread, row);
        kt_row_statistics_begin(row_numbers, epoch, 5);
        kt_row_statistics_add(row_numbers, 5, kt_bits_of(5), kt_histogram_bucket(5));
    }
    kt_row_statistics *interrupted = kt_thread_statistics_row(thread, 1);
    kt_row_statistics_put(&interrupted->sequence,
                          kt_row_statistics_get(&interrupted->sequence) + 1);
    alarm(LIMIT_S);
    kt_thread_statistics_read_own(thread, 1, epoch, &all, &part);
    assert_int_equal(all.count, 0);
    kt_thread_statistics_read_own(thread, 2, epoch, &all, &part);
    assert_int_equal(all.count, 1);
    alarm(0);
    kt_thread_statistics_free(thread);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(while_the_registry_is_locked),
        cmocka_unit_test(in_the_middle_of_a_record),
    };
    return cmocka_run_group_tests_name("registry_exit", tests, NULL, NULL);
}
