/* SPDX-License-Identifier: MIT */
/* What the problems of workloads leave behind them. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "tests/unit/testing.h"
#include "workloads/workload.h"

#include <dirent.h>
#include <time.h>

#define SIZE        512
#define PATIENCE_MS 30000

/* Of this process; 0: the system does not tell. */
static int count_threads(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks)
        return 0;
    for (const struct dirent *entry = readdir(tasks); entry; entry = readdir(tasks))
        count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

/* Some may be just ending. */
static int wait_for_threads(int wanted)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int i = 0; i < PATIENCE_MS && count_threads() > wanted; i++)
        nanosleep(&pause, NULL);
    return count_threads();
}

/* Not every OpenMP ends threads. A fill of so much is shared out. */
static bool can_end_threads(int before)
{
    const workload *fill = workload_find("fill");
    void *problem = NULL;
    EXPECT_OK(fill->problem_create(64 * WORKLOAD_PIECE, &problem));
    for (uint32_t i = 0; i < fill->baseline_count; i++)
        fill->baselines[i].run(problem);
    fill->problem_destroy(problem);
    workload_end_threads();
    return wait_for_threads(before) <= before;
}

/* Or else cpu:0 is measured beside them: with more threads than there are cores those of a device
 * sleep between two kernels. */
static void no_thread_is_left(void **state)
{
    int before = count_threads();
    if (!can_end_threads(before))
        skip();
    for (const workload *const *w = workloads; *w; w++) {
        void *problem = NULL;
        if (!(*w)->problem_create)
            continue;
        EXPECT_OK((*w)->problem_create(SIZE, &problem));
        int left = wait_for_threads(before) - before;
        if (left > 0)
            fail_msg("%s leaves %d threads", (*w)->name, left);
        (*w)->problem_destroy(problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_thread_is_left),
    };
    return cmocka_run_group_tests_name("problems", tests, NULL, NULL);
}
