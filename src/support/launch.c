/* SPDX-License-Identifier: MIT */
/*
 * launch.c - variables by which launchers tell a process its rank.
 *
 * Launchers are nested: mpirun in a batch script inherits SLURM_PROCID=0, and srun with PMIx sets
 * both PMIX_RANK and SLURM_PROCID. The first row with a rank counts. Rows below it with the same
 * rank and size are of the same launcher, and complete it.
 */
#include "support/launch.h"

#include "support/error.h"

#include <kerntime/host.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of variables; NULL: this launcher has none. */
typedef struct launcher {
    const char *rank, *size, *local_rank, *local_size, *job, *node;
    bool needs_size; /* the name of its rank alone is too common */
} launcher;

/* In this order. Slurm last: whatever runs in one of its jobs inherits its variables. Its size is
 * that of the step, which a batch script does not have. */
static const launcher launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE", "PMIX_NAMESPACE", NULL, false},
    {"PMIX_RANK", NULL, NULL, NULL, "PMIX_NAMESPACE", NULL, false},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", "PMI_JOBID", NULL, false},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK",
     "MV2_COMM_WORLD_LOCAL_SIZE", NULL, NULL, false},
    {"FLUX_TASK_RANK", "FLUX_JOB_SIZE", "FLUX_TASK_LOCAL_ID", NULL, "FLUX_JOB_ID", NULL, false},
    {"PALS_RANKID", NULL, "PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE", "PALS_APID", NULL, false},
    {"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_LOCAL_RANK",
     "JSM_NAMESPACE_LOCAL_SIZE", NULL, NULL, false},
    /* torchrun */
    {"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "TORCHELASTIC_RUN_ID", NULL, true},
    /* an indexed job of Kubernetes */
    {"JOB_COMPLETION_INDEX", NULL, NULL, NULL, NULL, NULL, false},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", NULL, NULL, "SLURMD_NODENAME", false},
};
#define LAUNCHER_COUNT (sizeof launchers / sizeof launchers[0])

/* A name that would be cut is no name: another one may begin like it. */
static void read_text(const char *variable, char *text, size_t bytes)
{
    const char *value = variable ? getenv(variable) : NULL;
    if (!text[0] && value && strlen(value) < bytes)
        memcpy(text, value, strlen(value) + 1);
}

/* Only whole numbers are numbers. */
static uint32_t read_number(const char *variable)
{
    const char *value = variable ? getenv(variable) : NULL;
    size_t digits = value ? strspn(value, "0123456789") : 0;
    if (!digits || digits > 10 || value[digits])
        return KT_LAUNCH_UNKNOWN;
    unsigned long long number = strtoull(value, NULL, 10);
    return number < KT_LAUNCH_UNKNOWN ? (uint32_t)number : KT_LAUNCH_UNKNOWN;
}

/* A number of processes, of which `rank` is one. */
static uint32_t read_size(const char *variable, uint32_t rank)
{
    uint32_t size = read_number(variable);
    return size > rank ? size : KT_LAUNCH_UNKNOWN;
}

static bool start(const launcher *by, kt_launch *out)
{
    out->rank = read_number(by->rank);
    out->size = read_size(by->size, out->rank);
    return out->rank != KT_LAUNCH_UNKNOWN && (!by->needs_size || out->size != KT_LAUNCH_UNKNOWN);
}

/* Whether another row is of the same launcher. One whose size is not set, though it has a variable
 * for it, is not: a batch script of Slurm has rank 0. */
static bool is_same(const launcher *by, const kt_launch *out)
{
    kt_launch other;
    if (!start(by, &other) || other.rank != out->rank)
        return false;
    if (other.size == KT_LAUNCH_UNKNOWN)
        return !by->size;
    return out->size == KT_LAUNCH_UNKNOWN || other.size == out->size;
}

static void complete(const launcher *by, kt_launch *out)
{
    if (out->size == KT_LAUNCH_UNKNOWN)
        out->size = read_size(by->size, out->rank);
    if (out->local_rank == KT_LAUNCH_UNKNOWN)
        out->local_rank = read_number(by->local_rank);
    if (out->local_size == KT_LAUNCH_UNKNOWN)
        out->local_size = read_size(by->local_size, out->local_rank);
    read_text(by->job, out->job, sizeof out->job);
    read_text(by->node, out->node, sizeof out->node);
}

/* A launcher without a name of the job runs in one of a batch system. A step of Slurm, which srun
 * starts, has its own number: "4711.0". */
static void complete_job(kt_launch *out)
{
    const char *job = getenv("SLURM_JOB_ID"), *step = getenv("SLURM_STEP_ID");
    if (strcmp(out->job, "none") == 0) /* torchrun's default */
        out->job[0] = '\0';
    read_text("PBS_JOBID", out->job, sizeof out->job);
    read_text("LSB_JOBID", out->job, sizeof out->job);
    if (out->job[0] || !job)
        return;
    size_t bytes = sizeof out->job;
    if ((size_t)snprintf(out->job, bytes, "%s%s%s", job, step ? "." : "", step ? step : "") >=
        bytes)
        out->job[0] = '\0';
}

/* mpirun of another MPI, or within srun: each process takes itself for the only one. */
static void find_larger(kt_launch *out)
{
    for (size_t i = 0; i < LAUNCHER_COUNT && out->size == 1 && !out->larger[0]; i++)
        if (read_size(launchers[i].size, 1) != KT_LAUNCH_UNKNOWN)
            snprintf(out->larger, sizeof out->larger, "%s", launchers[i].size);
}

/* The row of a variable that the caller named; NULL: it is in none. */
static const launcher *find_named(const char *rank_variable)
{
    kt_launch found;
    for (size_t i = 0; i < LAUNCHER_COUNT; i++)
        if (strcmp(launchers[i].rank, rank_variable) == 0 && start(&launchers[i], &found))
            return &launchers[i];
    return NULL;
}

/* A rank whose name is common, and whose size is known but too small, is somebody's mistake. */
static bool contradicts(const launcher *by)
{
    uint32_t rank = read_number(by->rank), size = by->needs_size ? read_number(by->size) : 0;
    return by->needs_size && rank != KT_LAUNCH_UNKNOWN && size <= rank;
}

/* The first row with a rank, or the one that contradicts itself. KT_UNAVAILABLE: there is none. */
static kt_status find_known(const launcher **out)
{
    kt_launch found;
    for (size_t i = 0; i < LAUNCHER_COUNT; i++) {
        *out = &launchers[i];
        if (start(*out, &found))
            return KT_OK;
        if (contradicts(*out))
            return KT_INVALID;
    }
    return KT_UNAVAILABLE;
}

/* Reads the place by `named`, or by the row that counts if it has no variable, which goes to *by. */
static kt_status read_place(const launcher *named, const launcher **by, kt_launch *out)
{
    kt_status status = KT_OK;
    memset(out, 0, sizeof *out);
    out->rank = out->size = out->local_rank = out->local_size = KT_LAUNCH_UNKNOWN;
    if (!named->rank)
        status = find_known(by);
    else if ((*by = find_named(named->rank)) == NULL)
        *by = named;
    if (status != KT_OK)
        return status;
    if (!start(*by, out))
        return KT_INVALID;
    snprintf(out->variable, sizeof out->variable, "%s", (*by)->rank);
    complete(*by, out);
    /* Nothing is known of a launcher that is in no row. */
    for (size_t i = 0; i < LAUNCHER_COUNT && *by != named; i++)
        if (is_same(&launchers[i], out))
            complete(&launchers[i], out);
    complete_job(out);
    find_larger(out);
    return KT_OK;
}

bool kt_launch_find(const char *rank_variable, kt_launch *out)
{
    const launcher named = {.rank = rank_variable}, *by;
    return read_place(&named, &by, out) == KT_OK;
}

kt_status kt_launch_read(const char *rank_variable, kt_launch *out)
{
    if (!out)
        return kt_fail(KT_INVALID, "kt_launch_read() needs an out pointer");
    const launcher named = {.rank = rank_variable}, *by;
    kt_status status = read_place(&named, &by, out);
    if (status == KT_OK)
        return KT_OK;
    if (status == KT_UNAVAILABLE)
        return kt_fail(status, "no launcher has set a rank");
    const char *rank = getenv(by->rank);
    if (rank && rank_variable)
        return kt_fail(status, "%.64s is \"%.40s\", which is no rank", by->rank, rank);
    if (rank_variable)
        return kt_fail(status, "%.64s is not set", by->rank);
    return kt_fail(status, "%s is %s, but %s is %s", by->rank, rank, by->size, getenv(by->size));
}
