/* As scan_group and scan_range in scan.cl, from FROM[] to TO[]. */
#include "tile.h"

shared uint sums[2][SCAN_GROUP];

uint scan_group(uint item, uint mine)
{
    uint side = 0;
    sums[0][item] = mine;
    barrier();
    for (uint distance = 1; distance < SCAN_GROUP; distance *= 2) {
        uint sum = sums[side][item];
        if (item >= distance)
            sum += sums[side][item - distance];
        side = 1 - side;
        sums[side][item] = sum;
        barrier();
    }
    return side;
}

void scan_range(uint begin, uint end, uint before)
{
    uint item = gl_LocalInvocationID.x;
    for (uint tile = begin; tile < end; tile += SCAN_TILE) {
        uint first = tile + item * SCAN_ITEMS, own[SCAN_ITEMS], mine = 0;
        for (uint k = 0; k < SCAN_ITEMS; k++) {
            own[k] = first + k < end ? FROM[first + k] : 0;
            mine += own[k];
        }
        uint scanned = scan_group(item, mine), sum = before + sums[scanned][item] - mine;
        before += sums[scanned][SCAN_GROUP - 1];
        barrier();
        for (uint k = 0; k < SCAN_ITEMS; k++) {
            if (first + k < end)
                TO[first + k] = sum;
            sum += own[k];
        }
    }
}
