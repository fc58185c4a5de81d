/* The sum of an array of u32, modulo 2^32. */
#include "../kernel.h"
#include "group.h"

/* The sum, in the first item, of what each item of a group has: row by row, then all rows. `sums` has room for the items
 * and the rows. A barrier is dear where work-items are no threads: a tree of pairs would have eight. */
FUNCTION unsigned sum_of_group(TO_LOCAL unsigned *sums, unsigned item, unsigned mine)
{
    TO_LOCAL unsigned *rows = sums + REDUCE_GROUP;
    unsigned sum = 0;
    sums[item] = mine;
    BARRIER();
    if (item < REDUCE_ROWS) {
        for (unsigned k = 0; k < REDUCE_ROW; k++)
            sum += sums[item * REDUCE_ROW + k];
        rows[item] = sum;
    }
    BARRIER();
    sum = 0;
    if (item == 0)
        for (unsigned row = 0; row < REDUCE_ROWS; row++)
            sum += rows[row];
    return sum;
}

/* A group makes one partial sum; its items stride over the array with those of all other groups. */
KERNEL void reduce_partial(GLOBAL const unsigned *array, GLOBAL unsigned *partials,
                           VALUE n POSITIONS)
{
    LOCAL unsigned sums[REDUCE_GROUP + REDUCE_ROWS];
    unsigned mine = 0;
    for (unsigned i = GLOBAL_ID(x); i < n; i += GLOBAL_SIZE(x))
        mine += array[i];
    mine = sum_of_group(sums, LOCAL_ID(x), mine);
    if (LOCAL_ID(x) == 0)
        partials[GROUP_ID(x)] = mine;
}

/* One group adds up the n partial sums. */
KERNEL void reduce_final(GLOBAL const unsigned *partials, GLOBAL unsigned *sum, VALUE n POSITIONS)
{
    LOCAL unsigned sums[REDUCE_GROUP + REDUCE_ROWS];
    unsigned mine = 0;
    for (unsigned i = LOCAL_ID(x); i < n; i += REDUCE_GROUP)
        mine += partials[i];
    mine = sum_of_group(sums, LOCAL_ID(x), mine);
    if (LOCAL_ID(x) == 0)
        sum[0] = mine;
}
