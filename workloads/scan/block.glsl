/* As block_size and sum_rows in scan.cl. */
#include "tile.h"

shared uint sums[SCAN_GROUP], rows[SCAN_ROWS];

uint block_size(uint n, uint groups)
{
    uint tiles = (n + SCAN_TILE - 1) / SCAN_TILE;
    return (tiles + groups - 1) / groups * SCAN_TILE;
}

void sum_rows(uint item, uint mine)
{
    sums[item] = mine;
    barrier();
    if (item < SCAN_ROWS) {
        uint sum = 0;
        for (uint k = 0; k < SCAN_ROW; k++)
            sum += sums[item * SCAN_ROW + k];
        rows[item] = sum;
    }
    barrier();
}
