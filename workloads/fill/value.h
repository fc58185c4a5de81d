/* value.h - what fill writes, for C, GLSL and WGSL. */
#ifndef WORKLOAD_FILL_VALUE_H
#define WORKLOAD_FILL_VALUE_H

/* Four different bytes: nobody may take memset() for it. No operator, for it is passed as a flag. */
#define FILL_VALUE 0x12345678u

#endif
