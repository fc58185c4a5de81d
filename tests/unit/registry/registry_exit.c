/* SPDX-License-Identifier: MIT */
/* Programs that exit in the middle of what the registry does: they end all the same. */
#define _XOPEN_SOURCE 700 /* fork, setitimer */
#include "registry/thread_statistics.h"
#include "support/thread.h"
#include "tests/unit/testing.h"

#include <kerntime/registry.h>
#include <kerntime/snapshot.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIMIT_S 300 /* for what takes no time: only a hang reaches it */

/* How a child ends that does `work`, and exits if that returns. */
static int work_in_child(void (*work)(void))
{
    int status = -1;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(LIMIT_S);
        work();
        exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void exit_with_registry_locked(void)
{
    kt_mutex_lock(kt_mutex_of_library());
}

/* As if a signal had interrupted the thread within the registry, and its handler exited. */
static void while_the_registry_is_locked(void **state)
{
    KT_SITE(site, "exit", KT_BACKEND_CPU);
    kt_record(&site, 1);
    assert_int_equal(work_in_child(exit_with_registry_locked), 0);
}

static void take_snapshot(void)
{
    kt_snapshot *snapshot = NULL;
    kt_status status = kt_snapshot_take(&snapshot);
    kt_snapshot_destroy(&snapshot);
    if (status != KT_OK && status != KT_NOT_READY)
        _exit(1);
}

static void exit_on_signal(int signal)
{
    (void)signal;
    exit(0);
}

static void record_until_the_signal(void)
{
    KT_SITE(site, "interrupted", KT_BACKEND_CPU);
    atexit(take_snapshot);
    signal(SIGVTALRM, exit_on_signal);
    setitimer(ITIMER_VIRTUAL, &(struct itimerval){.it_value = {.tv_usec = 2000}}, NULL);
    for (;;)
        kt_record(&site, 1);
}

static void a_snapshot_after_a_signal_does_not_wait(void **state)
{
    for (int i = 0; i < 40; i++)
        assert_int_equal(work_in_child(record_until_the_signal), 0);
}

static atomic_bool stopping;

static void *record_on(void *user)
{
    KT_SITE(site, "recorded to all the time", KT_BACKEND_CPU);
    while (!atomic_load(&stopping))
        kt_record(&site, 1);
    return user;
}

static void *take_snapshots(void *user)
{
    while (!atomic_load(&stopping))
        take_snapshot();
    return user;
}

static void work_of_a_forked_process(void)
{
    KT_SITE(site, "new in the child", KT_BACKEND_CPU);
    kt_snapshot *snapshot = NULL;
    kt_record(&site, 5);
    if (kt_snapshot_take(&snapshot) != KT_OK)
        _exit(1);
    const kt_row *row = kt_snapshot_find(snapshot, site.name, site.backend);
    if (!row || row->count != 1)
        _exit(2);
    if (kt_snapshot_write_file(snapshot, KT_FORMAT_JSON, "/dev/null") != KT_OK)
        _exit(3);
    kt_snapshot_destroy(&snapshot);
}

/* Other threads of the parent hold its lock and are in the middle of records. */
static void a_forked_process_records_and_takes_snapshots(void **state)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, i ? record_on : take_snapshots, NULL),
                         0);
    for (int i = 0; i < 60; i++)
        assert_int_equal(work_in_child(work_of_a_forked_process), 0);
    atomic_store(&stopping, true);
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
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
        kt_row_statistics *row_numbers = kt_row_table_at(&thread->active, row);
        kt_row_statistics_begin(row_numbers, epoch, 5);
        kt_row_statistics_add(row_numbers, 5, kt_bits_of(5), kt_histogram_bucket(5), true);
    }
    kt_row_statistics *interrupted = kt_row_table_at(&thread->active, 1);
    kt_row_statistics_put(&interrupted->sequence,
                          kt_row_statistics_get(&interrupted->sequence) + 1);
    alarm(LIMIT_S);
    kt_thread_statistics_read_own(thread, 1, epoch, &all, &part);
    assert_int_equal(all.count, 0);
    kt_thread_statistics_read_own(thread, 2, epoch, &all, &part);
    assert_int_equal(all.count, 1);
    alarm(0);
    /* Another thread waits a while, since the record might come to its end after all. */
    all.count = 0;
    EXPECT_STATUS(kt_thread_statistics_read(thread, 1, epoch, &all, &part), KT_NOT_READY);
    kt_thread_statistics_free(thread);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(while_the_registry_is_locked),
        cmocka_unit_test(in_the_middle_of_a_record),
        cmocka_unit_test(a_snapshot_after_a_signal_does_not_wait),
        cmocka_unit_test(a_forked_process_records_and_takes_snapshots),
    };
    return cmocka_run_group_tests_name("registry_exit", tests, NULL, NULL);
}
