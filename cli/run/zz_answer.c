/* zz_answer.c - until answer.c is here. */
#include "cli/run/answer.h"

#include <stdlib.h>

bool answer_add_series(answer_row *row, const kt_series *series)
{
    (void)row, (void)series;
    return true;
}

bool answer_judge(answer_contest *contest)
{
    contest->by_median = calloc(contest->row_count + 1, sizeof *contest->by_median);
    contest->measured_count = 0;
    for (size_t i = 0; contest->by_median && i < contest->row_count; i++)
        if (contest->rows[i].outcome == OUTCOME_OK)
            contest->by_median[contest->measured_count++] = i;
    return contest->by_median != NULL;
}

char *answer_sentence(const answer_contest *contest, bool is_named)
{
    (void)contest, (void)is_named;
    return NULL;
}

void answer_free(answer_contest *contest)
{
    free(contest->by_median);
}
