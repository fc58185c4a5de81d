/* launch.c - variables by which launchers tell a process its rank. */
#include <kerntime/host.h>

#include <string.h>

int kt_launch_read(const char *rank_variable, kt_launch *out)
{
    (void)rank_variable;
    memset(out, 0, sizeof *out);
    return 0;
}
