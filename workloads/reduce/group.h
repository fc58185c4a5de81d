/* group.h - work-items of a group of reduce, in rows, for all languages. */
#ifndef WORKLOAD_REDUCE_GROUP_H
#define WORKLOAD_REDUCE_GROUP_H

#define REDUCE_GROUP 256
#define REDUCE_ROW   16
#define REDUCE_ROWS  16

#endif
