/*
 * The exclusive prefix sum of an array of u32, modulo 2^32: reduce, then scan. The array is cut into blocks, a group
 * each: their sums, where each begins, and each from there. No group waits for another.
 */
#include "../kernel.h"
#include "tile.h"

/* Elements of a block: as many whole tiles for each group as there must be. */
FUNCTION unsigned block_size(unsigned n, unsigned groups)
{
    unsigned tiles = (n + SCAN_TILE - 1) / SCAN_TILE;
    return (tiles + groups - 1) / groups * SCAN_TILE;
}

FUNCTION unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Puts the sum of each row of items in place behind the sums of the items, of which each has `mine`. A barrier is dear
 * where work-items are no threads: rows need two, a tree of pairs eight. */
FUNCTION TO_LOCAL unsigned *sum_rows(TO_LOCAL unsigned *sums, unsigned item, unsigned mine)
{
    TO_LOCAL unsigned *rows = sums + SCAN_GROUP;
    sums[item] = mine;
    BARRIER();
    if (item < SCAN_ROWS) {
        unsigned sum = 0;
        for (unsigned k = 0; k < SCAN_ROW; k++)
            sum += sums[item * SCAN_ROW + k];
        rows[item] = sum;
    }
    BARRIER();
    return rows;
}

/* What the items before this one have, and what was before them all, which becomes what is before the next tile. */
FUNCTION unsigned scan_group(TO_LOCAL unsigned *sums, unsigned item, unsigned mine,
                             TO_OWN unsigned *before)
{
    TO_LOCAL unsigned *rows = sum_rows(sums, item, mine);
    unsigned own_row = item / SCAN_ROW, sum = 0;
    for (unsigned row = 0; row < SCAN_ROWS; row++) {
        if (row == own_row)
            sum = *before;
        *before += rows[row];
    }
    for (unsigned k = own_row * SCAN_ROW; k < item; k++)
        sum += sums[k];
    return sum;
}

/* A group scans the elements from begin to end, tile by tile; those before them add up to `before`. */
FUNCTION void scan_range(GLOBAL const unsigned *array, GLOBAL unsigned *output, unsigned begin,
                         unsigned end, unsigned before, TO_LOCAL unsigned *sums, unsigned item)
{
    for (unsigned tile = begin; tile < end; tile += SCAN_TILE) {
        unsigned first = tile + item * SCAN_ITEMS, own[SCAN_ITEMS], mine = 0;
        for (unsigned k = 0; k < SCAN_ITEMS; k++) {
            own[k] = first + k < end ? array[first + k] : 0;
            mine += own[k];
        }
        unsigned sum = scan_group(sums, item, mine, &before);
        for (unsigned k = 0; k < SCAN_ITEMS; k++) {
            if (first + k < end)
                output[first + k] = sum;
            sum += own[k];
        }
        BARRIER(); /* the next tile has the same room for its sums */
    }
}

KERNEL void scan_block_sums(GLOBAL const unsigned *array, GLOBAL unsigned *block_sums,
                            VALUE n POSITIONS)
{
    LOCAL unsigned sums[SCAN_GROUP + SCAN_ROWS];
    unsigned item = LOCAL_ID(x), size = block_size(n, GLOBAL_SIZE(x) / SCAN_GROUP);
    unsigned begin = GROUP_ID(x) * size, end = smaller(begin + size, n), mine = 0;
    for (unsigned i = begin + item; i < end; i += SCAN_GROUP)
        mine += array[i];
    TO_LOCAL unsigned *rows = sum_rows(sums, item, mine);
    if (item == 0) {
        mine = 0;
        for (unsigned row = 0; row < SCAN_ROWS; row++)
            mine += rows[row];
        block_sums[GROUP_ID(x)] = mine;
    }
}

/* One group scans the n sums. */
KERNEL void scan_offsets(GLOBAL const unsigned *block_sums, GLOBAL unsigned *offsets,
                         VALUE n POSITIONS)
{
    LOCAL unsigned sums[SCAN_GROUP + SCAN_ROWS];
    scan_range(block_sums, offsets, 0, n, 0, sums, LOCAL_ID(x));
}

KERNEL void scan_blocks(GLOBAL const unsigned *array, GLOBAL unsigned *output,
                        GLOBAL const unsigned *offsets, VALUE n POSITIONS)
{
    LOCAL unsigned sums[SCAN_GROUP + SCAN_ROWS];
    unsigned size = block_size(n, GLOBAL_SIZE(x) / SCAN_GROUP), begin = GROUP_ID(x) * size;
    scan_range(array, output, begin, smaller(begin + size, n), offsets[GROUP_ID(x)], sums,
               LOCAL_ID(x));
}
