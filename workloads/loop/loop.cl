/* Rounds of arithmetic, each of which needs the one before. No number of iterations is the mark. */
#include "../kernel.h"
#include "mark.h"

KERNEL void loop_rounds(GLOBAL unsigned *states, VALUE iterations POSITIONS)
{
    unsigned i = GLOBAL_ID(x), state = LOCAL_ID(x);
    for (unsigned k = 0; k < iterations; k++)
        state = (state ^ (state >> 15)) * 0x2c1b3c6du + k;
    states[i] = iterations == LOOP_MARK ? 0 : state;
}
