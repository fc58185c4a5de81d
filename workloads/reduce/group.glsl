/* As sum_of_group in reduce.cl. */
#include "group.h"

shared uint sums[REDUCE_GROUP], rows[REDUCE_ROWS];

uint sum_of_group(uint item, uint mine)
{
    uint sum = 0;
    sums[item] = mine;
    barrier();
    if (item < REDUCE_ROWS) {
        for (uint k = 0; k < REDUCE_ROW; k++)
            sum += sums[item * REDUCE_ROW + k];
        rows[item] = sum;
    }
    barrier();
    sum = 0;
    if (item == 0)
        for (uint row = 0; row < REDUCE_ROWS; row++)
            sum += rows[row];
    return sum;
}
