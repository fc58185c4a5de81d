/* Every element of an array gets the same value. */
#include "../kernel.h"
#include "value.h"

KERNEL void fill(GLOBAL unsigned *array, VALUE n POSITIONS)
{
    for (unsigned i = GLOBAL_ID(x); i < n; i += GLOBAL_SIZE(x))
        array[i] = FILL_VALUE;
}
