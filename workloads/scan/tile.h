/* tile.h - what a group of scan works on at once, for all languages: so many elements for each of
 * its work-items, which stand in rows. */
#ifndef WORKLOAD_SCAN_TILE_H
#define WORKLOAD_SCAN_TILE_H

#define SCAN_GROUP 256
#define SCAN_ROW   16
#define SCAN_ROWS  16
#define SCAN_ITEMS 8
#define SCAN_TILE  2048

#endif
