/* As block_size in scan.cl. */
#include "tile.h"

uint block_size(uint n, uint groups)
{
    uint tiles = (n + SCAN_TILE - 1) / SCAN_TILE;
    return (tiles + groups - 1) / groups * SCAN_TILE;
}
