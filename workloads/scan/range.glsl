/* As scan_group and scan_range in scan.cl, from FROM[] to TO[]. */
#include "block.glsl"

uint scan_group(uint item, uint mine, inout uint before)
{
    sum_rows(item, mine);
    uint own_row = item / SCAN_ROW, sum = 0;
    for (uint row = 0; row < SCAN_ROWS; row++) {
        if (row == own_row)
            sum = before;
        before += rows[row];
    }
    for (uint k = own_row * SCAN_ROW; k < item; k++)
        sum += sums[k];
    return sum;
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
        uint sum = scan_group(item, mine, before);
        for (uint k = 0; k < SCAN_ITEMS; k++) {
            if (first + k < end)
                TO[first + k] = sum;
            sum += own[k];
        }
        barrier();
    }
}
