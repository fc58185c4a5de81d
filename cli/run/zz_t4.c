/* zz_t4.c - until t4.c is here. */
#include "cli/run/t4.h"

int t4_write(const char *path, const answer_contest *contests, size_t count)
{
    (void)path, (void)contests, (void)count;
    return EXIT_FAILED;
}
