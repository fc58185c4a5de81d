/* SPDX-License-Identifier: MIT */
/* static.c - a program that loads no libraries. */
int main(void)
{
    return 0;
}
