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

/* Adds to what each item of a group has what those before it have. `sums` has room for two of each, of which one is
 * read while the other is written. Returns the side where the sums are. */
FUNCTION TO_LOCAL unsigned *scan_group(TO_LOCAL unsigned *sums, unsigned item, unsigned mine)
{
    unsigned side = 0;
    sums[item] = mine;
    BARRIER();
    for (unsigned distance = 1; distance < SCAN_GROUP; distance *= 2) {
        TO_LOCAL unsigned *from = sums + side * SCAN_GROUP;
        side = 1 - side;
        sums[side * SCAN_GROUP + item] =
            from[item] + (item >= distance ? from[item - distance] : 0);
        BARRIER();
    }
    return sums + side * SCAN_GROUP;
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
        TO_LOCAL unsigned *scanned = scan_group(sums, item, mine);
        unsigned sum = before + scanned[item] - mine;
        before += scanned[SCAN_GROUP - 1];
        BARRIER();
        for (unsigned k = 0; k < SCAN_ITEMS; k++) {
            if (first + k < end)
                output[first + k] = sum;
            sum += own[k];
        }
    }
}

KERNEL void scan_block_sums(GLOBAL const unsigned *array, GLOBAL unsigned *block_sums, unsigned n)
{
    LOCAL unsigned sums[SCAN_GROUP];
    unsigned item = LOCAL_ID(x), size = block_size(n, GLOBAL_SIZE(x) / SCAN_GROUP);
    unsigned begin = GROUP_ID(x) * size, end = smaller(begin + size, n), mine = 0;
    for (unsigned i = begin + item; i < end; i += SCAN_GROUP)
        mine += array[i];
    sums[item] = mine;
    BARRIER();
    for (unsigned others = SCAN_GROUP / 2; others > 0; others /= 2) {
        if (item < others)
            sums[item] += sums[item + others];
        BARRIER();
    }
    if (item == 0)
        block_sums[GROUP_ID(x)] = sums[0];
}

/* One group scans the n sums. */
KERNEL void scan_offsets(GLOBAL const unsigned *block_sums, GLOBAL unsigned *offsets, unsigned n)
{
    LOCAL unsigned sums[2 * SCAN_GROUP];
    scan_range(block_sums, offsets, 0, n, 0, sums, LOCAL_ID(x));
}

KERNEL void scan_blocks(GLOBAL const unsigned *array, GLOBAL unsigned *output,
                        GLOBAL const unsigned *offsets, unsigned n)
{
    LOCAL unsigned sums[2 * SCAN_GROUP];
    unsigned size = block_size(n, GLOBAL_SIZE(x) / SCAN_GROUP), begin = GROUP_ID(x) * size;
    scan_range(array, output, begin, smaller(begin + size, n), offsets[GROUP_ID(x)], sums,
               LOCAL_ID(x));
}
