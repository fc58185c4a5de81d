/* digits.h - how sort takes keys apart and shares them out, in all languages. */
#ifndef WORKLOAD_SORT_DIGITS_H
#define WORKLOAD_SORT_DIGITS_H

#define SORT_BITS     8    /* of a digit */
#define SORT_DIGITS   256  /* values of a digit; as many items are in a group, one for each */
#define SORT_WORDS    8    /* with a bit for each item of a group */
#define SORT_ROWS     16   /* of digits, whose sums are taken first */
#define SORT_SCANNERS 64   /* items of a group that adds up blocks */
#define SORT_BLOCKS   1024 /* at most, that the keys are shared out to, a group each */

#endif
