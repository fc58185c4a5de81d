/* As sum_of_group in reduce.cl. */
#include "group.h"

shared uint sums[REDUCE_GROUP];

uint sum_of_group(uint item, uint mine)
{
    sums[item] = mine;
    barrier();
    for (uint others = REDUCE_GROUP / 2; others > 0; others /= 2) {
        if (item < others)
            sums[item] += sums[item + others];
        barrier();
    }
    return sums[0];
}
