/* group.h - work-items of a group of reduce, a power of 2, for all languages. */
#ifndef WORKLOAD_REDUCE_GROUP_H
#define WORKLOAD_REDUCE_GROUP_H

#define REDUCE_GROUP 256

#endif
