/* Does nothing. */
__kernel void empty(void)
{
}
