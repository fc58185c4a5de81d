/* value.h - what fill writes, in all languages. */
#ifndef WORKLOAD_FILL_VALUE_H
#define WORKLOAD_FILL_VALUE_H

/* Four different bytes: nobody may take memset() for it. */
#define FILL_VALUE 0x12345678u

#endif
