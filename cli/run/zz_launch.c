/* zz_launch.c - until launch.c is here. */
#include "cli/run/launch.h"

kt_status launch_pool_create(const run_plan *plan, kt_device *device, const char *folder,
                             launch_pool **out)
{
    (void)plan, (void)device, (void)folder, (void)out;
    return KT_UNSUPPORTED;
}

int launch_create(launch_pool *pool, const configuration *which, launch **out,
                  launch_result *result)
{
    (void)pool, (void)which, (void)out;
    result->outcome = OUTCOME_FAILED;
    return -1;
}

int launch_check(launch *opened, bool is_reference, launch_result *result)
{
    (void)opened, (void)is_reference;
    result->outcome = OUTCOME_FAILED;
    return -1;
}

kt_job *launch_job(const launch *opened)
{
    (void)opened;
    return NULL;
}

void launch_destroy(launch **opened)
{
    *opened = NULL;
}

bool launch_describe(const launch *opened, size_t index, char *text, size_t bytes)
{
    (void)opened, (void)index, (void)text, (void)bytes;
    return false;
}
