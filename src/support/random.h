/* SPDX-License-Identifier: MIT */
/* random.h - random numbers of the operating system. */
#ifndef KT_SUPPORT_RANDOM_H
#define KT_SUPPORT_RANDOM_H

#include <stdbool.h>

/* Characters of an id of 128 random bits in hexadecimal, with the terminating zero. */
#define KT_RANDOM_ID_BYTES 33

/* Makes a random id of lower-case digits. False if the system provides no random numbers. */
bool kt_random_id(char text[KT_RANDOM_ID_BYTES]);

#endif
