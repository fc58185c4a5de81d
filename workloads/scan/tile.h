/* tile.h - what a group of scan works on at once, for all languages: so many elements for each of its work-items, which
 * are a power of 2. */
#ifndef WORKLOAD_SCAN_TILE_H
#define WORKLOAD_SCAN_TILE_H

#define SCAN_GROUP 256
#define SCAN_ITEMS 4
#define SCAN_TILE  1024

#endif
