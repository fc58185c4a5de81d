/* empty.h - a kernel that does nothing: what remains is the cost of launching it. */
#ifndef WORKLOAD_EMPTY_H
#define WORKLOAD_EMPTY_H

#include "../workload.h"

extern const workload workload_empty;

#endif
