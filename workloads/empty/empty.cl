/* Does nothing. */
#include "../kernel.h"

KERNEL void empty(void)
{
}
