/* tile.h - the edge of matmul's groups of work-items, in all languages. */
#ifndef WORKLOAD_MATMUL_TILE_H
#define WORKLOAD_MATMUL_TILE_H

#define MATMUL_TILE 16

#endif
