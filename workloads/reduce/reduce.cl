/* The sum of an array of u32, modulo 2^32. */
#include "../kernel.h"
#include "group.h"

/* The sum of what each item of a group has, in its first item. */
FUNCTION unsigned sum_of_group(TO_LOCAL unsigned *sums, unsigned item, unsigned mine)
{
    sums[item] = mine;
    BARRIER();
    for (unsigned others = REDUCE_GROUP / 2; others > 0; others /= 2) {
        if (item < others)
            sums[item] += sums[item + others];
        BARRIER();
    }
    return sums[0];
}

/* A group makes one partial sum; its items stride over the array with those of all other groups. */
KERNEL void reduce_partial(GLOBAL const unsigned *array, GLOBAL unsigned *partials, unsigned n)
{
    LOCAL unsigned sums[REDUCE_GROUP];
    unsigned mine = 0;
    for (unsigned i = GLOBAL_ID(x); i < n; i += GLOBAL_SIZE(x))
        mine += array[i];
    mine = sum_of_group(sums, LOCAL_ID(x), mine);
    if (LOCAL_ID(x) == 0)
        partials[GROUP_ID(x)] = mine;
}

/* One group adds up the n partial sums. */
KERNEL void reduce_final(GLOBAL const unsigned *partials, GLOBAL unsigned *sum, unsigned n)
{
    LOCAL unsigned sums[REDUCE_GROUP];
    unsigned mine = 0;
    for (unsigned i = LOCAL_ID(x); i < n; i += REDUCE_GROUP)
        mine += partials[i];
    mine = sum_of_group(sums, LOCAL_ID(x), mine);
    if (LOCAL_ID(x) == 0)
        sum[0] = mine;
}
