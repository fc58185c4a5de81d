/* SPDX-License-Identifier: MIT */
/* Ranks from the environment, as launchers set it. */
#define _DEFAULT_SOURCE /* setenv */
#include "tests/unit/testing.h"

#include <kerntime/kerntime.h>
#include <stdlib.h>

extern char **environ;

/* What the launchers under test set, "NAME=VALUE" each; no other variable is set. */
static void set(const char *const *variables)
{
    static char *nothing[] = {NULL};
    char name[64];
    environ = nothing;
    for (; *variables; variables++) {
        size_t length = strcspn(*variables, "=");
        assert_true(length < sizeof name);
        memcpy(name, *variables, length);
        name[length] = '\0';
        assert_int_equal(setenv(name, *variables + length + 1, 1), 0);
    }
}
#define SET(...) set((const char *const[]){__VA_ARGS__, NULL})

static kt_launch launch;

static void expect(uint32_t rank, uint32_t size, uint32_t local_rank, const char *job,
                   const char *variable)
{
    assert_int_equal(kt_launch_read(NULL, &launch), KT_OK);
    assert_int_equal(launch.rank, rank);
    assert_int_equal(launch.size, size);
    assert_int_equal(launch.local_rank, local_rank);
    assert_string_equal(launch.job, job);
    assert_string_equal(launch.variable, variable);
}

static void a_process_of_no_launcher_has_no_rank(void **state)
{
    SET("HOME=/");
    assert_int_equal(kt_launch_read(NULL, &launch), KT_UNAVAILABLE);
    assert_int_equal(launch.rank, KT_LAUNCH_UNKNOWN);
    assert_int_equal(kt_launch_read(NULL, NULL), KT_INVALID);
}

static void each_launcher_tells_its_own(void **state)
{
    SET("OMPI_COMM_WORLD_RANK=3", "OMPI_COMM_WORLD_SIZE=8", "OMPI_COMM_WORLD_LOCAL_RANK=1",
        "OMPI_COMM_WORLD_LOCAL_SIZE=2", "PMIX_RANK=3", "PMIX_NAMESPACE=2516058113");
    expect(3, 8, 1, "2516058113", "OMPI_COMM_WORLD_RANK");
    assert_int_equal(launch.local_size, 2);
    SET("PMI_RANK=2", "PMI_SIZE=4", "MPI_LOCALRANKID=0", "MPI_LOCALNRANKS=1");
    expect(2, 4, 0, "", "PMI_RANK");
    SET("MV2_COMM_WORLD_RANK=2", "MV2_COMM_WORLD_SIZE=4", "MV2_COMM_WORLD_LOCAL_RANK=1");
    expect(2, 4, 1, "", "MV2_COMM_WORLD_RANK");
    SET("RANK=9", "WORLD_SIZE=16", "LOCAL_RANK=1", "LOCAL_WORLD_SIZE=8",
        "TORCHELASTIC_RUN_ID=none");
    expect(9, 16, 1, "", "RANK");
    SET("JSM_NAMESPACE_RANK=5", "JSM_NAMESPACE_SIZE=12", "JSM_NAMESPACE_LOCAL_RANK=5",
        "LSB_JOBID=77");
    expect(5, 12, 5, "77", "JSM_NAMESPACE_RANK");
    SET("JOB_COMPLETION_INDEX=6");
    expect(6, KT_LAUNCH_UNKNOWN, KT_LAUNCH_UNKNOWN, "", "JOB_COMPLETION_INDEX");
    SET("SLURM_PROCID=6", "SLURM_STEP_NUM_TASKS=8", "SLURM_NTASKS=8", "SLURM_LOCALID=2",
        "SLURM_JOB_ID=4711", "SLURM_STEP_ID=0", "SLURMD_NODENAME=n3");
    expect(6, 8, 2, "4711.0", "SLURM_PROCID");
    assert_string_equal(launch.node, "n3");
}

/* Flux and srun give processes the variables of PMI, too, without the local rank. */
static void rows_of_one_launcher_complete_each_other(void **state)
{
    SET("PMI_RANK=3", "PMI_SIZE=8", "FLUX_TASK_RANK=3", "FLUX_JOB_SIZE=8", "FLUX_TASK_LOCAL_ID=1",
        "FLUX_JOB_ID=fABC");
    expect(3, 8, 1, "fABC", "PMI_RANK");
    SET("PMI_RANK=3", "PMI_SIZE=8", "PALS_RANKID=3", "PALS_LOCAL_RANKID=1", "PALS_LOCAL_SIZE=2");
    expect(3, 8, 1, "", "PMI_RANK");
    SET("PMIX_RANK=3", "PMIX_NAMESPACE=slurm.pmix.4711.0", "SLURM_PROCID=3",
        "SLURM_STEP_NUM_TASKS=4", "SLURM_LOCALID=1", "SLURMD_NODENAME=n2");
    expect(3, 4, 1, "slurm.pmix.4711.0", "PMIX_RANK");
    assert_string_equal(launch.node, "n2");
}

/* mpirun in a batch script: each rank inherits those of the script. */
static void a_launcher_in_a_job_of_slurm_counts(void **state)
{
    SET("SLURM_PROCID=0", "SLURM_LOCALID=0", "SLURM_NTASKS=4", "SLURM_JOB_ID=4711",
        "SLURMD_NODENAME=n1", "PMI_RANK=3", "PMI_SIZE=4");
    expect(3, 4, KT_LAUNCH_UNKNOWN, "4711", "PMI_RANK");
    assert_string_equal(launch.node, "");
    SET("SLURM_PROCID=0", "SLURM_LOCALID=0", "SLURM_NTASKS=4", "SLURM_JOB_ID=4711",
        "SLURMD_NODENAME=n1", "PMI_RANK=0", "PMI_SIZE=4");
    expect(0, 4, KT_LAUNCH_UNKNOWN, "4711", "PMI_RANK");
    assert_string_equal(launch.node, "");
    SET("SLURM_PROCID=0", "SLURM_LOCALID=0", "SLURM_NTASKS=4", "SLURM_JOB_ID=4711");
    expect(0, KT_LAUNCH_UNKNOWN, 0, "4711", "SLURM_PROCID");
}

static void what_is_no_number_is_no_rank(void **state)
{
    static const char *const values[] = {"",   "x",   "-1",         "+1",
                                         " 1", "1.0", "4294967295", "99999999999"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        SET("SLURM_PROCID=5");
        setenv("PMI_RANK", values[i], 1);
        expect(5, KT_LAUNCH_UNKNOWN, KT_LAUNCH_UNKNOWN, "", "SLURM_PROCID");
    }
    /* Other programs use this name, too. */
    SET("RANK=1");
    assert_int_equal(kt_launch_read(NULL, &launch), KT_UNAVAILABLE);
    SET("PMI_RANK=4", "PMI_SIZE=4");
    expect(4, KT_LAUNCH_UNKNOWN, KT_LAUNCH_UNKNOWN, "", "PMI_RANK");
}

static void a_rank_behind_the_last_is_refused(void **state)
{
    SET("RANK=9", "WORLD_SIZE=8", "SLURM_PROCID=1");
    assert_int_equal(kt_launch_read(NULL, &launch), KT_INVALID);
    assert_string_equal(kt_error_text(), "RANK is 9, but WORLD_SIZE is 8");
    assert_int_equal(launch.rank, KT_LAUNCH_UNKNOWN);
    /* Another launcher is asked first. */
    SET("RANK=9", "WORLD_SIZE=8", "PMI_RANK=1", "PMI_SIZE=2");
    expect(1, 2, KT_LAUNCH_UNKNOWN, "", "PMI_RANK");
    SET("RANK=9", "WORLD_SIZE=", "SLURM_PROCID=1");
    expect(1, KT_LAUNCH_UNKNOWN, KT_LAUNCH_UNKNOWN, "", "SLURM_PROCID");
}

static void the_variable_may_be_named(void **state)
{
    SET("PMI_RANK=0", "PMI_SIZE=4", "MY_RANK=7", "SLURM_PROCID=1", "SLURM_STEP_NUM_TASKS=2",
        "RANK=2", "HOST=n1");
    assert_int_equal(kt_launch_read("MY_RANK", &launch), KT_OK);
    assert_int_equal(launch.rank, 7);
    assert_int_equal(launch.size, KT_LAUNCH_UNKNOWN);
    assert_string_equal(launch.variable, "MY_RANK");
    assert_int_equal(kt_launch_read("SLURM_PROCID", &launch), KT_OK);
    assert_int_equal(launch.rank, 1);
    assert_int_equal(launch.size, 2);
    assert_int_equal(kt_launch_read("RANK", &launch), KT_OK);
    assert_int_equal(launch.rank, 2);
    /* Then no other one counts. */
    assert_int_equal(kt_launch_read("UNSET", &launch), KT_INVALID);
    assert_string_equal(kt_error_text(), "UNSET is not set");
    assert_int_equal(launch.rank, KT_LAUNCH_UNKNOWN);
    assert_int_equal(kt_launch_read("HOST", &launch), KT_INVALID);
    assert_string_equal(kt_error_text(), "HOST is \"n1\", which is no rank");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_of_no_launcher_has_no_rank),
        cmocka_unit_test(each_launcher_tells_its_own),
        cmocka_unit_test(rows_of_one_launcher_complete_each_other),
        cmocka_unit_test(a_launcher_in_a_job_of_slurm_counts),
        cmocka_unit_test(what_is_no_number_is_no_rank),
        cmocka_unit_test(a_rank_behind_the_last_is_refused),
        cmocka_unit_test(the_variable_may_be_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
